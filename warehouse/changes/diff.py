"""Comparing two releases table by table: keys added, changed and removed, columns, nulls and ranges.

Rows are matched by the table's declared key and compared value by value, a null being equal to a null. Columns that are
declared as bookkeeping are left out unless they are asked for: they change with every new capture of a paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

import duckdb
import polars as pl
from msgspec import Struct
from msgspec.structs import replace

from warehouse.changes.cells import CELLS, cells_of, match
from warehouse.release.manifest import Draft, Manifest
from warehouse.release.parquet import Differing
from warehouse.release.snapshot import Snapshot, contents, rows_that_differ
from warehouse.schema.catalog import ALL_TABLES, DECLARED, WHOLE_ROW
from warehouse.schema.ddl import literal, quoted
from warehouse.store.local_files import local_files, whole_file
from warehouse.store.store import Store

SIDES: Final = ("before", "after")
# Types whose lowest and highest value are worth showing; those of a text only show the alphabet's ends
RANGED: Final = (pl.Date(), pl.Datetime("us"), pl.Int32(), pl.Int64(), pl.Float64())


class Side(Struct, frozen=True):
    """One column in one release. `lowest` and `highest` are those of numbers, days and instants, as text."""

    null_count: int
    lowest: str | None = None
    highest: str | None = None


class ColumnDiff(Struct, frozen=True):
    """One column that both releases have: in how many rows of both it changed, and what it is on each side."""

    name: str
    changed_count: int
    before: Side
    after: Side


class TableDiff(Struct, frozen=True):
    """One table. A table that only one of the releases has is all added, or all removed."""

    name: str
    rows_before: int
    rows_after: int
    added_count: int = 0
    removed_count: int = 0
    changed_count: int = 0
    columns_added: tuple[str, ...] = ()
    columns_gone: tuple[str, ...] = ()
    columns: tuple[ColumnDiff, ...] = ()

    @property
    def has_news(self) -> bool:
        """Whether a row or a column came, went or changed, as far as columns were compared."""
        counts = self.added_count, self.removed_count, self.changed_count
        return any(counts) or bool(self.columns_added or self.columns_gone)


class CauseCount(Struct, frozen=True):
    """The number of cells of one table, change and column (`*` for whole rows) that are due to one cause."""

    table: str
    change: str
    column: str
    cause: str
    count: int


class ReleaseDiff(Struct, frozen=True):
    """The tables that differ between two releases, and the names of those `unchanged`. `why` is filled on request only.

    `left_out` names the columns of bookkeeping that were not compared, with the table where others have such a column
    that was.
    """

    before: str
    after: str
    tables: tuple[TableDiff, ...]
    unchanged: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    why: tuple[CauseCount, ...] = ()


ToCells = Callable[[TableDiff, pl.DataFrame], None]
DifferingByTable = Mapping[str, Differing]  # what is known already to differ in tables, by their names


TypeByColumn = Mapping[str, pl.DataType]


class Compared(NamedTuple):
    """A table to compare: its row counts, the rows that differ, and the columns left out."""

    counted: TableDiff
    rows: Differing
    left_out: AbstractSet[str]


ToRows = Callable[[Compared], None]


def diff(
    store: Store, before: Manifest, after: Manifest, keys_to: Path | None = None, *, all_columns: bool = False
) -> ReleaseDiff:
    """Compare two releases; with `keys_to`, write the changed keys there as Parquet.

    That file has one row a key: `table_name`, `change` (`added`, `removed`, `changed`), `key` (its values as JSON)
    and `columns` (those that changed).
    """
    cells: list[pl.DataFrame] = []
    with local_files(store) as files:
        found = compared(
            Snapshot(before, files),
            Snapshot(after, files),
            (lambda _, frame: cells.append(frame)) if keys_to else None,
            all_columns=all_columns,
        )
    if keys_to:
        keys = pl.concat([CELLS.to_frame(), *cells]).group_by("table_name", "change", "key", maintain_order=True)
        columns = pl.col("column_name").filter(pl.col("column_name") != WHOLE_ROW).alias("columns")
        with whole_file(keys_to) as part:
            keys.agg(columns).sort("table_name", "change", "key").write_parquet(part)
    return found


def compared(  # noqa: PLR0913 - who is told of what
    before: Snapshot[Manifest],
    after: Snapshot[Manifest | Draft],
    to: ToCells | None = None,
    *,
    rows_to: ToRows | None = None,
    known: DifferingByTable = MappingProxyType({}),
    all_columns: bool = False,
    counts_only: bool = False,
) -> ReleaseDiff:
    """Compare two snapshots; the later one may be a draft, which is named by its id.

    With `counts_only` single columns are not described, and files that both releases have are not read at all; where
    it is `known` how a table differs, none are. `to` is called once for each table, with the cells that differ
    (warehouse/changes/cells.py), and before it `rows_to`, with the rows that do.
    """
    olds, news = before.tables, after.tables
    names = [name for name in DECLARED if name in olds or name in news]
    names += sorted((olds.keys() | news.keys()) - DECLARED.keys())
    changed = [name for name in names if contents(olds.get(name)) != contents(news.get(name))]
    declared = [] if all_columns else [DECLARED[name] for name in changed if name in DECLARED]
    bookkeeping = {table.name: {one.name for one in table.columns if one.is_bookkeeping} for table in declared}
    with duckdb.connect() as connection:
        tables = []
        for name in changed:
            heights = (side[name].row_count if name in side else 0 for side in (olds, news))
            counted = TableDiff(name, next(heights), next(heights))
            held = known.get(name) if name in olds and name in news else None
            key = DECLARED[name].key if name in DECLARED else ()
            of = Compared(counted, held or rows_that_differ(name, key, before, after), bookkeeping.get(name, set()))
            if rows_to is not None:
                rows_to(of)
            found, kinds, matched = _table_diff(connection, of)
            if not counts_only:
                _view(connection, name, before, after)
                found = replace(found, columns=tuple(_column_diffs(connection, matched, kinds)))
            tables.append(found)
            if to is not None:
                to(found, cells_of(matched, name))
    unchanged = tuple(name for name in names if name not in changed)
    asked = {column.name for table in ALL_TABLES for column in table.columns if not column.is_bookkeeping}
    left_out = {
        f"{name}.{column}" if column in asked else column for name, columns in bookkeeping.items() for column in columns
    }
    return ReleaseDiff(before.name, after.name, tuple(tables), unchanged, tuple(sorted(left_out)))


def _view(
    connection: duckdb.DuckDBPyConnection, name: str, before: Snapshot[Manifest], after: Snapshot[Manifest | Draft]
) -> None:
    """Create views of both sides of a table; a side without files is empty."""
    paths = [[str(path) for path in side.paths(name)] for side in (before, after)]
    shape = next(filter(None, paths))
    for view, files in zip(SIDES, paths, strict=True):
        source = f"read_parquet([{', '.join(map(literal, files or shape))}], union_by_name = true)"
        where = "" if files else " WHERE false"
        connection.execute(f"CREATE OR REPLACE TEMP VIEW {view} AS FROM {source}{where}")


def _table_diff(connection: duckdb.DuckDBPyConnection, of: Compared) -> tuple[TableDiff, TypeByColumn, pl.DataFrame]:
    """How many keys of a table differ, and in which columns.

    Those that are compared, with their types before, and the keys that differ (warehouse/changes/cells.py).
    """
    before, after = of.rows.gone.schema, of.rows.new.schema
    shared = tuple(column for column in before if column in after)
    declared = DECLARED.get(of.counted.name)
    key = declared.key if declared and {*declared.key} <= {*shared} else shared
    both = [column for column in shared if column not in key and column not in of.left_out]
    matched = match(connection, of.rows, key, both, shared)
    counts = dict(matched["change"].value_counts().iter_rows())
    found = replace(
        of.counted,
        added_count=counts.get("added", 0),
        removed_count=counts.get("removed", 0),
        changed_count=counts.get("changed", 0),
        columns_added=tuple(column for column in after if column not in before),
        columns_gone=tuple(column for column in before if column not in after),
    )
    return found, {column: before[column] for column in (*key, *both) if column not in of.left_out}, matched


def _column_diffs(
    connection: duckdb.DuckDBPyConnection, matched: pl.DataFrame, kinds: TypeByColumn
) -> Iterator[ColumnDiff]:
    """How each column differs."""
    names = matched.filter(change="changed")["columns"].explode()
    changed = dict(names.value_counts().iter_rows())
    old, new = (_sides(connection, side, kinds) for side in SIDES)
    return (ColumnDiff(column, changed.get(column, 0), old[column], new[column]) for column in kinds)


def _sides(connection: duckdb.DuckDBPyConnection, side: str, kinds: TypeByColumn) -> dict[str, Side]:
    """Describe every column of a side, by one scan."""
    asked = (
        f"count(*) - count({quoted(name)}), "
        + (f"min({quoted(name)})::VARCHAR, max({quoted(name)})::VARCHAR" if kind in RANGED else "NULL, NULL")
        for name, kind in kinds.items()
    )
    [row] = connection.execute(f"SELECT {', '.join(asked)} FROM {side}").fetchall()  # noqa: S608
    values = iter(row)
    return {name: Side(next(values), next(values), next(values)) for name in kinds}
