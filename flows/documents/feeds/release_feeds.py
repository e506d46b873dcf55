"""The feeds of a release: the daily list, what trends, and each organization and keyword that has enough papers.

A feed changes with what is new in it only: entries stand in the order in which they were first seen, whatever their
votes, and none has a count.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, Self

import polars as pl

from flows.documents.edition import Read
from flows.documents.feeds.entries import Feed
from flows.documents.feeds.feed_formats import FORMATS
from flows.documents.rendering import render
from warehouse.schema.core.links import PAPER_KEYWORDS
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.schema.core.papers import PAPER_TEXTS, PAPERS
from warehouse.schema.core.people import ORGANIZATIONS, PAPER_AUTHORS
from warehouse.schema.marts.upvotes.trending_papers import TRENDING_PAPERS

DAILY_DAYS: Final = 5  # the lists of a week: who reads once a week misses none
DAILY_ENTRIES: Final = 150  # of them at most; a list has up to 50 (docs/source.md §1)
TRENDING_ENTRIES: Final = 25
FEWEST_PAPERS: Final = 20  # of an organization or a keyword that has a feed: 154 of them on the real captures
TOPIC_ENTRIES: Final = 10  # without abstracts; more where a week's lists have more
TOPIC_MOST: Final = 30
LONGEST_STEM: Final = 80  # characters of a file's name
SAFE: Final = re.compile(r"[a-z0-9][a-z0-9 .-]*")
DAILY: Final = ("daily", "Daily Papers", "The papers of the latest daily lists, each once, the newest first.")
TRENDING: Final = (
    "trending",
    "Trending papers",
    f"The {TRENDING_ENTRIES} papers whose upvotes surprise most for their age on the newest list day.",
)
MAIN: Final = (DAILY, TRENDING)


class FeedFile(NamedTuple):
    """A feed in one format, by its path in the release."""

    path: str
    title: str
    format: str
    media_type: str


MAIN_FILES: Final = tuple(
    FeedFile(f"feeds/{key}.{one.suffix}", title, one.title, one.media_type) for key, title, _ in MAIN for one in FORMATS
)


class Topic(NamedTuple):
    """An organization, by its login, or a keyword, by its normal form."""

    kind: str
    value: str
    name: str
    paper_count: int

    @property
    def key(self) -> str:
        return f"{self.kind}/{file_stem(self.value)}"


def file_stem(value: str) -> str:
    """A file name for any text: no two texts have the same but for their case, in which no two logins differ.

    >>> file_stem("Loom-Works"), file_stem("large language models"), file_stem("../../etc")
    ('loom-works', 'large_language_models', 'etc-c0fc0c81')
    """
    low = value.lower()
    if SAFE.fullmatch(low) and len(low) <= LONGEST_STEM:
        return low.replace(" ", "_")
    digest = hashlib.sha256(value.encode()).hexdigest()[:8]
    return f"{re.sub('[^a-z0-9]+', '-', low).strip('-')[:40]}-{digest}".lstrip("-")


class Topics(NamedTuple):
    """Every topic that has a feed, organizations and then keywords, by name; and their papers by `kind` and `value`."""

    every: list[Topic]
    papers: pl.DataFrame

    @classmethod
    def of(cls, read: Read) -> Self:
        listed = read(DAILY_LISTINGS.name, ["paper_id"])
        every = (_organizations(read), _keywords(read))
        members = pl.collect_all(one.join(listed, on="paper_id", how="semi") for one in every)
        counted = [
            one.group_by("kind", "value")
            .agg(pl.col("name").mode().sort().first(), pl.col("paper_id").n_unique().alias("paper_count"))
            .filter(pl.col("paper_count") >= FEWEST_PAPERS)
            .sort(pl.col("name").str.to_lowercase(), "value")
            for one in members
        ]
        chosen = pl.concat(counted).select("kind", "value")
        papers = pl.concat(members).select("kind", "value", "paper_id").join(chosen, on=("kind", "value"), how="semi")
        return cls([Topic(*row) for frame in counted for row in frame.iter_rows()], papers.unique())


def feed_files(read: Read, topics: Topics) -> dict[str, bytes]:
    """Path from the folder of the feeds → its bytes, each feed in each format."""
    return {f"{feed.key}.{one.suffix}": one.write(feed) for feed in release_feeds(read, topics) for one in FORMATS}


def feeds_index(topics: Topics) -> bytes:
    """The page that lists the feeds."""
    shown = {kind: [one for one in topics.every if one.kind == kind] for kind in ("organizations", "keywords")}
    return render("feeds/feeds.html.j2", title="Feeds", main=MAIN, topics=shown, formats=FORMATS, fewest=FEWEST_PAPERS)


def release_feeds(read: Read, topics: Topics) -> Iterator[Feed]:
    """Each feed with its entries, the newest first."""
    listings = _in_order(read(DAILY_LISTINGS.name, ["listed_on", "first_seen_at", "paper_id"]).collect())
    daily = listings.filter(pl.col("listed_on") >= _first_recent(listings)).head(DAILY_ENTRIES)
    yield Feed.of(*DAILY, entry_rows(read, daily, with_abstracts=True))
    ranked = read(TRENDING_PAPERS.name, ["trending_on", "paper_id", "listed_on"])
    newest = ranked.filter(pl.col("trending_on") == pl.col("trending_on").max()).head(TRENDING_ENTRIES).collect()
    trending = newest.select("paper_id", "listed_on").join(
        listings, on=["paper_id", "listed_on"], maintain_order="left"
    )
    yield Feed.of(*TRENDING, entry_rows(read, trending, with_abstracts=True))
    yield from _topic_feeds(read, listings, topics)


def _topic_feeds(read: Read, listings: pl.DataFrame, topics: Topics) -> Iterator[Feed]:
    of_topic = _in_order(listings.join(topics.papers, on="paper_id"))
    place = pl.int_range(pl.len()).over("kind", "value")
    is_recent = pl.col("listed_on") >= _first_recent(listings)
    wanted = of_topic.filter((place < TOPIC_ENTRIES) | (is_recent & (place < TOPIC_MOST)))
    rows: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in entry_rows(read, wanted, with_abstracts=False):
        rows.setdefault((row["kind"], row["value"]), []).append(row)
    words = {"organizations": "Papers of {}", "keywords": "Papers on {}"}
    for topic in topics.every:
        title = words[topic.kind].format(topic.name)
        description = f"{title} on the daily lists, the newest first."
        yield Feed.of(topic.key, f"Daily Papers: {title}", description, rows[topic.kind, topic.value])


def entry_rows(read: Read, listings: pl.DataFrame, *, with_abstracts: bool) -> Iterator[dict[str, Any]]:
    """The rows that entries are made of, in the order of the listings."""
    is_wanted = pl.col("paper_id").is_in(listings["paper_id"].unique().implode())
    authors = read(PAPER_AUTHORS.name, ["paper_id", "position", "name"]).filter(is_wanted).sort("paper_id", "position")
    parts = [read(PAPERS.name, ["paper_id", "title", "arxiv_id"]).filter(is_wanted)]
    parts.append(authors.group_by("paper_id", maintain_order=True).agg(pl.col("name").alias("names")))
    parts += [read(PAPER_TEXTS.name, ["paper_id", "abstract"]).filter(is_wanted)] if with_abstracts else []
    for part in pl.collect_all(parts):
        listings = listings.join(part, on="paper_id", how="left", maintain_order="left")
    missing = {} if with_abstracts else {"abstract": None}
    return (row | missing for row in listings.iter_rows(named=True))


def _in_order(listings: pl.DataFrame) -> pl.DataFrame:
    """Sorted by list day, then by when a paper was first seen, the newest first: what is seen again stays in place."""
    return listings.sort("listed_on", "first_seen_at", "paper_id", descending=[True, True, False], nulls_last=True)


def _first_recent(listings: pl.DataFrame) -> pl.Expr:
    """The first of the last list days, as many as a week has; the feeds of a week hold all of them."""
    days = listings["listed_on"].unique().sort(descending=True).head(DAILY_DAYS)
    return pl.lit(days.min(), pl.Date)


def _organizations(read: Read) -> pl.LazyFrame:
    names = read(ORGANIZATIONS.name, ["organization_login", "organization_name"])
    papers = read(PAPERS.name, ["paper_id", "organization_login"]).drop_nulls()
    named = papers.join(names, on="organization_login", how="left")
    value = pl.col("organization_login")
    name = pl.coalesce("organization_name", value)
    return named.select("paper_id", kind=pl.lit("organizations"), value=value, name=name)


def _keywords(read: Read) -> pl.LazyFrame:
    """The papers of each keyword, by its normal form, with its spellings as names."""
    value, name = pl.col("normal_keyword"), pl.col("keyword")
    keywords = read(PAPER_KEYWORDS.name, ["paper_id", "normal_keyword", "keyword"])
    return keywords.select("paper_id", kind=pl.lit("keywords"), value=value, name=name)
