"""Answers about a release's database, in the query process: to standard output or into a file, with how to cite it."""

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any, BinaryIO, Final, NamedTuple

import msgspec

from paperlake.sql.drawing import ALL, ROWS, TYPE, Screen, aligned, shortened, wrapped
from paperlake.sql.formats import SEVERAL, json_lines, write
from paperlake.sql.questions import Fingerprint, Question
from warehouse.errors import QueryFailed, UsageError
from warehouse.printable import NARROWEST, counted
from warehouse.release.query import NO_ROWS, Database, gives_rows
from warehouse.schema.ddl import quoted

# The layer that is read most comes first. `call` is the name, of a macro with its parameters
TABLES: Final = """
WITH found AS (
    SELECT schema_name AS layer, table_name AS name, table_name AS call, true AS is_stored, comment
    FROM duckdb_tables() WHERE database_name = current_database()
    UNION ALL
    SELECT schema_name, view_name, view_name, false, comment
    FROM duckdb_views() WHERE database_name = current_database() AND NOT internal
    UNION ALL
    SELECT schema_name, function_name, function_name || '(' || array_to_string(parameters, ', ') || ')', false, comment
    FROM duckdb_functions() WHERE database_name = current_database() AND NOT internal
)
SELECT layer, name, call, is_stored, comment AS meaning
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
COUNT: Final = "(SELECT count(*) FROM {})"  # the size in the catalog is an estimate
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
    """All tables, marts and macros of the database, the marts first. The rows of tables are counted."""
    found = list(database.rows(TABLES).rows)
    stored = [f"{quoted(layer)}.{quoted(name)}" for layer, name, _, is_stored, _ in found if is_stored]
    counts = iter(
        next(iter(database.rows(f"SELECT {', '.join(map(COUNT.format, stored))}").rows), ()) if stored else ()
    )
    return [
        CatalogEntry(layer, name, call, next(counts) if is_stored else None, meaning)
        for layer, name, call, is_stored, meaning in found
    ]


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
    """A line a table; on a screen a macro with many parameters is cut, so that more than half is for the meanings."""
    counts = ["" if table.row_count is None else f"{table.row_count:,}" for table in tables]
    calls = [shortened(table.call, screen.width // 3) if screen.width else table.call for table in tables]
    rows = [(one.layer, call, count, one.meaning) for one, call, count in zip(tables, calls, counts, strict=True)]
    for line in aligned(rows, numbers=[2]).splitlines():
        yield (shortened(line, screen.width) if screen.width else line) + "\n"


def table_text(table: CatalogEntry, described: list[Described], screen: Screen) -> Iterator[str]:
    """The description of a table, and its columns with their meanings."""
    width = screen.width or LINE
    count = "" if table.row_count is None else f", {counted(table.row_count, 'row')}"
    yield f"{table.layer}.{table.call}{count}\n"
    yield wrapped("", table.meaning, width)
    yield "\n" if described else ""
    name = max((len(column.name) for column in described), default=0)
    kind = min(max((len(column.type) for column in described), default=0), TYPE)
    for column in described:
        label = f"{column.name:<{name}}  {column.type:<{kind}}  "
        yield wrapped(label, column.meaning or "", width)


def answer(database: Database, question: Question) -> str:
    """Write the answer to a question; returns what is for the parent process, not for the user."""
    match question.task:
        case "names":
            return "\n".join(names(database))
        case "cite":
            return msgspec.json.encode(fingerprint(database, question.text)).decode()
        case "sql":
            write_rows(database, question)
        case "tables":
            write_tables(database, question)
    return ""


def write_tables(database: Database, question: Question) -> None:
    """Write all tables, or the columns of the one that is named."""
    asked = question.text
    with opened_output(None) as (out, screen):
        if asked:
            table = find(database, asked)
            described = columns(database, table, widened="." not in asked)
            rows, text = [column._asdict() for column in described], table_text(table, described, screen)
        else:
            tables = listed(database)
            rows, text = [one._asdict() for one in tables], list_text(tables, screen)
        if question.output_format == "json":
            out.write(msgspec.json.format(msgspec.json.encode(rows)) + b"\n")
        else:
            out.write("".join(text).encode())


def write_rows(database: Database, question: Question) -> None:
    """Run every statement. Rows of several are written one after the other; UsageError where the format cannot."""
    statements = database.statements(question.text)
    asking = sum(map(gives_rows, statements))
    if not asking and not question.in_session:
        raise QueryFailed(NO_ROWS)
    if asking > 1 and question.output_format not in SEVERAL:
        raise UsageError(
            f"{asking} statements give rows, and {question.output_format} holds the rows of one; run them one by one"
        )
    with opened_output(question.output) as (out, screen):
        separator = b""
        for statement in statements:
            if gives_rows(statement):
                out.write(separator)
                separator = b"\n"
                write(database, statement, question.output_format, out, screen)
            else:
                list(database.rows(statement).rows)


@contextmanager
def opened_output(path: str | None) -> Iterator[tuple[BinaryIO, Screen]]:
    """The output, and its size: a terminal has some rows and columns, a file has no limit, a pipe is COLUMNS wide."""
    with open(path or 1, "wb", closefd=path is not None) as out:
        width = shutil.get_terminal_size((0, 0)).columns if path is None else 0
        yield out, Screen(max(width, NARROWEST) if width else None, ROWS if out.isatty() else None)


NORMAL: Final = """
SELECT parsed, CASE WHEN NOT (parsed -> 'error')::BOOLEAN THEN json_deserialize_sql(parsed) END
FROM (SELECT json_serialize_sql($1)::JSON AS parsed)
"""
UNSTEADY: Final = "SELECT function_name FROM duckdb_functions() WHERE stability <> 'CONSISTENT'"


def fingerprint(database: Database, sql: str) -> Fingerprint:
    """The fingerprint of one query; UsageError where it need not give the same rows each time."""
    normal = normalised(database, sql)
    found = _of_rows(database, normal)
    if _of_rows(database, normal) != found:
        raise UsageError("the query gives other rows each time; add ORDER BY within aggregates and before LIMIT")
    return found


def normalised(database: Database, sql: str) -> str:
    """The query without comments, spaces and shorthand; UsageError where the moment or chance decides what it gives."""
    if len(database.statements(sql)) != 1:
        raise UsageError("one query is cited at a time")
    [(parsed, normal)] = database.rows(NORMAL, [sql]).rows
    if normal is None:
        raise UsageError("only a query that begins with SELECT, FROM or WITH can be cited")
    unsteady = {name for (name,) in database.rows(UNSTEADY).rows}
    for node in nodes(json.loads(parsed)):
        modifiers = {modifier["type"] for modifier in node.get("modifiers") or ()}
        if "LIMIT_MODIFIER" in modifiers and "ORDER_MODIFIER" not in modifiers:
            raise UsageError("LIMIT without ORDER BY leaves open which rows are meant; add ORDER BY to cite the query")
        if node.get("sample"):
            raise UsageError("a sample has other rows each time, and cannot be cited")
        named = node.get("function_name") or "".join(node.get("column_names") or ())
        if named in unsteady:
            raise UsageError(f"{named} gives another value each time; to cite the query, write the value itself")
    return str(normal)


def nodes(node: object) -> Iterator[dict[str, Any]]:
    """Every object of parsed SQL."""
    if isinstance(node, dict):
        yield node
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from nodes(inner)


def _of_rows(database: Database, sql: str) -> Fingerprint:
    answer = database.rows(sql)
    columns = tuple(zip(answer.columns, answer.types, strict=True))
    rows = sorted(hashlib.sha256(line.encode()).digest() for line in json_lines(answer, ALL))
    return Fingerprint(sql, columns, len(rows), hashlib.sha256(b"".join(rows)).hexdigest())
