"""Files of this machine for as long as a step needs them: what it makes, and objects of a far lake that it reads."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from warehouse.errors import NothingThere, StoreFailed
from warehouse.store.far_objects import PathOf, fetch
from warehouse.store.store import Store


@contextmanager
def scratch() -> Iterator[Path]:
    """An empty folder that goes away; StoreFailed names TMPDIR where the machine's temporary folder fails."""
    try:
        with tempfile.TemporaryDirectory(prefix="paperlake-") as folder:
            yield Path(folder)
    except OSError as error:
        cause = " ".join((error.strerror or str(error)).lower().split())
        what = f"could not write temporary files in {tempfile.gettempdir()}: {cause}"
        raise StoreFailed(f"{what}; free space there, or set TMPDIR to a place with room", may_pass=False) from error


@contextmanager
def local_files(store: Store) -> Iterator[PathOf]:
    """Objects of the lake as files, for tools that read nothing else; NothingThere for one that is missing.

    Of a far lake each is fetched once, when it is first asked for, and gone at the end.
    """
    with scratch() as folder:

        def path_of(key: str) -> Path:
            path = store.local_path(key) or folder / key
            if not path.is_file():
                if store.folder:
                    raise NothingThere(f"{key} is not in the lake {store.url}")
                fetch(store, key, path)
            return path

        yield path_of
