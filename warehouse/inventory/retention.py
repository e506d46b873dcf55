"""Dropping old releases: by rule, on record, and only what the archive can build again.

A drop is a move of `latest.json`, recorded before anything is removed: one that was killed is finished by the next. The
claim of a dropped release stays, so that no later one can take its version, and so does `log/dropped/<version>.json`; a
page at its own address, and `dropped.json`, inform those who follow a link.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Final

from warehouse.archive.archive import Archive
from warehouse.errors import Damaged
from warehouse.inventory.keep_rule import KeepRule
from warehouse.inventory.owners import STAY, Owner, inventory
from warehouse.release import moves
from warehouse.release.latest import PAGE, RECORD, RELEASES, release_key
from warehouse.release.manifest import Dropped, Manifest, encode, released_on
from warehouse.release.snapshot import open_snapshot
from warehouse.schema.core.captures import CAPTURES
from warehouse.store.store import Store

PERIODS: Final[Mapping[str, Callable[[date], object]]] = {
    "days": lambda day: day,
    "weeks": lambda day: day.isocalendar()[:2],
    "months": lambda day: (day.year, day.month),
    "quarters": lambda day: (day.year, (day.month - 1) // 3),
}


def droppable(versions: Sequence[str], latest: str, rule: KeepRule, kept: Collection[str] = ()) -> list[str]:
    """The versions that may be dropped by rule, oldest first; never the latest, and none of those in `kept`.

    >>> droppable(["2026.09.30.1", "2026.10.01.1", "2026.10.02.1"], "2026.10.02.1", KeepRule(months=2))
    ['2026.10.01.1']
    """
    ordered = sorted(versions, key=moves.order_of)
    stay = {latest, *kept, *ordered[len(ordered) - rule.last :]}
    for name, period in PERIODS.items():
        last_of = {period(released_on(version)): version for version in ordered}
        stay.update(list(last_of.values())[-getattr(rule, name) or len(ordered) :])
    return [version for version in ordered if version not in stay]


def require_landed(store: Store, manifest: Manifest) -> None:
    """Raise Damaged where a release has a capture that the archive lacks: it could not be built again."""
    landed = {entry.capture_id for entry in Archive(store).index()}
    with open_snapshot(store, manifest) as release:
        held = set(release.select(CAPTURES, ["capture_id"])["capture_id"])
    if missing := sorted(held - landed):
        raise Damaged(
            f"release {manifest.version} holds {len(missing):,} captures that the archive does not have "
            f'({missing[0]} is one), so it was not dropped; run "paperlake verify --raw"'
        )


def is_unfinished(store: Store, dropped: Iterable[str]) -> bool:
    """Whether the command that dropped these releases was killed before the last of their files was gone."""
    return any(not store.exists(release_key(version, RECORD)) for version in dropped)


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
        store.put_new(moves.dropped_key(version), encode(record))
        store.put(release_key(version, PAGE), page(record))
        left = [key for key in keys if key not in stay]
        store.delete_all(left)
        store.put_new(release_key(version, RECORD), encode(record))
        had_files += [version] if left else []
    return had_files
