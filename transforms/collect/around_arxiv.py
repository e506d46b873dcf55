"""What arXiv says of papers, as tables: `arxiv_records`, `arxiv_versions`, `arxiv_looks`, `arxiv_changes`."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any

import polars as pl

from transforms.readers.reading import Reading
from warehouse.schema.core.arxiv_records import ARXIV_CHANGES, ARXIV_LOOKS, ARXIV_RECORDS, ARXIV_VERSIONS
from warehouse.schema.table import Table

OF_RECORD = tuple(name for name in ARXIV_RECORDS.column_names if name not in {"capture_id", "paper_id", "observed_at"})


class AroundArxiv:
    """The four tables in the making, page by page."""

    def __init__(self) -> None:
        self._rows: dict[Table, list[tuple[Any, ...]]] = {
            table: [] for table in (ARXIV_RECORDS, ARXIV_VERSIONS, ARXIV_LOOKS, ARXIV_CHANGES)
        }

    def add(self, reading: Reading, fetched_at: datetime | None, capture_id: str) -> None:
        for one in reading.arxiv_records:
            of_record = (getattr(one, name) for name in OF_RECORD)
            self._rows[ARXIV_RECORDS].append((capture_id, one.arxiv_id, fetched_at, *of_record))
            self._rows[ARXIV_VERSIONS] += [
                (capture_id, one.arxiv_id, version.number, fetched_at, version.at, version.size_kb, version.source_type)
                for version in one.versions
            ]
        if (look := reading.arxiv_look) is not None:
            asked = (look.asked, look.arxiv_id, look.since, look.token, look.next_token)
            row = (capture_id, fetched_at, *asked, look.responded_at, look.answer, look.count)
            self._rows[ARXIV_LOOKS].append(row)
        counts = Counter(day for _, day in reading.arxiv_changes)
        self._rows[ARXIV_CHANGES] += [(capture_id, day, count) for day, count in counts.items()]

    def frames(self) -> tuple[pl.DataFrame, ...]:
        return tuple(
            table.conform(pl.DataFrame(rows, schema=table.schema, orient="row")) for table, rows in self._rows.items()
        )
