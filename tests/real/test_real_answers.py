"""Every citation and feed of the real captures, read by other programs."""

import json
import re

import feedparser
import jsonschema
import polars as pl
import pytest
from lxml import etree

from flows.documents.release_feeds import feed_files
from paperlake.answers.citations import citations
from tests.builders import mart_of, reader
from tests.little_lake import little_lake
from tests.unit.test_citations import counted, rendered
from tests.unit.test_feeds import GRAMMAR, JSON_FEED
from warehouse.schema.marts.boards import BOARDS
from warehouse.schema.marts.paper_status import PAPER_PUBLICATIONS, PAPER_STATUS
from warehouse.schema.marts.upvotes_over_time import TRENDING_PAPERS

MOST_BYTES = 1_000_000  # of all feeds


def test_every_paper_of_arxiv_is_cited(tables: dict[str, pl.DataFrame]) -> None:
    ids = tables["papers"].filter(pl.col("arxiv_id").is_not_null())["paper_id"].to_list()
    chosen = {name: tables[name] for name in ("papers", "paper_authors", "paper_citations")}
    with little_lake(chosen, "bibtex", "paper_status_as_of", "paper_publications_as_of") as opened:
        bibtex, ris, csl = (citations(opened, ids, style) for style in ("bibtex", "ris", "csl-json"))
    assert bibtex.isascii()
    assert len(set(re.findall(r"^@misc\{(.*),$", bibtex, re.MULTILINE))) == len(ids) > 7_000
    people = dict(tables["paper_authors"].group_by("paper_id").len().iter_rows())
    expected = {one: people.get(one, 0) for one in ids}
    assert counted(bibtex, ris, csl) == [expected] * 4
    assert rendered(json.loads(csl), each=10) == len(ids)


@pytest.fixture(scope="module")
def feeds(tables: dict[str, pl.DataFrame]) -> dict[str, bytes]:
    read = {**tables, TRENDING_PAPERS.name: mart_of(TRENDING_PAPERS, lambda table: tables[table.name])}
    read |= {
        one.name: one.empty() for one in (BOARDS, PAPER_PUBLICATIONS, PAPER_STATUS)
    }  # of another mart, and of what nobody asked
    return feed_files(reader(read), (), ())


def test_every_feed_keeps_its_schema(feeds: dict[str, bytes]) -> None:
    assert len(feeds) == 8
    assert sum(map(len, feeds.values())) < MOST_BYTES
    for key, data in feeds.items():
        if key.endswith(".json"):
            jsonschema.validate(json.loads(data), JSON_FEED)
        elif key.endswith(".atom"):
            assert GRAMMAR.validate(etree.fromstring(data)), (key, GRAMMAR.error_log)
    for key in ("daily.atom", "trending.atom"):
        assert not feedparser.parse(feeds[key]).bozo


def test_no_author_is_lost(feeds: dict[str, bytes], tables: dict[str, pl.DataFrame]) -> None:
    people = dict(tables["paper_authors"].group_by("paper_id").agg(pl.col("name").sort_by("position")).iter_rows())
    atom = "{http://www.w3.org/2005/Atom}"
    for stem in ("daily", "trending"):
        items = json.loads(feeds[f"{stem}.json"])["items"]
        told = [(one["id"], [author["name"] for author in one.get("authors", ())]) for one in items]
        assert told == [(one, people.get(re.split("[,:]", one)[3], [])) for one, _ in told]
        entries = etree.fromstring(feeds[f"{stem}.atom"]).iter(f"{atom}entry")
        assert [[name.text for name in one.iterfind(f"{atom}author/{atom}name")] for one in entries] == [
            names for _, names in told
        ]


def test_few_upvotes_never_top_a_day(tables: dict[str, pl.DataFrame]) -> None:
    """On 466 list days with a capture by then the first paper had 6 upvotes or more, 45 in the median."""
    mart = mart_of(TRENDING_PAPERS, lambda table: tables[table.name])
    first = mart.filter(rank=1)["upvote_count"]
    assert first.len() > 450
    assert min(first) > 5
    assert (mart.group_by("trending_on").len()["len"] <= 50).all()
    assert mart.filter(pl.col("observed_at") > pl.col("trending_on") + pl.duration(days=1)).is_empty()
