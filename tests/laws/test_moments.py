"""What was known at a moment stays what it was: of each, a lake of all pages says what one says that ends there."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from tests.collected import collected, page
from tests.invented import HUB
from tests.little_lake import made, made_once
from tests.unit import test_adoption, test_paper_publications, test_paper_status
from tests.unit.test_adoption import LOOMS, TIDES, own
from warehouse.schema.catalog import MACROS
from warehouse.schema.shared import OUTCOMES

START = test_paper_status.START
DAY = timedelta(days=1)
LATE = "2512.07000"  # a paper that the list has later than a page of its own
LIST = f"{HUB}/api/daily_papers?date={START:%Y-%m-%d}"
CLAIMS = [f"We introduce LoomNet. It reaches {number}% on GSM8K." for number in (71.5, 82.5, 79.5)]


def listed(hours: float, *upvotes: int) -> dict[str, object]:
    papers = [
        {"id": one, "title": f"Looms at {hours}", "upvotes": count}
        for one, count in zip((LOOMS, TIDES, LATE), upvotes, strict=False)
    ]
    return {
        "content": [{"paper": paper} for paper in papers],
        "url": LIST,
        "fetched_at": START + timedelta(hours=hours),
    }


EVERY = (
    *(page(**listed(hours, *upvotes)) for hours, *upvotes in ((0, 3), (1, 5, 1), (30, 9, 8, 7), (80, 2, 11))),
    page(
        [{"paper": {"id": LOOMS, "title": "Looms", "ai_keywords": ["looms"]}}],
        f"{HUB}/api/daily_papers?sort=trending",
        START + 3 * DAY,
    ),
    *(
        own(f"2512.0700{number}", START + days * DAY, [], 0, summary=CLAIMS[number], upvotes=number)
        for number, days in ((0, 0), (1, 1), (2, 4))
    ),
    *test_adoption.PAGES,
    *test_paper_status.SHOWN,
    *test_paper_status.PAGES,
    *test_paper_publications.SHOWN,
    *test_paper_publications.PAGES,
    *test_paper_publications.FOUR_SHOWN,
    *test_paper_publications.OF_TWO,
)
PAGES = {one.capture_id: one for one in EVERY}.values()
ASKED = {
    "adoption_as_of": "adoption_as_of('{}')",
    "board_as_of": "board_as_of('GSM8K', '{}')",
    "listing_as_of": f"listing_as_of('{START:%Y-%m-%d}', '{{}}')",
    "panel": "panel('{}', '0 hours')",
    "paper_as_of": "paper_as_of('{}')",
    "paper_publications_as_of": "paper_publications_as_of('{}')",
    "paper_status_as_of": "paper_status_as_of('{}')",
    "trending_as_of": "trending_as_of('{}', 7)",
    "upvotes_at": f"(SELECT upvotes_at('{LOOMS}', '{{}}'))",
}
FEATURES = (
    "SELECT COLUMNS(lambda name: NOT starts_with(name, 'label_')) FROM"  # of a panel, whatever follows its cutoff
)
# What became of each paper, as the view `paper_outcomes` of a lake that ends at a moment has it
OUTCOMES_THEN = f"""(SELECT paper_id, arg_min(status, list_position({[*OUTCOMES]}, status)) AS status FROM (
    SELECT paper_id, status FROM paper_status_as_of('{{0}}')
    UNION ALL SELECT paper_id, status FROM paper_publications_as_of('{{0}}') WHERE rank = 1
) WHERE list_contains({[*OUTCOMES]}, status) GROUP BY paper_id)"""


database = made_once(lambda: collected(*PAGES))


def test_every_macro_of_a_moment_is_asked_and_has_rows(database: duckdb.DuckDBPyConnection) -> None:
    assert {one.name for one in MACROS if {"ts", "moment", "cutoff"} & one.parameters.keys()} == set(ASKED)
    rows = {name: database.sql(f"FROM {asked.format(START + 2 * DAY)}").fetchall() for name, asked in ASKED.items()}
    assert all(rows.values()), rows


@pytest.mark.parametrize("days", [0.06, 2, 4.5])  # amid the looks of an hour, at two looks, amid those of days
def test_a_moment_is_a_lake_that_ends_there(database: duckdb.DuckDBPyConnection, tmp_path: Path, days: float) -> None:
    moment: datetime = START + days * DAY
    with made(tmp_path, collected(*(one for one in PAGES if one.fetched_at and one.fetched_at <= moment))) as cut:
        for name, asked in ASKED.items():
            query = f"FROM {asked.format(moment)} ORDER BY ALL"
            assert cut.sql(query).fetchall() == database.sql(query).fetchall(), name
            if name.endswith("_as_of") and not name.startswith(("listing", "trending")):  # which are of a day
                today = f"FROM {asked.format('2099-01-01')} ORDER BY ALL"
                assert cut.sql(today).fetchall() == cut.sql(query).fetchall(), name
        for query in (f"{FEATURES} panel('{moment}', '1 day')", f"FROM panel('{moment - DAY}', '1 day')"):
            assert cut.sql(f"{query} ORDER BY ALL").fetchall() == database.sql(f"{query} ORDER BY ALL").fetchall()
        then = database.sql(f"FROM {OUTCOMES_THEN.format(moment)} ORDER BY ALL").fetchall()
        assert cut.sql("FROM mart.paper_outcomes ORDER BY ALL").fetchall() == then
