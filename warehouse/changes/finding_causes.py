"""The cause of each cell that differs between two releases (docs/changes.md).

It follows from what is known once a release is made: the pages that only the newer one has, which of them came late,
the papers and list days that they are about, and whether the code is the same. Nothing is made again to find out.
Corrections of single cells are the cause of a difference, whatever else happened to the cell. A decision about a page
is a correction of all that it shows.
"""

from functools import cached_property
from typing import Final

import duckdb
import polars as pl

from warehouse.release.manifest import Draft, Manifest
from warehouse.release.snapshot import Snapshot
from warehouse.schema.catalog import CORE_TABLES, DECLARED, STRENGTH
from warehouse.schema.core.attached import PAPER_AUTHORS
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.core.listings import COVERAGE, DAILY_LISTINGS
from warehouse.schema.core.papers import PAPER_VERSIONS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.ddl import literal, quoted, type_of
from warehouse.schema.table import Table

CORRECTIONS: Final = "corrections"  # a table of a release: `row_key` is an object of the key's values as text
CORRECTED: Final = ("table_name", "row_key", "column_name", "paper_id", "value_right")
NEWS: Final = ("world", "late_capture", "restated")

# One row per cell that is corrected otherwise than in the older release: `key` as JSON, as in `_changes`. Figures of
# marts are matched by `paper_id` and `column_name`. Of a page that is decided otherwise, one per paper, with no cell
CORRECTED_CELLS: Final = pl.Schema(
    dict.fromkeys(("table_name", "key", "column_name", "paper_id", "capture_id"), pl.String())
)


def corrected(table: Table, cells: pl.DataFrame, corrections: pl.DataFrame) -> pl.DataFrame:
    """Cells with the cause `correction` where one is of the cell, or of the figure's paper."""
    on = ["paper_id", "column_name"] if table.layer == "mart" else ["table_name", "key", "column_name"]
    ours = corrections.select(on).unique().with_columns(ours=pl.lit("correction"))
    cells = cells.join(ours, on=on, how="left", maintain_order="left")
    return cells.with_columns(cause=pl.coalesce("ours", "cause")).drop("ours")


def of_corrected_papers(cells: pl.DataFrame, corrections: pl.DataFrame, shown: pl.DataFrame) -> pl.DataFrame:
    """Cells with the cause `correction` of a corrected paper, where no new page shows it.

    Or of a page that is decided otherwise: they follow from that.
    """
    papers = corrections.join(shown, on="paper_id", how="anti")["paper_id"].drop_nulls()
    pages = corrections["capture_id"].drop_nulls()
    is_ours = pl.col("paper_id").is_in(papers.implode()) | pl.col("capture_id").is_in(pages.implode())
    ours = pl.when(is_ours & pl.col("cause").is_in(NEWS)).then(pl.lit("correction"))
    return cells.with_columns(cause=ours.otherwise("cause"))


def corrections_between(before: Snapshot[Manifest], after: Snapshot[Manifest | Draft]) -> pl.DataFrame:
    """The cells that two releases correct differently, and what the pages show about which they decide differently."""
    decided = decided_between(before, after)
    none = pl.DataFrame(schema=dict.fromkeys(CORRECTED, pl.String))
    now, then = (
        pl.concat([none, *(pl.read_parquet(path, columns=list(CORRECTED)) for path in one.paths(CORRECTIONS))])
        for one in (after, before)
    )
    pairs = ((now, then), (then, now))
    found = pl.concat([one.join(other, on=CORRECTED, how="anti", nulls_equal=True) for one, other in pairs])
    if found.is_empty():
        return decided
    queries = [_cells_of(table) for table in CORE_TABLES if (found["table_name"] == table.name).any()]
    with duckdb.connect() as connection:
        connection.register("found", found.to_arrow())
        cells: pl.DataFrame = connection.sql(" UNION ".join(queries)).pl()
    return pl.concat([decided, cells], how="diagonal_relaxed")


def decided_between(before: Snapshot[Manifest], after: Snapshot[Manifest | Draft]) -> pl.DataFrame:
    """The pages of both releases on which they decide differently, each with the papers that either takes from it."""
    pages = {one.capture_id for one in {*before.of.decisions} ^ {*after.of.decisions}}
    if not pages:
        return CORRECTED_CELLS.to_frame()
    held = before.select(CAPTURES, ["capture_id"]).filter(pl.col("capture_id").is_in(sorted(pages)))
    shown = pl.concat([one.select(SIGHTINGS, ("capture_id", "paper_id")) for one in (before, after)]).unique()
    found = held.join(shown, on="capture_id", how="left")
    return pl.concat([CORRECTED_CELLS.to_frame(), found], how="diagonal_relaxed")


