"""What became of papers at arXiv, by their records at several looks, and where people are shown it; which days' changes
were harvested.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from shutil import copyfile
from typing import cast

import duckdb
import pytest

from paperlake.answers import user_query
from paperlake.answers.citations import citations
from paperlake.answers.newest_page import newest_page
from paperlake.answers.one_board import board_text, one_board
from paperlake.answers.one_paper import one_paper, with_status
from paperlake.answers.one_paper_text import one_paper_text
from paperlake.answers.user_query import query_feed
from paperlake.find.finder import Finder
from paperlake.find.hits_text import found_text
from paperlake.find.reasons import found_rows
from paperlake.mcp import tools
from paperlake.mcp.tools import Answered
from paperlake.reading.moments import instant
from paperlake.reading.release import Release
from tests.arxiv.records import GONE, Record, Version, changes_url, error, of_changes, of_paper, paper_url, token_url
from tests.collected import collected, page
from tests.derived import covered, derive
from tests.invented import HUB
from tests.little_lake import made, made_once
from tests.unit.test_adoption import LOOMS, TIDES, own
from warehouse.archive.captured import Capture
from warehouse.release.query import Database, opened

START = datetime(2026, 1, 26, 8)
DAY = timedelta(days=1)
CLAIM = f"This paper has been withdrawn; superseded by arXiv:{TIDES}."


def look(at: datetime, record: Record) -> Capture:
    return page(of_paper(record, at), paper_url(record.arxiv_id), at)


FIRST = datetime(2025, 12, 3, 17, 0, 1)
RECORDS = (
    Record(LOOMS, FIRST, changed=date(2025, 12, 4)),
    Record(LOOMS, FIRST, [Version(), GONE], CLAIM, changed=date(2026, 1, 27)),
    Record(LOOMS, FIRST, [Version(), GONE, Version(60)], changed=date(2026, 2, 1)),
    Record(TIDES, FIRST, [Version(), GONE], comments="9 pages"),
    Record("2601.99999", FIRST, [Version(), GONE], CLAIM),
)
PAGES = (
    look(START, RECORDS[0]),
    look(START + DAY, RECORDS[1]),
    look(START + 7 * DAY, RECORDS[2]),
    look(START + DAY, RECORDS[3]),
    look(START + DAY, RECORDS[4]),
    page(error("idDoesNotExist"), paper_url("2601.88888"), START),
    page(of_changes([RECORDS[1], RECORDS[4]], "1|a", START + DAY), changes_url(date(2026, 1, 26)), START + DAY),
    page(of_changes([Record("2601.00001", changed=date(2026, 1, 26))], "", START + DAY), token_url("1|a"), START + DAY),
    page(of_changes([RECORDS[1]], "2|b", START + 2 * DAY), changes_url(date(2026, 1, 27)), START + 2 * DAY),
    page(b"<html>busy</html>", token_url("2|b"), START + 2 * DAY),
    page(error("noRecordsMatch", START + 6 * DAY), changes_url(date(2026, 1, 31)), START + 6 * DAY),
)
SHOWN = (own(LOOMS, START, [], 0, publishedAt="2025-12-03T00:00:00.000Z"), own(TIDES, START, [], 0))


database = made_once(lambda: collected(*SHOWN, *PAGES))


def test_each_look_says_what_was_known_then(database: duckdb.DuckDBPyConnection) -> None:
    rows = database.sql(
        "SELECT observed_at, status, is_undone, withdrawn_on, superseded_by, is_superseding_known, is_newest "
        f"FROM mart.paper_status WHERE paper_id = '{LOOMS}' ORDER BY 1"
    ).fetchall()
    gone = date(2026, 1, 12)
    assert rows == [
        (START, "present", False, None, None, None, False),
        (START + DAY, "withdrawn", False, gone, TIDES, True, False),
        (START + 7 * DAY, "present", True, None, None, None, True),
    ]


def test_of_papers_that_the_lake_has_alone(database: duckdb.DuckDBPyConnection) -> None:
    assert database.sql("SELECT DISTINCT paper_id FROM mart.paper_status ORDER BY 1").fetchall() == [(LOOMS,), (TIDES,)]


def test_arxivs_own_date_goes_before_the_hubs(database: duckdb.DuckDBPyConnection) -> None:
    rows = database.sql("""
        SELECT paper_id, published_on, hub_published_on, is_date_disputed FROM mart.paper_status WHERE is_newest ORDER BY 1
    """).fetchall()
    assert rows == [(LOOMS, FIRST.date(), date(2025, 12, 3), False), (TIDES, FIRST.date(), None, None)]


@pytest.mark.parametrize(
    ("moment", "statuses"),
    [
        ("2026-01-26 07:59", []),
        ("2026-01-26 08:00", [(LOOMS, "present")]),
        ("2026-01-28", [(LOOMS, "withdrawn"), (TIDES, "suspected")]),
        ("2026-03-01", [(LOOMS, "present"), (TIDES, "suspected")]),
    ],
)
def test_at_a_moment_papers_have_the_status_that_was_known(
    database: duckdb.DuckDBPyConnection, moment: str, statuses: list[tuple[str, str]]
) -> None:
    asked = f"SELECT paper_id, status FROM mart.paper_status_as_of('{moment}')"
    assert database.sql(asked).fetchall() == statuses


def test_texts_are_of_the_version_that_there_was_when_they_were_first_seen(tmp_path: Path) -> None:
    """By arXiv's own dates: v1 of 2025-12-03, v2 of 2026-01-12. Where both were there already nobody can say."""
    claims = [f"We introduce LoomNet. It reaches {number}% on GSM8K." for number in (71.5, 82.5)]
    early, late, asked = datetime(2025, 12, 5), datetime(2026, 1, 20), datetime(2026, 1, 21)
    pages = [
        own(LOOMS, early, [], 0, summary=claims[0], ai_summary="It weaves."),
        own(LOOMS, late, [], 0, summary=claims[1], ai_summary="It weaves."),
        own(TIDES, late, [], 0, summary=claims[0]),
        own("2512.05555", early, [], 0, summary=claims[0]),
        own("2512.06666", asked + DAY, [], 0, summary=claims[0]),
    ]
    two = [Version(), Version(40)]
    looks = [look(asked, Record(paper, FIRST, two)) for paper in (LOOMS, TIDES)]
    looks += [look(asked, Record("2512.06666", FIRST))]  # v2 may have come since
    first, second = FIRST.date(), date(2026, 1, 12)
    with made(tmp_path, collected(*pages, *looks)) as lake:
        dated = "SELECT paper_id, field, version_number, arxiv_version_on FROM text_versions WHERE field <> 'title'"
        assert lake.sql(f"{dated} ORDER BY ALL").fetchall() == [
            (LOOMS, "abstract", 1, first),
            (LOOMS, "abstract", 2, second),
            (LOOMS, "ai_summary", 1, None),
            (TIDES, "abstract", 1, None),
            ("2512.05555", "abstract", 1, None),
            ("2512.06666", "abstract", 1, None),
        ]
        board = "SELECT value, arxiv_version_on, first_seen_at, is_best FROM {} WHERE paper_id = $1 ORDER BY 1"
        told = [(71.5, first, early, True), (82.5, second, late, True)]
        assert lake.execute(board.format("boards"), [LOOMS]).fetchall() == told
        for moment, known in (("NULL", told), ("'2026-03-01'", [(one[0], None, *one[2:]) for one in told])):
            assert lake.execute(board.format(f"board_as_of('GSM8K', {moment})"), [LOOMS]).fetchall() == known


