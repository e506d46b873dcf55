"""The DuckDB file of a release, assembled from its Parquet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Final, TypeVar

import duckdb
import polars as pl

from warehouse.release import about
from warehouse.release.manifest import digest
from warehouse.release.parquet import Differing
from warehouse.release.query import opened
from warehouse.schema.catalog import (
    ABOUT_TABLES,
    ALL_TABLES,
    CORE_TABLES,
    DECLARED,
    FILE,
    MACROS,
    MART_TABLES,
    widening,
)
from warehouse.schema.ddl import (
    comments,
    create_macro,
    create_main_view,
    create_schemas,
    create_table,
    literal,
    qualified,
    quoted,
    same_key,
    type_of,
)
from warehouse.schema.mart import READ, Mart, in_order_of_creation
from warehouse.schema.table import Table

R = TypeVar("R")

# Clients from DuckDB 1.2 on open it: the storage before that takes 1 MiB for what every client reads when it attaches
# the file, in place of 0.2. Over HTTP a client reads whole blocks; what blocks smaller than 64 KiB save in bytes they
# cost in requests (bench/RESULTS.md).
STORAGE: Final = "v1.2.0"
BLOCK_BYTES: Final = 65536
# Of a table a client passes over whole groups of rows alone: with DuckDB's 122,880 a search over HTTP reads 1 MB more.
# Groups of 8,192 would save half of that again, and make the file 9 % larger
GROUP_ROWS: Final = 32768
# The file does not keep it: attached without, a copy of the last one would be written anew, with DuckDB's groups
GROUPED: Final = f"ROW_GROUP_SIZE {GROUP_ROWS}"
LAYOUT: Final = f"STORAGE_VERSION '{STORAGE}', BLOCK_SIZE {BLOCK_BYTES}, {GROUPED}"


# Memory of DuckDB while it makes the file; beyond that it sorts on the disk, beside the file
MEMORY: Final = "400MiB"
# With less Parquet than this, one thread and a third of that memory do, and take 30 MiB less: 494 real captures, 16 MB
# of Parquet, need 64 MiB. With still less the file is laid out otherwise, and a client reads more of it over HTTP
SMALL_BYTES: Final = 32 * 2**20
MEMORY_OF_SMALL: Final = "128MiB"
# A copy in which rows were replaced is made anew when it is this much larger than a new file would be, or when there is
# this much more Parquet. The size of a new file is estimated by the ratio of both when it was last made anew
GROWN: Final = 5 / 4


def assemble(
    path: Path,
    parquet: Mapping[str, Sequence[Path]],
    about_tables: about.Frames | None = None,
    finish: Callable[[duckdb.DuckDBPyConnection], R | None] = lambda _: None,
) -> R | None:
    """Write the database: core tables from their Parquet files, marts, macros, comments on everything.

    `about_tables` are the tables about the release itself (warehouse/release/about.py), if it is a release; `finish`
    is called when all else is there.
    Every table, mart and macro has one of its name in `main`, so that names resolve without a schema in any client.
    OSError where there is no room for it.
    """
    path.unlink(missing_ok=True)  # a copy that could not be renewed
    bytes_of_parquet = parquet_bytes(parquet)
    file = {"declared_sha256": declared_sha256(), "parquet_bytes": bytes_of_parquet}
    frames = {**about_tables, FILE.name: pl.DataFrame([file], schema=FILE.schema)} if about_tables else None

    def work(connection: duckdb.DuckDBPyConnection) -> R | None:
        _take_less(connection, bytes_of_parquet)
        connection.execute("\n".join(script()))
        for table in CORE_TABLES:
            _fill(connection, table, parquet.get(table.name, ()))
            _commit(connection)
        for mart in in_order_of_creation(MART_TABLES):
            if not mart.is_view:
                connection.execute(f"INSERT INTO {qualified(mart)} {mart.sql}")
                _commit(connection)
        if frames is not None:
            about.write(connection, frames)
        return finish(connection)

    return in_database(path, work)


def renew(
    path: Path,
    changed: Mapping[str, Differing],
    about_tables: about.Frames,
    bytes_now: int,
    finish: Callable[[duckdb.DuckDBPyConnection, dict[str, Differing]], R],
) -> R | None:
    """Turn a copy of the previous release's database into that of this release: only rows that differ are written.

    `changed` are the core tables that differ; marts that read none of them are as they were. `finish` is given what
    differs in each mart, with the columns of its declaration. OSError where there is no room for it.

    None, and the copy as it was, where its tables, views and macros are not those declared, or it is much larger than a
    new one of so many bytes of Parquet would be.
    """
    size = path.stat().st_size

    def work(connection: duckdb.DuckDBPyConnection) -> R | None:
        connection.execute("SET threads = 1")  # a day's rows are few: 15 MiB less, and no slower
        if not connection.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = ?", [FILE.name]).fetchall():
            return None  # an older paperlake made it
        held = FILE.conform(connection.sql(f"FROM {qualified(FILE)}").pl())
        held = held.with_columns(pl.col("whole_bytes").fill_null(size))
        if held["declared_sha256"].to_list() != [declared_sha256()]:
            return None
        bytes_of_parquet = held["parquet_bytes"].item()
        more = bytes_now / max(bytes_of_parquet, 1)
        if more > GROWN or size > GROWN * held["whole_bytes"].item() * more:
            return None
        _take_less(connection, bytes_of_parquet)
        for table in (table for table in CORE_TABLES if table.name in changed):
            _replace(connection, table, changed[table.name])
        found, differ = _renew_marts(connection, changed)
        rows = {**changed, **found}
        known = {
            name: about.still_lowest(of, rows[name]) if name in rows else of
            for name, of in about.examples_in(connection).items()
            if name in rows or name not in differ
        }
        about.write(connection, {**about_tables, FILE.name: held}, known)
        return finish(connection, found)

    return in_database(path, work)


def _renew_marts(
    connection: duckdb.DuckDBPyConnection, changed: Mapping[str, Differing]
) -> tuple[dict[str, Differing], set[str]]:
    """Replace the rows of marts that differ; what differs in each, and the names of all that differ, views too."""
    found: dict[str, Differing] = {}
    differ = {name for name, rows in changed.items() if not rows.is_empty}
    for mart in in_order_of_creation(MART_TABLES):
        is_touched = not mart.reads.isdisjoint(differ)
        if not mart.is_view:
            found[mart.name] = (
                _unlike(connection, mart, *_may_differ(connection, mart, {**changed, **found}))
                if is_touched
                else Differing(mart.empty(), mart.empty())
            )
            _replace(connection, mart, found[mart.name])
        if is_touched and (mart.is_view or not found[mart.name].is_empty):
            differ.add(mart.name)
    return found, differ


def _since(mart: Mart, changed: Mapping[str, Differing]) -> date:
    """The first day of which rows of a mart may differ, where these rows of the core tables that it reads do."""
    if not mart.reads <= mart.since.keys():
        return date.min
    days = list[date]()
    for name in mart.reads & changed.keys():
        column, rows = mart.since[name], changed[name]
        if rows.gone.schema[column].is_temporal():
            first = pl.col(column).cast(pl.Date).min()
            days += (side.select(first).item() or date.max for side in (rows.gone, rows.new))
        elif len(rows.gone.join(rows.new, on=(*DECLARED[name].key, column), how="anti", nulls_equal=True)):
            return date.min
    return min(days) - timedelta(1) if days else date.min  # at the end of the day before, the day had begun


def _may_differ(connection: duckdb.DuckDBPyConnection, mart: Mart, changed: Mapping[str, Differing]) -> tuple[str, str]:
    """A mart's query and the rows stored of it, of those days and papers alone that may differ where these rows do."""
    since, query, stored = _since(mart, changed), mart.sql, qualified(mart)
    connection.execute("SET VARIABLE since = ?::DATE", [since])
    if since > date.min:
        stored = f"(FROM {stored} WHERE {quoted(mart.key[0])} >= getvariable('since'))"
    if mart.is_of_papers and (papers := _papers(connection, mart, changed)) is not None:
        connection.register("_differing", papers.to_frame().to_arrow())
        connection.execute("CREATE OR REPLACE TEMP TABLE _papers AS FROM _differing")
        query = READ.sub(lambda table: _of_papers(table[0]) if _has_papers(table[1]) else table[0], query)
        stored = _of_papers(stored)
    return query, stored


