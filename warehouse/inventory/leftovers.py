"""Removing what runs that were stopped left: drafts, and releases that were begun and never published.

A draft goes when the release that it follows is not the latest any more, so nobody can publish it; what was written of
its release goes first, so that no release is left without the draft that leads to it. The claim of its version stays,
as one that no draft has: a publisher at work finds that it has lost it, and nobody else takes the version.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress

from warehouse.errors import Damaged, Superseded
from warehouse.inventory.owners import Owned, Owner, folder_of
from warehouse.release import moves
from warehouse.release.draft import begins
from warehouse.release.latest import CURRENT, DRAFTS, ERASING, NO_DRAFT, RELEASES, parent_of, release_key
from warehouse.release.manifest import decode
from warehouse.release.snapshot import draft_key
from warehouse.release.write import CLAIM, CLAIM_DAY, ClaimedBy, versions
from warehouse.store.pooled_list import POOL
from warehouse.store.store import Store, read_if_there


def drop_superseded(store: Store) -> None:
    """Remove drafts that killed and failed runs left, and that can no longer be published, because the latest release
    is not the one that they follow.
    """
    made = {key.split("/")[1] for key in store.list(DRAFTS) if key != CURRENT}
    alive = begins(parent_of(store))  # read after the list, so that no draft of a newer release is in it
    for draft_id in sorted(made):
        if not draft_id.startswith(alive):
            _remove(store, draft_id)


def _remove(store: Store, draft_id: str) -> None:
    day = read_if_there(store, draft_key(draft_id, CLAIM_DAY))
    if day is not None and (version := _claimed(store, draft_id, day.decode())):
        drop_unpublished(store, version)
    store.delete_prefix(f"{DRAFTS}/{draft_id}")


def _claimed(store: Store, draft_id: str, day: str) -> str | None:
    """The version that a draft claimed, on a day or later; None where it has none."""
    for version in versions(day, draft_id.rpartition("-")[0].removeprefix("first")):
        data = read_if_there(store, release_key(version, CLAIM))
        if data is None:
            return None
        with suppress(Damaged):
            if decode(data, ClaimedBy, CLAIM).draft_id == draft_id:
                return version
    return None


def drop_unpublished(store: Store, version: str) -> None:
    """Remove what was written of a release, unless it was published; its claim stays, and is no draft's any more."""
    if any(move.version == version for move in moves.moves(store)):
        return
    claim = release_key(version, CLAIM)
    data = read_if_there(store, claim)
    if data != NO_DRAFT and not store.swap(claim, NO_DRAFT, data):
        return  # another process is removing it
    store.delete_all(key for key in store.list(f"{RELEASES}/{version}") if key != claim)


@contextmanager
def dropped_if_superseded(store: Store, version: str) -> Iterator[None]:
    """Remove what was written of a release where another one was published first."""
    try:
        yield
    except Superseded:
        drop_unpublished(store, version)
        raise


def collect(store: Store, items: Sequence[Owned], owners: Collection[Owner] = (Owner.LEFT,)) -> None:
    """Remove the keys of these owners; releases that were dropped are for `retention.finish_drops`."""
    found = [item for item in items if item.owner in owners]
    for version in sorted({item.of for item in found if item.key.startswith(f"{RELEASES}/")}):
        drop_unpublished(store, version)
    store.delete_all(item.key for item in found if item.key.startswith((f"{moves.LOG}/", f"{POOL}/")))
    for folder in sorted({folder_of(item.key) for item in found if item.key.startswith((f"{DRAFTS}/", f"{ERASING}/"))}):
        store.delete_prefix(folder)
