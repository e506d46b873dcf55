"""Files of the pool that lie at keys of the latest release alone, and not in the pool too: `files/lent.json`.

It says which file lies at which key. Before such a key changes or goes, its file is put in the pool: so whenever this
is killed, each file is in the pool, or where the list says.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final

from warehouse.errors import NothingThere
from warehouse.store.pooled_list import POOL, PooledFile, encoded, listed, release_of
from warehouse.store.store import Store, read_if_there

LENT: Final = f"{POOL}/lent.json"
AT_ONCE: Final = 8  # requests in parallel: one takes the bucket's latency


class Lent:
    """What the latest release lends to the pool of a bucket; in a folder nothing, where files are hard links.

    `keys` is the key of each file, as it was last read.
    """

    def __init__(self, stored: Store) -> None:
        self._stored = stored
        self.keys: Mapping[str, str] = {}

    def read(self) -> Mapping[str, str]:
        rows = listed(LENT, read_if_there(self._stored, LENT)) if self._stored.folder is None else ()
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
