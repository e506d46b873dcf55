"""Dropping old releases: by rule, on record, and only what the archive can build again.

Of a dropped release its claim stays, so that no later one can take its version, and `log/dropped/<version>.json`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from warehouse.archive.archive import Archive
from warehouse.errors import Damaged
from warehouse.release.latest import release_key
from warehouse.release.manifest import Dropped, Manifest, decode, digest, encode
from warehouse.release.snapshot import open_snapshot
from warehouse.release.write import CLAIM
from warehouse.schema.core.captures import CAPTURES
from warehouse.store.store import Store, read_if_there

DROPPED: Final = "log/dropped"


def droppable(versions: Sequence[str], latest: str, *, keep_last: int, keep_months: int) -> list[str]:
    """The versions that the rule lets go, oldest first; never the latest.

    Kept are the newest `keep_last`, and of the newest `keep_months` months that have a release the last one each.

    >>> droppable(["2026.09.30.1", "2026.10.01.1", "2026.10.02.1"], "2026.10.02.1", keep_last=1, keep_months=2)
    ['2026.10.01.1']
    """
    ordered = sorted(versions, key=_in_time)
    last_of_month = {version[:7]: version for version in ordered}
    kept = {latest, *ordered[len(ordered) - keep_last :], *list(last_of_month.values())[-keep_months or len(ordered) :]}
    return [version for version in ordered if version not in kept]


def _in_time(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def drop(store: Store, manifest: Manifest, *, at: datetime, why: str) -> int:
    """Remove a release's files; how many bytes they had. Damaged, and nothing is removed, where it holds a capture
    that the archive does not: it could not be built again.
    """
    _prove(store, manifest)
    dropped_at = f"{at.isoformat(timespec='seconds')}Z"
    record = Dropped(manifest.version, digest(encode(manifest)), dropped_at, why)
    store.put_new(_key(manifest.version), encode(record))
    claim = release_key(manifest.version, CLAIM)
    for key in store.list(release_key(manifest.version, "").rstrip("/")):
        if key != claim:
            store.delete(key)
    return sum(file.bytes for file in manifest.files if file.key != CLAIM)


def dropped(store: Store, version: str) -> Dropped | None:
    """The record of a release that was dropped; None for one that was not."""
    data = read_if_there(store, _key(version))
    return decode(data, Dropped, _key(version)) if data is not None else None


def _prove(store: Store, manifest: Manifest) -> None:
    landed = {entry.capture_id for entry in Archive(store).index()}
    with open_snapshot(store, manifest) as release:
        held = set(release.select(CAPTURES, ["capture_id"])["capture_id"])
    if missing := sorted(held - landed):
        raise Damaged(
            f"release {manifest.version} holds {len(missing):,} captures that the archive does not have "
            f'({missing[0]} is one), so it was not dropped; run "paperlake verify --raw"'
        )


def _key(version: str) -> str:
    return f"{DROPPED}/{version}.json"
