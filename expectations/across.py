"""Guards that compare the tables of one release with each other: counts, days, who must be mentioned where."""

from __future__ import annotations

from functools import partial
from typing import Final

import polars as pl

from expectations.comparison import Comparison
from expectations.declared import held_in
from expectations.guard import Finding, Guard
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.core.coverage import COVERAGE
from warehouse.schema.core.papers import PAPERS
from warehouse.schema.list_days import FIRST_DAY, LAST_DAY, day_open_at
from warehouse.schema.table import Table


def _seen_in(table: Table, column: str, target: str) -> Guard:
    """`target`, a column of another table, has each value of `column`."""
    other, _ = target.split(".")
    return Guard(
        table=table.name,
        rule=f"{column}_in_{other}",
        promise=f"Each {column} is in {target}.",
        dimension="consistency",
        check=lambda tables: held_in(table, column, target, tables.now),
        needs=frozenset({table.name, other}),
    )


def _tally(table: Table, column: str, *, of: str, key: str) -> Guard:
    """Each row of `table` counts in `column` the rows of `of` that share its `key`."""
    return Guard(
        table=table.name,
        rule=f"{column}_is_rows_of_{of}",
        promise=f"{column} is the number of rows of {of} with the same {key}.",
        dimension="consistency",
        check=partial(_miscounted, table, column, of, key),
        needs=frozenset({table.name, of}),
    )


def _miscounted(table: Table, column: str, of: str, key: str, tables: Comparison) -> Finding:
    counts = tables.now[of].group_by(key).agg(pl.len().alias("_rows"))
    counted = tables.now[table.name].join(counts, on=key, how="left", maintain_order="left")
    broken = counted.filter(pl.col(column).ne_missing(pl.col("_rows").fill_null(0)))
    return Finding(f"{column} is not the number of its rows in {of}", counted.height).fail(broken, table.key)


def _days_unbroken(tables: Comparison) -> Finding:
    """Rows of coverage whose source has no row for the day before, aside from the first."""
    coverage = tables.now["coverage"].sort("listed_on")
    broken = coverage.filter(pl.col("listed_on").diff().over("source") != pl.duration(days=1))
    return Finding("the day before listed_on has no row of this source", coverage.height).fail(broken, COVERAGE.key)


def _days_fresh(tables: Comparison) -> Finding:
    """Sources whose days end before the day whose list was open at the newest fetch."""
    coverage = tables.now["coverage"]
    found = Finding("coverage ends before the day whose list was open at the newest fetch", coverage.height)
    known = tables.now["captures"].filter(pl.col("fetched_at").is_between(FIRST_DAY, LAST_DAY))
    if known.is_empty():
        return found
    open_on = day_open_at(known.select(pl.col("fetched_at").max()).item())
    last = coverage.group_by("source").agg(pl.col("listed_on").max())
    late = last.filter(pl.col("listed_on") < open_on).sort("source").iter_rows()
    ends = tuple(f"{source} ends on {day}, the list of {open_on} was open" for source, day in late)
    ends = ends or ("it has no days",) * coverage.is_empty()
    return found._replace(failed_count=len(ends), examples=ends)


# That the sums agree follows: no row of `of` is left over, because its key refers to the table that counts.
GUARDS: Final = (
    _seen_in(PAPERS, "paper_id", "sightings.paper_id"),
    _tally(CAPTURES, "sighting_count", of="sightings", key="capture_id"),
    _tally(CAPTURES, "rejected_count", of="quarantine", key="capture_id"),
    _tally(PAPERS, "sighting_count", of="sightings", key="paper_id"),
    Guard(
        table="coverage",
        rule="listed_on_unbroken",
        promise="Each source has a row for every day from its first to its last listed_on.",
        dimension="coverage",
        check=_days_unbroken,
        needs=frozenset({"coverage"}),
    ),
    Guard(
        table="coverage",
        rule="listed_on_fresh",
        promise="Each source has a row for the list day that was open when the newest page of the release was fetched: "
        "a day without its list has a row that says so.",
        dimension="timeliness",
        check=_days_fresh,
        needs=frozenset({"coverage", "captures"}),
        column="listed_on",
    ),
)
