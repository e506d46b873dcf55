"""What the page shows of the data: the newest list, and the calendar of what the lake has and lacks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import polars as pl

from flows.documents.page.charts import HalfYear
from transforms.core.coverage import STATES, Gap, gaps
from warehouse.schema.core.coverage import COVERAGE
from warehouse.schema.core.links import PAPER_LINKS
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.schema.core.papers import PAPERS
from warehouse.schema.table import Table

Read = Callable[[Table], pl.DataFrame]

SHOWN: Final = ("title", "author_count", "organization_name", "organization_login", "upvote_count", "arxiv_id")
PLACES: Final = {"arXiv": "https://arxiv.org/abs/{}", "Hugging Face": "https://huggingface.co/papers/{}"}
LINKS: Final = {"github": "GitHub", "project": "project page"}
WORK_WEEK, WEEK = 5, 7
UNEXPECTED: Final = "unexpected"  # a day without a list, of a source that should have none
UNLISTED: Final = ("partial", "seen only in answers that are not the day's own list")


class Link(NamedTuple):
    """An address of a paper. What a page gave as one may be anything: only a web address may be followed."""

    name: str
    url: str

    @property
    def host(self) -> str | None:
        """Whose page it is, of an address on the web that hides nothing; None for anything else.

        >>> Link("", "https://github.com/ada/engine").host
        'github.com'
        >>> Link("", "https://github.com@evil.example/").host, Link("", "javascript:alert(1)").host
        (None, None)
        """
        try:
            parts = urlsplit(self.url)
        except ValueError:
            return None
        is_plain = self.url.isprintable() and not set(self.url) & set(" \\") and "@" not in parts.netloc
        return parts.hostname if is_plain and parts.scheme in {"http", "https"} else None


class Listed(NamedTuple):
    """One paper of a day's list."""

    rank: int | None
    title: str
    author_count: int | None
    organization: str | None
    upvote_count: int | None
    links: tuple[Link, ...]

    @classmethod
    def of(cls, row: dict[str, Any]) -> Listed:
        """From a row of `papers` with its rank, and a column of addresses for each kind in LINKS."""
        links = [Link(name, at.format(row["arxiv_id"])) for name, at in PLACES.items() if row["arxiv_id"]]
        links += [Link(name, row[kind]) for kind, name in LINKS.items() if row[kind]]
        organization = row["organization_name"] or row["organization_login"]
        return cls(row["rank"], row["title"], row["author_count"], organization, row["upvote_count"], tuple(links))


class DayList(NamedTuple):
    """A day's list in its order, and whether it is whole."""

    listed_on: date
    state: str
    reason: str | None
    papers: tuple[Listed, ...]


class Year(NamedTuple):
    """A year of the calendar: a chart of each half that has days, and its expected days by state."""

    year: int
    halves: tuple[HalfYear, ...]
    counts: dict[str, int]


class Calendar(NamedTuple):
    """The API's lists from the first day to the day that was open at the last fetch: the newest year first, expected
    days by state and the last of them, and the gaps among them, the longest first. `paperlake status` tells the same.
    """

    years: tuple[Year, ...]
    counts: dict[str, int]
    last_on: date | None
    gaps: tuple[Gap, ...]


def newest_list(read: Read) -> DayList | None:
    """The list of the newest day that has papers; None before the first."""
    listings = read(DAILY_LISTINGS)
    day = listings["listed_on"].max()
    if not isinstance(day, date):
        return None
    links = read(PAPER_LINKS).sort("last_seen_at", "url", nulls_last=False).group_by("paper_id")
    last = links.agg(pl.col("url").filter(kind=kind).last().alias(kind) for kind in LINKS)
    papers = read(PAPERS).select("paper_id", *SHOWN).join(last, on="paper_id", how="left")
    on_it = listings.filter(listed_on=day).select("paper_id", "rank").join(papers, on="paper_id")
    ordered = on_it.sort("rank", "paper_id", nulls_last=True)
    judged = read(COVERAGE).filter(source="api", listed_on=day, is_expected=True).select("state", "reason").rows()
    state, reason = judged[0] if judged else UNLISTED
    return DayList(day, state, reason, tuple(map(Listed.of, ordered.iter_rows(named=True))))


def calendar(coverage: pl.DataFrame) -> Calendar:
    """What the lake has of the lists that the source should have, day by day, and what it lacks."""
    glyph = pl.when("is_expected").then("state").when(state="missing").then(pl.lit(UNEXPECTED)).otherwise("state")
    days = coverage.filter(source="api").sort("listed_on").with_columns(glyph=glyph)
    by_year = dict(iter(days.group_by(pl.col("listed_on").dt.year(), maintain_order=True)))
    years = tuple(_year(by_year[year]) for year in sorted(by_year, reverse=True))
    expected = days.filter("is_expected")
    last_on = expected.select(pl.col("listed_on").last()).item()
    return Calendar(years, _counts(days), last_on, gaps(expected))


def _year(days: pl.DataFrame) -> Year:
    """`days` are those of one year, in order. Each chart has its numbers in words too, for whoever cannot see it."""
    year: int = days["listed_on"].dt.year()[0]
    shown = days.filter((pl.col("listed_on").dt.weekday() <= WORK_WEEK) | (pl.col("glyph") != UNEXPECTED))
    row_count = WEEK if (shown["listed_on"].dt.weekday() > WORK_WEEK).any() else WORK_WEEK
    halves = []
    for name, start, end in (("January to June", 1, 6), ("July to December", 7, 12)):
        half = shown.filter(pl.col("listed_on").dt.month().is_between(start, end))
        if half.is_empty():
            continue
        counts = ", ".join(f"{count} {state}" for state, count in _counts(half).items())
        chart = HalfYear(
            id=f"half-{year}-{start:02}",
            title=f"{name} {year}",
            description=f"Of the expected lists {counts}.",
            start=date(year, start, 1),
            glyphs=dict(half.select("listed_on", "glyph").iter_rows()),
            row_count=row_count,
        )
        halves.append(chart)
    return Year(year, tuple(halves), _counts(days))


def _counts(days: pl.DataFrame) -> dict[str, int]:
    """Expected days by state, the best first."""
    found = dict(days.filter("is_expected").group_by("state").len().iter_rows())
    return {state: found.get(state, 0) for state in reversed(STATES)}
