"""Where the tasks of a build keep what they make for one another, until the build is done.

A store like a lake, by its URL: a folder of this machine, or a prefix of a bucket that all workers reach.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Final
from uuid import uuid4

import polars as pl

from flows.runtime.environment import variable
from flows.runtime.lake import open_lake
from flows.runtime.progress import log
from warehouse.errors import NothingThere, StoreFailed, Superseded, UsageError
from warehouse.release.draft import begins
from warehouse.release.latest import DRAFTS, parent_of
from warehouse.release.moves import OVERTAKEN
from warehouse.store.local_files import LocalFiles, local_files, scratch
from warehouse.store.store import Store

GROUP_ROWS: Final = 2_000  # of a row group: whoever reads one cohort of many passes over the others


class ScratchPlace:
    """The frames of a scratch place."""

    def __init__(self, files: LocalFiles) -> None:
        self._files, self.url = files, files.store.url

    def write(self, key: str, frame: pl.DataFrame) -> None:
        """Write a frame whole, in place of one that a lost worker may have left."""
        folder, buffer = self._files.store.folder, BytesIO()  # where Polars writes a file, a full disk has no errno
        frame.write_parquet(buffer, compression="lz4", row_group_size=GROUP_ROWS, statistics=True)
        if folder is None:
            self._files.store.put(key, buffer.getvalue())
            return
        path = folder / key
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{uuid4().hex}.part")
        part.write_bytes(buffer.getbuffer())
        part.replace(path)

    def put(self, key: str, data: bytes) -> None:
        self._files.store.put(key, data)

    def path(self, key: str) -> Path:
        """A file of it on this machine."""
        return self._files.path(key)

    def put_file(self, key: str, path: Path) -> None:
        """Put a file of this machine in place; on a folder it is moved there."""
        folder = self._files.store.folder
        if folder is None:
            self._files.store.put_file_new(key, path)
            return
        (folder / key).parent.mkdir(parents=True, exist_ok=True)
        path.replace(folder / key)

    def scan(self, keys: Sequence[str]) -> pl.LazyFrame:
        """The rows of these frames, end to end; there is at least one."""
        return pl.scan_parquet([self.path(key) for key in keys], glob=False)

    def read(self, keys: Sequence[str]) -> pl.DataFrame:
        return self.scan(keys).collect()


@contextmanager
def scratch_place(url: str) -> Iterator[ScratchPlace]:
    """A scratch place that is there, as a task opens it."""
    with local_files(open_lake(url)) as files:
        yield ScratchPlace(files)


@contextmanager
def new_scratch_place() -> Iterator[ScratchPlace]:
    """An empty one on this machine; it is gone at the end."""
    with scratch() as folder, scratch_place(str(folder)) as place:
        yield place


@contextmanager
def shared_scratch(lake: Store) -> Iterator[ScratchPlace]:
    """A scratch place among the drafts of a lake, where its workers have rights too.

    What a killed run leaves goes as its draft would: its name tells the release that it follows, and whoever publishes
    the next one removes it. Superseded where that was another run, while this one was at work.
    """
    if lake.folder is not None and not Path(lake.url).is_absolute():
        where = f"{variable('dask')} is set, and the lake is {lake.url}; workers reach a lake in a bucket"
        raise UsageError(f"{where}, or in a folder that all of them have, by its whole path: {lake.folder}")
    parent = parent_of(lake)
    key = f"{DRAFTS}/{begins(parent)}scratch-{uuid4().hex}"
    try:
        with scratch_place(f"{lake.folder or lake.url}/{key}") as place:
            yield place
    except NothingThere:
        if parent == parent_of(lake):
            raise
        raise Superseded(OVERTAKEN) from None
    finally:
        try:
            lake.delete_prefix(key)
        except StoreFailed as error:  # whoever publishes next removes it
            log.warning("temporary files of the build were left in %s: %s", key, error)
