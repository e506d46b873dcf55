"""Tables as Parquet: the same frame gives the same bytes, and what did not change is not written again.

The layout was chosen by what a client moves over HTTP (bench/RESULTS.md): row groups small enough to fetch one, and a
footer small enough to be the first thing that is read. Arrow is imported where it is used: to read tables, Polars is
enough.

Rows of two states are equal where they are so in every bit: 0.0 and -0.0 differ, a null equals a null. They are
compared by hashes of 64 bits, which are taken to be unique.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final, NamedTuple

import polars as pl

from warehouse.release.manifest import File
from warehouse.schema import places
from warehouse.schema.table import Table

# With large pages abstracts are compressed against all others of their row group: 3 % smaller than with 1 MiB. Tables
# that a browser reads by paper have pages of `page_rows`, found by an index: 5 % more bytes of all core tables
PAGE_BYTES: Final = 64 * 2**20
PAGE_ROWS: Final = 2**30
FIRST_READ: Final = 16 * 2**10  # DuckDB first reads so much of a file's end; a longer footer takes a second request
BITS: Final[Mapping[pl.DataType, pl.DataType]] = {
    pl.Float64(): pl.UInt64(),
    pl.Float32(): pl.UInt32(),
}  # a hash of a float is that of its value
CHUNK_BYTES: Final = 80  # one column of one row group in the footer (61 to 79 measured)
HELD_BYTES: Final = 2 * 2**20  # files with fewer are held in memory to be compared: a day's, of most tables
DISTINCT: Final = 0.3  # a column with a larger share of distinct values is smaller without a dictionary
# Encodings of columns without a dictionary. In the text column that rows are sorted by, each value is written without
# the prefix that it shares with the previous one
ENCODINGS: Final[dict[pl.DataType, str]] = {
    pl.String(): "DELTA_LENGTH_BYTE_ARRAY",
    **dict.fromkeys((pl.Int32(), pl.Int64(), pl.Date(), pl.Datetime("us")), "DELTA_BINARY_PACKED"),
}
OF_THE_LEAD: Final = "DELTA_BYTE_ARRAY"
SMALL: Final = pl.List(pl.Int8())  # vectors: Parquet has no smaller integers than of four bytes but in a dictionary
OLDEST: Final = pl.CompatLevel.oldest()


class Part(NamedTuple):
    """One file of a table, to be written; `key` is relative to the release."""

    table: Table
    key: str
    frame: pl.DataFrame

    def write(self, path: Path | BinaryIO) -> None:
        """Write the file; the same frame gives the same bytes. OSError where there is no room for it."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        sizes = group_sizes(self.table, self.frame.height)
        schema = self.frame.clear().to_arrow(compat_level=OLDEST).schema
        with pq.ParquetWriter(path, schema, **self._options()) as writer:
            for size, end in zip(sizes, accumulate(sizes), strict=True):  # one row group at a time is copied for Arrow
                rows = self.frame.slice(end - size, size).to_arrow(compat_level=OLDEST)
                writer.write_table(rows, row_group_size=max(size, 1))
        # The allocator keeps what it had: 450 MiB at a day's peak, 427 with this
        pa.default_memory_pool().release_unused()

    def _options(self) -> dict[str, object]:
        """The writer's options. Only columns of the sort order have statistics, else the footer is twice as long."""
        order = self.table.order or self.table.key
        flat = [column for column in self.frame if not column.dtype.is_nested()]
        # Rows are sorted by it, so neighbours share long prefixes, which DELTA_BYTE_ARRAY writes once. What repeats has
        # a dictionary where rows are looked up in groups: of all rows it is read in a tenth of the time
        lead = next((column.name for column in flat if column.name == order[0] and column.dtype == pl.String), None)
        counted = [column for column in flat if column.name != lead or self.table.group_rows]
        repeating = [column.name for column in counted if column.n_unique() < DISTINCT * len(column)]
        lead = None if lead in repeating else lead
        small = [f"{column.name}.list.element" for column in self.frame if column.dtype == SMALL]
        encodings = {column.name: ENCODINGS[column.dtype] for column in flat if column.dtype in ENCODINGS}
        encodings |= dict.fromkeys((*([lead] if lead else []), *self.table.alike), OF_THE_LEAD)
        return {
            "compression": "zstd",
            "compression_level": self.table.zstd_level,
            "data_page_size": PAGE_BYTES,
            "max_rows_per_page": self.table.page_rows or PAGE_ROWS,
            "write_page_index": self.table.page_rows is not None,
            "use_dictionary": [*repeating, *small],
            "column_encoding": {name: encoding for name, encoding in encodings.items() if name not in repeating},
            "write_statistics": list(order),
            # Arrow's own schema would be repeated in every footer, which is the first thing a client reads
            "store_schema": False,
        }


