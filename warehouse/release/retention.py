"""Dropping old releases: by rule, on record, and only what the archive can build again.

A drop is a move of `latest.json`, recorded before anything is removed: one that was killed is finished by the next. Of
a dropped release its claim stays, so that no later one can take its version, and `log/dropped/<version>.json`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from warehouse.archive.archive import Archive
from warehouse.errors import Damaged
from warehouse.release import moves
from warehouse.release.latest import CITATIONS, RELEASES
from warehouse.release.manifest import Manifest, encode
from warehouse.release.snapshot import open_snapshot
from warehouse.release.write import CLAIM
from warehouse.schema.core.captures import CAPTURES
from warehouse.store.store import Store


def cited_releases(store: Store) -> set[str]:
    """The versions of which a query is cited: `citations/<version>-<hash>.json`."""
    return {key.removeprefix(f"{CITATIONS}/").rpartition("-")[0] for key in store.list(CITATIONS)}


def droppable(
    versions: Sequence[str], latest: str, *, keep_last: int, keep_months: int, cited: Collection[str] = ()
) -> list[str]:
    """The versions that the rule lets go, oldest first; never the latest, and none that is cited.

    Kept are the newest `keep_last`, and of the newest `keep_months` months that have a release the last one each.

    >>> droppable(["2026.09.30.1", "2026.10.01.1", "2026.10.02.1"], "2026.10.02.1", keep_last=1, keep_months=2)
    ['2026.10.01.1']
    """
    ordered = sorted(versions, key=moves.order_of)
    last_of_month = {version[:7]: version for version in ordered}
    kept = {
        latest,
        *cited,
        *ordered[len(ordered) - keep_last :],
        *list(last_of_month.values())[-keep_months or len(ordered) :],
    }
    return [version for version in ordered if version not in kept]


def require_landed(store: Store, manifest: Manifest) -> None:
    """Damaged where a release holds a capture that the archive does not: it could not be built again."""
    landed = {entry.capture_id for entry in Archive(store).index()}
    with open_snapshot(store, manifest) as release:
        held = set(release.select(CAPTURES, ["capture_id"])["capture_id"])
    if missing := sorted(held - landed):
        raise Damaged(
            f"release {manifest.version} holds {len(missing):,} captures that the archive does not have "
            f'({missing[0]} is one), so it was not dropped; run "paperlake verify --raw"'
        )


def finish_drops(store: Store) -> list[str]:
    """Remove the files of every release that is recorded as dropped, and what a killed command left of one.

    Returns the versions that had files. The latest release is never touched, whatever a record says.
    """
    past = moves.moves(store)
    latest = past[-1].version if past else ""
    recorded = {version for move in past for version in move.dropped}
    recorded |= {key.removeprefix(f"{moves.DROPPED}/").removesuffix(".json") for key in store.list(moves.DROPPED)}
    left = [key for key in store.list(RELEASES) if key.count("/") > 1 and not key.endswith(f"/{CLAIM}")]
    of_dropped: dict[str, list[str]] = {}
    for key in left:
        if (version := key.split("/")[1]) in recorded and version != latest:
            of_dropped.setdefault(version, []).append(key)
    for version, keys in of_dropped.items():
        if record := moves.dropped(store, version, past):
            store.put_new(moves.dropped_key(version), encode(record))
        for key in keys:
            store.delete(key)
    return sorted(of_dropped)
