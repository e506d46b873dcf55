"""What GitHub says of stars, as the table `star_weeks`."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import polars as pl

from transforms.readers.reading import Reading
from warehouse.schema.core.links import STAR_WEEKS


class AroundStars:
    """The table in the making, page by page."""

    def __init__(self) -> None:
        self._rows: list[tuple[Any, ...]] = []

    def add(self, reading: Reading, fetched_at: datetime | None, capture_id: str) -> None:
        self._rows += [
            (capture_id, one.repository, fetched_at, one.starts_at, one.gained_count) for one in reading.star_weeks
        ]

    def frames(self) -> tuple[pl.DataFrame, ...]:
        return (STAR_WEEKS.conform(pl.DataFrame(self._rows, schema=STAR_WEEKS.schema, orient="row")),)
