"""What pages show around papers, as tables: `paper_repositories`, `adoption_looks`, `paper_discussions`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final

import polars as pl
from msgspec import Struct

from transforms.readers.reading import Discussion, Look, Reading, Repository, columns_of
from warehouse.schema.columns import ARXIV_ID
from warehouse.schema.core.cited_by import ADOPTION_LOOKS, PAPER_DISCUSSIONS, PAPER_REPOSITORIES
from warehouse.schema.table import Table

# The columns that the fields of each are, in their order
REPOSITORY: Final = (
    *("paper_id", "kind", "repository", "download_count", "download_total_count", "download_basis", "like_count"),
    *("gated", "created_at", "last_modified_at", "parameter_count"),
)
LOOK: Final = ("paper_id", "kind", "asked", "is_first_page", "is_last_page", "listed_count", "total_count")
DISCUSSION: Final = (
    *("paper_id", "comment_count", "reply_count", "hidden_count", "reaction_count", "author_comment_count"),
    "commenter_count",
)


class Around:
    """The three tables in the making, page by page."""

    def __init__(self) -> None:
        self._pages: dict[str, datetime | None] = {}
        self._repositories: list[tuple[str, Repository]] = []
        self._looks: list[tuple[str, Look]] = []
        self._discussions: list[tuple[str, Discussion]] = []

    def add(self, reading: Reading, fetched_at: datetime | None, capture_id: str) -> None:
        self._pages[capture_id] = fetched_at
        self._repositories += [(capture_id, one) for one in reading.repositories]
        self._looks += [(capture_id, one) for one in reading.looks]
        self._discussions += [(capture_id, reading.discussion)] if reading.discussion else []

    def frames(self) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
        return (
            self._frame(PAPER_REPOSITORIES, REPOSITORY, self._repositories),
            self._frame(ADOPTION_LOOKS, LOOK, self._looks),
            self._frame(PAPER_DISCUSSIONS, DISCUSSION, self._discussions),
        )

    def _frame(self, table: Table, names: Sequence[str], found: Iterable[tuple[str, Struct]]) -> pl.DataFrame:
        """The rows of papers by their arXiv id; the sighting of any other id is rejected, with its reason."""
        some = list(found)
        columns: dict[str, Any] = dict(zip(names, columns_of([one for _, one in some], len(names)), strict=True))
        columns["capture_id"] = [capture_id for capture_id, _ in some]
        columns["observed_at"] = [self._pages[capture_id] for capture_id, _ in some]
        rows = pl.DataFrame(columns, schema={name: table.schema[name] for name in columns})
        rows = rows.with_columns(pl.col("paper_id").str.strip_chars())
        return table.conform(rows.filter(pl.col("paper_id").str.contains(ARXIV_ID)))
