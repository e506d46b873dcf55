"""The files of a release that hold some papers: only these are read, and only those with a change are written.

Tables are cut by cohort, the papers of one period; marts in the same way, after their queries ran in the database.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Final

import duckdb
import polars as pl

from warehouse.release.manifest import Draft, File, Manifest
from warehouse.release.parquet import Differing, Renewed, place_of
from warehouse.release.snapshot import Snapshot
from warehouse.schema import places
from warehouse.schema.catalog.tables import ALL_TABLES, CORE_TABLES, MART_TABLES
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.schema.ddl import qualified, quoted, type_of
from warehouse.schema.mart import Mart
from warehouse.schema.table import Table

CUT: Final = tuple(table for table in CORE_TABLES if table.cohort_rows and "paper_id" in table.column_names)
BY_NAME: Final = {table.name: table for table in ALL_TABLES}
PAPER, DAY = "paper_id", "listed_on"
OF_NEAR: Final = f"SEMI JOIN _near USING ({PAPER})"


class Near:
    """The rows that a snapshot has of some papers, read from the files of their cohorts."""

    def __init__(self, snapshot: Snapshot[Manifest | Draft], paper_ids: Iterable[str]) -> None:
        self.snapshot = snapshot
        self.ids = pl.DataFrame({"paper_id": sorted(set(paper_ids))}, {"paper_id": pl.String})
        cohorts = self.ids.select(places.PLACE).unique().rows()
        self._places = {place for [cohort] in cohorts for place in places.lineage(cohort)}

    def files(self, table: Table) -> list[File]:
        """The files that may hold rows of these papers."""
        return [file for file in self.snapshot.tables[table.name].files if place_of(file) in self._places]

    def read(self, table: Table) -> pl.DataFrame:
        """The files of these papers whole, with rows of other papers; Damaged where one is not what was written."""
        return self.snapshot.read_files(table, self.files(table))

    def rows(self, table: Table) -> pl.DataFrame:
        """All rows of these papers."""
        return self.snapshot.read_files(table, self.files(table), self.ids["paper_id"])


def papers_that_differ(after: Snapshot[Draft], before: Snapshot[Manifest]) -> pl.Series:
    """The papers of which any row differs in a table cut by cohort; files that both sides have are not read."""
    sides = ((own_rows(table, after, before), own_rows(table, before, after)) for table in CUT)
    return pl.concat(papers_unlike(now, then) for now, then in sides).unique().sort()


def papers_unlike(now: pl.DataFrame, then: pl.DataFrame) -> pl.Series:
    """Papers with a row that only one of two sides of a table has."""
    one, other = now.hash_rows(), then.hash_rows()  # of 64 bits, which are taken to be unique
    sides = (now.filter(~one.is_in(other.implode())), then.filter(~other.is_in(one.implode())))
    return pl.concat(rows["paper_id"] for rows in sides).unique()


def own_rows(table: Table, one: Snapshot[Manifest | Draft], other: Snapshot[Manifest | Draft]) -> pl.DataFrame:
    """The rows of those files of a table that only the first of two snapshots has."""
    shared = {file.sha256 for file in other.tables[table.name].files}
    return one.read_files(table, [file for file in one.tables[table.name].files if file.sha256 not in shared])


def is_cut_alike(release: Snapshot[Manifest | Draft]) -> bool:
    """Whether the release's tables are cut as they are declared now; those of an older paperlake may not be."""
    rows = {table.name: table.cohort_rows for table in release.of.tables}
    return all(rows.get(table.name) == table.cohort_rows for table in CORE_TABLES)


