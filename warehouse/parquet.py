"""Tables as Parquet: the same frame gives the same bytes, and what did not change is not written again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pyarrow.parquet as pq

from warehouse.table import Table

# Measured on all real captures (bench/RESULTS.md). What is written anew every day must be quick; a year that is over
# is written once, and may take eight times as long to be 8 % smaller.
LEVEL = 12
LEVEL_OF_A_PAST_YEAR = 17
# Large pages: an abstract is compressed against all others of its row group, 3 % smaller than 1 MiB pages.
DATA_PAGE_BYTES = 64 * 2**20
UNDATED = "undated"


class Part(NamedTuple):
    """One file of a table to be; `key` is relative to the release."""

    table: Table
    key: str
    frame: pl.DataFrame
    level: int = LEVEL

    def write(self, path: Path) -> None:
        """Write the file; the same frame gives the same bytes. OSError where there is no room for it."""
        try:
            self.frame.write_parquet(
                path, compression="zstd", compression_level=self.level, data_page_size=DATA_PAGE_BYTES
            )
        except pl.exceptions.ComputeError as error:
            raise OSError(str(error)) from error


def parts(table: Table, frame: pl.DataFrame) -> Iterator[Part]:
    """The files of a table: one, or one a year and one for rows without a time. Which year is past the rows tell."""
    if table.year_of is None:
        yield Part(table, f"data/{table.name}.parquet", frame)
        return
    year = pl.col(table.year_of).dt.year()
    newest = frame.select(year.max()).item()
    for (found,), rows in frame.group_by(year.alias("year"), maintain_order=True):
        is_past = found is not None and found < newest
        key = f"data/{table.name}/{UNDATED if found is None else found}.parquet"
        yield Part(table, key, rows.rechunk(), LEVEL_OF_A_PAST_YEAR if is_past else LEVEL)


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
