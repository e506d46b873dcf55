"""The marts over time, on a database of a few sightings: each shows what it does not know."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests import invented
from tests.builders import TIDES, WOVEN, sighting
from tests.collected import collected as read
from tests.collected import page
from tests.little_lake import made, made_once, of_sightings
from transforms.collect.collect import Collected
from warehouse.archive.captured import Capture
from warehouse.schema.catalog import MART_TABLES
from warehouse.schema.marts.source_fields import FIELDS

FIRST, LATE = date(2025, 3, 3), date(2025, 3, 5)  # around the day on which repositories came
GITHUB = {"github_url": "https://github.com/loom/woven"}


def listed(capture: str, at: datetime, on: date, paper_id: str, **told: Any) -> dict[str, Any]:
    base = {"list_kind": "daily", "listed_on": on, "listed_basis": "request", "upvote_count": 4}
    titles = {WOVEN: "Woven Ledgers", TIDES: "Slow Tides"}
    return sighting(capture * 20, at, paper_id, **(base | {"title": titles.get(paper_id, paper_id)} | told))


SIGHTINGS = (
    listed("a", datetime(2025, 3, 3, 12), FIRST, WOVEN, published_on=date(2025, 3, 1), published_basis="stated"),
    listed("b", datetime(2025, 3, 5, 6), LATE, TIDES, submitter_login="ada", submitter_name="Ada", upvote_count=2),
    listed("c", datetime(2025, 3, 5, 18), LATE, TIDES, upvote_count=6, **GITHUB),
    listed("d", datetime(2025, 3, 7, 0), LATE, TIDES, upvote_count=10, keywords=["Looms", "looms", "tides"], **GITHUB),
    listed(
        "e",
        datetime(2025, 10, 7),
        date(2025, 10, 7),
        "2510.00001",
        organization_name="Loomworks",
        keywords=["looms"],
        abstract="We introduce LoomFS, a library. It is 2x faster. It takes only 3 hours, and it is 3x faster than Pear.",
    ),
    listed("f", datetime(2025, 10, 7), date(2025, 10, 7), "2510.00002", abstract="Our loom is 5x faster."),
)


database = made_once(lambda: of_sightings(*SIGHTINGS))


@pytest.mark.parametrize("table", MART_TABLES, ids=lambda table: table.name)
def test_a_mart_is_what_it_declares(database: duckdb.DuckDBPyConnection, table) -> None:
    rows = database.sql(f"FROM mart.{table.name}").pl()
    assert rows.schema == table.schema
    assert table.split(rows)[1].is_empty()
    assert rows.select(table.key).is_unique().all()


def test_every_field_is_declared_and_asked(database: duckdb.DuckDBPyConnection) -> None:
    fields = {field.name for field in FIELDS}
    assert fields >= {"abstract", "author_login", "github_url", "media_urls", "organization_name", "upvote_count"}
    assert not fields & {"capture_id", "title", "organization_login", "model_count", "outer_title"}
    assert set(database.sql("SELECT field FROM source_fields").pl()["field"]) == fields
    asked = "SELECT field FROM field_availability WHERE month_on = '2025-10-01' AND known_paper_count > 0"
    there = {field.name for field in FIELDS if field.since is None or field.since < date(2025, 10, 7)}
    assert set(database.sql(asked).pl()["field"]) == there
    since = "SELECT since_on FROM source_fields WHERE field = 'github_url'"
    assert database.sql(since).fetchall() == [(date(2025, 3, 4),)]


def test_a_field_that_came_within_a_month_counts_papers_since_then(database: duckdb.DuckDBPyConnection) -> None:
    of_field = "SELECT paper_count, known_paper_count, shown_paper_count, share, state FROM field_availability "
    march = f"{of_field} WHERE month_on = '2025-03-01' AND field = "
    assert database.sql(f"{march} 'github_url'").fetchall() == [(2, 1, 1, 1.0, "part")]
    assert database.sql(f"{march} 'organization_name'").fetchall() == [(2, 0, 0, None, "none")]
    assert database.sql(f"{march} 'upvote_count'").fetchall() == [(2, 2, 2, 1.0, "whole")]


def test_a_field_that_is_filled_in_later_is_dated_by_the_page(database: duckdb.DuckDBPyConnection) -> None:
    asked = (
        "SELECT * EXCLUDE (month_on) FROM fields_filled_in WHERE field IN ('keywords', 'github_url', 'submitter_login')"
    )
    assert database.sql(f"{asked} ORDER BY field").fetchall() == [
        ("github_url", date(2025, 3, 4), 1, date(2025, 3, 5), date(2025, 3, 5), 0.75),  # one page before lacked it
        ("keywords", date(2025, 3, 11), 1, date(2025, 3, 7), date(2025, 3, 7), 2.0),
    ]


def test_a_month_before_the_field_has_null_and_not_zero(database: duckdb.DuckDBPyConnection) -> None:
    asked = "SELECT paper_count, repository_paper_count, repository_share, organization_paper_count, organization_share"
    assert database.sql(f"{asked} FROM papers_by_month").fetchall() == [(2, 1, 1.0, None, None), (2, 0, 0.0, 1, 0.5)]


def test_organizations_and_keywords_have_their_denominators(database: duckdb.DuckDBPyConnection) -> None:
    organizations = "SELECT organization_id, paper_count, known_paper_count, share FROM organizations_by_month"
    assert database.sql(organizations).fetchall() == [("name:loomworks", 1, 2, 0.5)]
    keywords = (
        "SELECT month(month_on), keyword, paper_count, keyword_paper_count, share FROM keywords_by_month ORDER BY ALL"
    )
    assert database.sql(keywords).fetchall() == [(3, "looms", 1, 1, 1), (3, "tides", 1, 1, 1), (10, "looms", 1, 1, 1)]


NEW_YEAR = (date(2024, 12, 30), date(2025, 1, 3))  # a Monday and a Friday
SEPTEMBER = [f"2509.0000{number}" for number in range(1, 6)]


def of_three_seasons() -> Collected:
    """New Year's week, September and October of 2025: no paper is in two of them."""
    monday, friday = NEW_YEAR
    at = datetime(2025, 1, 4, 6)
    rows = [
        listed("a", at, monday, WOVEN, upvote_count=9),
        listed("b", at, friday, WOVEN, upvote_count=9),
        listed("c", at, friday, TIDES, upvote_count=9),
        listed("d", at, friday, "2501.00003", upvote_count=3),
        listed("e", at, friday, "2501.00004", upvote_count=None),
    ]
    day, late = date(2025, 9, 2), date(2025, 9, 29)
    rows += [listed("1", datetime(2025, 9, 2, 8), day, paper) for paper in SEPTEMBER[:3]]
    rows += [
        listed("2", None, day, paper, source=source, list_kind="saved", organization_name="Loomworks")
        for source in ("text", "copy")
        for paper in SEPTEMBER[:3]
    ]
    rows.append(listed("3", datetime(2025, 9, 29, 8), late, SEPTEMBER[3]))
    rows.append(listed("4", datetime(2025, 9, 30, 8), late, SEPTEMBER[4], organization_login="loom"))
    at, day = datetime(2025, 10, 7, 8), date(2025, 10, 7)
    rows.append(listed("5", at, day, "2510.00001", keywords=["LLMs", "large language models (LLMs)", "tides"]))
    rows.append(listed("6", at, day, "2510.00002", keywords=["llm"]))
    return of_sightings(*(row | {"position": number} for number, row in enumerate(rows, 1)))


