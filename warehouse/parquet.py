"""Tables as Parquet: the same frame gives the same bytes, and what did not change is not written again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq

from warehouse.table import Table

# Measured on all real captures (bench/RESULTS.md). A file that is cut by year is written anew for the current year
# only, so it may take its time; one that holds all of history is written anew every day: 4 % larger, 5 times faster.
LEVEL_OF_A_YEAR = 14
LEVEL_OF_ALL = 12
# Large pages: an abstract is compressed against all others of its row group, 3 % smaller than 1 MiB pages.
DATA_PAGE_BYTES = 64 * 2**20
UNDATED = "undated"


def parts(table: Table, frame: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """The files of a table, keys relative to the release: one, or one a year and one for rows without a time."""
    if table.year_of is None:
        yield f"data/{table.name}.parquet", frame
        return
    year = pl.col(table.year_of).dt.strftime("%Y").fill_null(UNDATED)
    for (name,), part in frame.group_by(year.alias("year"), maintain_order=True):
        yield f"data/{table.name}/{name}.parquet", part.rechunk()


def write(table: Table, frame: pl.DataFrame, path: Path) -> None:
    """Write one file of a table; the same frame gives the same bytes."""
    level = LEVEL_OF_ALL if table.year_of is None else LEVEL_OF_A_YEAR
    frame.write_parquet(path, compression="zstd", compression_level=level, data_page_size=DATA_PAGE_BYTES)


def read(table: Table, paths: list[Path]) -> pl.DataFrame:
    """A table from its files, in the declared order."""
    if not paths:
        return table.empty()
    return table.conform(pl.concat(pl.read_parquet(path) for path in paths))


def row_count(path: Path) -> int:
    """Rows as the file's own footer counts them."""
    return int(pq.read_metadata(path).num_rows)


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
