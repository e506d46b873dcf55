"""Tables as Parquet: the same frame gives the same bytes, and what did not change is not written again.

The layout was chosen by what a client moves over HTTP (bench/RESULTS.md): row groups small enough to fetch one, and a
footer small enough to be the first thing that is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Final, NamedTuple

import polars as pl
import pyarrow.parquet as pq

from warehouse.schema.table import Table

# Measured on all real captures (bench/RESULTS.md). Of what is cut by year, the newest is written anew every day and
# must be quick, and so are the marts; a year that is over is written once. The other tables are small enough.
ZSTD_LEVEL: Final = 17
DAILY_ZSTD_LEVEL: Final = 12
MOVING_ZSTD_LEVEL: Final = 9  # of tables that move whole: half the time of 12 for 2 % more bytes
# Large pages: an abstract is compressed against all others of its row group, 3 % smaller than 1 MiB pages.
PAGE_BYTES: Final = 64 * 2**20
PAGE_ROWS: Final = 2**30
FIRST_READ: Final = 16 * 2**10  # of a file's end DuckDB reads so much; a longer footer it asks for again, whole
CHUNK_BYTES: Final = 80  # what one column of one row group takes in the footer (61 to 79 measured)
DISTINCT: Final = 0.75  # a column with a larger share of distinct values gains nothing by a dictionary
SMALL: Final = pl.List(pl.Int8())  # vectors: Parquet has no smaller integers than of four bytes but in a dictionary
UNDATED: Final = "undated"


class Part(NamedTuple):
    """One file of a table to be; `key` is relative to the release."""

    table: Table
    key: str
    frame: pl.DataFrame
    level: int = ZSTD_LEVEL

    def write(self, path: Path) -> None:
        """Write the file; the same frame gives the same bytes. OSError where there is no room for it."""
        sizes = group_sizes(self.table, self.frame.height)
        slices = (self.frame.slice(end - size, size) for size, end in zip(sizes, accumulate(sizes), strict=True))
        groups = [rows.to_arrow(compat_level=pl.CompatLevel.oldest()) for rows in slices]
        with pq.ParquetWriter(path, groups[0].schema, **self._options()) as writer:
            for rows in groups:
                writer.write_table(rows, row_group_size=max(rows.num_rows, 1))

    def _options(self) -> dict[str, object]:
        """Statistics of what rows are found by only: those of other columns make the footer twice as long."""
        return {
            "compression": "zstd",
            "compression_level": self.level,
            "data_page_size": PAGE_BYTES,
            "max_rows_per_page": PAGE_ROWS,
            "use_dictionary": [
                f"{column.name}.list.element" if column.dtype == SMALL else column.name
                for column in self.frame
                if column.dtype == SMALL
                or (not column.dtype.is_nested() and column.n_unique() < DISTINCT * len(column))
            ],
            "write_statistics": list(self.table.order or self.table.key),
            "store_schema": False,
        }


def group_sizes(table: Table, rows: int) -> list[int]:
    """How many rows each row group has: as many groups as the first read of a client holds the footer of.

    The last one has a quarter more: where no more bytes lie between what it asks for and what it has than it asks for,
    DuckDB reads them too, and of the group before the last it would read to the end of the file.

    >>> group_sizes(Table(name="", grain="", answers="", key=(), columns=(), group_rows=100), 1000)
    [97, 97, 97, 97, 97, 97, 97, 97, 97, 127]
    """
    most = FIRST_READ // (CHUNK_BYTES * max(len(table.columns), 1))
    count = max(min(rows // (table.group_rows or rows or 1), most), 1)
    each = 4 * rows // (4 * count + 1)
    return [each] * (count - 1) + [rows - (count - 1) * each]


def parts(table: Table, frame: pl.DataFrame) -> Iterator[Part]:
    """The files of a table: one, or one a year and one for rows without a time. The newest year is not yet past."""
    if table.year_of is None:
        level = MOVING_ZSTD_LEVEL if table.moves_daily else ZSTD_LEVEL
        yield Part(table, f"data/{table.name}.parquet", frame, level)
        return
    year = pl.col(table.year_of).dt.year()
    newest = frame.select(year.max()).item()
    for (found,), rows in frame.group_by(year.alias("year"), maintain_order=True):
        key = f"data/{table.name}/{UNDATED if found is None else found}.parquet"
        yield Part(table, key, rows.rechunk(), DAILY_ZSTD_LEVEL if found == newest else ZSTD_LEVEL)


def mart_key(table: Table) -> str:
    """Where the release has a stored mart as Parquet."""
    return f"marts/{table.name}.parquet"


def read(table: Table, paths: list[Path]) -> pl.DataFrame:
    """A table from its files, in the declared order."""
    if not paths:
        return table.empty()
    return table.conform(pl.concat(pl.read_parquet(path) for path in paths))


def row_count(path: Path) -> int:
    """Rows as the file's own footer counts them."""
    return int(pq.read_metadata(path).num_rows)
