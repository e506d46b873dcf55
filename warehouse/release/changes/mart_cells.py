"""Which figures of a release's marts would differ, if some of its core tables had other rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import duckdb
import polars as pl

from warehouse.release.changes.cells import MATCHED, cells_of, compared_columns, match
from warehouse.release.manifest import Draft, Manifest
from warehouse.release.snapshot import Snapshot
from warehouse.schema.ddl import create_schemas, create_table, literal, qualified, quoted
from warehouse.schema.mart import in_order_of_creation
from warehouse.schema.tables import ALL_TABLES, CORE_TABLES, MART_TABLES

CONCERNED: Final = "concerned"


def figures_unlike(
    after: Snapshot[Manifest | Draft],
    papers: pl.DataFrame,
    tables: Mapping[str, pl.DataFrame],
    marts: Mapping[str, Sequence[Path]],
) -> dict[str, pl.DataFrame]:
    """The cells of these `marts` of the release `after` that would differ, if its core `tables` were these: of those
    cut by cohort only the rows of `papers` are replaced, others whole.
    """
    found = {}
    with duckdb.connect() as connection:
        for statement in create_schemas(ALL_TABLES):
            connection.execute(statement)
        connection.from_arrow(papers.to_arrow()).create(CONCERNED)
        for table in CORE_TABLES:
            if table.name in tables:
                connection.from_arrow(tables[table.name].to_arrow()).create(f"given_{table.name}")
            near = table.name in tables, bool(table.cohort_rows)
            query = _rows(table.name, after.paths(table.name), *near)
            connection.execute(f"CREATE VIEW {qualified(table)} AS {query}")
        for mart in in_order_of_creation(MART_TABLES):
            if mart.is_view:
                connection.execute(f"CREATE VIEW {qualified(mart)} AS {mart.sql}")
                continue
            connection.execute(create_table(mart))
            connection.execute(f"INSERT INTO {qualified(mart)} {mart.sql}")
            if mart.name in marts:
                for view, source in zip(MATCHED, (qualified(mart), _parquet(marts[mart.name])), strict=True):
                    connection.execute(f"CREATE OR REPLACE TEMP VIEW {view} AS FROM {source}")
                matched = match(connection, mart.key, compared_columns(mart), mart.column_names)
                found[mart.name] = cells_of(matched, mart.name)
    return found


def _rows(name: str, paths: Sequence[Path], is_given: bool, is_cut: bool) -> str:  # noqa: FBT001 - two facts of a table
    given, stored = f"FROM {quoted(f'given_{name}')}", f"FROM {_parquet(paths)}"
    if not is_given:
        return stored
    return f"{stored} ANTI JOIN {CONCERNED} USING (paper_id) UNION ALL BY NAME {given}" if is_cut else given


def _parquet(paths: Iterable[Path]) -> str:
    return f"read_parquet([{', '.join(literal(str(path)) for path in paths)}], union_by_name = true)"
