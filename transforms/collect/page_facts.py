"""Facts around papers as tables, one for each kind of fact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

import polars as pl

from transforms.readers.reading import PageFact
from warehouse.schema.columns import ARXIV_ID
from warehouse.schema.core import PAGE_TABLES


class FactRows:
    """The tables in the making, page by page, in the order of `Collected`."""

    def __init__(self) -> None:
        self._rows: dict[str, list[dict[str, Any]]] = {table.name: [] for table in PAGE_TABLES}

    def add(self, facts: Iterable[PageFact], fetched_at: datetime | None, capture_id: str) -> None:
        for fact in facts:
            own: dict[str, Any] = {"capture_id": capture_id}
            if "observed_at" in fact.table.column_names:
                own["observed_at"] = fetched_at
            self._rows[fact.table.name].append(fact.row | own)

    def frames(self) -> Iterator[pl.DataFrame]:
        """The tables; of papers, those by their arXiv id: the sighting of any other id is rejected, with its reason."""
        for table in PAGE_TABLES:
            rows = self._rows[table.name]
            if unknown := {name for row in rows for name in row} - {*table.column_names}:
                raise KeyError(f"{table.name} declares no column {min(unknown)!r}")
            columns = {name: [row.get(name) for row in rows] for name in table.column_names}
            found = pl.DataFrame(columns, schema=table.schema)
            if "paper_id" in columns:
                found = found.with_columns(pl.col("paper_id").str.strip_chars())
                found = found.filter(pl.col("paper_id").str.contains(ARXIV_ID).fill_null(True))
            yield table.conform(found)
