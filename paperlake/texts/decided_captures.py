"""The pages about which something was decided, with what they are, as a table."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
from msgspec import Struct

from paperlake.sql.drawing import aligned
from warehouse.printable import printable
from warehouse.release.manifest import Decision, Manifest
from warehouse.release.snapshot import open_snapshot
from warehouse.schema.core.captures import CAPTURES
from warehouse.store.store import Store


class DecidedCapture(Struct, frozen=True):
    """A decision, and the address and the fetch time (an ISO instant, UTC) of its page."""

    decision: Decision
    url: str | None
    fetched_at: str | None


def decided_captures(store: Store, manifest: Manifest, standing: str | None) -> list[DecidedCapture]:
    """The decisions of a release, of one standing or all, the newest first."""
    chosen = [one for one in manifest.decisions if standing in {None, one.standing}]
    if not chosen:
        return []
    with open_snapshot(store, manifest) as release:
        rows = release.select(CAPTURES, ["capture_id", "url", "fetched_at"])
    ids = [one.capture_id for one in chosen]
    pages = {row[0]: row[1:] for row in rows.filter(pl.col("capture_id").is_in(ids)).iter_rows()}
    found = []
    for one in sorted(chosen, key=lambda one: (one.since, one.capture_id), reverse=True):
        url, fetched_at = pages.get(one.capture_id, (None, None))
        found.append(DecidedCapture(one, url, fetched_at and f"{fetched_at.isoformat(timespec='seconds')}Z"))
    return found


def decided_text(found: Sequence[DecidedCapture]) -> str:
    """The decisions as a table."""
    rows: list[Sequence[str]] = [("page", "standing", "since", "rule", "why", "fetched", "address")]
    for one in found:
        of = one.decision
        cells = (of.capture_id, of.standing, of.since, of.rule, of.why, one.fetched_at or "", one.url or "")
        rows.append(list(map(printable, cells)))
    return aligned(rows, right=())
