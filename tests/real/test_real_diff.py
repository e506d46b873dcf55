"""What changed between any two of some real releases: by paperlake, and by a comparison of every row with Polars."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import permutations
from pathlib import Path

import polars as pl
import pytest

from flows.runtime.lake import open_lake
from paperlake.texts import releases
from paperlake.texts.releases import diff
from tests.real.conftest import RELEASES
from warehouse.changes.diff import ColumnDiff, Side, TableDiff
from warehouse.release import parquet
from warehouse.schema.catalog.tables import CORE_TABLES
from warehouse.schema.table import Table

Tables = dict[str, pl.DataFrame]

pytestmark = pytest.mark.slow

NONE, AND = "\0", "\x1f"  # in no key


@pytest.fixture(scope="module")
def lake(growing: Path) -> str:
    return str(growing)


@pytest.fixture(scope="module")
def held(lake: str) -> dict[str, Tables]:
    return {one.version: _tables(Path(lake) / "releases" / one.version) for one in releases.summaries(open_lake(lake))}


def _tables(release: Path) -> Tables:
    return {table.name: parquet.read(table, sorted(_files(release / "data", table.name))) for table in CORE_TABLES}


def _files(data: Path, name: str) -> Iterator[Path]:
    yield from data.glob(f"{name}.parquet")
    yield from data.glob(f"{name}/*.parquet")


def test_any_two_releases(lake: str, held: dict[str, Tables], tmp_path: Path) -> None:
    pairs = list(permutations(held, 2))
    assert len(pairs) == RELEASES * (RELEASES - 1)
    for before, after in pairs:
        found = diff(open_lake(lake), before, after, tmp_path / "keys.parquet", all_columns=True)
        written = pl.read_parquet(tmp_path / "keys.parquet")
        told = {table.name: table for table in found.tables}
        for table in CORE_TABLES:
            old, new = held[before][table.name], held[after][table.name]
            if table.name in found.unchanged:
                assert old.equals(new)
                continue
            assert told.pop(table.name) == compared(table, old, new)
            assert keys_of(written.filter(table_name=table.name)).equals(differing(table, old, new))
        assert told == {}


def compared(table: Table, old: pl.DataFrame, new: pl.DataFrame) -> TableDiff:
    both = matched(table, old, new)
    changed = {name: both.filter(is_changed(name)).height for name in others(table)}
    columns = [
        ColumnDiff(name, changed.get(name, 0), side(old[name]), side(new[name]))
        for name in (*table.key, *others(table))
    ]
    return TableDiff(
        table.name,
        old.height,
        new.height,
        new.height - both.height,
        old.height - both.height,
        both.filter(any_changed(table)).height,
        columns=tuple(columns),
    )


def differing(table: Table, old: pl.DataFrame, new: pl.DataFrame) -> pl.DataFrame:
    """How each key changed that did; its values in one text, as DuckDB writes them."""
    key = list(table.key)
    found = {
        "added": new.join(old, on=key, how="anti", nulls_equal=True),
        "removed": old.join(new, on=key, how="anti", nulls_equal=True),
        "changed": matched(table, old, new).filter(any_changed(table)),
    }
    texts = [written_as(name, old.schema[name]).fill_null(NONE) for name in key]
    told = [
        rows.select(pl.lit(change).alias("change"), key=pl.concat_str(texts, separator=AND))
        for change, rows in found.items()
    ]
    return pl.concat(told).sort("change", "key")


def written_as(name: str, dtype: pl.DataType) -> pl.Expr:
    shown = pl.col(name).cast(pl.String)
    return shown.str.replace(r"\.?0+$", "") if dtype == pl.Datetime else shown


def keys_of(written: pl.DataFrame) -> pl.DataFrame:
    words = pl.col("key").str.json_decode(pl.List(pl.String)).list.eval(pl.element().fill_null(NONE))
    return written.select("change", key=words.list.join(AND)).sort("change", "key")


def matched(table: Table, old: pl.DataFrame, new: pl.DataFrame) -> pl.DataFrame:
    return old.join(new, on=list(table.key), how="inner", nulls_equal=True, suffix="_after")


def others(table: Table) -> list[str]:
    return [name for name in table.column_names if name not in table.key]


def is_changed(name: str) -> pl.Expr:
    return pl.col(name).ne_missing(pl.col(f"{name}_after"))


def any_changed(table: Table) -> pl.Expr:
    return pl.any_horizontal(pl.lit(False), *map(is_changed, others(table)))


def side(values: pl.Series) -> Side:
    is_ranged = values.dtype.is_temporal() or values.dtype.is_numeric()
    ends = (text(values.min()), text(values.max())) if is_ranged else (None, None)
    return Side(values.null_count(), *ends)


def text(value: object) -> str | None:
    """A value as DuckDB writes it."""
    if isinstance(value, datetime):
        return value.isoformat(" ").rstrip("0").rstrip(".") if value.microsecond else value.isoformat(" ")
    return None if value is None else str(value)
