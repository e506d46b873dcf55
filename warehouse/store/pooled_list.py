"""The files of the pool: by the list of a pooled release, and those that lie at keys of the latest release alone.

`releases/<version>/pooled.json` says where each file of a release lies, or that it is not kept. `files/lent.json` says
which file lies at which key of the latest release, and not in the pool too. Before such a key changes or goes, its file
is put in the pool: so whenever this is killed, each file is in the pool, or where the list says.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct

from warehouse.errors import Damaged, NothingThere
from warehouse.store.objects import Objects

RELEASES: Final = "releases"
LATEST: Final = f"{RELEASES}/latest.json"
MARKS_OF_A_LAKE: Final = (LATEST, "raw/index")  # one has releases, or pages that were landed
POOL: Final = "files"
PLACES: Final = "pooled.json"
MANIFEST: Final = "manifest.json"
# What releases have in common. Most documents beside the tables name their release: no two are alike
ALIKE: Final = ("paperlake.duckdb", "database.sql", "contract.yaml", "dictionary.html", "DICTIONARY.md")
MAY_BE_POOLED: Final = re.compile(rf"(?:data|marts|about|changes|explore|schemas)/.+|{'|'.join(map(re.escape, ALIKE))}")
# Where a browser finds another page once this one is pooled: what lies there is never read as the release's
STOOD_IN: Final = re.compile(rf"{RELEASES}/[^/]+/(?:explore/index|dictionary)\.html")


class PooledFile(Struct, frozen=True, omit_defaults=True):
    """Where a file of a pooled release lies: its key in the release, and the object in the lake.

    Without `file` it is not kept; with a `sha256` it was made again since, and lies at its own key with that hash.
    """

    key: str
    file: Annotated[str, Meta(pattern=rf"^{POOL}/[0-9a-f]{{64}}(\.[a-z0-9]+)?$")] | None = None
    sha256: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")] = ""

    @property
    def is_kept(self) -> bool:
        return self.file is not None or self.sha256 != ""


PooledFiles: TypeAlias = dict[str, PooledFile]  # by the key in the lake


def release_of(key: str) -> str:
    """The folder of the release that a key is in, where it may be pooled; empty for any other key.

    >>> release_of("releases/2026.10.02.1/data/papers.parquet"), release_of("releases/2026.10.02.1/manifest.json")
    ('releases/2026.10.02.1', '')
    """
    parts = key.split("/", 2)
    is_one = len(parts) == 3 and parts[0] == RELEASES and MAY_BE_POOLED.fullmatch(parts[2])  # noqa: PLR2004
    return "/".join(parts[:2]) if is_one else ""


def is_list(key: str) -> bool:
    return key.count("/") == 2 and key.startswith(f"{RELEASES}/") and key.endswith(f"/{PLACES}")  # noqa: PLR2004


def file_of(key: str, sha256: str) -> str:
    return f"{POOL}/{sha256}{PurePosixPath(key).suffix}"


def key_in_release(key: str) -> str:
    """The key within its release, as a manifest has it."""
    return key.split("/", 2)[2]


def encoded(places: PooledFiles) -> bytes:
    rows = [one for _, one in sorted(places.items())]
    return msgspec.json.format(msgspec.json.encode(rows), indent=1) + b"\n"


def listed(stored: Objects, name: str) -> tuple[PooledFile, ...]:
    """The entries of a list; none where there is no such list."""
    try:
        return msgspec.json.decode(stored.read(name), type=tuple[PooledFile, ...])
    except NothingThere:
        return ()
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Damaged(f"{name} is not what was written ({error}); restore it from a copy") from error


LENT: Final = f"{POOL}/lent.json"
AT_ONCE: Final = 8  # requests in parallel: one takes the bucket's latency


class Lent:
    """The files that the latest release lends to the pool of a bucket; in a folder nothing, where files are hard links.

    `keys` is the key of each file, as it was last read.
    """

    def __init__(self, stored: Objects) -> None:
        self._stored = stored
        self.keys: Mapping[str, str] = {}

    def read(self) -> Mapping[str, str]:
        rows = listed(self._stored, LENT) if self._stored.folder is None else ()
        self.keys = {one.file: one.key for one in rows if one.file}
        return self.keys

    def put(self, keys: Mapping[str, str]) -> None:
        self._stored.put(LENT, encoded({file: PooledFile(key, file) for file, key in keys.items()}))
        self.keys = keys

    def give_back(self, changing: Collection[str], but: str = "") -> None:
        """Put in the pool what lies at these keys, which are to change or to go; `but` is a file that stays."""
        if not any(map(release_of, changing)):
            return
        taken = {file: key for file, key in self.read().items() if key in changing and file != but}
        at_once(self._copy, [(key, file) for file, key in taken.items()])
        if taken:
            self.put({file: key for file, key in self.keys.items() if file not in taken})

    def _copy(self, key: str, file: str) -> None:
        with suppress(NothingThere):  # the release lost it: no copy is anywhere
            self._stored.copy_new(key, file)


def at_once(work: Callable[[str, str], object], pairs: Iterable[tuple[str, str]]) -> None:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for done in [pool.submit(work, *pair) for pair in pairs]:
            done.result()
