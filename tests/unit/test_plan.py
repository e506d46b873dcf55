"""The planner: what is due when, from the archive's index."""

from datetime import date, datetime, timedelta
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.plan.due import Due, detail_targets, due, due_now, list_targets, next_due, page_targets
from flows.plan.past_calls import PastCalls
from flows.runtime.scope import Scope
from flows.runtime.settings import load
from warehouse.archive.captured import Known
from warehouse.archive.index import IndexEntry
from warehouse.schema.daily_lists import opens_at

HUB = "https://hub.example"
FRIDAY = date(2026, 10, 2)
OPENED = datetime(2026, 10, 2, 1, 30)  # 21:30 in New York
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
NUMBERS = count()


def entry(target: str, at: datetime, *, status: int | None = 200, size: int = 5000, **facts: object) -> IndexEntry:
    return IndexEntry(
        url=HUB + target,
        http_status=status,
        digest="sha256:0",
        length=1,
        offset=0,
        filename="a.warc.gz",
        capture_id=str(next(NUMBERS)),
        payload_bytes=size,
        date=f"{at.isoformat()}Z",
        fetched=f"{at.isoformat()}Z",
        **facts,
    )


def daily(day: date, page: int = 0) -> str:
    return f"/api/daily_papers?date={day}&limit=100" + (f"&p={page}" if page else "")


def history(*entries: IndexEntry, now: datetime = datetime(2030, 1, 1)) -> PastCalls:
    return PastCalls(entries, now)


def subjects(found: list[Due], kind: str) -> list[str]:
    return [due.subject for due in found if due.kind == kind]


def due_lists(scope: Scope, past: PastCalls, now: datetime) -> list[Due]:
    return due(list_targets(scope, now), past, now)


def due_pages(scope: Scope, past: PastCalls, now: datetime) -> list[Due]:
    return due(page_targets(scope, past, now), past, now)


def due_details(scope: Scope, past: PastCalls, now: datetime, listed: dict[str, date]) -> list[Due]:
    return due(detail_targets(scope, listed), past, now)


def friday(**choices: object) -> Scope:
    return Scope(since=FRIDAY, until=FRIDAY, **choices)


class TestDailyLists:
    def test_the_ages_are_a_setting(self) -> None:
        scope = friday(refetch_after=(2 * DAY,))
        assert not due_lists(scope, history(), OPENED + 47 * HOUR)
        assert due_lists(scope, history(), OPENED + 48 * HOUR) == [Due("daily", str(FRIDAY), OPENED + 2 * DAY)]

    def test_errors_failures_damage_and_future_fetches_do_not_count(self) -> None:
        at, now = OPENED + 2 * HOUR, OPENED + 3 * HOUR
        for bad in (
            entry(daily(FRIDAY), at, status=400),
            entry(daily(FRIDAY), at, status=500, failure="HTTP status 500"),
            entry(daily(FRIDAY), at, status=None, failure="no answer"),
            entry(daily(FRIDAY), at, damage="digest"),
            entry(daily(FRIDAY), now + HOUR),
        ):
            assert due_lists(friday(), history(bad, now=now), now)
        assert not due_lists(friday(), history(entry(daily(FRIDAY), at, status=304), now=now), now)

    def test_a_capture_from_elsewhere_counts_whatever_its_limit_but_the_page_of_a_day_is_not_its_list(self) -> None:
        saved, page = (entry(f"{at}?date={FRIDAY}", OPENED + 31 * DAY) for at in ("/api/daily_papers", "/papers"))
        assert not due_lists(friday(), history(saved), OPENED + 40 * DAY)
        assert due_lists(friday(), history(page), OPENED + 40 * DAY)

    def test_a_list_is_fetched_when_all_its_pages_are(self) -> None:
        at, now = OPENED + 2 * HOUR, OPENED + 3 * HOUR
        pages = [entry(daily(FRIDAY), at), entry(daily(FRIDAY, 1), at)]
        assert not due_lists(friday(), history(*pages), now)
        for later in (at, at + HOUR):
            failed = entry(daily(FRIDAY, 1), later, status=None, failure="cut short")
            assert due_lists(friday(), history(pages[0], failed), now)
        healed = [failed, entry(daily(FRIDAY), at + 2 * HOUR, status=304), entry(daily(FRIDAY, 1), at + 2 * HOUR)]
        assert not due_lists(friday(), history(*pages, *healed), now)

    def test_a_run_that_was_missed_for_a_month_loses_nothing(self) -> None:
        days = subjects(due_lists(Scope(), history(), OPENED + HOUR), "daily")
        assert (days[0], days[-1], len(days)) == ("2026-09-01", str(FRIDAY), 24)
        longer = subjects(due_lists(Scope(refetch_after=(HOUR, 60 * DAY)), history(), OPENED + HOUR), "daily")
        assert longer[0] == "2026-08-03"

    def test_a_backfill_is_of_its_days_alone(self) -> None:
        now = OPENED + 30 * DAY
        assert [(due.kind, due.subject) for due in due_lists(friday(), history(), now)] == [("daily", str(FRIDAY))]
        everything = due_lists(Scope(since=date(1999, 1, 1), until=date(9999, 12, 31)), history(), now)
        assert subjects(everything, "daily")[0] == "2023-05-04"
        assert everything[-1].subject == "2026-10-30"

    @settings(deadline=None)
    @given(st.lists(st.floats(0, 24 * 40), max_size=12), st.floats(0, 24 * 60))
    def test_whatever_was_fetched_before_the_latest_age_changes_nothing(self, fetched: list[float], age: float) -> None:
        now = OPENED + age * HOUR
        entries = [entry(daily(FRIDAY), OPENED + hours * HOUR) for hours in fetched]
        come = [after for after in Scope().refetch_after if OPENED + after <= now]
        fresh = [one for one in entries if one.fetched_at <= now and come and one.fetched_at >= OPENED + come[-1]]
        assert bool(due_lists(friday(), PastCalls(entries, now), now)) == bool(come and not fresh)


