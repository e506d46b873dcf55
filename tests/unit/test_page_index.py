"""Parquet pages with an index for clients: tables that declare them have them, and no other changes."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pyarrow.parquet as pq

from warehouse.release.parquet import Part
from warehouse.schema.core.links import PAPER_KEYWORDS
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.schema.table import Table

ROWS = 5_000


def written(path: Path, table: Table, frame: pl.DataFrame) -> pq.ColumnChunkMetaData:
    """The first column of the file, which holds the same rows again."""
    part = Part(table, "data/x.parquet", table.conform(frame))
    part.write(path)
    assert pl.read_parquet(path).equals(part.frame)
    return pq.read_metadata(path).row_group(0).column(0)


def test_pages_of_a_declared_size_have_an_index(tmp_path: Path) -> None:
    ids = pl.Series("paper_id", [f"2510.{number:05}" for number in range(ROWS)])
    keywords = PAPER_KEYWORDS.empty().clear(ROWS).with_columns(ids, keyword=pl.lit("looms"))
    found = written(tmp_path / "keywords.parquet", PAPER_KEYWORDS, keywords)
    assert PAPER_KEYWORDS.page_rows == 4096
    assert (found.has_column_index, found.has_offset_index) == (True, True)
    listings = DAILY_LISTINGS.empty().clear(ROWS).with_columns(ids)
    found = written(tmp_path / "listings.parquet", DAILY_LISTINGS, listings)
    assert (found.has_column_index, found.has_offset_index) == (False, False)
