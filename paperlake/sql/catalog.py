"""The tables, marts and macros of a release's database, and the columns of one, as the database describes them."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final, NamedTuple

from paperlake.sql.drawing import TYPE, Screen, shortened, wrapped
from warehouse.errors import UsageError
from warehouse.release.query import Database

# The layer that is read most comes first. `call` is the name, of a macro with its parameters
TABLES: Final = """
WITH found AS (
    SELECT schema_name AS layer, table_name AS name, table_name AS call, estimated_size AS row_count, comment
    FROM duckdb_tables() WHERE database_name = current_database()
    UNION ALL
    SELECT schema_name, view_name, view_name, NULL, comment
    FROM duckdb_views() WHERE database_name = current_database() AND NOT internal
    UNION ALL
    SELECT schema_name, function_name, function_name || '(' || array_to_string(parameters, ', ') || ')', NULL, comment
    FROM duckdb_functions() WHERE database_name = current_database() AND NOT internal
)
SELECT layer, name, call, row_count, comment AS meaning
FROM found WHERE layer IN ('mart', 'core', 'about')
ORDER BY list_position(['mart', 'core', 'about'], layer), name
"""
# For a name without a schema, the columns of its view in `main`, which may have more than its table; the meaning of
# those is that of the table they come from
COLUMNS: Final = """
WITH found AS (
    SELECT schema_name AS layer, table_name, column_name AS name, column_index, data_type AS type, comment
    FROM duckdb_columns() WHERE database_name = current_database()
)
SELECT seen.name, seen.type, coalesce(own.comment, (
    SELECT any_value(comment) FROM found WHERE layer = 'core' AND name = seen.name AND comment IS NOT NULL
)) AS meaning
FROM found AS seen
LEFT JOIN found AS own ON own.layer = $1 AND own.table_name = seen.table_name AND own.name = seen.name
WHERE seen.layer = $3 AND seen.table_name = $2
ORDER BY seen.column_index
"""
MACRO_COLUMNS: Final = """
SELECT column_name AS name, type, meaning FROM about._columns WHERE layer = $1 AND table_name = $2 ORDER BY position
"""
NAMES: Final = """
SELECT view_name FROM duckdb_views() WHERE database_name = current_database() AND NOT internal
UNION SELECT table_name FROM duckdb_tables() WHERE database_name = current_database()
UNION SELECT schema_name FROM duckdb_tables() WHERE database_name = current_database()
UNION SELECT column_name FROM duckdb_columns() WHERE database_name = current_database() AND NOT internal
UNION SELECT function_name || '(' FROM duckdb_functions() WHERE database_name = current_database() AND NOT internal
"""
LINE: Final = 100  # where there is no terminal


class CatalogEntry(NamedTuple):
    """A table, mart or macro; how to call it, and how many rows it has, where they are counted."""

    layer: str
    name: str
    call: str
    row_count: int | None
    meaning: str


class Described(NamedTuple):
    """A column; its meaning is unknown in a release of an older paperlake."""

    name: str
    type: str
    meaning: str | None


def listed(database: Database) -> list[CatalogEntry]:
    """All tables, marts and macros of the database, the marts first."""
    return [CatalogEntry(*row) for row in database.rows(TABLES).rows]


def find(database: Database, asked: str) -> CatalogEntry:
    """The table or macro of a name, with or without its schema; UsageError with similar names where there is none."""
    tables = listed(database)
    wanted = asked.partition("(")[0].strip().lower().removeprefix("main.")
    for table in tables:
        if wanted in {table.name, f"{table.layer}.{table.name}"}:
            return table
    like = get_close_matches(wanted.rpartition(".")[2], [table.name for table in tables])
    hint = f"did you mean {' or '.join(like)}?" if like else '"paperlake tables" lists them'
    raise UsageError(f"there is no table {asked!r}; {hint}")


def columns(database: Database, table: CatalogEntry, *, widened: bool) -> list[Described]:
    """The columns of a table or of a macro's rows; `widened`: of the view in `main`, which may have more."""
    for layer in ("main", table.layer) if widened else (table.layer,):
        if found := list(database.rows(COLUMNS, [table.layer, table.name, layer]).rows):
            return [Described(*row) for row in found]
    has_about = any(found.layer == "about" for found in listed(database))  # an older release has not
    return [Described(*row) for row in database.rows(MACRO_COLUMNS, table[:2]).rows] if has_about else []


def names(database: Database) -> list[str]:
    """Every name that a query may have: of schemas, tables, columns and macros."""
    return sorted(name for (name,) in database.rows(NAMES).rows)


def list_text(tables: list[CatalogEntry], screen: Screen) -> Iterator[str]:
    """A line a table."""
    counts = ["" if table.row_count is None else f"{table.row_count:,}" for table in tables]
    layer, call = max(len(table.layer) for table in tables), max(len(table.call) for table in tables)
    count = max(map(len, counts))
    for table, rows in zip(tables, counts, strict=True):
        line = f"{table.layer:<{layer}}  {table.call:<{call}}  {rows:>{count}}  {table.meaning}"
        yield (shortened(line, screen.width) if screen.width else line) + "\n"


def table_text(table: CatalogEntry, described: list[Described], screen: Screen) -> Iterator[str]:
    """What a table is, and its columns beside what they mean."""
    width = screen.width or LINE
    count = "" if table.row_count is None else f", {table.row_count:,} rows"
    yield f"{table.layer}.{table.call}{count}\n"
    yield wrapped("", table.meaning, width)
    yield "\n" if described else ""
    name = max((len(column.name) for column in described), default=0)
    kind = min(max((len(column.type) for column in described), default=0), TYPE)
    for column in described:
        label = f"{column.name:<{name}}  {column.type:<{kind}}  "
        yield wrapped(label, column.meaning or "", width)
