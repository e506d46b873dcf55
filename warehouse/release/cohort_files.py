"""The Parquet files of a release's marts: those in which no row differs are taken from the previous release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import duckdb
import polars as pl

from warehouse.release.changes.cells import Unlike
from warehouse.release.cohorts import places
from warehouse.release.cohorts.renewal import Renewed
from warehouse.release.manifest import File, Manifest
from warehouse.release.parquet import Part, place_of
from warehouse.release.snapshot import Snapshot
from warehouse.schema.ddl import qualified, quoted
from warehouse.schema.mart import Mart
from warehouse.schema.tables import MART_TABLES


def stored_marts(
    path: Path, before: Snapshot[Manifest] | None = None, unlike: Mapping[str, Unlike] | None = None
) -> Iterator[tuple[Mart, Renewed]]:
    """The marts that a database stores, each conforming to its declaration.

    Where they were made from those of the release `before`, its files without rows that are `unlike` are passed on.
    """
    with duckdb.connect(str(path), read_only=True) as connection:
        for mart in (mart for mart in MART_TABLES if not mart.is_view):
            lead, table = quoted(mart.key[0]), qualified(mart)
            leads = connection.sql(f"SELECT {lead}, count(*) AS row_count FROM {table} GROUP BY 1").pl()  # noqa: S608
            leads = leads.with_columns(place=_places(mart, leads))
            passed = _same(mart, leads, before, unlike.get(mart.name)) if before and unlike is not None else ()
            near = leads.filter(~pl.col("place").is_in([place_of(file) for file in passed]))
            connection.register("_near", near.to_arrow())
            rows = connection.sql(f"FROM {table} SEMI JOIN _near USING ({lead})" if passed else f"FROM {table}")
            yield mart, Renewed(mart.conform(rows.pl()), passed)


def cut_as(mart: Mart, frame: pl.DataFrame, files: Sequence[File]) -> Iterator[Part]:
    """Cut a mart's rows into the files that a release has already, wherever a new release would put them."""
    if len(files) == 1:
        yield Part(mart, files[0].key, frame)
        return
    keys = {place_of(file): file.key for file in files}
    cohorts = frame.select(places.cohort_of(mart)).to_series()
    found = {
        one: next((place for place in places.lineage(one) if place in keys), min(keys)) for one in cohorts.unique()
    }
    yield from (Part(mart, key, frame.filter(cohorts.replace(found) == place)) for place, key in keys.items())


def _same(mart: Mart, leads: pl.DataFrame, before: Snapshot[Manifest], unlike: Unlike | None) -> tuple[File, ...]:
    """The previous release's sound files, in the same cut, that hold no row which differs."""
    held = (one for one in before.of.marts if one.name == mart.name and one.cohort_rows == mart.cohort_rows)
    now = set(leads["place"])
    if unlike and mart.cohort_rows:
        cohorts = pl.concat(rows.select(cohort=places.cohort_of(mart)) for rows in unlike)["cohort"].unique()
        now -= {place for cohort in cohorts for place in places.lineage(cohort)}
    elif unlike:
        now.clear()
    files = (file for one in held for file in one.files if file.row_count is not None)
    return tuple(file for file in files if place_of(file) in now and before.has(file))


def _places(mart: Mart, leads: pl.DataFrame) -> pl.Expr:
    """The file of each row, named as `place_of` names it."""
    if mart.cohort_rows is None:
        return pl.lit(mart.name)
    cohort = places.cohort_of(mart)
    counts = leads.group_by(cohort.alias("cohort")).agg(pl.col("row_count").sum())
    return cohort.replace(places.gathered(dict(counts.iter_rows()), mart.cohort_rows, mart.newest_rows))
