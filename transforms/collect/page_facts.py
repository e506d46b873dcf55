"""Facts around papers as tables, one for each kind of fact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final

import polars as pl

from transforms.readers.reading import (
    ArxivChange,
    ArxivLook,
    ArxivRecord,
    ArxivVersion,
    Discussion,
    Look,
    PageFact,
    Repository,
    StarWeek,
    Work,
    WorkRelation,
    columns_of,
)
from warehouse.schema.columns import ARXIV_ID
from warehouse.schema.core.arxiv_records import ARXIV_CHANGES, ARXIV_LOOKS, ARXIV_RECORDS, ARXIV_VERSIONS
from warehouse.schema.core.cited_by import ADOPTION_LOOKS, PAPER_DISCUSSIONS, PAPER_REPOSITORIES
from warehouse.schema.core.links import STAR_WEEKS
from warehouse.schema.core.works import PUBLISHED_WORKS, WORK_RELATIONS
from warehouse.schema.table import Table

TABLES: Final[dict[type[PageFact], Table]] = {  # in the order of `Collected`
    Repository: PAPER_REPOSITORIES,
    Look: ADOPTION_LOOKS,
    Discussion: PAPER_DISCUSSIONS,
    ArxivRecord: ARXIV_RECORDS,
    ArxivVersion: ARXIV_VERSIONS,
    ArxivLook: ARXIV_LOOKS,
    ArxivChange: ARXIV_CHANGES,
    Work: PUBLISHED_WORKS,
    WorkRelation: WORK_RELATIONS,
    StarWeek: STAR_WEEKS,
}


class FactRows:
    """The tables in the making, page by page."""

    def __init__(self) -> None:
        self._found: dict[type[PageFact], list[tuple[str, datetime | None, PageFact]]] = {kind: [] for kind in TABLES}

    def add(self, facts: Iterable[PageFact], fetched_at: datetime | None, capture_id: str) -> None:
        for fact in facts:
            self._found[type(fact)].append((capture_id, fetched_at, fact))

    def frames(self) -> Iterator[pl.DataFrame]:
        """The tables; of papers, those by their arXiv id: the sighting of any other id is rejected, with its reason."""
        for kind, table in TABLES.items():
            found, names = self._found[kind], kind.__struct_fields__
            columns: dict[str, Any] = dict(
                zip(names, columns_of([fact for _, _, fact in found], len(names)), strict=True)
            )
            columns["capture_id"] = [capture_id for capture_id, _, _ in found]
            if "observed_at" in table.schema:
                columns["observed_at"] = [fetched_at for _, fetched_at, _ in found]
            rows = pl.DataFrame(columns, schema={name: table.schema[name] for name in columns})
            if "paper_id" in columns:
                rows = rows.with_columns(pl.col("paper_id").str.strip_chars())
                rows = rows.filter(pl.col("paper_id").str.contains(ARXIV_ID).fill_null(True))
            yield table.conform(rows)