def stored_marts(
    path: Path, before: Snapshot[Manifest] | None = None, changed: Mapping[str, Differing] | None = None
) -> Iterator[tuple[Mart, Renewed]]:
    """The marts that a database stores, each conforming to its declaration.

    Files of the release `before` in which no row differs are passed on: `changed` has, by mart, the rows that do.
    Without it all are written.
    """
    with duckdb.connect(str(path), read_only=True) as connection:
        for mart in (mart for mart in MART_TABLES if not mart.is_view):
            if before and changed is not None and (whole := _unchanged(mart, before, changed[mart.name])):
                yield mart, Renewed(mart.empty(), whole)
                continue
            lead, table = quoted(mart.key[0]), qualified(mart)
            leads = connection.sql(f"SELECT {lead}, count(*) AS row_count FROM {table} GROUP BY 1").pl()  # noqa: S608
            leads = leads.with_columns(place=_places(mart, leads))
            passed = _same(mart, leads, before, changed[mart.name]) if before and changed is not None else ()
            near = leads.filter(~pl.col("place").is_in([place_of(file) for file in passed]))
            connection.register("_near", near.to_arrow())
            rows = connection.sql(f"FROM {table} SEMI JOIN _near USING ({lead})" if passed else f"FROM {table}")
            yield mart, Renewed(mart.conform(rows.pl()), passed)


def _unchanged(mart: Mart, before: Snapshot[Manifest], changed: Differing) -> tuple[File, ...]:
    """All files of the previous release's mart, if no row of it differs and all are sound; else none."""
    files = _files_before(mart, before)
    return files if changed.is_empty and all(map(before.has, files)) else ()


def _same(mart: Mart, leads: pl.DataFrame, before: Snapshot[Manifest], changed: Differing) -> tuple[File, ...]:
    """The previous release's sound files, in the same cut, that hold no row which differs."""
    now = set(leads["place"])
    if mart.cohort_rows:
        cohorts = pl.concat(
            side.select(cohort=places.place_of_rows(mart))["cohort"].unique() for side in (changed.gone, changed.new)
        )
        now -= {place for cohort in cohorts for place in places.lineage(cohort)}
    elif not changed.is_empty:
        now.clear()
    return tuple(file for file in _files_before(mart, before) if place_of(file) in now and before.has(file))


def _files_before(mart: Mart, before: Snapshot[Manifest]) -> tuple[File, ...]:
    """The previous release's files of a mart, if that was cut as it is now."""
    held = (one for one in before.of.marts if one.name == mart.name and one.cohort_rows == mart.cohort_rows)
    return tuple(file for one in held for file in one.files if file.row_count is not None)


def _places(mart: Mart, leads: pl.DataFrame) -> pl.Expr:
    """The file of each row, named as `place_of` names it."""
    if mart.cohort_rows is None:
        return pl.lit(mart.name)
    cohort = places.place_of_rows(mart)
    counts = leads.group_by(cohort.alias("cohort")).agg(pl.col("row_count").sum())
    return cohort.replace(places.files_of(mart, dict(counts.iter_rows())))


def unlike(connection: duckdb.DuckDBPyConnection, mart: Mart, rows: Mapping[str, Differing]) -> Differing:
    """The rows that differ between a mart as it is stored and as its query makes it now.

    `rows` are those that differ in core tables, and in marts that were made before. Of a mart that is made `by_paper`
    only the papers are looked at that have some, of one that is made `by_day` only the days since the first that has.
    """
    if mart.by_day:
        return _of_days(connection, mart, rows)
    papers = _papers(connection, mart, rows) if mart.by_paper else None
    if papers is None:
        return _unlike(connection, mart, f"FROM {qualified(mart)}", mart.sql)
    return _of_papers(connection, mart, papers)


def _of_days(connection: duckdb.DuckDBPyConnection, mart: Mart, rows: Mapping[str, Differing]) -> Differing:
    """What differs in the days of a mart that rows which differ can concern."""
    asked = (_first_day(connection, mart, rows[name], columns) for name, columns in mart.by_day.items() if name in rows)
    days = [day for day in asked if day is not None]
    if not days:
        return Differing(mart.empty(), mart.empty())
    since = f"DATE '{min(days) - timedelta(1)}'"  # what is of midnight is of the end of the day before
    connection.execute(f"SET VARIABLE since = {since}")
    return _unlike(connection, mart, f"FROM {qualified(mart)} WHERE {quoted(mart.key[0])} >= {since}", mart.sql)