class TestOtherLists:
    def test_a_week_and_a_month_are_asked_for_when_they_are_over_and_once_more(self) -> None:
        week = f"{HUB}/api/daily_papers?week=2026-W40&limit=100"
        saturday = opens_at(date(2026, 10, 3))
        assert "2026-W40" not in subjects(due_lists(Scope(), history(), saturday - HOUR), "weekly")
        assert "2026-W40" in subjects(due_lists(Scope(), history(), saturday), "weekly")
        fetched = history(entry(week.removeprefix(HUB), saturday + HOUR))
        assert "2026-W40" not in subjects(due_lists(Scope(), fetched, saturday + 9 * DAY), "weekly")
        assert "2026-W40" in subjects(due_lists(Scope(), fetched, saturday + 10 * DAY), "weekly")
        assert "2026-W40" not in subjects(due_lists(Scope(), history(), saturday + 33 * DAY), "weekly")
        first_sunday = opens_at(date(2026, 10, 4))
        assert "2026-09" not in subjects(due_lists(Scope(), history(), first_sunday - HOUR), "monthly")
        assert subjects(due_lists(Scope(), history(), first_sunday), "monthly") == ["2026-09"]

    def test_a_week_of_two_years_has_its_iso_name(self) -> None:
        assert "2026-W53" in subjects(due_lists(Scope(), history(), opens_at(date(2027, 1, 3))), "weekly")

    def test_trending_and_searches_are_asked_for_once_a_day(self) -> None:
        scope = Scope(searches=("tides & time", "ß"))
        found = due_lists(scope, history(), OPENED)
        assert (subjects(found, "trending"), subjects(found, "search")) == ([""], ["tides & time", "ß"])
        asked = [
            entry("/api/daily_papers?sort=trending&limit=100", OPENED),
            entry("/api/papers/search?q=tides%20%26%20time&limit=100", OPENED),
            entry("/api/papers/search?q=%C3%9F&limit=100", OPENED),
        ]
        later = due_lists(scope, history(*asked), OPENED + 23 * HOUR)
        assert subjects(later, "trending") + subjects(later, "search") == []
        assert len(subjects(due_lists(scope, history(*asked), OPENED + DAY), "search")) == 2


class TestPages:
    def test_the_page_is_asked_for_once_where_the_list_stays_empty(self) -> None:
        empty = entry(daily(FRIDAY), OPENED + 2 * HOUR, size=2)
        assert not due_pages(friday(), history(empty), OPENED + 23 * HOUR)
        assert due_pages(friday(), history(empty), OPENED + 25 * HOUR) == [Due("page", str(FRIDAY), OPENED + DAY)]
        asked = entry(f"/papers?date={FRIDAY}", OPENED + 25 * HOUR)
        assert not due_pages(friday(), history(empty, asked), OPENED + 400 * DAY)
        filled = entry(daily(FRIDAY), OPENED + 24 * HOUR)
        assert not due_pages(friday(), history(empty, filled), OPENED + 25 * HOUR)