def _has_papers(name: str) -> bool:
    return "paper_id" in DECLARED[name].column_names


def _of_papers(rows: str) -> str:
    return f"(FROM {rows} SEMI JOIN _papers USING (paper_id))"


def _papers(connection: duckdb.DuckDBPyConnection, mart: Mart, changed: Mapping[str, Differing]) -> pl.Series | None:
    """The papers of which rows of a mart may differ, where these rows of other tables do; None if it may be any."""
    found = [pl.Series("paper_id", [], pl.String)]
    for name in sorted(_stored(mart) & changed.keys()):
        for rows in (changed[name].gone, changed[name].new):
            if _has_papers(name):
                found.append(rows["paper_id"])
            elif rows.height and "listed_on" not in rows.columns:
                return None
            elif rows.height:
                connection.register("_days", rows.select("listed_on").to_arrow())
                listed = connection.sql("SELECT paper_id FROM core.daily_listings SEMI JOIN _days USING (listed_on)")
                found.append(listed.pl()["paper_id"])
    return pl.concat(found).unique()


def _stored(mart: Mart) -> frozenset[str]:
    """The tables that a mart reads, also through views."""
    views = {one.name: one for one in MART_TABLES if one.is_view}
    return frozenset().union(*(_stored(views[name]) if name in views else {name} for name in mart.reads))


