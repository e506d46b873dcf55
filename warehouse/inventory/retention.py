"""Dropping old releases, by rule and on record; and what runs that were stopped left: drafts, releases not published.

Only what the archive can build again is dropped. A drop is a move of `latest.json`, recorded before anything is
removed: one that was killed is finished by the next. The claim of a dropped release stays, so that no later one can
take its version; a page at its own address, and `dropped.json`, inform those who follow a link.

A draft goes when the release that it follows is not the latest any more, so nobody can publish it; what was written of
its release goes first, so that no release is left without the draft that leads to it. The claim of its version stays,
as one that no draft has: a publisher at work finds that it has lost it, and nobody else takes the version.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import Final

from warehouse.archive.archive import Archive
from warehouse.errors import Damaged
from warehouse.inventory.keep_rule import KeepRule
from warehouse.inventory.owners import STAY, Owned, Owner, folder_of, inventory
from warehouse.printable import counted
from warehouse.release import moves
from warehouse.release.draft import CLAIM, CLAIM_DAY, ClaimedBy, begins, versions
from warehouse.release.latest import CURRENT, DRAFTS, ERASING, NO_DRAFT, PAGE, RECORD, RELEASES, parent_of, release_key
from warehouse.release.manifest import Dropped, Manifest, decode, encode, released_on
from warehouse.release.snapshot import draft_key, open_snapshot
from warehouse.schema.core.captures import CAPTURES
from warehouse.store.pooled_list import POOL
from warehouse.store.store import Store, read_if_there

PERIODS: Final[Mapping[str, Callable[[date], object]]] = {
    "days": lambda day: day,
    "weeks": lambda day: day.isocalendar()[:2],
    "months": lambda day: (day.year, day.month),
    "quarters": lambda day: (day.year, (day.month - 1) // 3),
}


def droppable(
    versions: Sequence[str],
    latest: str,
    rule: KeepRule,
    kept: Collection[str] = (),
    retracted: Collection[str] = (),
) -> list[str]:
    """The versions that may be dropped by rule, oldest first; never the latest, and none of those in `kept`.

    A `retracted` release stands for a day, a week, a month or a quarter only where no other one does.

    >>> droppable(["2026.09.30.1", "2026.10.01.1", "2026.10.02.1"], "2026.10.02.1", KeepRule(months=2))
    ['2026.10.01.1']
    """
    ordered = sorted(versions, key=moves.order_of)
    stay = {latest, *kept, *ordered[len(ordered) - rule.last :]}
    for name, period in PERIODS.items():
        last_of = {period(released_on(version)): version for version in ordered}
        last_of |= {period(released_on(version)): version for version in ordered if version not in retracted}
        stay.update(list(last_of.values())[-getattr(rule, name) or len(ordered) :])
    return [version for version in ordered if version not in stay]


def require_landed(store: Store, manifest: Manifest) -> None:
    """Raise Damaged where a release has a capture that the archive lacks: it could not be built again."""
    landed = {entry.capture_id for entry in Archive(store).index()}
    with open_snapshot(store, manifest) as release:
        held = set(release.select(CAPTURES, ["capture_id"])["capture_id"])
    if missing := sorted(held - landed):
        raise Damaged(
            f"release {manifest.version} holds {counted(len(missing), 'capture')} that the archive does not have "
            f'({missing[0]} is one), so it was not dropped; run "paperlake verify --raw"'
        )


def finish_drops(store: Store, page: Callable[[Dropped], bytes]) -> list[str]:
    """Remove the files of every release that is recorded as dropped, and what a killed command left of one.

    At its address stay its claim, the record of the drop, and a `page` made of that. Returns the versions that had
    files. The latest release is never touched, whatever a record says.
    """
    past = moves.moves(store)
    there: dict[str, list[str]] = {}
    for item in inventory(store, past):
        if item.owner in {Owner.DROPPED, Owner.LEFT} and item.key.startswith(f"{RELEASES}/"):
            there.setdefault(item.of, []).append(item.key)
    had_files = []
    for version, keys in there.items():
        stay = {release_key(version, key) for key in STAY}
        record = moves.dropped(store, version, past)
        if record is None or stay == set(keys):
            continue
        store.put(release_key(version, PAGE), page(record))
        left = [key for key in keys if key not in stay]
        store.delete_all(left)
        store.put_new(release_key(version, RECORD), encode(record))
        had_files += [version] if left else []
    return had_files


def drop_superseded(store: Store) -> None:
    """Remove drafts of killed and failed runs that can no longer be published, as the latest release is another."""
    made = {key.split("/")[1] for key in store.list(DRAFTS) if key != CURRENT}
    newest = parent_of(store)  # read after the list, so that no draft of a newer release is in it
    for draft_id in sorted(made):
        if draft_id.startswith(begins(newest)):
            continue
        day = read_if_there(store, draft_key(draft_id, CLAIM_DAY))
        for version in _claimed(store, draft_id, day.decode()) if day is not None else ():
            if newest is None or version != newest.version:
                drop_unpublished(store, version)
        store.delete_prefix(f"{DRAFTS}/{draft_id}")


def _claimed(store: Store, draft_id: str, day: str) -> Iterator[str]:
    """The versions that a draft, or others of the same tables, claimed, on a day or later."""
    for version in versions(day, draft_id.rpartition("-")[0].removeprefix("first")):
        data = read_if_there(store, release_key(version, CLAIM))
        if data is None:
            return
        with suppress(Damaged):
            if decode(data, ClaimedBy, CLAIM).draft_id == draft_id:
                yield version


def drop_unpublished(store: Store, version: str) -> None:
    """Remove what was written of a release, unless it was published; its claim stays, and is no draft's any more."""
    if any(move.version == version for move in moves.moves(store)):
        return
    claim = release_key(version, CLAIM)
    data = read_if_there(store, claim)
    if data != NO_DRAFT and not store.swap(claim, NO_DRAFT, data):
        return  # another process is removing it
    store.delete_all(key for key in store.list(f"{RELEASES}/{version}") if key != claim)


def collect(store: Store, items: Sequence[Owned], owners: Collection[Owner] = (Owner.LEFT,)) -> None:
    """Remove the keys of these owners; releases that were dropped are for `retention.finish_drops`."""
    found = [item for item in items if item.owner in owners]
    for version in sorted({item.of for item in found if item.key.startswith(f"{RELEASES}/")}):
        drop_unpublished(store, version)
    store.delete_all(item.key for item in found if item.key.startswith((f"{moves.LOG}/", f"{POOL}/")))
    for folder in sorted({folder_of(item.key) for item in found if item.key.startswith((f"{DRAFTS}/", f"{ERASING}/"))}):
        store.delete_prefix(folder)