class Renewed(NamedTuple):
    """A table of the next release: the rows of `frame`, and those of the parent's files that are `passed` on."""

    frame: pl.DataFrame
    passed: tuple[File, ...] = ()


def group_sizes(table: Table, rows: int) -> list[int]:
    """Rows of each row group: as many groups as have their footer in a client's first read of the file.

    The last group has a quarter more rows: DuckDB merges two ranges where the gap between them is no longer than the
    range that it needs, so with equal groups one paper of the last group but one would cost the last group too.

    >>> group_sizes(Table(name="", grain="", answers="", key=(), columns=(), group_rows=100), 1000)
    [97, 97, 97, 97, 97, 97, 97, 97, 97, 127]
    """
    most = FIRST_READ // (CHUNK_BYTES * max(len(table.columns), 1))
    count = max(min(rows // (table.group_rows or rows or 1), most), 1)
    each = 4 * rows // (4 * count + 1)
    return [each] * (count - 1) + [rows - (count - 1) * each]


def data_end(path: Path) -> int:
    """Where the columns of a file end, which are in the order of its footer; the indexes of its pages follow."""
    import pyarrow.parquet as pq

    metadata = pq.read_metadata(path)
    last = metadata.row_group(metadata.num_row_groups - 1).column(metadata.num_columns - 1)
    start: int = last.dictionary_page_offset if last.has_dictionary_page else last.data_page_offset
    return start + int(last.total_compressed_size)


def parts(table: Table, frame: pl.DataFrame, passed: Iterable[File] = ()) -> Iterator[Part]:
    """The files of a table: one, or one a cohort. `passed` are files that hold the rows which the frame lacks."""
    if table.cohort_rows is None:
        yield from [] if passed else [Part(table, f"{_folder(table)}.parquet", frame)]
        return
    cohorts = frame.group_by(places.place_of_rows(table).alias("cohort")).len().sort("cohort")
    counts = {place_of(file): file.row_count or 0 for file in passed} | dict(cohorts.iter_rows())
    if not counts:
        yield Part(table, cohort_key(table, places.ALL), frame)
        return
    gathered = places.files_of(table, counts)
    place = places.place_of_rows(table).replace_strict(gathered, return_dtype=pl.String)
    cut = frame.with_columns(place.alias("_place")).partition_by("_place", as_dict=True, include_key=False)
    yield from (Part(table, cohort_key(table, name), rows.rechunk()) for (name,), rows in sorted(cut.items()))


def cohort_key(table: Table, place: str) -> str:
    """The key of the file for a place of a table that is cut by cohort, relative to the release."""
    return f"{_folder(table)}/{place}.parquet"


def _folder(table: Table) -> str:
    return f"{'marts' if table.layer == 'mart' else 'data'}/{table.name}"


def place_of(file: File) -> str:
    """The place that a file of a table cut by cohort holds, which is its name."""
    return PurePosixPath(file.key).stem


def read(table: Table, paths: list[Path], papers: pl.Series | None = None) -> pl.DataFrame:
    """A table from its files, in the declared order; where `papers` are given, their rows only."""
    if not paths:
        return table.empty()
    is_asked = pl.col("paper_id").is_in(papers.implode()) if papers is not None else True
    return table.conform(pl.scan_parquet(paths).filter(is_asked).collect())


def row_count(path: Path) -> int:
    """The number of rows, from the file's footer."""
    import pyarrow.parquet as pq

    return int(pq.read_metadata(path).num_rows)


class Differing(NamedTuple):
    """The rows that only the older of two states has, and those that only the newer one has.

    `is_keyed` says that no key stands twice on either side of what was compared.
    """

    gone: pl.DataFrame
    new: pl.DataFrame
    is_keyed: bool = True

    @property
    def is_empty(self) -> bool:
        return self.gone.is_empty() and self.new.is_empty()

    def of_one_side(self, key: Sequence[str]) -> tuple[pl.DataFrame, pl.DataFrame]:
        """The rows whose key only the older state has, and those whose key only the newer one has."""
        if self.gone.is_empty() or self.new.is_empty():  # of an unknown table the key may be lists too
            return self.gone, self.new
        gone = self.gone.join(self.new, on=key, how="anti", nulls_equal=True)
        return gone, self.new.join(self.gone, on=key, how="anti", nulls_equal=True)


def differing(key: Sequence[str], gone: Sequence[Path], new: Sequence[Path]) -> Differing:
    """The rows that differ between files that only the older of two states has, and those that only the newer one has.

    All rows of both, where the files have not all the same columns; a side without files has no rows.
    """
    one, other = _Files(gone), _Files(new)
    shapes = {tuple(frame.schema.items()) for side in (one, other) for frame in side}
    if len(shapes) > 1 or not (gone and new):
        rows = [pl.concat(side, how="diagonal_relaxed") if side.paths else None for side in (one, other)]
        shape = next(side.clear() for side in rows if side is not None)
        whole = [shape if side is None else side for side in rows]
        return Differing(whole[0], whole[1], is_keyed=all(has_once(key, [side]) for side in whole))
    before, after = ([row_hashes(frame) for frame in side] for side in (one, other))
    return Differing(
        pl.concat(rows_without(one, before, after)),
        pl.concat(rows_without(other, after, before)),
        has_once(key, one) and has_once(key, other),
    )


class _Files:
    """The rows of files, which are read each time, unless there is one alone or they are small."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths = paths
        is_held = len(paths) == 1 or sum(path.stat().st_size for path in paths) < HELD_BYTES
        self._held = [pl.read_parquet(path) for path in paths] if is_held else None

    def __iter__(self) -> Iterator[pl.DataFrame]:
        return iter(self._held) if self._held else map(pl.read_parquet, self.paths)


def row_hashes(frame: pl.DataFrame) -> pl.Series:
    """A hash of each row; rows that differ in a bit have different ones."""
    bits = (pl.col(name).reinterpret(dtype=BITS[dtype]) for name, dtype in frame.schema.items() if dtype in BITS)
    return frame.with_columns(bits).hash_rows()


def rows_without(
    frames: Iterable[pl.DataFrame], hashes: Iterable[pl.Series], others: Iterable[pl.Series]
) -> Iterator[pl.DataFrame]:
    """The rows of each frame, of which these are the hashes, whose hash is none of the others."""
    known = pl.concat(others).implode()
    return (frame.filter(~own.is_in(known)) for frame, own in zip(frames, hashes, strict=True))


def has_once(key: Sequence[str], frames: Iterable[pl.DataFrame]) -> bool:
    """Whether no key stands twice in all these frames; rows without the key's columns have none."""
    keys = [row_hashes(frame.select(key)) for frame in frames if {*key} <= {*frame.columns}]
    return not keys or pl.concat(keys).n_unique() == sum(map(len, keys))