seasons = made_once(of_three_seasons)


def test_a_share_of_organizations_is_of_the_papers_that_it_counts(seasons: duckdb.DuckDBPyConnection) -> None:
    """Of three papers from before the source had organizations only a text and a copy show one; one since has none."""
    asked = "SELECT organization_id, paper_count, known_paper_count, share FROM organizations_by_month"
    assert seasons.sql(asked).fetchall() == [("loom", 1, 2, 0.5)]
    asked = "SELECT organization_paper_count FROM papers_by_month WHERE month_on = '2025-09-01'"
    assert seasons.sql(asked).fetchall() == [(1,)]


def test_ways_to_write_a_keyword_count_once_a_paper(seasons: duckdb.DuckDBPyConnection) -> None:
    asked = "SELECT keyword, share, normal_keyword, normal_paper_count, normal_share FROM keywords_by_month"
    assert seasons.sql(f"{asked} ORDER BY ALL").fetchall() == [
        ("large language models (llms)", 0.5, "large language model", 2, 1.0),
        ("llm", 0.5, "large language model", 2, 1.0),
        ("llms", 0.5, "large language model", 2, 1.0),
        ("tides", 0.5, "tide", 1, 0.5),
    ]


def test_a_submitter_has_counts_and_times(database: duckdb.DuckDBPyConnection) -> None:
    assert database.sql("FROM submitters").fetchall() == [("ada", "Ada", 1, 1, LATE, LATE, 10, 10.0, 48.0)]


