"""Small pages that lead to the page of the latest release, for addresses that stay: `releases/index.html`, and
`releases/latest/index.html`.

Beside `latest.json`, and `index.json` which lists all releases, they are the only files of a lake's releases that are
ever rewritten; a page at the address of a dropped release says that it was dropped. Only browsers read them: where a
run was killed after a move of `latest.json`, they lead to the previous release until the next run mends them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from flows.documents.release_index import INDEX, release_index
from flows.documents.rendering import render
from flows.runtime.progress import log
from warehouse.errors import Damaged, StoreFailed
from warehouse.release import moves
from warehouse.release.latest import RELEASES, latest, release_key, require_latest
from warehouse.release.manifest import Dropped, encode
from warehouse.store.store import Store, read_if_there

PAGE: Final = "index.html"
WAYS: Final = {f"{RELEASES}/{PAGE}": "", f"{RELEASES}/latest/{PAGE}": "../"}  # key → the way from it to the releases
TRIES: Final = 100  # each one that fails is a move at that moment


def lead_to_latest(store: Store) -> None:
    """Make the pages lead to the release that `latest.json` names; to be called after each move of it.

    They are written again until `latest.json` is the same after writing as before. So, of several processes that move
    it at one moment, the last to write has seen the last move.
    """
    try:
        for _ in range(TRIES):
            named = latest(store)
            if named is None:
                return
            index = {INDEX: encode(release_index(store, named))}
            for key, page in (leading_pages(named.version) | index).items():
                if read_if_there(store, key) != page:
                    store.put(key, page)
            if latest(store) == named:
                return
    except (StoreFailed, Damaged) as error:  # the release is there; the next run writes them
        log.warning("%s/%s may lead to an older release: %s", RELEASES, PAGE, error)


def leading_pages(version: str) -> dict[str, bytes]:
    """Key in the lake → the page that leads from there to the page of a release."""
    return {key: render("page/leading.html.j2", version=version, way=f"{way}{version}/") for key, way in WAYS.items()}


def tombstone(record: Dropped) -> bytes:
    """The page of a release that was dropped."""
    return render("page/tombstone.html.j2", record=record)


def leading_faults(store: Store) -> Iterator[str]:
    """Faults of these pages and of the index: one that leads elsewhere, or is outdated. A missing one is no fault."""
    named = require_latest(store)
    for key, page in leading_pages(named.version).items():
        if read_if_there(store, key) not in {None, page}:
            yield f'{key} does not lead to the latest release, {named.version}; run "paperlake publish", which mends it'
    with suppress(Damaged):  # "paperlake verify" reports damage of the moves
        past = moves.moves(store)
        if read_if_there(store, INDEX) not in {None, encode(release_index(store, past[-1], past))}:
            yield f'{INDEX} does not say what the releases are; remove it, and run "paperlake publish", which mends it'


def page_address(store: Store, version: str) -> str:
    """Where the page of a release is: its path, or its address in a bucket."""
    key = release_key(version, PAGE)
    return str(store.local_path(key) or f"{store.url}/{key}")