def test_which_days_were_harvested() -> None:
    rows = covered(collected(*SHOWN, *PAGES)).filter(source="arxiv").sort("listed_on")
    assert rows.select("listed_on", "state", "item_count", "fetch_count", "failure_count").rows() == [
        (date(2026, 1, 26), "complete", 1, 2, 0),
        (date(2026, 1, 27), "partial", 1, 3, 0),
        (date(2026, 1, 28), "missing", None, 0, 1),
        (date(2026, 1, 29), "missing", None, 0, 0),
        (date(2026, 1, 30), "missing", None, 0, 0),
        (date(2026, 1, 31), "empty", 0, 1, 0),
        (date(2026, 2, 1), "missing", None, 0, 0),
        (date(2026, 2, 2), "missing", None, 0, 0),
    ]
    reasons = dict(rows.select("listed_on", "reason").iter_rows())
    assert reasons[date(2026, 1, 27)] == "the harvest broke off: the page after it is lacking"
    assert reasons[date(2026, 1, 28)].startswith("failed: 1 of 1 items are in quarantine")
    assert reasons[date(2026, 1, 29)] == "not harvested"
    assert rows["is_expected"].sum() == 0


def test_a_lake_that_never_asked_has_no_row_of_arxiv() -> None:
    tables = derive(collected(*SHOWN))
    assert set(tables["coverage"]["source"]) == {"api", "html"}
    assert all(tables[name].is_empty() for name in tables if name.startswith("arxiv_"))


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

    def __init__(self, shown: Database) -> None:
        self.database = shown

    def release(self, as_of: str | None = None) -> Release:
        return cast("Release", self)

    def moment(self, moment: str | None) -> datetime:
        return instant(moment) if moment else newest_page(self.database)