def _unlike(connection: duckdb.DuckDBPyConnection, mart: Mart, query: str, stored: str) -> Differing:
    """The rows that differ between a mart, or a part of it, as it is `stored` and as its `query` makes it now."""
    typed = ", ".join(f"{quoted(one.name)}::{type_of(one.dtype)} AS {quoted(one.name)}" for one in mart.columns)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE _after AS SELECT {typed} FROM ({query}\n)")  # noqa: S608
    new: pl.DataFrame = connection.sql(f"FROM _after EXCEPT FROM {stored}").pl()
    [(held, made)] = connection.execute(
        f"SELECT (SELECT count(*) FROM {stored}), (SELECT count(*) FROM _after)"  # noqa: S608
    ).fetchall()
    if held == made - new.height:  # all that are stored are among those made, as no row is there twice
        return Differing(mart.empty(), mart.conform(new))
    gone: pl.DataFrame = connection.sql(f"FROM {stored} EXCEPT FROM _after").pl()
    return Differing(mart.conform(gone), mart.conform(new))


def _replace(connection: duckdb.DuckDBPyConnection, table: Table, rows: Differing) -> None:
    """Replace the rows of a table that are gone by those that are new."""
    if not rows.gone.is_empty():
        connection.register("_gone", rows.gone.select(table.key).to_arrow())
        same = same_key(table.key, "held", "_gone")
        connection.execute(f"DELETE FROM {qualified(table)} AS held USING _gone WHERE {same}")  # noqa: S608
    if not rows.new.is_empty():
        connection.register("_new", table.conform(rows.new).to_arrow())
        connection.execute(f"INSERT INTO {qualified(table)} FROM _new")


def put_about(connection: duckdb.DuckDBPyConnection, frames: about.Frames) -> None:
    """Fill tables about the release, in place of the rows they have: some are known once its marts are there."""
    for table in (table for table in ABOUT_TABLES if table.name in frames):
        connection.execute(f"DELETE FROM {qualified(table)}")  # noqa: S608
        connection.from_arrow(frames[table.name].to_arrow()).insert_into(qualified(table))


