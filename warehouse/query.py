"""Questions to a release's database: read-only, and reaching nothing but that one file.

`paperlake sql` waits for this module: it imports DuckDB and nothing else that takes time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Final, NamedTuple

import duckdb

from warehouse.errors import Damaged, QueryFailed

SCHEMAS: Final = "core,mart"
MEMORY_LIMIT: Final = "2GB"
ROWS_AT_A_TIME: Final = 1_000
NO_ROWS: Final = "the statement gives no rows; ask with SELECT, FROM, SHOW or DESCRIBE"


class Answer(NamedTuple):
    """The result of one query: names of the columns, and rows as they are fetched."""

    columns: list[str]
    rows: Iterator[tuple[Any, ...]]


class Database:
    """A read-only connection; what DuckDB says of a broken query, the user sees as a QueryFailed."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> Answer:
        """The rows of one statement, a thousand fetched at a time."""
        with _told():
            cursor = self._connection.execute(sql, list(parameters))
            if cursor is None or cursor.description is None:
                raise QueryFailed(NO_ROWS)
            return Answer([column[0] for column in cursor.description], _fetched(cursor))

    def box(self, sql: str, parameters: Sequence[object] = (), *, width: int, rows: int) -> str:
        """At most so many rows of one statement, as DuckDB draws a table."""
        with _told():
            relation = self._connection.sql(sql, params=list(parameters))
            if relation is None:
                raise QueryFailed(NO_ROWS)
            with redirect_stdout(StringIO()) as drawn:
                relation.limit(rows).show(max_width=width, max_rows=rows)
            return drawn.getvalue()


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except duckdb.Error as error:
        raise QueryFailed(str(error)) from error


def _fetched(cursor: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while True:
        with _told():
            rows = cursor.fetchmany(ROWS_AT_A_TIME)
        if not rows:
            return
        yield from rows


@contextmanager
def opened(path: Path) -> Iterator[Database]:
    """A read-only connection that reaches nothing but the database itself, with core and mart on the search path."""
    try:
        connection = duckdb.connect(
            str(path), read_only=True, config={"memory_limit": MEMORY_LIMIT, "enable_external_access": "false"}
        )
    except duckdb.Error as error:
        raise Damaged(f'{path.name} does not open as a DuckDB database: {error}; run "paperlake verify"') from error
    with connection:
        connection.execute(f"SET search_path = '{SCHEMAS}'")
        connection.execute("SET lock_configuration = true")
        yield Database(connection)
