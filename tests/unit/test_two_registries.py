"""What papers are published as where two registries say: one after the other, in agreement and not, and undone."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from typing import Any

import duckdb

from flows.plan.others_due import doi_filter, paper_filter
from paperlake.answers.citations import citations
from paperlake.answers.one_paper import one_paper, status_words_of
from paperlake.answers.one_paper_text import one_paper_text
from tests.collected import collected, page
from tests.derived import covered
from tests.little_lake import made_once
from tests.unit.test_adoption import LOOMS, TIDES, own
from tests.unit.test_paper_publications import DAY, NOTICE, RETRACTED, SOUND, START, WORK, at_arxiv, work
from tests.works.openalex import OpenWork, list_url, listed
from warehouse.archive.captured import Capture
from warehouse.limits import QueryLimits
from warehouse.release.query import Database

KILNS, REEDS = "2512.03333", "2512.04444"
FOUND = OpenWork("10.5555/tide.2", [TIDES], title="Woven Looms")
UNPLACED = OpenWork(None, [KILNS], venue="Proceedings of Kilns", venue_type="conference")
PREPRINT = OpenWork(f"10.48550/arxiv.{REEDS}", [REEDS], venue=None)
SAME = OpenWork(WORK, [LOOMS], title="Woven Looms", published="2026-04-01")


def of_dois(at: datetime, dois: list[str], *works: OpenWork) -> Capture:
    return page(listed(works), list_url(doi_filter(dois)), at)


def of_papers(at: datetime, papers: list[str], *works: OpenWork) -> Capture:
    return page(listed(works), list_url(paper_filter(papers)), at)


SHOWN = tuple(own(one, START, [], 0, title="Woven Looms") for one in (LOOMS, TIDES, KILNS, REEDS))
PAGES = (
    at_arxiv(START, LOOMS, WORK),
    work(START + DAY, replace(SOUND, preprints=[])),
    of_dois(START + 2 * DAY, [WORK], SAME),
    of_dois(START + 3 * DAY, [WORK], replace(SAME, is_retracted=True)),
    work(START + 4 * DAY, RETRACTED),
    of_dois(START + 5 * DAY, [WORK], SAME),
    at_arxiv(START, TIDES, None),
    of_papers(START + DAY, [TIDES, KILNS, REEDS], FOUND, UNPLACED, PREPRINT),
    of_dois(START + 2 * DAY, ["10.5555/tide.2"], replace(FOUND, is_retracted=True)),
    of_dois(START + 3 * DAY, ["10.5555/tide.2"], FOUND),
    of_dois(START + 6 * DAY, ["10.5555/tide.2"], replace(FOUND, papers=())),
    of_papers(START + 6 * DAY, [KILNS], replace(UNPLACED, is_retracted=True)),
    of_papers(START + 7 * DAY, [KILNS], replace(UNPLACED, doi="10.5555/kiln.3")),
)


database = made_once(lambda: collected(*SHOWN, *PAGES))


def told(database: duckdb.DuckDBPyConnection, paper: str, columns: str, doi: str = "%") -> list[tuple[Any, ...]]:
    asked = f"""SELECT known_from, {columns} FROM mart.paper_publications
    WHERE paper_id = $1 AND doi LIKE $2 ORDER BY known_from, rank"""
    return [((row[0] - START).days, *row[1:]) for row in database.execute(asked, [paper, doi]).fetchall()]


def test_one_work_by_both_and_where_they_disagree(database: duckdb.DuckDBPyConnection) -> None:
    """Crossref goes first where both say the same; OpenAlex alone is a doubt where Crossref has the work."""
    assert told(database, LOOMS, "registry, status, is_confirmed, notice_doi, told_by") == [
        (1, "crossref", "published", False, None, None),
        (2, "crossref", "published", False, None, None),
        (2, "openalex", "published", True, None, None),
        (3, "openalex", "concern", True, None, None),
        (3, "crossref", "published", False, None, None),
        (4, "crossref", "retracted", True, NOTICE, ["retraction-watch"]),
        (4, "openalex", "retracted", True, None, None),
        (5, "crossref", "retracted", True, NOTICE, ["retraction-watch"]),
        (5, "openalex", "published", True, None, None),
    ]


def test_a_paper_without_a_doi_is_found_by_the_id_of_a_location(database: duckdb.DuckDBPyConnection) -> None:
    assert told(database, TIDES, "registry, doi, status, found_by, is_confirmed, venue, retracted_on") == [
        (1, "openalex", "10.5555/tide.2", "published", "registry", True, "Journal of Looms", None),
        (2, "openalex", "10.5555/tide.2", "retracted", "registry", True, "Journal of Looms", None),
        (3, "openalex", "10.5555/tide.2", "published", "registry", True, "Journal of Looms", None),
    ], "until OpenAlex says so no more"


def test_a_work_without_a_doi_stands_under_that_of_arxiv(database: duckdb.DuckDBPyConnection) -> None:
    assert told(database, KILNS, "doi, status, venue") == [
        (1, f"10.48550/arxiv.{KILNS}", "published", "Proceedings of Kilns"),
        (6, f"10.48550/arxiv.{KILNS}", "retracted", "Proceedings of Kilns"),
        (7, "10.5555/kiln.3", "published", "Proceedings of Kilns"),
    ]
    assert told(database, REEDS, "doi") == [], "what lies at arXiv alone was published nowhere"


def test_what_became_of_each_in_a_word(database: duckdb.DuckDBPyConnection) -> None:
    found = dict(database.sql("SELECT paper_id, status FROM mart.paper_outcomes").fetchall())
    assert found == {LOOMS: "retracted", TIDES: "present", KILNS: "published"}
    asked = Database(database, QueryLimits())
    words = f"retracted on {date(2026, 5, 9)} as {WORK}, says Retraction Watch, by Crossref"
    assert status_words_of(asked, [LOOMS, TIDES]) == {LOOMS: words}
    then = status_words_of(asked, [LOOMS, TIDES], START + 3 * DAY)
    assert then == {LOOMS: f"doubted, or partly retracted, as {WORK}, by OpenAlex"}
    assert status_words_of(asked, [TIDES], START + 2 * DAY) == {TIDES: "retracted as 10.5555/tide.2, by OpenAlex"}


def test_shown_on_the_paper_s_page_and_in_citations(database: duckdb.DuckDBPyConnection) -> None:
    asked = Database(database, QueryLimits())
    text = " ".join(one_paper_text(one_paper(asked, LOOMS), screen=200).split())
    assert "(Crossref, 2026-01-31" in text
    assert (
        f"Journal of Looms 3 7-19 2026-04-01, DOI {WORK}, names the paper as its preprint (OpenAlex, 2026-01-31" in text
    )
    entry = citations(asked, [KILNS], "bibtex")
    assert entry.startswith("@inproceedings{")
    assert "  booktitle = {Proceedings of Kilns}," in entry.splitlines()
    assert entry.count("doi = ") == 1


def test_on_which_days_works_were_asked_for() -> None:
    last = own(LOOMS, START + 20 * DAY, [], 0)
    none = of_dois(START + 8 * DAY, ["10.5555/lost"])
    broken = page(b"<html>busy</html>", list_url(doi_filter([WORK])), START + 9 * DAY)
    twice = of_dois(START + 10 * DAY, [WORK], SAME, SAME)
    rows = covered(collected(*SHOWN, last, *PAGES, none, broken, twice))
    found = rows.filter(source="openalex").sort("listed_on")
    columns = ("state", "fetch_count", "failure_count", "item_count", "paper_count")
    days = [((row[0] - START.date()).days, *row[1:]) for row in found.select("listed_on", *columns).iter_rows()]
    assert days == [
        (1, "complete", 1, 0, 4, 3),
        (2, "complete", 2, 0, 2, 2),
        (3, "complete", 2, 0, 2, 2),
        (5, "complete", 1, 0, 1, 1),
        (6, "complete", 2, 0, 2, 2),
        (7, "complete", 1, 0, 2, 1),
        (8, "empty", 1, 0, 1, 0),
        (9, "missing", 0, 1, None, None),
        (10, "complete", 1, 0, 1, 1),
    ]
    assert not found["is_expected"].any()
