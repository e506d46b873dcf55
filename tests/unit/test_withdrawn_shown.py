"""A withdrawn paper says so where people look: on its page, among hits, in citations; in SQL too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import cast

import pytest

from paperlake.answers import user_query
from paperlake.answers.citations import citations
from paperlake.answers.one_board import board_text, one_board
from paperlake.answers.one_paper import one_paper, with_status
from paperlake.answers.one_paper_text import one_paper_text
from paperlake.answers.user_query import newest_page, query_feed
from paperlake.find.finder import Finder
from paperlake.find.hits_text import found_text
from paperlake.find.reasons import found_rows
from paperlake.mcp import tools
from paperlake.mcp.tools import Answered
from paperlake.reading.moments import instant
from paperlake.reading.release import Release
from tests.collected import collected, page
from tests.invented import HUB
from tests.little_lake import made
from tests.unit.test_adoption import LOOMS, TIDES, own
from tests.unit.test_paper_status import CLAIM, PAGES, SHOWN, START
from warehouse.release.query import Database, opened

# Withdrawn, for the last look at it is the second; the other one is suspected
UNTIL_WITHDRAWN = [one for one in PAGES if one.fetched_at and one.fetched_at.date() < START.date().replace(day=30)]
WORDS = f"withdrawn at arXiv on 2026-01-12; its author names {TIDES} in its place"
ON_LIST = [
    {"paper": {"id": paper, "title": f"Woven Looms of {paper}", "upvotes": count, "summary": text}}
    for paper, count, text in ((LOOMS, 9, "LoomNet reaches 91.5% on GSM8K."), (TIDES, 5, "Tides."))
]
LISTED = page(
    [*ON_LIST, {"paper": ON_LIST[0]["paper"] | {"id": "2512.05555"}}], f"{HUB}/api/daily_papers?date=2026-01-26", START
)
BEFORE = START + timedelta(hours=1)  # the record of LOOMS was sound, nobody had asked for that of TIDES
STATUSES = {LOOMS: "withdrawn", TIDES: "suspected", "2512.05555": None}


class LakeServed:
    """What the tools of agents are given, with one database behind it."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def release(self, as_of: str | None = None) -> Release:
        return cast("Release", self)

    def moment(self, moment: str | None) -> datetime:
        return instant(moment) if moment else newest_page(self.database)


def said(answer: Answered, name: str) -> dict[str, str | None]:
    """Paper → its status, in one list of an answer."""
    return {row["paper_id"]: row.get("status") for row in answer.body[name]}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder: Path = tmp_path_factory.mktemp("shown")
    more = own("2512.05555", START, [], 0, summary="LoomNet reaches 71.5% on GSM8K.")
    with made(folder, collected(*SHOWN, more, LISTED, *UNTIL_WITHDRAWN)):
        pass
    with opened(folder / "lake.duckdb") as database:
        yield database


def test_the_page_of_a_paper(database: Database) -> None:
    text = " ".join(one_paper_text(one_paper(database, LOOMS)).split())
    assert f"arXiv {WORDS}; its comments: {CLAIM}" in text
    assert "2 versions, the last of 2026-01-12" in text
    assert "licence http://creativecommons.org/licenses/by/4.0/" in text
    assert "perhaps withdrawn at arXiv" in one_paper_text(one_paper(database, TIDES))
    assert "arXiv  " not in one_paper_text(one_paper(database, "2512.05555"))


def test_hits_of_a_search(database: Database) -> None:
    found = Finder(database).search("woven looms", 10)
    rows = {row["paper_id"]: row for row in found_rows(database, found)}
    assert rows[LOOMS]["status"] == WORDS
    assert "status" not in rows["2512.05555"]
    text = found_text(list(rows.values()), found, None)
    assert text.count("withdrawn at arXiv") == 2


def test_daily_lists_and_searches_in_sql_and_python(database: Database) -> None:
    assert dict(database.rows("SELECT paper_id, status FROM daily_papers").rows) == STATUSES
    assert dict(database.rows("SELECT paper_id, status FROM search_papers('woven looms')").rows) == STATUSES
    frame = Release.search(LakeServed(database).release(), "woven looms")
    assert dict(frame.select("paper_id", "status").iter_rows())[LOOMS] == WORDS


@pytest.mark.parametrize(("at", "said_then"), [(None, WORDS), (f"{BEFORE:%F %T}", None)])
def test_what_agents_are_told_was_known_then(database: Database, at: str | None, said_then: str | None) -> None:
    opened = LakeServed(database)
    told = [said(tools.day(opened, "2026-01-26", at), "papers"), said(tools.trending(opened, at), "papers")]
    told.append(said(tools.leaderboard(opened, "GSM8K", at), "claims"))
    assert [one[LOOMS] for one in told] == [said_then] * 3
    assert [one["2512.05555"] for one in told] == [None] * 3
    assert said(tools.search(opened, "woven looms"), "hits")[LOOMS] == WORDS
    assert tools.paper(opened, LOOMS).body["facts"]["status"] == WORDS


def test_trends_and_boards_as_text(database: Database) -> None:
    rows = with_status(database, user_query.trending(database, newest_page(database), 7, 10).dicts())
    trends = "".join(user_query.trending_text(rows, START, 7))
    board = "".join(board_text(with_status(database, one_board(database, "GSM8K").dicts()), 10))
    assert (trends.count(WORDS), trends.count("perhaps withdrawn"), board.count(WORDS)) == (1, 1, 1)


def test_a_feed_of_a_query(database: Database) -> None:
    titles = [one.title for one in query_feed(database, "SELECT paper_id FROM papers ORDER BY 1", None).entries]
    assert titles == [
        f"[withdrawn at arXiv on 2026-01-12] Woven Looms of {LOOMS}",
        f"[perhaps withdrawn at arXiv: one of two signs says so] Woven Looms of {TIDES}",
        "Woven Looms of 2512.05555",
    ]


def test_citations(database: Database) -> None:
    both = [LOOMS, "2512.05555"]
    gone, sound = citations(database, both, "bibtex").strip().split("\n\n")
    assert gone.endswith(",\n  note = {Withdrawn at arXiv, as seen on 2026-01-27}\n}")
    assert "note" not in sound
    first, second = json.loads(citations(database, both, "csl-json"))
    assert (first["note"], second.get("note")) == (f"W{WORDS[1:]}.", None)
    assert f"N1  - W{WORDS[1:]}.\n" in citations(database, both, "ris")


def test_a_release_of_before_says_nothing(tmp_path: Path) -> None:
    with made(tmp_path, collected(*SHOWN, *UNTIL_WITHDRAWN)):
        pass
    import duckdb

    with duckdb.connect(str(tmp_path / "lake.duckdb")) as connection:
        connection.execute("DROP VIEW IF EXISTS main.paper_status; DROP TABLE mart.paper_status CASCADE")
    with opened(tmp_path / "lake.duckdb") as older:
        assert one_paper(older, LOOMS)["arxiv"] == []
        assert "note" not in citations(older, [LOOMS], "csl-json")
