"""The store of a lake, in which the files of older releases lie once, by their content.

In a bucket each release would hold again what it has in common with the one before. So releases that others follow give
their tables, their explorer and their database to the pool: `files/<sha256><suffix>`, one object for each content. An
object beside the release, `releases/<version>/pooled.json`, lists each key with its file. Whoever reads a key through
this store finds it either way. In a folder the files of releases are hard links of one another, and stay.

What the latest release has at its own keys the pool does not have too (warehouse/store/pooled_list.py).

The list says too what is kept nowhere, because it can be made again, in a folder as in a bucket: the database.
"""

import hashlib
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias, TypeVar

from warehouse.errors import NothingThere, StoreFailed
from warehouse.store.objects import Keys, Objects, parts_of
from warehouse.store.pooled_list import (
    AT_ONCE,
    LENT,
    MANIFEST,
    MAY_BE_POOLED,
    PLACES,
    POOL,
    RELEASES,
    STOOD_IN,
    Lent,
    PooledFile,
    PooledFiles,
    at_once,
    encoded,
    file_of,
    is_list,
    key_in_release,
    listed,
    release_of,
)

T = TypeVar("T")

Learned: TypeAlias = list[PooledFiles]  # inside a store, `list` is the method


class Store:
    """The store of a lake, over its objects as they lie.

    What is known of a release is looked up again when a key is not where it was: a release may be pooled while it is
    read. Who writes to a pooled release, as an erasure does, has the lease of the lake.
    """

    def __init__(self, stored: Objects) -> None:
        self._stored = stored
        self.url, self.folder = stored.url, stored.folder
        self._places: dict[str, PooledFiles] = {}  # by release
        self._lent = Lent(stored)

    def read(self, key: str) -> bytes:
        return self._found(key, self._stored.read)

    def read_range(self, key: str, offset: int, length: int) -> bytes:
        return self._found(key, lambda at: self._stored.read_range(at, offset, length))

    def open(self, key: str) -> BinaryIO:
        return self._found(key, self._stored.open)

    def size(self, key: str) -> int:
        return self._found(key, self._stored.size)

    def exists(self, key: str) -> bool:
        is_there = self._stored.exists(self._at(key)) or (self._moved(key) and self._stored.exists(self._at(key)))
        return is_there and self.is_kept(key)

    def list(self, prefix: str = "") -> Keys:
        found = [key for key in self._stored.list(prefix) if not key.startswith(f"{POOL}/")]
        releases = {key.removesuffix(f"/{PLACES}") for key in found if is_list(key)}
        root, *inside = prefix.rstrip("/").split("/")
        if root == RELEASES and inside:
            releases = {f"{root}/{inside[0]}"}
        within = f"{prefix.rstrip('/')}/" if prefix else ""
        pooled = {key: one for places in self._learned(releases) for key, one in places.items()}
        kept = (key for key, one in pooled.items() if one.file and key.startswith(within))
        gone = {key for key, one in pooled.items() if not one.is_kept}
        return sorted({*(key for key in found if not is_list(key) and key not in gone), *kept})

    def stored_bytes(self, prefix: str) -> int:
        return self._stored.stored_bytes(prefix)

    def put(self, key: str, data: bytes) -> None:
        place, sha256 = self._place(key), hashlib.sha256(data).hexdigest()
        if place is None or place.file is None:
            self._lent.give_back({key}, but=file_of(key, sha256))
            self._stored.put(key, data)
        if place is None:
            return
        if place.file is not None:
            self._stored.put_new(file := file_of(key, sha256), data)
            place = PooledFile(place.key, file)
        else:
            place = PooledFile(place.key, None, sha256)
        self._rename(release_of(key), {key: place})

    def put_new(self, key: str, data: bytes) -> bool:
        return self._stored.put_new(key, data)

    def put_file_new(self, key: str, path: Path) -> bool:
        return self._stored.put_file_new(key, path)

    def copy_new(self, source_key: str, key: str) -> bool:
        return self._found(source_key, lambda at: self._stored.copy_new(at, key))

    def swap(self, key: str, data: bytes, expected: bytes | None) -> bool:
        return self._stored.swap(key, data, expected)

    def delete(self, key: str) -> None:
        self.delete_all([key])

    def delete_all(self, keys: Iterable[str]) -> None:
        gone = sorted(keys)
        for release, group in groupby(gone, release_of):
            found = {key: self._place(key) for key in group}
            if pooled := [key for key, one in found.items() if one and one.is_kept]:
                self._rename(release, dict.fromkeys(pooled))
        self._lent.give_back({*gone})
        lists = (f"{key.removesuffix(MANIFEST)}{PLACES}" for key in gone if key.endswith(f"/{MANIFEST}"))
        self._stored.delete_all([*gone, *lists])  # of a release that is dropped nothing is known any more

    def delete_prefix(self, prefix: str) -> None:
        self._stored.delete_prefix(prefix)
        self._places.clear()

    def temporary(self) -> Keys:
        """Temporary files of the store below, and files of the pool that no release has any more, or not yet."""
        return sorted([*self._stored.temporary(), *self._unnamed()])

    def sweep(self) -> None:
        self._stored.sweep()

    def local_path(self, key: str) -> Path | None:
        """Where DuckDB finds the object (there or not) on this machine; None where the store is elsewhere."""
        parts_of(key)
        if self.folder is None:
            return None
        if not os.path.exists(self.folder / self._at(key)):  # noqa: PTH110 - Path.exists raises without permission
            with suppress(StoreFailed):  # whoever opens it is told
                self._moved(key)
        return self.folder / self._at(key)

    def place(self, key: str) -> str:
        """The object that a key is read from: its own, or a file of the pool."""
        self._place(key)
        return self._at(key)

    def is_kept(self, key: str) -> bool:
        """Whether the file is to be there; another one can be made again (warehouse/release/made_again.py)."""
        found = self._place(key)
        return found is None or found.is_kept

    def made_again(self, key: str) -> str:
        """The SHA-256 of a file that was given up and made again since, which is not that of its release's manifest."""
        found = self._place(key)
        return found.sha256 if found else ""

    def put_again(self, key: str, path: Path, sha256: str) -> None:
        """Put a file that was given up and has been made again in its place."""
        self._stored.delete_all([key])
        self._stored.put_file_new(key, path)
        self._rename(release_of(key), {key: PooledFile(key_in_release(key), None, sha256)})

    def pool(
        self, release: str, sums: Mapping[str, str], pages: Mapping[str, bytes], given_up: Collection[str] = ()
    ) -> bool:
        """Give the files of a release to the pool; `sums` are their SHA-256 by key. False where nothing was left to do.

        In a folder they stay. Those in `given_up` are removed in both. Whenever this is killed, each file is at one of
        the two places, and the next call goes on. `pages` stand in for pages (`STOOD_IN`) that a browser would ask for.
        """
        [places] = self._learned([release])
        wanted = {f"{release}/{key}": PooledFile(key) for key in given_up}
        if self.folder is None:
            shared = {key: file_of(key, sha256) for key, sha256 in sums.items() if MAY_BE_POOLED.fullmatch(key)}
            files = {f"{release}/{key}": PooledFile(key, file) for key, file in shared.items()}
            wanted = {key: one for key, one in files.items() if key not in places} | wanted
        new = {key: one for key, one in wanted.items() if places.get(key) != one}
        if new:
            there = {*self._stored.list(POOL), *self._lent.read()}
            copies = ((key, one.file) for key, one in new.items() if one.file)
            at_once(self._stored.copy_new, ((key, file) for key, file in copies if file not in there))
            self._rename(release, new)
            places = self._places[release]
        instead = {f"{release}/{key}": page for key, page in pages.items() if f"{release}/{key}" in places}
        moved = {key for key, one in places.items() if one.file or not one.is_kept}
        left = [key for key in self._stored.list(release) if key in moved and key not in instead]
        self._lent.give_back({*left, *instead})
        for key, page in instead.items() if new or left else ():
            self._stored.put(key, page)
        self._stored.delete_all(left)
        return bool(new or left)

    def lend(self, release: str, sums: Mapping[str, str], before: Collection[str]) -> None:
        """Let the pool lack what the latest release has at its own keys; `sums` are the SHA-256 of its files, by key.

        `before` are the SHA-256 of the one before, which is pooled next. Whenever this is killed, each file is in the
        pool, or where the list says.
        """
        if self.folder is not None:
            return
        [places] = self._learned([release])
        there, pooled = {*self._stored.list(release)} - {*places}, self._stored.list(POOL)
        shared = {*pooled, *self._lent.read()}
        own = {
            file_of(key, sha256): f"{release}/{key}"
            for key, sha256 in sums.items()
            if MAY_BE_POOLED.fullmatch(key) and f"{release}/{key}" in there
        }
        lent = {file: key for file, key in own.items() if file in shared or sums[key_in_release(key)] in before}
        self._lent.give_back({key for file, key in self._lent.keys.items() if file not in lent})
        if lent != self._lent.keys:
            self._lent.put(lent)
        self._stored.delete_all(file for file in pooled if file in lent)

    def unpool(self, release: str) -> None:
        """Put the files of a release back at their own keys, as those of the latest one are."""
        [places] = self._learned([release])
        pooled = {key: one.file for key, one in places.items() if one.file}
        if not pooled:
            return
        self._stored.delete_all(key for key in self._stored.list(release) if key in pooled)  # pages that stood in
        at_once(self._stored.copy_new, [(self._lent.keys.get(file, file), key) for key, file in pooled.items()])
        self._rename(release, dict.fromkeys(pooled))
        self._stored.delete_all(sorted({*pooled.values()} & {*self._unnamed()}))

    def _unnamed(self) -> Iterator[str]:
        """Files of the pool that no release has."""
        pooled = [key for key in self._stored.list(POOL) if key != LENT]
        lists = (key for key in self._stored.list(RELEASES) if is_list(key)) if pooled else ()
        known = self._learned(key.removesuffix(f"/{PLACES}") for key in lists)
        named = {one.file for places in known for one in places.values()}
        return (key for key in pooled if key not in named)

    def _found(self, key: str, ask: Callable[[str], T]) -> T:
        try:
            return ask(self._at(key))
        except NothingThere:
            if not self._moved(key):
                raise
        return ask(self._at(key))

    def _at(self, key: str) -> str:
        if STOOD_IN.fullmatch(key):
            self._learned([release_of(key)])
        found = self._places.get(release_of(key), {}).get(key)
        return self._lent.keys.get(found.file, found.file) if found and found.file else key

    def _place(self, key: str) -> PooledFile | None:
        """The entry of a key in the list of its release, looked up once."""
        if (release := release_of(key)) and release not in self._places:
            self._learned([release])
        return self._places.get(release, {}).get(key)

    def _moved(self, key: str) -> bool:
        """Look up anew where the release's files lie; whether the key is elsewhere than it was thought to be."""
        if not (release := release_of(key)):
            return False
        before = self._at(key)
        self._learned([release])
        return self._at(key) != before

    def _learned(self, releases: Iterable[str]) -> Learned:
        """Where the files of releases lie, looked up now; nothing for one that is not pooled."""
        names = sorted(releases)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            self._places.update(zip(names, pool.map(self._read_places, names), strict=True))
        if any(one.file for name in names for one in self._places[name].values()):
            self._lent.read()
        return [self._places[name] for name in names]

    def _read_places(self, release: str) -> PooledFiles:
        return {f"{release}/{one.key}": one for one in listed(self._stored, f"{release}/{PLACES}")}

    def _rename(self, release: str, changed: Mapping[str, PooledFile | None]) -> None:
        """Change where keys of a release lie; None takes a key out."""
        [places] = self._learned([release])
        now = {key: one for key, one in {**places, **changed}.items() if one is not None}
        if now:
            self._stored.put(f"{release}/{PLACES}", encoded(now))
        else:
            self._stored.delete_all([f"{release}/{PLACES}"])
        self._places[release] = now


TRIES: Final = 100  # each one that fails is a run that changed the object at that moment


def change_object(store: Store, key: str, change: Callable[[bytes], bytes]) -> None:
    """Replace an object, empty where there is none, by what `change` makes of it; StoreFailed where others always win.

    It is replaced by compare-and-swap, and stays where nothing changes.
    """
    for _ in range(TRIES):
        stored = read_if_there(store, key)
        changed = change(stored or b"")
        if changed == (stored or b"") or store.swap(key, changed, stored):
            return
    raise StoreFailed(f"other runs changed {key} in {store.url} {TRIES} times over; run again when they are done")


def read_if_there(store: Store, key: str) -> bytes | None:
    """The whole object, in one request; None where there is none."""
    try:
        return store.read(key)
    except NothingThere:
        return None