def _first_day(
    connection: duckdb.DuckDBPyConnection, mart: Mart, rows: Differing, columns: Sequence[str]
) -> date | None:
    """The first day that rows which differ in these columns of a table concern, by times of theirs or, where these are
    no times, as the first of their papers.
    """
    gone, new = rows.gone.select(columns), rows.new.select(columns)
    if all(dtype.is_temporal() for dtype in new.dtypes):
        return _day(pl.concat([gone, new]).select(pl.min_horizontal(pl.all().dt.date().min())).item())
    sides = ((gone, new), (new, gone))
    unlike = pl.concat(one.join(other, on=columns, how="anti", nulls_equal=True) for one, other in sides)
    connection.register("_near", unlike.to_arrow())
    of_papers: pl.DataFrame = connection.sql(f"FROM {qualified(mart)} {OF_NEAR}").pl()
    return _day(of_papers[mart.key[0]].min())


def _day(found: object) -> date | None:
    return found if isinstance(found, date) else None


def _of_papers(connection: duckdb.DuckDBPyConnection, mart: Mart, papers: pl.Series) -> Differing:
    """What differs in the rows of these papers in a mart."""
    connection.register("_near", papers.to_frame().to_arrow())
    have_papers = (table for name in mart.reads if PAPER in (table := BY_NAME[name]).column_names)
    query = mart.sql_with({table.name: f"(FROM {qualified(table)} {OF_NEAR})" for table in have_papers})
    return _unlike(connection, mart, f"FROM {qualified(mart)} {OF_NEAR}", query)


def _papers(connection: duckdb.DuckDBPyConnection, mart: Mart, rows: Mapping[str, Differing]) -> pl.Series | None:
    """The papers of all rows that differ below a mart, and those listed on days of such rows; None: of some nobody can
    say of which papers they are.
    """
    sides = [side for one in _below(mart, rows) for side in (one.gone, one.new)]
    if not all({PAPER, DAY} & {*side.columns} for side in sides):
        return None
    papers = [side[PAPER] for side in sides if PAPER in side.columns]
    if days := [side[DAY] for side in sides if PAPER not in side.columns]:
        connection.register("_days", pl.concat(days).unique().to_frame().to_arrow())
        papers.append(connection.sql(f"FROM {qualified(DAILY_LISTINGS)} SEMI JOIN _days USING ({DAY})").pl()[PAPER])
    return pl.concat(papers).unique()


def _below(mart: Mart, rows: Mapping[str, Differing]) -> Iterator[Differing]:
    """What differs in the tables that a mart's query reads, itself or by a view."""
    for table in map(BY_NAME.__getitem__, mart.reads):
        if isinstance(table, Mart) and table.is_view:
            yield from _below(table, rows)
        elif table.name in rows:
            yield rows[table.name]


def _unlike(connection: duckdb.DuckDBPyConnection, mart: Mart, stored: str, query: str) -> Differing:
    """The rows that differ between those that are `stored` and those that a query makes."""
    typed = ", ".join(f"{quoted(one.name)}::{type_of(one.dtype)} AS {quoted(one.name)}" for one in mart.columns)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE _after AS SELECT {typed} FROM ({query}\n)")  # noqa: S608
    new: pl.DataFrame = connection.sql(f"FROM _after EXCEPT {stored}").pl()
    [(held, made)] = connection.execute(
        f"SELECT (SELECT count(*) {stored}), (SELECT count(*) FROM _after)"  # noqa: S608
    ).fetchall()
    if held == made - new.height:  # all that are stored are among those made, as no row is there twice
        return Differing(mart.empty(), mart.conform(new))
    gone: pl.DataFrame = connection.sql(f"{stored} EXCEPT FROM _after").pl()
    return Differing(mart.conform(gone), mart.conform(new))
