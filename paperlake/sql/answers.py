"""Answers about a release's database, in the query process: to standard output or into a file, with how to cite it."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Final

import msgspec

from paperlake.sql.catalog import columns, find, list_text, listed, names, table_text
from paperlake.sql.drawing import ALL, NARROWEST, ROWS, Screen
from paperlake.sql.formats import SEVERAL, json_lines, write
from paperlake.sql.messages import Fingerprint, Question
from warehouse.errors import QueryFailed, UsageError
from warehouse.release.query import NO_ROWS, Database, gives_rows


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
    for node in _nodes(json.loads(parsed)):
        modifiers = {modifier["type"] for modifier in node.get("modifiers") or ()}
        if "LIMIT_MODIFIER" in modifiers and "ORDER_MODIFIER" not in modifiers:
            raise UsageError("LIMIT without ORDER BY leaves open which rows are meant; add ORDER BY to cite the query")
        if node.get("sample"):
            raise UsageError("a sample has other rows each time, and cannot be cited")
        named = node.get("function_name") or "".join(node.get("column_names") or ())
        if named in unsteady:
            raise UsageError(f"{named} gives another value each time; to cite the query, write the value itself")
    return str(normal)


def _nodes(node: object) -> Iterator[dict[str, Any]]:
    """Every object of parsed SQL."""
    if isinstance(node, dict):
        yield node
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _nodes(inner)


def _of_rows(database: Database, sql: str) -> Fingerprint:
    answer = database.rows(sql)
    columns = tuple(zip(answer.columns, answer.types, strict=True))
    rows = sorted(hashlib.sha256(line.encode()).digest() for line in json_lines(answer, ALL))
    return Fingerprint(sql, columns, len(rows), hashlib.sha256(b"".join(rows)).hexdigest())