def parquet_bytes(parquet: Mapping[str, Sequence[Path]]) -> int:
    return sum(path.stat().st_size for paths in parquet.values() for path in paths)


def declared_sha256() -> str:
    """A hash over all statements that make the tables, views and macros of the database."""
    return digest("\n".join([LAYOUT, whole_script(), *(mart.sql for mart in MART_TABLES)]).encode())


def in_database(path: Path, work: Callable[[duckdb.DuckDBPyConnection], R]) -> R:
    """Run `work` on the file, within transactions; OSError where there is no room for it."""
    try:
        return _committed(path, work)
    except (duckdb.IOException, duckdb.TransactionException) as error:  # the second: it could not commit
        failure = str(error)
    raise OSError(failure)  # here, so that no traceback keeps the connection open: the process would report leaks


def _committed(path: Path, work: Callable[[duckdb.DuckDBPyConnection], R]) -> R:
    """Run `work` in a transaction: each of its thousand statements alone would be synced to the disk."""
    with duckdb.connect() as connection:
        # Metadata of a renewed file is in fewer blocks then: a client reads 0.2 MiB less when it attaches it
        connection.execute("SET experimental_metadata_reuse = false")
        connection.execute(f"SET memory_limit = '{MEMORY}'")
        connection.execute(f"SET temp_directory = {literal(str(path.with_suffix('.spill')))}")
        layout = GROUPED if path.exists() else LAYOUT
        connection.execute(f"ATTACH {literal(str(path))} AS lake ({layout})")
        connection.execute("USE lake")
        connection.execute("BEGIN")
        found = work(connection)
        connection.execute("COMMIT")
        connection.execute("USE memory")
        connection.execute("DETACH lake")
    return found


def _take_less(connection: duckdb.DuckDBPyConnection, bytes_of_parquet: int) -> None:
    """Take one thread and less memory, where that is enough."""
    if bytes_of_parquet < SMALL_BYTES:
        connection.execute("SET threads = 1")
        connection.execute(f"SET memory_limit = '{MEMORY_OF_SMALL}'")


def whole_script() -> str:
    """The statements that make every table, without rows, every view and macro, and the comments on them."""
    return "\n".join([*script(), *about.script()]) + "\n"


def script() -> Iterator[str]:
    """The statements of `whole_script` without those of the tables about a release."""
    yield from create_schemas((*ALL_TABLES, *ABOUT_TABLES))
    for table in CORE_TABLES:
        yield create_table(table)
    for mart in in_order_of_creation(MART_TABLES):
        yield f"CREATE VIEW {qualified(mart)} AS {mart.sql};" if mart.is_view else create_table(mart)
    for table in ALL_TABLES:
        yield from comments(table)
        yield create_main_view(table, widening(table))
    for macro in MACROS:
        yield from create_macro(macro)


def _commit(connection: duckdb.DuckDBPyConnection) -> None:
    """Write the inserted rows into the file, which has no reader yet; until then DuckDB holds them unpacked."""
    connection.execute("COMMIT")
    connection.execute("BEGIN")


def _fill(connection: duckdb.DuckDBPyConnection, table: Table, paths: Sequence[Path]) -> None:
    """Insert rows in the table's order; where files are cut by paper and sorted by it, they are so already."""
    order, fill = table.order or table.key, f"INSERT INTO {qualified(table)} FROM read_parquet($1)"
    if table.cohort_rows and order[0] == "paper_id":
        for path in paths:
            connection.execute(fill, [[str(path)]])
    elif paths:
        connection.execute(f"{fill} ORDER BY {', '.join(map(quoted, order))}", [list(map(str, paths))])


def row_counts(path: Path, **names: Iterable[str]) -> dict[str, int]:
    """Rows of the tables of these names, by their layer, as the database counts them."""
    asked = [
        f"SELECT {literal(name)}, count(*) FROM {quoted(layer)}.{quoted(name)}"  # noqa: S608
        for layer, named in names.items()
        for name in named
    ]
    with opened(path) as database:
        return dict(database.rows(" UNION ALL ".join(asked)).rows)
