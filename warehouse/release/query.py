"""Queries of a release's database: read-only, without access to anything but that one file.

`paperlake sql` waits for this module: it imports DuckDB and nothing else that takes time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from threading import local
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import duckdb

from warehouse.errors import Damaged, QueryFailed, UsageError
from warehouse.limits import MEMORY, QueryLimits
from warehouse.store.temporary import temporary_folder

if TYPE_CHECKING:
    import pyarrow as pa

# The search path for a release of an older paperlake, which has no views in `main`
OLDER_PATH: Final = """
SELECT array_to_string(list_prepend('main', list(schema_name)), ',') FROM duckdb_schemas()
WHERE database_name = current_database() AND schema_name IN ('core', 'mart', 'about')
"""
NAMES: Final = """
SELECT table_name FROM duckdb_tables() WHERE NOT internal
UNION ALL SELECT view_name FROM duckdb_views() WHERE NOT internal
UNION ALL SELECT function_name FROM duckdb_functions() WHERE NOT internal
"""
ROWS_AT_A_TIME: Final = 1_000
ARROW_ROWS: Final = 100_000  # a batch, and a row group of a Parquet answer
Statement: TypeAlias = duckdb.Statement
NO_ROWS: Final = "the statement gives no rows; ask with SELECT, FROM, SHOW or DESCRIBE"
UNITS: Final = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
# Statements of these types return only a count of rows
QUERIES: Final = (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN)
SILENT: Final = (duckdb.StatementType.CREATE, duckdb.StatementType.COPY)


class QueryResult(NamedTuple):
    """The result of one query: names and types of the columns, and rows as they are fetched."""

    columns: list[str]
    types: list[str]
    rows: Iterator[tuple[Any, ...]]

    def dicts(self) -> Iterator[dict[str, Any]]:
        """The rows, each as a dict by the names of the columns."""
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)


class Batches(NamedTuple):
    """The result of one query as Arrow has it."""

    schema: pa.Schema
    batches: Iterator[pa.RecordBatch]


LIMITS: Final = QueryLimits()


class OfThread(local):
    """What each thread has of its own: a connection, since DuckDB refuses two threads on one."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, search_path: str) -> None:
        self.connection = connection.cursor()  # closed with the other
        self.connection.execute(f"SET search_path = '{search_path}'")


