"""Questions to a release's database: read-only, and reaching nothing but that one file.

`paperlake sql` waits for this module: it imports DuckDB and nothing else that takes time.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import duckdb

from warehouse.errors import Damaged, QueryFailed, UsageError

if TYPE_CHECKING:
    import pyarrow as pa

# Names without a schema are those of `main`; a release of an older paperlake has no schema `about`
SEARCH_PATH: Final = """
SELECT 'main,' || string_agg(schema_name, ',' ORDER BY schema_name = 'about', schema_name) FROM duckdb_schemas()
WHERE database_name = current_database() AND schema_name IN ('core', 'mart', 'about')
"""
ROWS_AT_A_TIME: Final = 1_000
ARROW_ROWS: Final = 100_000  # a batch, and a row group of a Parquet answer
NO_ROWS: Final = "the statement gives no rows; ask with SELECT, FROM, SHOW or DESCRIBE"


class Limits(NamedTuple):
    """What one question may take of this machine; what does not fit in memory spills to the system's temporary folder.

    Without `seconds` a question may take as long as it wants.
    """

    memory: str = "2GB"
    seconds: float | None = None


class Answer(NamedTuple):
    """The result of one query: names of the columns, and rows as they are fetched."""

    columns: list[str]
    rows: Iterator[tuple[Any, ...]]


LIMITS: Final = Limits()


class Database:
    """A read-only connection; what DuckDB says of a broken query, the user sees as a QueryFailed."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, limits: Limits) -> None:
        self._connection, self._limits = connection, limits

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> Answer:
        """The rows of one statement, a thousand fetched at a time."""
        with self._translate_errors():
            cursor = self._connection.execute(sql, list(parameters))
            if cursor is None or cursor.description is None:
                raise QueryFailed(NO_ROWS)
            return Answer([column[0] for column in cursor.description], self._fetched(cursor))

    def _fetched(self, cursor: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
        while True:
            with self._translate_errors():
                rows = cursor.fetchmany(ROWS_AT_A_TIME)
            if not rows:
                return
            yield from rows

    @contextmanager
    def batches(self, sql: str) -> Iterator[pa.RecordBatchReader]:
        """The rows of one statement as Arrow batches, for as long as the context is open."""
        with self._translate_errors():
            relation = self._connection.sql(sql)
            if relation is None:
                raise QueryFailed(NO_ROWS)
            yield relation.to_arrow_reader(ARROW_ROWS)

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except duckdb.InterruptException as error:
            raise QueryFailed(
                f"stopped after {self._limits.seconds or 0:g} seconds; ask for less, or allow more with --seconds"
            ) from error
        except duckdb.Error as error:
            raise QueryFailed(str(error)) from error

    def box(self, sql: str, parameters: Sequence[object] = (), *, width: int, rows: int) -> str:
        """At most so many rows of one statement, as DuckDB draws a table."""
        with self._translate_errors():
            relation = self._connection.sql(sql, params=list(parameters))
            if relation is None:
                raise QueryFailed(NO_ROWS)
            with redirect_stdout(StringIO()) as drawn:
                relation.limit(rows).show(max_width=width, max_rows=rows)
            return drawn.getvalue()


@contextmanager
def opened(path: Path, limits: Limits = LIMITS) -> Iterator[Database]:
    """A read-only connection that reaches nothing but the database itself, and finds names without a schema."""
    with tempfile.TemporaryDirectory(prefix="paperlake-") as folder, _connected(path, limits, folder) as connection:
        [(schemas,)] = connection.execute(SEARCH_PATH).fetchall()
        connection.execute(f"SET search_path = '{schemas or 'main'}'")
        connection.execute("SET lock_configuration = true")
        with _watched(connection, limits.seconds):
            yield Database(connection, limits)


def _connected(path: Path, limits: Limits, folder: str) -> duckdb.DuckDBPyConnection:
    config: dict[str, str | bool | int | float | list[str]]
    config = {"memory_limit": limits.memory, "enable_external_access": "false", "temp_directory": folder}
    try:
        return duckdb.connect(str(path), read_only=True, config=config)
    except duckdb.ParserException as error:
        raise UsageError(f"{limits.memory!r} is no size of memory; write for example 2GB or 500MB") from error
    except duckdb.Error as error:
        raise Damaged(f'{path.name} does not open as a DuckDB database: {error}; run "paperlake verify"') from error


@contextmanager
def _watched(connection: duckdb.DuckDBPyConnection, seconds: float | None) -> Iterator[None]:
    """Interrupt whatever runs when the time is over."""
    timer = threading.Timer(seconds or 0, connection.interrupt)
    timer.daemon = True
    if seconds is not None:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
