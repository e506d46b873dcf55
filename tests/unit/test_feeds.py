"""Feeds: the same papers in both formats, whole for the readers of others, and quiet when nothing is new."""

import json
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import feedparser
import jsonschema
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from flows.documents import release_feeds as feeds
from flows.documents.edition import ReadTable
from flows.documents.feed_formats import FORMATS, Entry, Feed, atom, json_feed
from tests.builders import TIDES, WOVEN, mart_of, reader
from tests.collected import page
from tests.invented import HUB
from tests.little_lake import tables_of
from tests.release_page import Elements
from warehouse.release.about import Followed
from warehouse.release.manifest import Erratum
from warehouse.schema.marts.boards import BOARDS
from warehouse.schema.marts.paper_status import PAPER_PUBLICATIONS, PAPER_STATUS
from warehouse.schema.marts.upvotes_over_time import TRENDING_PAPERS

HERE = Path(__file__).parents[1]
GRAMMAR = etree.RelaxNG(etree.parse(HERE / "atom.rng"))
JSON_FEED = json.loads((HERE / "json_feed.json").read_text("utf-8"))
ROW: dict[str, Any] = {
    "paper_id": WOVEN,
    "title": 'Woven <b>Ledgers</b> & "Looms"',
    "arxiv_id": WOVEN,
    "listed_on": date(2025, 10, 7),
    "first_seen_at": datetime(2025, 10, 7, 8, 5, 1, 999),
    "names": ["Ada Loom", "Łukasz Øst", "李明"],
    "abstract": "We weave ]]> & <script>alert(1)</script>.",
}
MONDAY = datetime(2025, 10, 6)


WHY = "Its comments: Withdrawn: <b>see</b> below"
BEST: dict[str, Any] = {
    "benchmark": "GSM8K",
    "metric": "accuracy",
    "scale": "percent",
    "polarity": "more",
    "value": 81.3,
    "best_before": 79.0,
    "text": "81.3\\%",
    "paper_id": "2510.00000",
    "version_number": 2,
    "position": 1,
    "system": "WovenNet",
    "sentence": "It reaches 81.3\\%.",
    "is_best": True,
    "first_seen_at": MONDAY + timedelta(days=1, hours=8, minutes=5),
}


def feed(*rows: dict[str, Any]) -> Feed:
    return Feed.of("daily", "Daily & more", "All <of> it.", rows)


def read(data: bytes) -> Any:
    """As feedparser has it, which finds nothing wrong."""
    found = feedparser.parse(data)
    assert not found.bozo, found.get("bozo_exception")
    return found


def require_valid(in_atom: bytes, in_json: bytes) -> None:
    """Each feed keeps the schema of its format."""
    assert GRAMMAR.validate(etree.fromstring(in_atom)), GRAMMAR.error_log
    jsonschema.validate(json.loads(in_json), JSON_FEED)


def test_the_same_entry_in_each_format() -> None:
    of = feed(ROW)
    [in_atom] = read(atom(of)).entries
    [in_json] = json.loads(json_feed(of))["items"]
    named = f"tag:paperlake,2026:{WOVEN}:2025-10-07"
    assert in_atom.id == in_json["id"] == named
    assert in_atom.title == in_json["title"] == ROW["title"]
    assert in_atom.link == in_json["url"] == f"https://huggingface.co/papers/{WOVEN}"
    assert in_atom.summary == in_json["content_text"] == ROW["abstract"]
    assert in_atom.updated == in_json["date_published"] == "2025-10-07T08:05:01Z"
    names = [[one["name"] for one in entry["authors"]] for entry in (in_atom, in_json)]
    assert names == [ROW["names"]] * 2
    assert read(atom(of)).feed.updated == "2025-10-07T08:05:01Z"


def test_what_is_not_known_is_left_out() -> None:
    bare = ROW | dict.fromkeys(("arxiv_id", "listed_on", "first_seen_at", "names", "abstract"))
    entry = Entry.of(bare | {"paper_id": "title:0123456789abcdef"})
    assert (entry.id, entry.url) == ("tag:paperlake,2026:title:0123456789abcdef", None)
    of = feed()._replace(entries=(entry,))
    require_valid(atom(of), json_feed(of))