def _cells_of(table: Table) -> str:
    texts = ((literal(f"$.{quoted(name)}"), type_of(table.schema[name])) for name in table.key)
    values = (f"CAST(CAST(json_extract_string(row_key, {path}) AS {kind}) AS VARCHAR)" for path, kind in texts)
    return f"""
        SELECT table_name, to_json([{", ".join(values)}])::VARCHAR AS key, column_name, paper_id
        FROM found WHERE table_name = {literal(table.name)}
    """  # noqa: S608


FETCHED: Final = ("capture_id", "fetched_at")
NAMED: Final = ("capture_id", "position", "paper_id")
PERIODS: Final = {"month_on": "1mo", "week_on": "1w"}  # first key columns of marts that have a row a month or a week
# What pages of both kinds are about has the stronger cause
IS_LATE: Final = (pl.col("cause") == "late_capture").any()
BY_PAGES: Final = pl.when(IS_LATE).then(pl.lit("late_capture")).otherwise(pl.lit("world")).alias("cause")

LISTED: Final = {"listed_on", "paper_id"}  # the key of a table of the daily lists
OF_A_MOMENT: Final = {"observed_at", "capture_id"}  # in a key: the row is of one moment, or one page
PAST_TEXTS: Final = tuple(column.name for column in SIGHTINGS.columns if column.is_tracked and column.is_past)
IS_CHANGED: Final = pl.col("change") == "changed"


class NewPages:
    """Pages that only the newer of two releases has, with the papers and list days that they are about.

    Each has the `cause` of what differs there, and papers and days tell by `is_known` whether the older release has
    pages about them too.
    """

    def __init__(self, before: Snapshot[Manifest], after: Snapshot[Manifest | Draft]) -> None:
        self._before, self._after = before, after

    @cached_property
    def captures(self) -> pl.DataFrame:
        """`late_capture` was fetched before the older release's newest page, or nobody knows when; else `world`."""
        known, found = self._before.select(CAPTURES, FETCHED), self._after.select(CAPTURES, FETCHED)
        newest = pl.lit(known["fetched_at"].max(), known["fetched_at"].dtype)  # null where nobody knows of any page
        is_late = pl.col("fetched_at").is_null() | (pl.col("fetched_at") < newest).fill_null(False)
        cause = pl.when(is_late).then(pl.lit("late_capture")).otherwise(pl.lit("world"))
        return found.join(known, on="capture_id", how="anti").select("capture_id", cause=cause)

    @cached_property
    def papers(self) -> pl.DataFrame:
        """The papers that new pages show, by every name that either release has for them."""
        seen = self._after.select(SIGHTINGS, NAMED).join(self.captures, on="capture_id", how="left")
        is_old = pl.col("cause").is_null()
        ever = seen.group_by("paper_id").agg(BY_PAGES, is_known=is_old.any(), is_shown=~is_old.all())
        shown = ever.filter("is_shown").drop("is_shown")
        earlier = self._before.select(SIGHTINGS, NAMED).rename({"paper_id": "earlier"})
        again = seen.select(NAMED).join(shown, on="paper_id").join(earlier, on=NAMED[:2])
        renamed = again.filter(pl.col("earlier") != pl.col("paper_id")).group_by(paper_id="earlier")
        other = renamed.agg(BY_PAGES, is_known=pl.lit(True)).join(shown, on="paper_id", how="anti")
        return pl.concat([shown, other])

    @cached_property
    def days(self) -> pl.DataFrame:
        """The days of new lists, and those of which a list has one of the papers."""
        own = self._after.select(CAPTURES, ("capture_id", "listed_on")).join(self.captures, on="capture_id")
        listed = self._after.select(DAILY_LISTINGS, ("paper_id", "listed_on")).join(self.papers, on="paper_id")
        both = pl.concat([one.select("listed_on", "cause") for one in (own, listed)]).drop_nulls()
        known = self._before.select(COVERAGE, ["listed_on"])["listed_on"]
        return (
            both.group_by("listed_on").agg(BY_PAGES).with_columns(is_known=pl.col("listed_on").is_in(known.implode()))
        )

    def periods(self, every: str) -> pl.DataFrame:
        """The months or weeks of these days."""
        starts = self.days.group_by(pl.col("listed_on").dt.truncate(every))
        return starts.agg(BY_PAGES, pl.col("is_known").any())


