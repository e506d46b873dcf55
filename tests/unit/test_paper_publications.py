"""Where papers were published and whether that was retracted, at several moments, by one registry and by two; and on
which days it was asked for.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

import bibtexparser
import duckdb

from flows.plan.others_due import doi_filter, paper_filter
from paperlake.answers.citations import citations
from paperlake.answers.one_paper import one_paper, status_words_of, with_status
from paperlake.answers.one_paper_text import one_paper_text
from tests.arxiv.records import Record, of_paper, paper_url
from tests.collected import collected, page
from tests.derived import covered
from tests.little_lake import made_once
from tests.unit.test_adoption import LOOMS, TIDES, own
from tests.works.messages import NO_SUCH, Message, Update, work_url
from tests.works.openalex import OpenWork, list_url, listed
from warehouse.archive.captured import Capture
from warehouse.limits import QueryLimits
from warehouse.release.query import Database

START = datetime(2026, 1, 26, 8)
DAY = timedelta(days=1)
WORK, NOTICE, POSTED, BOOK, LOST = (f"10.5555/{name}" for name in ("loom.7", "notice.1", "pre.2", "book.3", "lost.4"))
FIRST = datetime(2025, 12, 3, 17, 0, 1)
SOUND = Message(WORK, title="woven looms!", preprints=[("arxiv", f"{LOOMS}v1")])
RETRACTED = replace(SOUND, updated_by=[Update(NOTICE, source="retraction-watch")])
TELLS = Message(NOTICE, title="Retraction", update_to=[Update(WORK.upper(), on=date(2026, 5, 2))])


def at_arxiv(at: datetime, paper: str, doi: str | None) -> Capture:
    return page(of_paper(Record(paper, FIRST, doi=doi), at), paper_url(paper), at)


def work(at: datetime, message: Message | None, doi: str = "") -> Capture:
    if message is None:
        return page(NO_SUCH, work_url(doi), at, http_status=404)
    return page(message.answer, work_url(message.doi), at)


SHOWN = (own(LOOMS, START, [], 0, title="Woven Looms"), own(TIDES, START, [], 0))
PAGES = (
    at_arxiv(START, LOOMS, f"{WORK.upper()}, 10.48550/arXiv.{LOOMS}"),
    work(START + DAY, SOUND),
    work(START + 3 * DAY, TELLS),
    work(START + 5 * DAY, RETRACTED),
    work(START + 9 * DAY, SOUND),
    at_arxiv(START, TIDES, f"{POSTED} {LOST}."),
    work(START + DAY, Message(POSTED, "posted-content", venue=None, preprint_of=[("doi", BOOK)])),
    work(START + DAY, None, LOST),
    work(START + 2 * DAY, Message(BOOK, "book-chapter", preprints=[("doi", f"10.48550/arXiv.{LOOMS}v3")])),
    work(START + 4 * DAY, Message(BOOK, "book-chapter", updated_by=[Update(NOTICE, "correction")])),
    at_arxiv(START + 6 * DAY, TIDES, None),
)


database = made_once(lambda: collected(*SHOWN, *PAGES))


def told(database: duckdb.DuckDBPyConnection, paper: str, columns: str, doi: str = "%") -> list[tuple[Any, ...]]:
    asked = f"""SELECT known_from, {columns} FROM mart.paper_publications
    WHERE paper_id = $1 AND doi LIKE $2 ORDER BY known_from, rank"""
    return [((row[0] - START).days, *row[1:]) for row in database.execute(asked, [paper, doi]).fetchall()]


def test_a_retraction_is_told_by_either_end_and_can_be_undone(database: duckdb.DuckDBPyConnection) -> None:
    columns = "status, retracted_on, notice_doi, told_by, is_told_by_work, is_told_by_notice"
    by_notice = ("retracted", date(2026, 5, 2), NOTICE, ["publisher"], False, True)
    assert told(database, LOOMS, columns, WORK) == [
        (1, "published", *[None] * 5),
        (2, "published", *[None] * 5),
        (3, *by_notice),
        (4, *by_notice),
        (5, "retracted", date(2026, 5, 2), NOTICE, ["publisher", "retraction-watch"], True, True),
        (9, *by_notice),
    ]
    flags = "found_by, is_confirmed, is_same_title, venue, published, bibtex_fields IS NOT NULL"
    (first, *_) = told(database, LOOMS, flags, WORK)
    assert first == (1, "author", True, True, "Journal of <i>Looms</i> & Tides", "2026-03", True)


def test_what_came_of_a_preprint_until_the_author_names_it_no_more(database: duckdb.DuckDBPyConnection) -> None:
    assert told(database, TIDES, "status, found_by, rank", POSTED) == [
        (1, "preprint", "author", 1),
        (2, "preprint", "author", 1),
        (4, "preprint", "author", 2),
    ]
    assert told(database, TIDES, "status, rank", LOST) == [(1, "unknown", 2), (2, "unknown", 3), (4, "unknown", 3)]
    assert told(database, TIDES, "status, found_by, rank, is_confirmed", BOOK) == [
        (2, "other_paper", "preprint", 2, False),
        (4, "published", "preprint", 1, False),
    ]
    assert told(database, LOOMS, "status, found_by, is_confirmed", BOOK) == [
        (2, "published", "registry", True),
        (3, "published", "registry", True),
    ]
    today = "SELECT doi FROM mart.paper_publications WHERE known_until IS NULL"
    assert database.sql(today).fetchall() == [(WORK,)]


def test_shown_in_citations_and_beside_papers(database: duckdb.DuckDBPyConnection) -> None:
    asked = Database(database, QueryLimits())
    entry = citations(asked, [LOOMS], "bibtex")
    assert entry.startswith("@article{")
    for line in (
        "  journal = {Journal of Looms \\& Tides},",
        "  volume = {3},",
        "  pages = {7-19},",
        "  year = {2026},",
        f"  doi = {{{WORK}}},",
        f"  eprint = {{{LOOMS}}},",
        "  note = {Retracted on 2026-05-02, by Crossref, as seen on 2026-02-04}",
    ):
        assert line in entry.splitlines()
    assert (entry.count("doi = "), entry.count("year = "), "month = " in entry) == (1, 1, False)
    assert len(bibtexparser.parse_string(entry).entries) == 1
    ris, (csl,) = citations(asked, [LOOMS], "ris"), json.loads(citations(asked, [LOOMS], "csl-json"))
    assert {"TY  - JOUR", f"DO  - {WORK}", "PY  - 2026", "VL  - 3"} <= {*ris.splitlines()}
    assert (csl["type"], csl["DOI"], csl["issued"]) == ("article-journal", WORK, {"date-parts": [[2026, 3]]})
    words = f"retracted on 2026-05-02 as {WORK}, says its publisher, by Crossref"
    assert csl["note"] == f"{words[0].upper()}{words[1:]}."
    assert citations(asked, [TIDES], "bibtex").startswith("@misc{"), "what its author names no more"
    assert with_status(asked, [{"paper_id": LOOMS}, {"paper_id": TIDES}]) == [
        {"paper_id": LOOMS, "status": words},
        {"paper_id": TIDES},
    ]
    assert status_words_of(asked, [LOOMS], START + 2 * DAY) == {}, "before it was known"


def test_what_became_of_a_paper_in_a_word(database: duckdb.DuckDBPyConnection) -> None:
    """A retraction comes before what arXiv has, which is the paper as it was."""
    asked = "SELECT paper_id, status FROM mart.paper_outcomes WHERE paper_id IN ($1, $2) ORDER BY ALL"
    found = dict(database.execute(asked, [LOOMS, TIDES]).fetchall())
    assert found == {LOOMS: "retracted", TIDES: "present"}, "its last work is another's"
    hits = "SELECT paper_id, status FROM mart.search_papers('woven looms') WHERE paper_id = $1"
    assert database.execute(hits, [LOOMS]).fetchall() == [(LOOMS, "retracted")]


def test_what_a_paper_shows(database: duckdb.DuckDBPyConnection) -> None:
    shown = one_paper_text(one_paper(Database(database, QueryLimits()), LOOMS), screen=200)
    assert f"published as retracted on 2026-05-02 as {WORK}, says its publisher, by Crossref, Journal of" in " ".join(
        shown.split()
    )


def test_on_which_days_works_were_asked_for() -> None:
    broken = page(b"<html>busy</html>", work_url(WORK), START + DAY)
    last = own(LOOMS, START + 20 * DAY, [], 0)
    rows = covered(collected(*SHOWN, last, *PAGES, broken, page(b"[]", work_url(LOST), START + 7 * DAY)))
    found = rows.filter(source="crossref").sort("listed_on")
    columns = ("listed_on", "state", "fetch_count", "failure_count", "item_count", "paper_count")
    days = [(row[0] - START.date(), *row[1:]) for row in found.select(columns).iter_rows()]
    assert days == [
        (DAY, "partial", 3, 1, 3, 2),
        (2 * DAY, "complete", 1, 0, 1, 1),
        (3 * DAY, "complete", 1, 0, 1, 1),
        (4 * DAY, "complete", 1, 0, 1, 1),
        (5 * DAY, "complete", 1, 0, 1, 1),
        (7 * DAY, "missing", 0, 1, None, None),
        (9 * DAY, "complete", 1, 0, 1, 1),
    ]
    assert found["reason"][0].startswith("failed: 1 of 1 items are in quarantine")
    assert not found["is_expected"].any()


def test_a_lake_that_never_asked_is_as_before() -> None:
    found = collected(*SHOWN, PAGES[0])
    assert found.published_works.is_empty()
    assert found.work_relations.is_empty()
    assert "crossref" not in covered(found)["source"].to_list()


KILNS, REEDS = "2512.03333", "2512.04444"
FOUND = OpenWork("10.5555/tide.2", [TIDES], title="Woven Looms")
UNPLACED = OpenWork(None, [KILNS], venue="Proceedings of Kilns", venue_type="conference")
PREPRINT = OpenWork(f"10.48550/arxiv.{REEDS}", [REEDS], venue=None)
SAME = OpenWork(WORK, [LOOMS], title="Woven Looms", published="2026-04-01")


def of_dois(at: datetime, dois: list[str], *works: OpenWork) -> Capture:
    return page(listed(works), list_url(doi_filter(dois)), at)


def of_papers(at: datetime, papers: list[str], *works: OpenWork) -> Capture:
    return page(listed(works), list_url(paper_filter(papers)), at)


FOUR_SHOWN = tuple(own(one, START, [], 0, title="Woven Looms") for one in (LOOMS, TIDES, KILNS, REEDS))
OF_TWO = (
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


of_two = made_once(lambda: collected(*FOUR_SHOWN, *OF_TWO))


def test_one_work_by_both_and_where_they_disagree(of_two: duckdb.DuckDBPyConnection) -> None:
    """Crossref goes first where both say the same; OpenAlex alone is a doubt where Crossref has the work."""
    assert told(of_two, LOOMS, "registry, status, is_confirmed, notice_doi, told_by") == [
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


def test_a_paper_without_a_doi_is_found_by_the_id_of_a_location(of_two: duckdb.DuckDBPyConnection) -> None:
    assert told(of_two, TIDES, "registry, doi, status, found_by, is_confirmed, venue, retracted_on") == [
        (1, "openalex", "10.5555/tide.2", "published", "registry", True, "Journal of Looms", None),
        (2, "openalex", "10.5555/tide.2", "retracted", "registry", True, "Journal of Looms", None),
        (3, "openalex", "10.5555/tide.2", "published", "registry", True, "Journal of Looms", None),
    ], "until OpenAlex says so no more"


def test_a_work_without_a_doi_stands_under_that_of_arxiv(of_two: duckdb.DuckDBPyConnection) -> None:
    assert told(of_two, KILNS, "doi, status, venue") == [
        (1, f"10.48550/arxiv.{KILNS}", "published", "Proceedings of Kilns"),
        (6, f"10.48550/arxiv.{KILNS}", "retracted", "Proceedings of Kilns"),
        (7, "10.5555/kiln.3", "published", "Proceedings of Kilns"),
    ]
    assert told(of_two, REEDS, "doi") == [], "what lies at arXiv alone was published nowhere"


def test_what_became_of_each_in_a_word(of_two: duckdb.DuckDBPyConnection) -> None:
    found = dict(of_two.sql("SELECT paper_id, status FROM mart.paper_outcomes").fetchall())
    assert found == {LOOMS: "retracted", TIDES: "present", KILNS: "published"}
    asked = Database(of_two, QueryLimits())
    words = f"retracted on {date(2026, 5, 9)} as {WORK}, says Retraction Watch, by Crossref"
    assert status_words_of(asked, [LOOMS, TIDES]) == {LOOMS: words}
    then = status_words_of(asked, [LOOMS, TIDES], START + 3 * DAY)
    assert then == {LOOMS: f"doubted, or partly retracted, as {WORK}, by OpenAlex"}
    assert status_words_of(asked, [TIDES], START + 2 * DAY) == {TIDES: "retracted as 10.5555/tide.2, by OpenAlex"}


def test_shown_on_the_paper_s_page_and_in_citations(of_two: duckdb.DuckDBPyConnection) -> None:
    asked = Database(of_two, QueryLimits())
    text = " ".join(one_paper_text(one_paper(asked, LOOMS), screen=200).split())
    assert "(Crossref, 2026-01-31" in text
    assert (
        f"Journal of Looms 3 7-19 2026-04-01, DOI {WORK}, names the paper as its preprint (OpenAlex, 2026-01-31" in text
    )
    entry = citations(asked, [KILNS], "bibtex")
    assert entry.startswith("@inproceedings{")
    assert "  booktitle = {Proceedings of Kilns}," in entry.splitlines()
    assert entry.count("doi = ") == 1


def test_on_which_days_lists_of_works_were_asked_for() -> None:
    last = own(LOOMS, START + 20 * DAY, [], 0)
    none = of_dois(START + 8 * DAY, ["10.5555/lost"])
    broken = page(b"<html>busy</html>", list_url(doi_filter([WORK])), START + 9 * DAY)
    twice = of_dois(START + 10 * DAY, [WORK], SAME, SAME)
    rows = covered(collected(*FOUR_SHOWN, last, *OF_TWO, none, broken, twice))
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
