"""One page or a few, read and collected, with every item of theirs accounted for."""

import json
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

import polars as pl

from tests.invented import HUB
from transforms.collect.collect import Collected, collect, read_page
from warehouse.archive.captured import Capture
from warehouse.schema.core import PAGE_TABLES
from warehouse.schema.core.captures import CAPTURES, QUARANTINE, SCHEMA_PATHS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.table import Table

FETCHED_AT = datetime(2025, 10, 7, 18, 30)
DAILY = f"{HUB}/api/daily_papers?date=2025-10-07"


def page(
    content: object,
    url: str | None = DAILY,
    fetched_at: datetime | None = FETCHED_AT,
    http_status: int | None = 200,
    damage: str | None = None,
) -> Capture:
    """A capture of bytes as they are, or of anything else as JSON."""
    payload = content if isinstance(content, bytes) else json.dumps(content).encode()
    return Capture(payload=payload, url=url, fetched_at=fetched_at, http_status=http_status, damage=damage)


def collected(*pages: Capture) -> Collected:
    """What the pages become; every table keeps the rules it declares, and no item is lost."""
    return accounted(collect(read_page(capture) for capture in pages), pages)


def accounted(result: Collected, pages: Collection[Capture]) -> Collected:
    """The same, of pages that were read."""
    for table, frame in zip((CAPTURES, SIGHTINGS, QUARANTINE, SCHEMA_PATHS, *PAGE_TABLES), result, strict=True):
        require_rules(table, frame)
    assert result.captures.height == len(pages)
    for capture in pages:
        assert_accounted(of_page(result, capture))
    return result


def require_rules(table: Table, frame: pl.DataFrame) -> None:
    """Every row keeps what the table declares, and has a key of its own."""
    if frame.is_empty():  # as most are
        assert frame.columns
        return
    _, broken = table.split(frame)
    assert broken.is_empty(), broken.to_dicts()
    assert not frame.select(pl.struct(table.key).is_duplicated().any()).item(), table.name


def each(pages: Mapping[str, Capture]) -> dict[str, Collected]:
    """The same for each page alone, collected together: a page must not depend on its neighbours."""
    result = collected(*pages.values())
    return {name: of_page(result, capture) for name, capture in pages.items()}


def of_page(result: Collected, capture: Capture) -> Collected:
    return Collected(*(frame.filter(pl.col("capture_id") == capture.capture_id) for frame in result))


def assert_accounted(result: Collected) -> None:
    """Every item of the only page is a sighting, in quarantine or a duplicate, and has a place of its own."""
    (row,) = result.captures.iter_rows(named=True)
    assert (result.sightings.height, result.quarantine.height) == (row["sighting_count"], row["rejected_count"])
    places = [*result.sightings["position"], *result.quarantine["position"]]
    assert len(set(places)) == len(places)
    assert row["item_count"] == len(places) + row["duplicate_count"]


def capture_of(result: Collected) -> dict[str, Any]:
    return result.captures.row(0, named=True)


def outcome(result: Collected) -> tuple[Any, ...]:
    """Reader and state of the only page, and what became of its items: sightings, rejected, duplicates."""
    row = capture_of(result)
    return (row["reader"], row["state"], row["sighting_count"], row["rejected_count"], row["duplicate_count"])


def rejects(result: Collected) -> list[tuple[Any, ...]]:
    return result.quarantine.sort("position").select("position", "rule", "pointer").rows()
