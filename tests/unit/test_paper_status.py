"""What became of papers at arXiv, by their records at several looks; and which days' changes were harvested."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from tests.arxiv.records import (
    GONE,
    Record,
    Version,
    changes_url,
    error,
    of_changes,
    of_paper,
    paper_url,
    token_url,
)
from tests.collected import collected, page
from tests.derived import covered, derive
from tests.little_lake import made, made_once
from tests.unit.test_adoption import LOOMS, TIDES, own
from warehouse.archive.captured import Capture

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