def test_a_lag_is_null_where_it_is_not_known(database: duckdb.DuckDBPyConnection) -> None:
    asked = "SELECT published_to_listed_days, published_to_submitted_hours, repository_basis, listed_to_repository_days"
    rows = database.sql(f"{asked} FROM listing_lag WHERE listed_on < '2025-04-01' ORDER BY listed_on").fetchall()
    assert rows == [(2, None, None, None), (None, None, "appeared", 0)]


def test_a_curve_stands_between_two_looks(database: duckdb.DuckDBPyConnection) -> None:
    asked = (
        "SELECT observation_count, half_after_hours, half_by_hours, most_after_hours, most_by_hours FROM upvote_curves"
    )
    assert database.sql(f"{asked} WHERE paper_id = '{TIDES}'").fetchall() == [(3, 6.0, 18.0, 18.0, 48.0)]
    assert database.sql(f"{asked} WHERE paper_id = '{WOVEN}'").fetchall() == [(1, None, None, None, None)]


def test_a_paper_on_two_lists_counts_from_the_first(tmp_path: Path) -> None:
    first, second = datetime(2025, 3, 5, 6), datetime(2025, 3, 7)
    rows = [listed("a", first, LATE, TIDES), listed("a", first, LATE, WOVEN)]
    rows += [listed("b", second, date(2025, 3, 6), one, upvote_count=8, **GITHUB) for one in (TIDES, WOVEN)]
    rows.append(listed("c", datetime(2025, 3, 8), date(2025, 3, 6), WOVEN, upvote_count=8, **GITHUB))
    with made(tmp_path, of_sightings(*rows)) as database:
        filled = "SELECT first_filled_on, median_days FROM fields_filled_in WHERE field = 'github_url'"
        assert database.sql(filled).fetchall() == [(date(2025, 3, 7), 2.0)]
        curves = "SELECT observation_count, half_by_hours, most_after_hours, most_by_hours FROM upvote_curves"
        assert database.sql(f"{curves} ORDER BY ALL").fetchall() == [(2, 6.0, 6.0, 48.0), (3, 6.0, 6.0, 48.0)]


def test_how_late_upvotes_were_seen_stands_beside_them(database: duckdb.DuckDBPyConnection) -> None:
    hours = "SELECT paper_id, upvote_count, last_observed_hours FROM daily_papers WHERE listed_on < '2025-04-01'"
    assert set(database.sql(hours).fetchall()) == {(WOVEN, 4, 12.0), (TIDES, 10, 48.0)}
    months = "SELECT median_upvote_count, median_observed_hours FROM papers_by_month ORDER BY month_on"
    assert database.sql(months).fetchall() == [(7.0, 30.0), (4.0, 0.0)]
    organizations = "SELECT group_name, median_observed_hours FROM organizations_by_month"
    assert database.sql(organizations).fetchall() == [("Loomworks", 0.0)]
    assert database.sql("SELECT upvote_count, last_observed_hours FROM systems").fetchall() == [(4, 0.0)]
    comparing = {mart.name for mart in MART_TABLES if "upvote_count" in " ".join(mart.column_names)}
    late = {mart.name for mart in MART_TABLES if "observed_hours" in " ".join(mart.column_names)}
    assert comparing == late


def test_a_week_s_papers_in_the_order_of_their_upvotes(seasons: duckdb.DuckDBPyConnection) -> None:
    """In New Year's week: two of one rank, one without shown upvotes, one on two days."""
    monday, friday = NEW_YEAR
    asked = "SELECT rank, paper_id, listed_on, last_observed_hours, observation_count, paper_count FROM papers_by_week"
    of_week = f"{asked} WHERE week = '2025-W01' ORDER BY rank NULLS LAST, paper_id"
    assert seasons.sql(of_week).fetchall() == [
        *sorted([(1, WOVEN, monday, 126.0, 1, 4), (1, TIDES, friday, 30.0, 1, 4)], key=lambda row: row[1]),
        (3, "2501.00003", friday, 30.0, 1, 4),
        (None, "2501.00004", friday, None, 0, 4),
    ]
    weeks = "SELECT DISTINCT week, is_over FROM papers_by_week WHERE week_on = '2024-12-30'"
    assert seasons.sql(weeks).fetchall() == [("2025-W01", None)]
    months = "SELECT paper_count FROM papers_by_month ORDER BY month_on"
    assert seasons.sql(months).fetchall() == [(1,), (4,), (5,), (2,)]


