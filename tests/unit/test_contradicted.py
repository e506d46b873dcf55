"""Days that come after the month of the arXiv id: kept as they were said, and used nowhere as if they were so."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime
from itertools import permutations

import pytest

from paperlake.answers.citations import citations
from tests import invented
from tests.builders import ONE, TWO, A, B, C, frame, only, sighting
from tests.collected import collected, page
from tests.little_lake import made
from transforms.core.conflicts import conflicts
from transforms.core.derive import of_papers
from transforms.core.papers import papers
from transforms.corrections import Correction, declared
from warehouse.limits import QueryLimits
from warehouse.release.query import Database

LISTED = date(2026, 4, 20)
PUBLISHED = {  # days, and how far they hold
    "2502.07408": (date(2026, 4, 16), "contradicted"),
    "2603.27844": (date(2026, 4, 1), "contradicted"),
    "2603.27845": (date(2026, 3, 31), "stated"),
    "2604.00001": (date(2026, 3, 9), "stated"),  # arXiv held it back
    "hep-th/9901001": (date(1999, 2, 1), "contradicted"),
    "hep-th/0001001": (date(1999, 12, 31), "stated"),
}

NAMES = ("Oar", "Tide", "Loom", "Reed", "Kettle", "Amber")


@pytest.fixture(scope="module")
def database(tmp_path_factory) -> Iterator[Database]:
    shown = [
        replace(
            invented.paper(number, LISTED),
            arxiv_id=paper_id,
            title=f"{name}Net: Rowing Without Oars",
            published_at=datetime.combine(on, datetime.min.time()),
        )
        for number, (name, (paper_id, (on, _))) in enumerate(zip(NAMES, PUBLISHED.items(), strict=True), 1)
    ]
    at = datetime(2026, 4, 20, 18)
    answer = invented.daily_answer(shown, at)
    read = collected(page(answer, f"{invented.HUB}/api/daily_papers?date={LISTED}", at))
    with made(tmp_path_factory.mktemp("lake"), read) as connection:
        yield Database(connection, QueryLimits())


@pytest.mark.parametrize("table", ["papers", "sightings", "paper_as_of('2027-01-01')", "listing_lag"])
def test_a_day_stays_as_it_was_said_and_its_basis_says_how_far_it_holds(database: Database, table: str) -> None:
    rows = database.rows(f"SELECT paper_id, published_on, published_basis FROM {table}").rows
    assert {paper_id: told for paper_id, *told in rows} == {one: list(told) for one, told in PUBLISHED.items()}


def test_marts_have_no_day_that_is_contradicted(database: Database) -> None:
    sound = {one: on if basis == "stated" else None for one, (on, basis) in PUBLISHED.items()}
    for mart in ("daily_papers", "systems"):
        assert dict(database.rows(f"SELECT paper_id, published_on FROM {mart}").rows) == sound
    assert dict(database.rows("SELECT paper_id, published_to_listed_days FROM listing_lag").rows) == {
        one: on and (LISTED - on).days for one, on in sound.items()
    }


def test_citations_have_the_month_of_the_id(database: Database) -> None:
    ids = list(PUBLISHED)
    wanted = [[2025, 2], [2026, 3], [2026, 3, 31], [2026, 3, 9], [1999, 1], [1999, 12, 31]]
    assert [one["issued"]["date-parts"] for one in json.loads(citations(database, ids, "csl-json"))] == [
        [parts] for parts in wanted
    ]
    entries = citations(database, ids, "bibtex").split("\n\n")
    for entry, (year, month, *_) in zip(entries, wanted, strict=True):
        assert f"year = {{{year}}},\n  month = {date(year, month, 1):%b}".lower() in entry


def test_a_sound_day_stands_above_one_that_is_contradicted_in_any_order() -> None:
    rows = [
        sighting(A, TWO, published_on=date(2025, 9, 29), published_basis="contradicted"),
        sighting(B, ONE, source="text", published_on=date(2025, 3, 4), published_basis="inferred"),
        sighting(C, TWO, source="html", published_on=date(2025, 3, 2), published_basis="stated"),
    ]
    for some in (rows, rows[:2]):
        sound = max(some[1:], key=lambda row: row["published_basis"])
        for order in permutations(some):
            row = only(papers(frame(*order)))
            assert (row["published_on"], row["published_basis"]) == (sound["published_on"], sound["published_basis"])
            told = conflicts(frame(*order)).filter(basis="contradicted")
            assert told.select("value", "is_winner", "rule").rows() == [("2025-09-29", False, "stated")]


def test_a_page_without_ids_is_judged_by_the_id_of_its_paper() -> None:
    told = {"arxiv_id": None, "published_on": date(2025, 4, 1), "published_basis": "stated"}
    assert only(papers(frame(sighting(A), sighting(B, source="text", **told))))["published_basis"] == "contradicted"


@pytest.mark.parametrize(("right", "basis"), [("2025-03-31", "stated"), ("2025-04-01", "contradicted")])
def test_the_basis_of_a_corrected_day_follows_it(right: str, basis: str) -> None:
    seen = frame(sighting(published_on=date(2052, 3, 4), published_basis="contradicted"))
    said = {"key": {"paper_id": only(seen)["paper_id"]}, "reason": "r", "source": "s"}
    entry = Correction("papers", column="published_on", seen="2052-03-04", right=right, **said)
    assert only(of_papers(seen, corrections=declared([entry]))["papers"])["published_basis"] == basis