HOSTILE = st.text(
    st.one_of(st.characters(), st.sampled_from("\x00\x0b\x1b\u202e\u2066\ufeff\ufffe\uffff\ud800<>&]\"'"))
)


@settings(max_examples=30, deadline=None)
@given(HOSTILE, HOSTILE, st.lists(HOSTILE, max_size=4))
def test_hostile_text_stays_harmless_text(title: str, abstract: str, names: list[str]) -> None:
    of = feed(ROW | {"title": title, "abstract": abstract, "names": names})
    require_valid(atom(of), json_feed(of))
    for one in FORMATS:
        assert not set("\x00\x0b\x1b\u202e\u2066\ufffe\uffff") & set(one.write(of).decode())


def release(
    days: int,
    papers: int = 24,
    claimed: Sequence[dict[str, Any]] = (),
    looks: Sequence[dict[str, Any]] = (),
    works: Sequence[dict[str, Any]] = (),
) -> ReadTable:
    """Tables of so many daily lists, each with new papers; what they claim on benchmarks, looks at arXiv, and what they
    are published as.
    """
    tables = tables_of_days(days, papers)
    trending = mart_of(TRENDING_PAPERS, lambda table: tables[table.name])
    boards = pl.DataFrame(claimed, schema=BOARDS.schema, strict=False, orient="row") if claimed else BOARDS.empty()
    status = (
        pl.DataFrame(looks, schema=PAPER_STATUS.schema, strict=False, orient="row") if looks else PAPER_STATUS.empty()
    )
    published = pl.DataFrame(list(works), schema=PAPER_PUBLICATIONS.schema, strict=False, orient="row")
    marts = {PAPER_STATUS.name: status, PAPER_PUBLICATIONS.name: published}
    return reader(tables | {TRENDING_PAPERS.name: trending, BOARDS.name: boards} | marts)


