"""The feeds of a release: the daily list, what trends, new bests, withdrawn papers, the releases, what was retracted.

A feed changes with what is new in it only: entries stand in the order in which they were first seen, whatever their
votes, and none has a count. A feed of an organization, a keyword or anything else is a query (`paperlake feed`).
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

import polars as pl

from flows.documents.edition import ReadTable
from flows.documents.feed_formats import FORMATS, TAG, Entry, Feed, harmless
from flows.documents.rendering import render
from warehouse.printable import counted
from warehouse.release.about import Followed
from warehouse.release.manifest import Erratum
from warehouse.schema.core.attached import PAPER_AUTHORS
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.schema.core.papers import PAPER_TEXTS, PAPERS
from warehouse.schema.marts.boards import BOARDS
from warehouse.schema.marts.paper_status import PAPER_PUBLICATIONS, PAPER_STATUS
from warehouse.schema.marts.upvotes_over_time import TRENDING_PAPERS
from warehouse.status_words import publication_words, status_words
from warehouse.tex import untexed

DAILY_DAYS: Final = 5  # the lists of a week: who reads once a week misses none
DAILY_ENTRIES: Final = 150  # of them at most; a list has up to 50 (docs/source.md §1)
TRENDING_ENTRIES: Final = 25
OPENING: Final = 300  # characters of an abstract, where the daily feed has all
BEST_ENTRIES: Final = 50
WITHDRAWN_ENTRIES: Final = 50
RELEASE_ENTRIES: Final = 30  # of a month, where each day has one
DAILY: Final = ("daily", "Daily Papers", "The papers of the latest daily lists, each once, the newest first.")
TRENDING: Final = (
    "trending",
    "Trending papers",
    f"The {TRENDING_ENTRIES} papers whose upvotes surprise most for their age on the newest list day.",
)
BESTS: Final = (
    "bests",
    "New bests",
    "Numbers that papers claim on a benchmark, each the best there when it was first seen; nobody checked them.",
)
WITHDRAWN: Final = (
    "withdrawn",
    "Withdrawn papers",
    "Papers that are withdrawn at arXiv, each when that was first seen, the newest first; of some it was undone.",
)
ERRATA: Final = ("errata", "Retracted releases", "Releases that were retracted, with the reason, the newest first.")
RELEASES: Final = ("releases", "Releases", "The newest releases, each with what it holds.")
COMPARED: Final = ("benchmark", "split", "metric", "scale")  # numbers that agree in all of these
SAID_BY: Final = ("status", "is_undone", "withdrawn_on", "superseded_by")
DOUBTED_BY: Final = ("status", "registry", "doi", "retracted_on", "told_by")
BEST: Final = ("value", "best_before", "system", "text", "sentence", "is_best")
MAIN: Final = (DAILY, TRENDING, ERRATA, RELEASES)
# Key, title and description of a feed of papers, its rows, and what an entry says of one
PaperFeed: TypeAlias = tuple[tuple[str, str, str], pl.DataFrame, Callable[[dict[str, Any]], Entry]]


def main_feeds(read: ReadTable) -> tuple[tuple[str, str, str], ...]:
    """Key, title and description of the feeds of a release; new bests and withdrawals only if there are any."""
    return (*MAIN, *(feed for feed, find, _ in MORE if not find(read).is_empty()))


def feed_files(read: ReadTable, followed: Sequence[Followed], errata: Sequence[Erratum]) -> dict[str, bytes]:
    """Path from the folder of the feeds → its bytes, each feed in each format."""
    more = [(feed, rows, entry) for feed, find, entry in MORE if not (rows := find(read)).is_empty()]
    found = [*_lists(read), *more]
    of_entries = _entry_rows(read, [rows for _, rows, _ in found])
    feeds = [Feed(*feed, tuple(map(entry, rows))) for (feed, _, entry), rows in zip(found, of_entries, strict=True)]
    feeds += [errata_feed(errata), releases_feed(followed)]
    return {f"{feed.key}.{one.suffix}": one.write(feed) for feed in feeds for one in FORMATS}


def feeds_index(read: ReadTable) -> bytes:
    """The page that lists the feeds."""
    return render("feeds.html.j2", title="Feeds", main=main_feeds(read), formats=FORMATS)


def _lists(read: ReadTable) -> Iterator[PaperFeed]:
    """The daily list and what trends, the newest first."""
    columns = ["listed_on", "first_seen_at", "paper_id"]  # the newest first: what is seen again stays in place
    listed = read(DAILY_LISTINGS.name, columns).collect()
    listings = listed.sort(columns, descending=[True, True, False], nulls_last=True)
    days = listings["listed_on"].unique().sort(descending=True).head(DAILY_DAYS)
    daily = listings.filter(pl.col("listed_on") >= pl.lit(days.min(), pl.Date)).head(DAILY_ENTRIES)
    yield DAILY, daily, Entry.of
    ranked = read(TRENDING_PAPERS.name, ["trending_on", "paper_id", "listed_on"])
    newest = ranked.filter(pl.col("trending_on") == pl.col("trending_on").max()).head(TRENDING_ENTRIES).collect()
    trending = newest.select("paper_id", "listed_on").join(
        listings, on=["paper_id", "listed_on"], maintain_order="left"
    )
    yield TRENDING, trending, lambda row: Entry.of(row | {"abstract": opening(row["abstract"])})


def opening(abstract: str | None) -> str | None:
    """The beginning of an abstract: all of it was in the daily feed when the paper was new."""
    if abstract is None or len(abstract) <= OPENING:
        return abstract
    words, _, _ = abstract[:OPENING].rpartition(" ")
    return f"{words or abstract[:OPENING]} …"  # Chinese has no spaces


def _bests(read: ReadTable) -> pl.DataFrame:
    """The newest bests, each with the text of the one before: `best_before` is the value of a best, too."""
    order = ["first_seen_at", "paper_id", "version_number", "position"]
    claimed = read(BOARDS.name, [*order, *COMPARED, *BEST]).filter(pl.col("is_best"))
    bests = claimed.sort(order, descending=[True, False, False, False])
    texts = bests.select(*COMPARED, best_before="value", text_before="text")
    keys = [*COMPARED, "best_before"]
    before = texts.unique(keys, keep="first", maintain_order=True)
    return bests.head(BEST_ENTRIES).join(before, on=keys, how="left", nulls_equal=True, maintain_order="left").collect()


def _best_entry(row: dict[str, Any]) -> Entry:
    """The entry of a number that was the best of its benchmark when first seen; its id names the number."""
    where = " ".join(filter(None, (row["benchmark"], row["split"])))
    before = f", before it {untexed(row['text_before'])}" if row["text_before"] else ""
    # Of the row of a paper: its links, authors and moment; a number has an id, a title and a text of its own
    return Entry.of(row | {"listed_on": None})._replace(
        id=f"{TAG}best:{row['paper_id']}:{row['version_number']}:{row['position']}",
        title=harmless(
            f"{untexed(row['system'] or row['title'])}: {untexed(row['text'])} on {where} ({row['metric']}){before}"
        ),
        summary=harmless(untexed(row["sentence"])),
    )


def _withdrawals(read: ReadTable) -> pl.DataFrame:
    """The newest withdrawals, each as the first look that saw it has it."""
    columns = ["observed_at", "paper_id", "version_count", "comments", *SAID_BY]
    seen = read(PAPER_STATUS.name, columns).filter(pl.col("status") == "withdrawn").sort(columns[:2])
    first = seen.unique(["paper_id", "version_count"], keep="first", maintain_order=True)
    newest = first.sort(columns[:2], descending=[True, False]).head(WITHDRAWN_ENTRIES).collect()
    told = pl.Series("told", map(status_words, newest.iter_rows(named=True)), pl.String)
    return newest.select(*columns[:4], told)


def _withdrawn_entry(row: dict[str, Any]) -> Entry:
    """The entry of a paper that was withdrawn; its id names the version that says so."""
    why = f" Its comments: {row['comments']}" if row["comments"] else ""
    return Entry.of(row | {"listed_on": None, "first_seen_at": row["observed_at"]})._replace(
        id=f"{TAG}withdrawn:{row['paper_id']}:{row['version_count']}",
        summary=harmless(f"{row['told'][:1].upper()}{row['told'][1:]}.{untexed(why)}"),
    )


# What a release has only if there is any: how it is found, the newest first, and what an entry says
MORE: Final = ((BESTS, _bests, _best_entry), (WITHDRAWN, _withdrawals, _withdrawn_entry))


def errata_feed(errata: Sequence[Erratum]) -> Feed:
    """The releases that were retracted."""
    entries = (
        Entry(
            id=f"{TAG}retracted:{one.version}",
            title=f"Release {one.version} was retracted",
            updated_at=datetime.fromisoformat(one.retracted_at).astimezone(UTC),
            summary=harmless(one.why),
        )
        for one in reversed(errata)
    )
    return Feed(*ERRATA, tuple(entries))


def releases_feed(followed: Sequence[Followed]) -> Feed:
    """A release is dated by the day in its version: no clock is read here."""
    by_version = sorted(followed, key=lambda one: [int(part) for part in one.version.split(".")], reverse=True)
    entries = (
        Entry(
            id=f"{TAG}release:{one.version}",
            title=f"Release {one.version}",
            updated_at=datetime.strptime(one.version.rpartition(".")[0], "%Y.%m.%d").replace(tzinfo=UTC),
            summary=f"{counted(one.paper_count, 'paper')}, {counted(one.row_count, 'row')}; "
            f"lists until {one.last_listed_on or 'none'}.",
        )
        for one in by_version[:RELEASE_ENTRIES]
    )
    return Feed(*RELEASES, tuple(entries))


def _entry_rows(read: ReadTable, found: Sequence[pl.DataFrame]) -> Iterator[Iterator[dict[str, Any]]]:
    """The rows that entries are made of, for each of these frames in its order; the papers of all are read once."""
    is_wanted = pl.col("paper_id").is_in(pl.concat(rows["paper_id"] for rows in found).unique().implode())
    authors = read(PAPER_AUTHORS.name, ["paper_id", "position", "name"]).filter(is_wanted).sort("paper_id", "position")
    parts = [read(PAPERS.name, ["paper_id", "title", "arxiv_id"]).filter(is_wanted)]
    parts.append(authors.group_by("paper_id", maintain_order=True).agg(pl.col("name").alias("names")))
    parts.append(read(PAPER_TEXTS.name, ["paper_id", "abstract"]).filter(is_wanted))
    looks = (
        read(PAPER_STATUS.name, ["paper_id", "is_newest", *SAID_BY]).filter(is_wanted, pl.col("is_newest")).collect()
    )
    doubted = read(PAPER_PUBLICATIONS.name, ["paper_id", "rank", "known_until", *DOUBTED_BY]).filter(
        is_wanted, pl.col("known_until").is_null(), pl.col("status").is_in(["retracted", "concern"])
    )
    works = doubted.sort("paper_id", "rank").collect()
    # A retraction first: a title has room for the first words alone
    said = [(row["paper_id"], publication_words(row)) for row in works.iter_rows(named=True)]
    said += [(row["paper_id"], status_words(row)) for row in looks.iter_rows(named=True)]
    words = pl.LazyFrame(said, schema={"paper_id": pl.String, "status": pl.String}, orient="row").drop_nulls()
    parts.append(words.group_by("paper_id", maintain_order=True).agg(pl.col("status").str.join("; ")))
    collected = pl.collect_all(parts)
    for rows in found:
        for part in collected:
            rows = rows.join(part, on="paper_id", how="left", maintain_order="left")  # noqa: PLW2901
        yield rows.iter_rows(named=True)