class Restatements:
    """Finds the cells in which a later page restates what a release said of the past."""

    def __init__(self, before: Snapshot[Manifest]) -> None:
        days = before.select(COVERAGE, ("listed_on", "state")).filter(state="complete")["listed_on"]
        self._settled = days.unique().cast(pl.String)
        self._before = before

    def is_restated(self, table: Table, cells: pl.DataFrame) -> pl.Expr:
        """An expression on cells of the table that a later page changed: whether the page restates the past."""
        past = [column.name for column in table.columns if column.is_past]
        on_settled = pl.col("listed_on").is_in(self._settled.implode())
        is_past = IS_CHANGED & ~pl.col("was_null") & pl.col("column_name").is_in(past)
        if table == COVERAGE:
            return is_past & on_settled
        if OF_A_MOMENT & {*table.key}:
            is_past |= IS_CHANGED & ~pl.col("was_null") & (pl.col("column_name") != "paper_id")
        if {*table.key} == LISTED:
            is_past |= ~IS_CHANGED & on_settled
        if table.key == PAPER_VERSIONS.key:
            field, number = (pl.col("key").str.json_path_match(f"$[{place}]") for place in (1, 2))
            is_past |= ~IS_CHANGED & field.is_in(PAST_TEXTS) & (number.cast(pl.Int32) > 1)
        if table == PAPER_AUTHORS and not cells.is_empty():
            known = self._before.select(PAPER_AUTHORS, ["paper_id"])["paper_id"]
            had_authors = known.filter(known.is_in(cells["paper_id"].implode())).unique()
            is_past |= ~IS_CHANGED & pl.col("paper_id").is_in(had_authors.implode())
        return is_past


class Causes:
    """Finds the cause of each cell that differs. Corrections come first."""

    def __init__(self, before: Snapshot[Manifest], after: Snapshot[Manifest | Draft]) -> None:
        self._corrections = corrections_between(before, after)
        self._new, self._restatements = NewPages(before, after), Restatements(before)
        self._is_same_code = bool(after.of.code_sha256) and before.of.code_sha256 == after.of.code_sha256
        self._kinds = set(self._new.captures["cause"])
        # the cause of what no new page is about
        ours = set() if self._corrections.is_empty() else {"correction"}
        possible = self._kinds or ours if self._is_same_code else set()
        self._rest = min(possible, key=STRENGTH.__getitem__, default="reader")

    def of(self, name: str, cells: pl.DataFrame, *, is_of_both: bool = True) -> pl.DataFrame:
        """The cells of a table, with their `cause`; `is_of_both` tells whether both releases have the table."""
        if name == CORRECTIONS:
            return cells.with_columns(cause=pl.lit("correction"))
        if not is_of_both or name not in DECLARED:
            return cells.with_columns(cause=pl.lit("schema"))
        table = DECLARED[name]
        caused = self._by_pages(table, cells)
        is_restated = (pl.col("cause") == "world") & self._restatements.is_restated(table, cells)
        caused = caused.with_columns(cause=pl.when(is_restated).then(pl.lit("restated")).otherwise("cause"))
        if self._corrections.is_empty():
            return caused
        return of_corrected_papers(corrected(table, caused, self._corrections), self._corrections, self._new.papers)

    def _by_pages(self, table: Table, cells: pl.DataFrame) -> pl.DataFrame:
        """Cells with the cause of the new pages that are about their row: its page, else its paper, else its day.

        Where the code changed too, what pages of the older release are about is `reader`, whatever else happened.
        """
        cells = cells.with_columns(cause=pl.lit(None, pl.String))
        if not self._kinds or (self._is_same_code and len(self._kinds) == 1):
            return cells.with_columns(cause=pl.lit(self._rest))
        lead = table.column(table.key[0])
        if OF_A_MOMENT & {*table.key}:
            cells = _filled(cells, self._new.captures, pl.col("capture_id"))
        if "paper_id" in table.column_names:
            cells = _filled(cells, self._unmixed(self._new.papers), pl.col("paper_id"))
        if "listed_on" in table.column_names:
            cells = _filled(cells, self._unmixed(self._new.days), pl.col("listed_on"))
        elif lead.dtype == pl.Date():
            periods = self._new.periods(PERIODS.get(lead.name, "1d"))
            cells = _filled(cells, self._unmixed(periods), pl.col("key").str.json_path_match("$[0]"))
        return cells.with_columns(pl.col("cause").fill_null(self._rest))

    def _unmixed(self, found: pl.DataFrame) -> pl.DataFrame:
        """The differences that the pages alone have caused."""
        return found if self._is_same_code else found.filter(~pl.col("is_known"))


def _filled(cells: pl.DataFrame, found: pl.DataFrame, place: pl.Expr) -> pl.DataFrame:
    """Cells with `cause` filled in where it is null, by `found`: what is about a place, as text, and its cause."""
    causes = found.select(pl.first().cast(pl.String).alias("place"), pl.col("cause").alias("found"))
    joined = cells.with_columns(place=place).join(causes, on="place", how="left", maintain_order="left")
    return joined.with_columns(cause=pl.coalesce("cause", "found")).drop("place", "found")
