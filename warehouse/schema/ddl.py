"""DuckDB statements, rendered from the declarations of the tables.

`paperlake sql` waits for this module: Polars is imported only where types are rendered.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import polars as pl
    from polars.datatypes import DataTypeClass

    from warehouse.schema.mart import Macro
    from warehouse.schema.table import Column, Table

# By the name of Polars' type
TYPES = {
    "String": "VARCHAR",
    "Boolean": "BOOLEAN",
    "Int8": "TINYINT",
    "Int32": "INTEGER",
    "Int64": "BIGINT",
    "Float64": "DOUBLE",
    "Date": "DATE",
}

LONG = 1_000  # characters that a column may hold: titles, addresses, abstracts


def create_schemas(tables: Iterable[Table]) -> list[str]:
    """One statement for each schema the tables live in, in the order of their first table."""
    return [f"CREATE SCHEMA IF NOT EXISTS {quoted(layer)};" for layer in dict.fromkeys(table.layer for table in tables)]


def create_table(table: Table) -> str:
    """The statement that makes the empty table in its schema.

    No primary key: one made a million narrow rows 59 MB in place of 10 MB, and the gate proves that keys are unique.
    """
    columns = []
    for column in table.columns:
        # Long texts are zstd: DuckDB's own choice takes twice the space (bench/RESULTS.md)
        is_long = (column.max_length or 0) >= LONG or column.whose == "citation"
        compression = " USING COMPRESSION zstd" if is_long else ""
        needed = "" if column.is_nullable else " NOT NULL"
        columns.append(f"    {quoted(column.name)} {type_of(column.dtype)}{compression}{needed}")
    body = ",\n".join(columns)
    return f"CREATE TABLE {qualified(table)} (\n{body}\n);"


def comments(table: Table) -> list[str]:
    """Statements that comment the table and each column."""
    kind = "VIEW" if table.is_view else "TABLE"
    about = f"{table.grain} {table.answers} Key: {', '.join(table.key)}."
    columns = (
        f"COMMENT ON COLUMN {qualified(table)}.{quoted(column.name)} IS {literal(' '.join(about_column(column)))};"
        for column in table.columns
    )
    return [f"COMMENT ON {kind} {qualified(table)} IS {literal(about)};", *columns]


def create_main_view(table: Table, widening: Iterable[Table] = ()) -> str:
    """The statement that makes the view of the table's name in `main`, with the columns of the tables that widen it."""
    columns, joins = [f"{quoted(table.name)}.*"], []
    for wide in widening:
        more = (name for name in wide.column_names if name not in table.column_names)
        columns += [f"{quoted(wide.name)}.{quoted(name)}" for name in more]
        joins.append(f" LEFT JOIN {qualified(wide)} USING ({', '.join(map(quoted, table.key))})")
    select = f"SELECT {', '.join(columns)} " if joins else ""
    return f"CREATE VIEW main.{quoted(table.name)} AS {select}FROM {qualified(table)}{''.join(joins)};"


def create_macro(macro: Macro) -> list[str]:
    """Statements that make the macro in `mart`, with its comment, and one of its name in `main` that calls it."""
    name, parameters = quoted(macro.name), ", ".join(quoted(name) for name in macro.parameters)
    table, body = (" TABLE", macro.sql) if macro.is_table else ("", f"({macro.sql})")
    forward = f"{'FROM ' if macro.is_table else ''}mart.{name}({parameters})"
    arguments = " ".join(f"{key}: {text}." for key, text in macro.parameters.items())
    comment = literal(f"{macro.answers} Gives: {macro.grain} {arguments}")
    return [
        f"CREATE MACRO mart.{name}({parameters}) AS{table}\n{body};",
        f"COMMENT ON MACRO{table} mart.{name} IS {comment};",
        f"CREATE MACRO main.{name}({parameters}) AS{table} {forward};",
    ]


@cache
def type_of(dtype: pl.DataType) -> str:
    """The DuckDB type that holds the values of a Polars one; raises TypeError where none is agreed on.

    >>> import polars as pl
    >>> type_of(pl.List(pl.Struct({"name": pl.String, "is_hidden": pl.Boolean})))
    'STRUCT("name" VARCHAR, "is_hidden" BOOLEAN)[]'
    """
    import polars as pl

    if isinstance(dtype, pl.List):
        return f"{type_of(instance(dtype.inner))}[]"
    if isinstance(dtype, pl.Struct):
        fields = (f"{quoted(field.name)} {type_of(instance(field.dtype))}" for field in dtype.fields)
        return f"STRUCT({', '.join(fields)})"
    if dtype == pl.Datetime("us"):
        return "TIMESTAMP"
    if name := TYPES.get(str(dtype)):
        return name
    raise TypeError(f"no DuckDB type is agreed on for {dtype}")


def instance(dtype: pl.DataType | DataTypeClass) -> pl.DataType:
    """A type as an instance: inside lists and structs Polars keeps `pl.String` or `pl.String()`, as it was written."""
    return dtype() if isinstance(dtype, type) else dtype


def qualified(table: Table) -> str:
    return f"{quoted(table.layer)}.{quoted(table.name)}"


def quoted(identifier: str) -> str:
    """A quoted identifier, which may be a word that DuckDB reserves (`position` and `rank` are columns here)."""
    return '"' + identifier.replace('"', '""') + '"'


def same_key(key: Sequence[str], one: str, other: str) -> str:
    """The condition that two rows, of what goes by these names in a query, have one key; a null is equal to a null."""
    same = (f"{one}.{quoted(name)} IS NOT DISTINCT FROM {other}.{quoted(name)}" for name in key)
    return " AND ".join(same) or "false"


def literal(text: str) -> str:
    """A string literal. For texts of the declarations; values of the data are parameters."""
    return "'" + text.replace("'", "''") + "'"


def about_column(column: Column) -> Iterator[str]:
    """The description of a column in sentences: meaning, unit, what null means, source, since when."""
    yield column.description
    if column.unit:
        yield f"Unit: {column.unit}."
    if column.null:
        yield f"Null: {column.null}."
    yield f"Source: {column.source_in_words}."
    if column.since:
        yield f"Since {column.since}."