@cache
def tables_of_days(days: int, papers: int) -> dict[str, pl.DataFrame]:
    pages = []
    for day in range(days):
        on = MONDAY + timedelta(days=day + 2 * (day // 5))  # no list on a weekend
        items = []
        for number in range(papers):
            paper = {
                "id": f"2510.{day:02}{number:03}",
                "title": f"Looms {day} of {number}",
                "summary": f"We weave {day} {number}.",
                "upvotes": number,
                "authors": [{"name": f"Ada {number}", "hidden": False}, {"name": "Rosa Tide", "hidden": False}],
            }
            items.append({"paper": paper, "numComments": 0})
        pages.append(page(items, f"{HUB}/api/daily_papers?date={on:%Y-%m-%d}", on + timedelta(hours=8)))
    return tables_of(*pages)


def feed_files(read: ReadTable, *versions: str) -> dict[str, bytes]:
    """The feeds of the last of these releases; the first was retracted."""
    followed = [Followed(one, None, 1, "0", 1, 2_000, 30_000, 1, 1, 0, "2025-10-14") for one in versions]
    errata = [Erratum(one, "2025-10-16T10:00:00Z", "titles of\x1b another list") for one in versions[:1]]
    return feeds.feed_files(read, followed, errata)


def test_the_feeds_of_a_release() -> None:
    made = feed_files(seven := release(7))
    assert set(made) == {f"{key}.{one.suffix}" for key, _, _ in feeds.main_feeds(seven) for one in FORMATS}
    assert len(made) == 8  # none of new bests where no paper claims one
    daily = read(made["daily.atom"]).entries
    assert [one.id.rpartition(":")[2] for one in daily] == [
        f"2025-10-{day:02}" for day in (14, 13, 10, 9, 8) for _ in range(24)
    ]
    assert daily[0].summary.startswith("We weave 6 ")
    trending = json.loads(made["trending.json"])["items"]
    assert (len(trending), trending[0]["title"]) == (feeds.TRENDING_ENTRIES, "Looms 6 of 23")
    assert feed_files(seven) == made


def test_releases_and_retractions_have_feeds() -> None:
    made = feed_files(release(0), "2025.10.14.1", "2025.10.15.9", "2025.10.15.10")
    for key in made:
        if key.endswith(".atom"):
            require_valid(made[key], made[key.replace(".atom", ".json")])
    told = read(made["releases.atom"]).entries
    assert [one.title for one in told] == ["Release 2025.10.15.10", "Release 2025.10.15.9", "Release 2025.10.14.1"]
    assert (told[0].id, told[0].updated) == ("tag:paperlake,2026:release:2025.10.15.10", "2025-10-15T00:00:00Z")
    assert told[0].content[0].value == "2,000 papers, 30,000 rows; lists until 2025-10-14."
    [retracted] = read(made["errata.atom"]).entries
    assert (retracted.title, retracted.updated) == ("Release 2025.10.14.1 was retracted", "2025-10-16T10:00:00Z")
    assert retracted.content[0].value == "titles of another list"


def test_what_was_retracted_last_comes_first_wherever_the_clock_was() -> None:
    errata = [
        Erratum("2025.10.14.1", "2035-10-16T10:00:00Z", "ahead"),
        Erratum("2025.10.15.9", "2025-10-17T10:00:00Z", ""),
    ]
    assert [one.title[8:20] for one in feeds.errata_feed(errata).entries] == ["2025.10.15.9", "2025.10.14.1"]


def test_a_new_list_announces_no_old_entry_again() -> None:
    before, after = feed_files(release(6)), feed_files(release(7))
    for key in before:
        if key.endswith(".atom"):
            old, new = ({one.id: one for one in read(made[key]).entries} for made in (before, after))
            assert all(old[one].updated == new[one].updated for one in old.keys() & new.keys())
            assert {one.rpartition(":")[2] for one in new.keys() - old.keys()} <= {
                "2025-10-14"
            } or key == "trending.atom"


def test_a_release_without_a_list_has_feeds_without_entries() -> None:
    made = feed_files(release(0))
    assert all(read(data).entries == [] for key, data in made.items() if key.endswith(".atom"))
    assert read(made["daily.atom"]).feed.updated == "2023-05-04T00:00:00Z"


@pytest.mark.parametrize(("claimed", "count"), [((), 8), ((BEST,), 10)])
def test_the_index_links_every_feed(claimed: Sequence[dict[str, Any]], count: int) -> None:
    found = release(1, claimed=claimed)
    linked = {link["href"] for link in Elements(feeds.feeds_index(found)).named("a")}
    assert linked == {"../index.html", *feed_files(found)}
    assert len(linked) == count + 1


def test_new_bests_have_a_feed() -> None:
    first = BEST | {"paper_id": "2510.00001", "text": "79.0\\%", "value": 79.0, "best_before": None, "system": None}
    first |= {"first_seen_at": MONDAY, "sentence": r"It reaches 79.0\% \emph{there}."}
    hostile = {
        "system": "<b>\u202eX",
        "split": "Lite",
        "sentence": "<script>alert(1)</script>\x00",
        "best_before": None,
    }
    rows = (first, BEST, BEST | hostile | {"position": 2}, BEST | {"position": 3, "is_best": False, "value": 60.0})
    made = feed_files(release(1, claimed=rows))
    told = read(made["bests.atom"]).entries
    assert [one.title for one in told] == [
        "WovenNet: 81.3% on GSM8K (accuracy), before it 79.0%",
        "<b>X: 81.3% on GSM8K Lite (accuracy)",
        "Looms 0 of 1: 79.0% on GSM8K (accuracy)",
    ]
    assert [one.summary for one in told] == [
        "It reaches 81.3%.",
        "<script>alert(1)</script>",
        "It reaches 79.0% there.",
    ]
    named = [f"tag:paperlake,2026:best:{one}" for one in ("2510.00000:2:1", "2510.00000:2:2", "2510.00001:2:1")]
    assert [one.id for one in told] == named
    assert (told[0].updated, told[0].link) == ("2025-10-07T08:05:00Z", "https://huggingface.co/papers/2510.00000")
    items = json.loads(made["bests.json"])["items"]
    assert [(one["id"], one["title"], one["content_text"]) for one in items] == [
        (one.id, one.title, one.summary) for one in told
    ]
    assert [one["name"] for one in items[0]["authors"]] == ["Ada 0", "Rosa Tide"]
    require_valid(made["bests.atom"], made["bests.json"])
    assert feed_files(release(1, claimed=tuple(reversed(rows)))) == made


def test_withdrawn_papers_are_marked_and_have_a_feed() -> None:
    """One was withdrawn, one is withdrawn and was so at two looks, one may be; of one nobody asked."""
    gone = {"status": "withdrawn", "is_undone": False, "is_newest": False, "withdrawn_on": date(2025, 10, 7)}
    gone |= {"paper_id": "2510.00001", "version_count": 2, "observed_at": MONDAY + timedelta(days=2), "capture_id": "x"}
    gone |= {"comments": "Withdrawn: <b>see</b>\u202e below"}
    back = {"status": "present", "is_undone": True, "is_newest": True, "withdrawn_on": None, "version_count": 3}
    later = {"observed_at": MONDAY + timedelta(days=3)}
    looks = (
        gone | {"paper_id": "2510.00000", "superseded_by": TIDES, "is_newest": True} | later,
        gone | {"paper_id": "2510.00000", "superseded_by": TIDES},
        gone | {"observed_at": MONDAY + timedelta(days=1)},
        gone | back | later,
        gone | {"paper_id": "2510.00002", "status": "suspected", "is_newest": True},
    )
    made = feed_files(release(1, 4, looks=looks))
    told = read(made["withdrawn.atom"]).entries
    assert [(one.id.removeprefix("tag:paperlake,2026:"), one.title, one.updated, one.summary) for one in told] == [
        (
            "withdrawn:2510.00000:2",
            "[withdrawn at arXiv on 2025-10-07] Looms 0 of 0",
            "2025-10-08T00:00:00Z",
            f"Withdrawn at arXiv on 2025-10-07; its author names {TIDES} in its place. {WHY}",
        ),
        (
            "withdrawn:2510.00001:2",
            "[was withdrawn at arXiv, and is back] Looms 0 of 1",
            "2025-10-07T00:00:00Z",
            f"Withdrawn at arXiv on 2025-10-07. {WHY}",
        ),
    ]
    require_valid(made["withdrawn.atom"], made["withdrawn.json"])
    plain, marked = (json.loads(feed_files(release(1, 4, looks=some))["daily.json"]) for some in ((), looks))
    marks = {
        "2510.00000": "[withdrawn at arXiv on 2025-10-07] ",
        "2510.00001": "[was withdrawn at arXiv, and is back] ",
        "2510.00002": "[perhaps withdrawn at arXiv: one of two signs says so] ",
    }
    for one in plain["items"]:
        one["title"] = marks.get(one["url"].rpartition("/")[2], "") + one["title"]
    assert marked == plain
    assert feed_files(release(1, 4, looks=tuple(reversed(looks)))) == made


def test_retracted_papers_are_marked() -> None:
    """What is known today alone; before what arXiv says."""
    gone = {"paper_id": "2510.00001", "rank": 1, "registry": "crossref", "doi": "10.5555/loom", "status": "retracted"}
    gone |= {"retracted_on": date(2025, 10, 7), "told_by": ["publisher"], "known_from": MONDAY}
    before = gone | {"paper_id": "2510.00002", "known_until": MONDAY + timedelta(days=1)}
    look = {"paper_id": "2510.00001", "status": "suspected", "is_undone": False, "is_newest": True}
    made = feed_files(release(1, 4, looks=[look], works=[gone, before, gone | {"status": "published", "rank": 2}]))
    titles = {one["title"] for one in json.loads(made["daily.json"])["items"]}
    said = "retracted on 2025-10-07 as 10.5555/loom, says its publisher, by Crossref"
    assert f"[{said}] Looms 0 of 1" in titles
    assert "Looms 0 of 2" in titles


def test_of_new_bests_the_newest_are_told() -> None:
    days = range(feeds.BEST_ENTRIES + 3)
    rows = [BEST | {"position": day, "value": day, "first_seen_at": MONDAY + timedelta(days=day)} for day in days]
    rows = [row | {"text": str(day), "best_before": day - 1 if day else None} for day, row in enumerate(rows)]
    told = json.loads(feed_files(release(1, claimed=rows))["bests.json"])["items"]
    assert [one["id"].rpartition(":")[2] for one in told] == [str(day) for day in reversed(days[3:])]
    assert told[-1]["title"] == "WovenNet: 3 on GSM8K (accuracy), before it 2"  # one that is not told any more