class Database:
    """A read-only database, for any thread; what DuckDB says of a broken query is raised as QueryFailed."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, limits: QueryLimits, search_path: str = "main") -> None:
        self._own, self._limits = OfThread(connection, search_path), limits

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of its tables, marts and macros: a release of an older paperlake has fewer."""
        try:
            return frozenset(name for (name,) in self.rows("SELECT table_name FROM about._tables").rows)
        except QueryFailed:  # it is of no release; DuckDB's own lists take five times as long
            return frozenset(name for (name,) in self.rows(NAMES).rows)

    def statements(self, sql: str) -> list[Statement]:
        """The statements of a text, none of them run; QueryFailed where it is no SQL, or has none."""
        with self.translate_errors():
            found = self._own.connection.extract_statements(sql)
        if not found:
            raise QueryFailed(NO_ROWS)
        return found

    def query(self, sql: str) -> Statement:
        """The one query of a text, which changes nothing of this connection, not run yet; UsageError for others."""
        found = self.statements(sql)
        if len(found) > 1:
            raise UsageError("one query is asked at a time; send the first alone")
        if found[0].type not in QUERIES:
            raise UsageError("only queries are answered: begin with SELECT, FROM, WITH, SHOW, DESCRIBE or EXPLAIN")
        return found[0]

    def memory_limit(self) -> int:
        """The memory limit in bytes, to four digits, as DuckDB understood a text or a percentage."""
        [(text,)] = self.rows("SELECT current_setting('memory_limit')").rows
        number, unit = text.split()
        return int(float(number) * 1024 ** UNITS.index(unit))

    def rows(self, sql: str | Statement, parameters: Sequence[object] = ()) -> QueryResult:
        """The rows of one statement, a thousand fetched at a time; maps have their keys as JSON can have them."""
        with self.translate_errors():
            cursor = self._own.connection.execute(sql, list(parameters))
            if cursor is None or cursor.description is None:
                raise QueryFailed(NO_ROWS)
            described = [(name, str(kind)) for name, kind, *_ in cursor.description]
            rows = self._fetched(cursor)
            if any("MAP(" in kind for _, kind in described):
                rows = (tuple(map(with_text_keys, row)) for row in rows)
            return QueryResult([name for name, _ in described], [kind for _, kind in described], rows)

    def arrow(self, sql: str | Statement, parameters: Sequence[object] | Mapping[str, object] = ()) -> pa.Table:
        """All rows of one statement as Arrow's table, with `$1` or `$name` for `parameters`."""
        with self.translate_errors():
            given = dict(parameters) if isinstance(parameters, Mapping) else list(parameters)
            relation = self._own.connection.sql(sql, params=given)
            if relation is None:
                raise QueryFailed(NO_ROWS)
            return relation.to_arrow_table()

    def _fetched(self, cursor: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
        while True:
            with self.translate_errors():
                rows = cursor.fetchmany(ROWS_AT_A_TIME)
            if not rows:
                return
            yield from rows

    @contextmanager
    def batches(self, sql: str | Statement) -> Iterator[Batches]:
        """The rows of one statement as Arrow batches, for as long as the context is open."""
        with self.translate_errors():
            relation = self._own.connection.sql(sql)
            if relation is None:
                raise QueryFailed(NO_ROWS)
            with relation.to_arrow_reader(ARROW_ROWS) as reader:
                yield Batches(reader.schema, self._read(reader))

    def _read(self, reader: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
        """Batches of the reader; whatever DuckDB raises after the first one, Arrow raises as OSError."""
        try:
            yield from reader
        except OSError as error:
            is_memory = str(error).startswith("Out of Memory")
            raise QueryFailed(self._limits.out_of_memory if is_memory else str(error)) from error

    @contextmanager
    def translate_errors(self) -> Iterator[None]:
        """Raise QueryFailed in place of DuckDB's errors, and of MemoryError, which rows as Python values may cause."""
        try:
            yield
        except (duckdb.OutOfMemoryException, MemoryError) as error:
            raise QueryFailed(self._limits.out_of_memory) from error
        except duckdb.Error as error:
            raise QueryFailed(str(error)) from error


def with_text_keys(value: Any) -> Any:  # noqa: ANN401 - whatever a cell holds
    """A value in which each boolean or decimal that is the key of a map is text, as `to_json` of DuckDB has it.

    >>> with_text_keys([{True: {Decimal("1.50"): None}, 2: "b"}])
    [{'true': {'1.50': None}, 2: 'b'}]
    """
    match value:
        case dict():
            return {_as_key(key): with_text_keys(inner) for key, inner in value.items()}
        case list() | tuple():
            return [with_text_keys(inner) for inner in value]
    return value


def _as_key(key: object) -> object:
    if isinstance(key, bool):
        return str(key).lower()
    return f"{key:f}" if isinstance(key, Decimal) else key


def gives_rows(statement: Statement) -> bool:
    """Whether the statement is one that returns rows, such as SELECT or DESCRIBE."""
    return duckdb.ExpectedResultType.QUERY_RESULT in statement.expected_result_type and statement.type not in SILENT


@contextmanager
def opened(path: Path, limits: QueryLimits = LIMITS, folder: Path | None = None) -> Iterator[Database]:
    """A read-only connection without access to anything but the database, which resolves names without a schema.

    What does not fit in memory spills to a folder in `folder`, or else in the system's temporary folder.
    """
    with (
        temporary_folder(folder) as spill,
        _connected(path, limits, spill) as connection,
    ):
        connection.execute("SET GLOBAL TimeZone = 'UTC'")  # else an instant with a zone is another on another machine
        connection.execute("SET lock_configuration = true")
        yield Database(connection, limits, _search_path(connection))


@contextmanager
def without_lake(macros: Iterable[str]) -> Iterator[Database]:
    """A connection to no database, with macros that read no table, given by the statements that make them."""
    with duckdb.connect(config={"enable_external_access": "false"}) as connection:
        for statement in ("CREATE SCHEMA mart", *macros):
            connection.execute(statement)
        yield Database(connection, LIMITS)


def _search_path(connection: duckdb.DuckDBPyConnection) -> str:
    """The search path: `main`, which has a view of every table; with more schemas SHOW TABLES would list them twice."""
    try:
        connection.execute("FROM main.papers LIMIT 0")
    except duckdb.CatalogException:
        [(schemas,)] = connection.execute(OLDER_PATH).fetchall()
        return str(schemas)
    return "main"


def _connected(path: Path, limits: QueryLimits, spill: Path) -> duckdb.DuckDBPyConnection:
    config: dict[str, str | bool | int | float | list[str]]
    config = {"memory_limit": limits.memory, "enable_external_access": "false", "temp_directory": str(spill)}
    if not MEMORY.fullmatch(limits.memory):
        raise UsageError(f"{limits.memory!r} is not a size of memory; write for example 2GB or 500MB")
    try:
        return duckdb.connect(str(path), read_only=True, config=config)
    except duckdb.OutOfMemoryException as error:
        raise QueryFailed(limits.out_of_memory) from error
    except duckdb.ConnectionException as error:
        raise UsageError(
            f"{path} is open in this program already, by duckdb.connect; close that, then ask again"
        ) from error
    except duckdb.Error as error:
        raise Damaged(f'{path.name} does not open as a DuckDB database: {error}; run "paperlake verify"') from error