def test_growth_is_measured_between_observations(database: duckdb.DuckDBPyConnection) -> None:
    asked = (
        "SELECT observation_number, observation_count, observed_hours, upvote_count, gained_upvote_count, "
        "since_last_hours, gained_per_day FROM upvote_growth"
    )
    assert database.sql(f"{asked} WHERE paper_id = '{TIDES}' ORDER BY observed_at").fetchall() == [
        (1, 3, 6.0, 2, None, None, None),
        (2, 3, 18.0, 6, 4, 12.0, 8.0),
        (3, 3, 48.0, 10, 4, 30.0, 3.2),
    ]
    assert database.sql(f"{asked} WHERE paper_id = '{WOVEN}'").fetchall() == [(1, 1, 12.0, 4, None, None, None)]


def test_a_month_tells_of_how_many_lists_it_is_made(tmp_path: Path) -> None:
    """Thursday's list was fetched after it was closed, Friday's before, Saturday is not expected; Monday is lacking."""
    thursday, friday, tuesday = date(2023, 5, 4), date(2023, 5, 5), date(2023, 5, 9)

    def list_of(day: date, at: datetime) -> Capture:
        answer = invented.daily_answer([invented.paper(day.day, day)], at)
        return page(answer, f"{invented.HUB}/api/daily_papers?date={day}", at)

    pages = [list_of(day, datetime(2023, 5, 9, 18)) for day in (thursday, tuesday)]
    pages.append(list_of(friday, datetime(2023, 5, 5, 12)))
    with made(tmp_path, read(*pages)) as database:
        states = "SELECT listed_on, list_state FROM daily_papers ORDER BY listed_on"
        assert database.sql(states).fetchall() == [(thursday, "complete"), (friday, "partial"), (tuesday, "partial")]
        counts = "SELECT day_count, expected_day_count, complete_day_count, is_over, paper_count FROM papers_by_month"
        assert database.sql(counts).fetchall() == [(3, 4, 1, False, 3)]
        weeks = "SELECT DISTINCT week, expected_day_count, complete_day_count, is_over, paper_count FROM papers_by_week"
        assert database.sql(f"{weeks} ORDER BY week").fetchall() == [
            ("2023-W18", 2, 1, True, 2),
            ("2023-W19", 2, 0, False, 1),
        ]


@pytest.mark.parametrize(("at", "is_over"), [(datetime(2023, 7, 1, 1, 29), False), (datetime(2023, 7, 1, 1, 30), True)])
def test_a_month_is_over_when_its_last_list_is_closed(tmp_path: Path, at: datetime, is_over: bool) -> None:
    """June 2023 ended on a Friday, whose list is closed at 21:30 in New York."""
    day = date(2023, 6, 30)
    answer = invented.daily_answer([invented.paper(1, day)], at)
    with made(tmp_path, read(page(answer, f"{invented.HUB}/api/daily_papers?date={day}", at))) as database:
        assert database.sql("SELECT month_on, is_over FROM papers_by_month").fetchall() == [(date(2023, 6, 1), is_over)]
        assert database.sql("SELECT is_over FROM papers_by_week").fetchall() == [(is_over,)]


def test_a_list_that_nobody_captured_has_no_state(database: duckdb.DuckDBPyConnection) -> None:
    """Sightings without their captures, as far as coverage goes: nothing is known of their lists, and nothing is 0."""
    assert database.sql("SELECT DISTINCT list_state FROM daily_papers").fetchall() == [(None,)]
    asked = "SELECT DISTINCT expected_day_count, complete_day_count FROM papers_by_month"
    assert database.sql(asked).fetchall() == [(None, None)]


def test_a_system_has_the_claim_that_names_its_peer(database: duckdb.DuckDBPyConnection) -> None:
    asked = "SELECT name, kind, organization_name, claim, claim_comparator, claim_count, claim_sentence FROM systems"
    sentence = "It takes only 3 hours, and it is 3x faster than Pear."
    assert database.sql(asked).fetchall() == [("LoomFS", "library", "Loomworks", "3x", "Pear", 3, sentence)]


def test_claims_of_a_year_have_their_denominator(database: duckdb.DuckDBPyConnection) -> None:
    asked = "SELECT * EXCLUDE (year_on, abstract_paper_count) FROM claims_by_metric ORDER BY metric"
    assert database.sql(asked).fetchall() == [
        ("latency", "s", "level", 1, 0.5, 1, None, None, None),  # hours and milliseconds are not compared
        ("speedup", "x", "up", 2, 1.0, 3, 3.0, 5.0, "2510.00002"),
    ]
    asked = "SELECT DISTINCT year_on, abstract_paper_count FROM claims_by_metric"
    assert database.sql(asked).fetchall() == [(date(2025, 1, 1), 2)]
