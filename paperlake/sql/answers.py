"""Answers questions about a release's database, in the query process: to standard output, or into a file."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

import msgspec

from flows.cli.sql.catalog import columns, find, list_text, listed, names, table_text
from flows.cli.sql.child import Question
from flows.cli.sql.citing import fingerprint
from flows.cli.sql.drawing import NARROWEST, ROWS, Screen
from flows.cli.sql.formats import SEVERAL, write
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
