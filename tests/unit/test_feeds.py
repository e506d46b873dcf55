"""Feeds: the same papers in three formats, whole for the readers of others, and quiet when nothing is new."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any

import feedparser
import jsonschema
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from flows.documents.edition import Read
from flows.documents.feeds import release_feeds as feeds
from flows.documents.feeds.entries import Entry, Feed
from flows.documents.feeds.feed_formats import FORMATS, atom, json_feed, rss
from flows.documents.feeds.release_feeds import Topics
from tests.builders import TIDES, WOVEN, reader
from tests.collected import page
from tests.invented import HUB
from tests.little_lake import tables_of
from tests.release_page import Elements
from transforms.core.links import paper_keywords
from transforms.core.people import organizations
from warehouse.release.database import mart_of
from warehouse.schema.marts.upvotes.trending_papers import TRENDING_PAPERS

GRAMMAR = etree.RelaxNG(etree.parse(Path(__file__).parents[1] / "atom.rng"))
TEXT = {"type": "string", "minLength": 1}
URL = {"type": "string", "pattern": "^https://"}
JSON_FEED = {
    "type": "object",
    "required": ["version", "title", "items"],
    "additionalProperties": False,
    "properties": {
        "version": {"const": "https://jsonfeed.org/version/1.1"},
        "title": TEXT,
        "home_page_url": URL,
        "description": TEXT,
        "language": {"const": "en"},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["id", "content_text"],
                "additionalProperties": False,
                "properties": {
                    "id": TEXT,
                    "url": URL,
                    "external_url": URL,
                    "title": {"type": "string"},
                    "content_text": TEXT,
                    "date_published": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"},
                    "authors": {"type": "array", "items": {"type": "object", "required": ["name"]}},
                },
            },
        },
    },
}
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


def feed(*rows: dict[str, Any]) -> Feed:
    return Feed.of("daily", "Daily & more", "All <of> it.", rows)


def read(data: bytes) -> Any:
    """As feedparser has it, which finds nothing wrong."""
    found = feedparser.parse(data)
    assert not found.bozo, found.get("bozo_exception")
    return found


def test_the_same_entry_in_each_format() -> None:
    of = feed(ROW)
    [in_atom], [in_rss] = read(atom(of)).entries, read(rss(of)).entries
    [in_json] = json.loads(json_feed(of))["items"]
    named = f"tag:paperlake,2026:{WOVEN}:2025-10-07"
    assert in_atom.id == in_rss.id == in_json["id"] == named
    assert in_atom.title == in_rss.title == in_json["title"] == ROW["title"]
    assert in_atom.link == in_rss.link == in_json["url"] == f"https://huggingface.co/papers/{WOVEN}"
    assert in_atom.summary == unescape(in_rss.summary) == in_json["content_text"] == ROW["abstract"]
    assert in_atom.updated == in_json["date_published"] == "2025-10-07T08:05:01Z"
    assert in_rss.published == "Tue, 07 Oct 2025 08:05:01 +0000"
    names = [[one["name"] for one in entry["authors"]] for entry in (in_atom, in_rss, in_json)]
    assert names == [ROW["names"]] * 3
    assert read(atom(of)).feed.updated == "2025-10-07T08:05:01Z"


def test_what_is_not_known_is_left_out() -> None:
    bare = ROW | dict.fromkeys(("arxiv_id", "listed_on", "first_seen_at", "names", "abstract"))
    entry = Entry.of(bare | {"paper_id": "title:0123456789abcdef"})
    assert (entry.id, entry.url) == ("tag:paperlake,2026:title:0123456789abcdef", None)
    of = feed()._replace(entries=(entry,))
    assert GRAMMAR.validate(etree.fromstring(atom(of))), GRAMMAR.error_log
    jsonschema.validate(json.loads(json_feed(of)), JSON_FEED)
    assert read(rss(of)).entries[0].title == ROW["title"]


@pytest.mark.parametrize("rows", [(), (ROW,), (ROW, ROW | {"paper_id": TIDES, "abstract": None, "names": None})])
def test_every_format_keeps_its_schema(rows: tuple[dict[str, Any], ...]) -> None:
    of = feed(*rows)
    assert GRAMMAR.validate(etree.fromstring(atom(of))), GRAMMAR.error_log
    jsonschema.validate(json.loads(json_feed(of)), JSON_FEED)
    assert len(read(rss(of)).entries) == len(rows)


HOSTILE = st.text(
    st.one_of(st.characters(), st.sampled_from("\x00\x0b\x1b\u202e\u2066\ufeff\ufffe\uffff\ud800<>&]\"'"))
)


@settings(max_examples=30, deadline=None)
@given(HOSTILE, HOSTILE, st.lists(HOSTILE, max_size=4))
def test_hostile_text_stays_harmless_text(title: str, abstract: str, names: list[str]) -> None:
    of = feed(ROW | {"title": title, "abstract": abstract, "names": names})
    root = etree.fromstring(atom(of))
    assert GRAMMAR.validate(root), GRAMMAR.error_log
    jsonschema.validate(json.loads(json_feed(of)), JSON_FEED)
    etree.fromstring(rss(of))
    for one in FORMATS:
        assert not set("\x00\x0b\x1b\u202e\u2066\ufffe\uffff") & set(one.write(of).decode())


def release(days: int, papers: int = 24) -> Read:
    """Tables of so many daily lists, each with new papers of one organization and two keywords."""
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
                "ai_keywords": ["Long Looms", "../../tides"],
                "organization": {"name": "Loom-Works", "fullname": "Loom <Works>"},
            }
            items.append({"paper": paper, "numComments": 0})
        pages.append(page(items, f"{HUB}/api/daily_papers?date={on:%Y-%m-%d}", on + timedelta(hours=8)))
    tables = tables_of(*pages)
    more = {make.__name__: make(tables["sightings"]) for make in (paper_keywords, organizations)}
    more[TRENDING_PAPERS.name] = mart_of(TRENDING_PAPERS, lambda table: tables[table.name])
    return reader(tables | more)


def feed_files(read: Read) -> dict[str, bytes]:
    return feeds.feed_files(read, Topics.of(read))


def test_the_feeds_of_a_release() -> None:
    given_tables = release(7)
    made = feed_files(given_tables)
    stems = ("daily", "keywords/long_loom", "organizations/loom-works", "trending")
    assert {key.rpartition(".")[0] for key in made} >= set(stems)
    assert all(".." not in key and key.count("/") <= 1 and key.isascii() for key in made)
    assert len(made) == 3 * 5
    daily = read(made["daily.atom"]).entries
    assert [one.id.rpartition(":")[2] for one in daily] == [
        f"2025-10-{day:02}" for day in (14, 13, 10, 9, 8) for _ in range(24)
    ]
    assert daily[0].summary.startswith("We weave 6 ")
    trending = json.loads(made["trending.json"])["items"]
    assert (len(trending), trending[0]["title"]) == (feeds.TRENDING_ENTRIES, "Looms 6 of 23")
    works = read(made["organizations/loom-works.rss"])
    assert (works.feed.title, len(works.entries)) == ("Daily Papers: Papers of Loom <Works>", feeds.TOPIC_MOST)
    assert [[one["name"] for one in entry.authors][1] for entry in works.entries] == ["Rosa Tide"] * feeds.TOPIC_MOST
    assert [topic.name for topic in Topics.of(given_tables).every] == ["Loom <Works>", "../../tides", "Long Looms"]
    assert feed_files(release(7)) == made


def test_an_organization_with_few_papers_has_no_feed() -> None:
    assert next(topic.key for topic in Topics.of(release(1, 20)).every) == "organizations/loom-works"
    assert Topics.of(release(1, 19)).every == []


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
    assert set(made) == {f"{key}.{one.suffix}" for key in ("daily", "trending") for one in FORMATS}
    assert read(made["daily.atom"]).feed.updated == "2023-05-04T00:00:00Z"


def test_the_index_links_every_feed() -> None:
    given_tables = release(7)
    linked = {link["href"] for link in Elements(feeds.feeds_index(Topics.of(given_tables))).named("a")}
    assert linked == {"../index.html", *feed_files(given_tables)}


def test_entries_are_dated_in_utc() -> None:
    assert Entry.of(ROW).updated_at.tzinfo is UTC


def test_topics_are_looked_for_once_and_of_texts_only_those_shown_are_read() -> None:
    given, asked = release(7), []

    def read(name: str, columns: Sequence[str]) -> pl.LazyFrame:
        asked.append((name, *columns))
        return given(name, columns)

    topics = Topics.of(read)
    feeds.feeds_index(topics)
    feeds.feed_files(read, topics)
    assert [one for one in asked if one[0] == "paper_keywords"] == [
        ("paper_keywords", "paper_id", "normal_keyword", "keyword")
    ]
    assert {one[1:] for one in asked if one[0] == "paper_texts"} == {("paper_id", "abstract")}