def said(answer: Answered, name: str) -> dict[str, str | None]:
    """Paper → its status, in one list of an answer."""
    return {row["paper_id"]: row.get("status") for row in answer.body[name]}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("shown")
    more = own("2512.05555", START, [], 0, summary="LoomNet reaches 71.5% on GSM8K.")
    with made(folder, collected(*SHOWN, more, LISTED, *UNTIL_WITHDRAWN)):
        return folder / "lake.duckdb"


@pytest.fixture(scope="module")
def shown(path: Path) -> Iterator[Database]:
    with opened(path) as shown:
        yield shown


def test_the_page_of_a_paper(shown: Database) -> None:
    text = " ".join(one_paper_text(one_paper(shown, LOOMS)).split())
    assert f"arXiv {WORDS}; its comments: {CLAIM}" in text
    assert "2 versions, the last of 2026-01-12" in text
    assert "licence http://creativecommons.org/licenses/by/4.0/" in text
    assert "perhaps withdrawn at arXiv" in one_paper_text(one_paper(shown, TIDES))
    assert "arXiv  " not in one_paper_text(one_paper(shown, "2512.05555"))


def test_hits_of_a_search(shown: Database) -> None:
    found = Finder(shown).search("woven looms", 10)
    rows = {row["paper_id"]: row for row in found_rows(shown, found)}
    assert rows[LOOMS]["status"] == WORDS
    assert "status" not in rows["2512.05555"]
    text = found_text(list(rows.values()), found, None)
    assert text.count("withdrawn at arXiv") == 2


def test_daily_lists_and_searches_in_sql_and_python(shown: Database) -> None:
    assert dict(shown.rows("SELECT paper_id, status FROM daily_papers").rows) == STATUSES
    assert dict(shown.rows("SELECT paper_id, status FROM search_papers('woven looms')").rows) == STATUSES
    frame = Release.search(LakeServed(shown).release(), "woven looms")
    assert dict(frame.select("paper_id", "status").iter_rows())[LOOMS] == WORDS


@pytest.mark.parametrize(("at", "said_then"), [(None, WORDS), (f"{BEFORE:%F %T}", None)])
def test_what_agents_are_told_was_known_then(shown: Database, at: str | None, said_then: str | None) -> None:
    opened = LakeServed(shown)
    told = [said(tools.day(opened, "2026-01-26", at), "papers"), said(tools.trending(opened, at), "papers")]
    told.append(said(tools.leaderboard(opened, "GSM8K", at), "claims"))
    assert [one[LOOMS] for one in told] == [said_then] * 3
    assert [one["2512.05555"] for one in told] == [None] * 3
    assert said(tools.search(opened, "woven looms"), "hits")[LOOMS] == WORDS
    assert tools.paper(opened, LOOMS).body["facts"]["status"] == WORDS


def test_trends_and_boards_as_text(shown: Database) -> None:
    rows = with_status(shown, user_query.trending(shown, newest_page(shown), 7, 10).dicts())
    trends = "".join(user_query.trending_text(rows, START, 7))
    board = "".join(board_text(with_status(shown, one_board(shown, "GSM8K").dicts()), 10))
    assert (trends.count(WORDS), trends.count("perhaps withdrawn"), board.count(WORDS)) == (1, 1, 1)


def test_a_feed_of_a_query(shown: Database) -> None:
    titles = [one.title for one in query_feed(shown, "SELECT paper_id FROM papers ORDER BY 1", None).entries]
    assert titles == [
        f"[withdrawn at arXiv on 2026-01-12] Woven Looms of {LOOMS}",
        f"[perhaps withdrawn at arXiv: one of two signs says so] Woven Looms of {TIDES}",
        "Woven Looms of 2512.05555",
    ]


def test_citations(shown: Database) -> None:
    both = [LOOMS, "2512.05555"]
    gone, sound = citations(shown, both, "bibtex").strip().split("\n\n")
    assert gone.endswith(",\n  note = {Withdrawn at arXiv, as seen on 2026-01-27}\n}")
    assert "note" not in sound
    first, second = json.loads(citations(shown, both, "csl-json"))
    assert (first["note"], second.get("note")) == (f"W{WORDS[1:]}.", None)
    assert f"N1  - W{WORDS[1:]}.\n" in citations(shown, both, "ris")


def test_a_release_of_before_says_nothing(path: Path, tmp_path: Path) -> None:
    before = copyfile(path, tmp_path / "before.duckdb")
    with duckdb.connect(str(before)) as connection:
        connection.execute("DROP VIEW IF EXISTS main.paper_status; DROP TABLE mart.paper_status CASCADE")
    with opened(before) as older:
        assert one_paper(older, LOOMS)["arxiv"] == []
        assert "note" not in citations(older, [LOOMS], "csl-json")