class TestDetails:
    def test_are_asked_for_at_their_ages_the_latest_first(self) -> None:
        listed = {"2610.00001": FRIDAY, "hep-th/9901001": FRIDAY - DAY}
        found = due_details(Scope(), history(), OPENED + DAY, listed)
        assert [due.subject for due in found] == ["2610.00001", "hep-th/9901001"]
        answers = [
            entry("/api/papers/2610.00001", OPENED + DAY, status=404),  # an answer, and nothing to ask again
            entry("/api/papers/hep-th%2F9901001", OPENED + DAY, status=500, failure="HTTP status 500"),
        ]
        again = due_details(Scope(), history(*answers), OPENED + 2 * DAY, listed)
        assert [due.subject for due in again] == ["hep-th/9901001"]
        assert len(due_details(Scope(), history(*answers), OPENED + 7 * DAY, listed)) == 2
        assert not due_details(Scope(details_after=()), history(), OPENED + DAY, listed)


class TestConditions:
    def test_the_etag_of_the_last_page_that_came_is_sent(self) -> None:
        at = OPENED
        held = history(
            entry(daily(FRIDAY), at, etag='"old"'),
            entry(daily(FRIDAY), at + HOUR, etag='"new"'),
            entry(daily(FRIDAY), at + 2 * HOUR, status=500, failure="HTTP status 500"),
            entry(daily(FRIDAY), at + 2 * HOUR, status=404, etag='"error"'),
        )
        assert held.known() == {HUB + daily(FRIDAY): Known('"new"', is_full=False)}

    def test_a_page_was_full_if_the_next_was_asked_for(self) -> None:
        held = history(
            *(entry(daily(FRIDAY, page), OPENED, etag=f'"{page}"') for page in range(2)),
            entry(daily(FRIDAY, 2), OPENED, status=None, failure="no answer"),
            entry(daily(FRIDAY - DAY), OPENED + HOUR, etag='"shorter now"'),
            entry(daily(FRIDAY - DAY, 1), OPENED, etag='"was longer"'),
        )
        full = {url.removeprefix(HUB): known.is_full for url, known in held.known().items()}
        assert full == {
            daily(FRIDAY): True,
            daily(FRIDAY, 1): True,
            daily(FRIDAY - DAY): False,
            daily(FRIDAY - DAY, 1): False,
        }

    def test_robots_are_known_for_a_day(self) -> None:
        told = entry("/robots.txt", OPENED)
        url = f"{HUB}/robots.txt"
        assert history(told, now=OPENED + 23 * HOUR).robots(url) == told
        assert history(told, now=OPENED + 24 * HOUR).robots(url) is None
        assert history(told, now=OPENED + HOUR).robots("https://other.example/robots.txt") is None
        for status in (403, 500):
            assert history(entry("/robots.txt", OPENED, status=status), now=OPENED + HOUR).robots(url) is None


class TestWhatIsNext:
    def test_over_a_weekend_it_is_monday_s_list(self) -> None:
        scope = Scope(refetch_after=(HOUR,), searches=())
        found = next_due(scope, opens_at(date(2026, 10, 4)) + HOUR)
        assert found == Due("trending", "", opens_at(date(2026, 10, 5)))
        backfill = Scope(since=FRIDAY, until=FRIDAY)
        assert next_due(backfill, OPENED) == Due("daily", str(FRIDAY), OPENED + HOUR)
        assert next_due(backfill, OPENED + 31 * DAY) is None

    @settings(deadline=None)
    @given(st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1)))
    def test_nothing_comes_due_before_it(self, now: datetime) -> None:
        scope, listed = Scope(searches=("tides",)), {"2610.00001": now.date()}
        following = next_due(scope, now, listed)
        assert following.at > now
        before = {(due.kind, due.subject, due.at) for due in due_now(scope, history(), now, listed)}
        moment = following.at - timedelta(microseconds=1)
        assert {(due.kind, due.subject, due.at) for due in due_now(scope, history(), moment, listed)} <= before
        assert following in due_now(scope, history(), following.at, listed)


class TestSettings:
    def test_settings_of_the_environment_are_read(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PAPERLAKE_REFETCH_AFTER", "1h, 2d")
        monkeypatch.setenv("PAPERLAKE_DETAILS_AFTER", "")
        monkeypatch.setenv("PAPERLAKE_SEARCHES", " state space models; tides, and time ;; state space models")
        scope = load().scope()
        assert (scope.refetch_after, scope.details_after) == ((HOUR, 2 * DAY), ())
        assert scope.searches == ("state space models", "tides, and time")

    def test_without_settings_the_defaults_hold(self) -> None:
        assert load().scope() == Scope()
