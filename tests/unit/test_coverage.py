"""Which lists the lake has and which it lacks, on a handful of pages each. 4 May 2023 was a Thursday."""

import random
from dataclasses import replace
from datetime import date, datetime
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import invented
from tests.collected import collected, rejects
from tests.derived import coverage
from tests.invented import HUB
from tests.little_lake import tables_of
from transforms.collect.collect import collect, read_page
from warehouse.archive.captured import Capture
from warehouse.schema.core.captures import CAPTURES, QUARANTINE
from warehouse.schema.core.listings import COVERAGE
from warehouse.schema.core.sightings import SIGHTINGS

THURSDAY, FRIDAY, SATURDAY, MONDAY = (date(2023, 5, day) for day in (4, 5, 6, 8))
OPEN, CLOSED = datetime(2023, 5, 4, 12), datetime(2023, 5, 5, 2)  # Thursday's list closes on Friday at 01:30
LATER, NEXT_WEEK = datetime(2023, 5, 6, 9), datetime(2023, 5, 9, 1)
REPR = "{'paper': {'id': '2305.00001'}}"
EARLY = "fetched before the list was closed"
REPR_WORDS = "items in quarantine: a string that holds the repr of a Python dict, in place of an object"


def items(count: int, day: date = THURSDAY, start: int = 1) -> list[Any]:
    papers = [invented.paper(number, day) for number in range(start, start + count)]
    return invented.daily_answer(papers, CLOSED)


def api(
    answer: object, at: datetime | None = CLOSED, day: date = THURSDAY, more: str = "", status: int | None = 200
) -> Capture:
    return Capture(
        payload=invented.as_json(answer),
        url=f"{HUB}/api/daily_papers?date={day}{more}",
        fetched_at=at,
        http_status=status,
    )


def html(shown_on: date, asked: date | None, at: datetime | None = LATER, count: int = 3) -> Capture:
    papers = [invented.paper(number, shown_on) for number in range(1, count + 1)]
    payload = invented.list_page(papers, shown_on, CLOSED)
    return Capture(payload=payload, url=asked and f"{HUB}/papers?date={asked}", fetched_at=at, http_status=200)


def failed(reason: str, at: datetime = CLOSED, day: date = THURSDAY, more: str = "") -> Capture:
    return Capture(payload=b"", url=f"{HUB}/api/daily_papers?date={day}{more}", fetched_at=at, failure=reason)


def made(*pages: Capture) -> pl.DataFrame:
    """Papers are told apart by their arXiv ids, or else their titles: which two are one is no matter here."""
    found = collect(map(read_page, pages))
    sightings = SIGHTINGS.conform(found.sightings.with_columns(paper_id=pl.coalesce("arxiv_id", "title")))
    table = coverage(CAPTURES.conform(found.captures), sightings, QUARANTINE.conform(found.quarantine))
    assert COVERAGE.split(table)[1].is_empty(), COVERAGE.split(table)[1].to_dicts()
    return table


def row(*pages: Capture, source: str = "api", day: date = THURSDAY) -> dict[str, Any]:
    (found,) = made(*pages).filter(source=source, listed_on=day).iter_rows(named=True)
    return found


def judged(*pages: Capture, source: str = "api", day: date = THURSDAY) -> tuple[Any, ...]:
    found = row(*pages, source=source, day=day)
    return found["state"], found["reason"], found["paper_count"]


def test_every_source_and_day_until_the_last_fetch_has_its_row() -> None:
    page = api(items(3))
    whole = dict.fromkeys(COVERAGE.column_names) | {"fetch_count": 0, "failure_count": 0, "is_expected": False}
    unasked = whole | {"source": "html", "state": "missing", "reason": "asked only where the API's list is empty"}
    assert made(page).to_dicts() == [
        whole
        | {
            "source": "api",
            "listed_on": THURSDAY,
            "is_expected": True,
            "state": "complete",
            "fetch_count": 1,
            "item_count": 3,
            "paper_count": 3,
            "first_fetched_at": CLOSED,
            "last_fetched_at": CLOSED,
            "capture_id": page.capture_id,
        },
        unasked | {"listed_on": THURSDAY},
        whole
        | {
            "source": "api",
            "listed_on": FRIDAY,
            "is_expected": True,
            "state": "missing",
            "reason": "never fetched",
        },
        unasked | {"listed_on": FRIDAY},
    ]


def test_the_calendar_ends_with_the_list_that_was_open_at_the_last_fetch_of_anything() -> None:
    def last(*pages: Capture) -> date:
        return made(*pages)["listed_on"].max()

    other = Capture(payload=b"", url=f"{HUB}/api/papers/2305.00001", fetched_at=NEXT_WEEK, failure="no answer")
    assert last(api(items(1), datetime(2023, 5, 5, 1, 29))) == THURSDAY
    assert last(api(items(1), datetime(2023, 5, 5, 1, 30))) == FRIDAY
    assert last(api(items(1)), other) == MONDAY
    assert last(api(items(1), None, FRIDAY)) == FRIDAY  # nobody knows when, but not before
    assert last(api({"error": "no"}, CLOSED, date(2023, 12, 31), status=400)) == FRIDAY
    assert last(api({"error": "no"}, CLOSED, date(2023, 12, 31))) == FRIDAY
    assert last(api(items(1)), api(items(1), datetime(9999, 1, 1), FRIDAY)) == FRIDAY  # a wrong clock


def test_a_lake_without_a_known_day_has_no_rows() -> None:
    assert coverage(CAPTURES.empty(), SIGHTINGS.empty(), QUARANTINE.empty()).equals(COVERAGE.empty())
    assert made(Capture(payload=b"hello")).is_empty()
    assert made(api(items(1), datetime(2023, 5, 1), date(2023, 5, 1))).is_empty()  # before the first list


@pytest.mark.parametrize(
    ("at", "state"), [(datetime(2023, 5, 6, 1, 29), "partial"), (datetime(2023, 5, 6, 1, 30), "complete")]
)
def test_a_friday_s_list_is_whole_on_saturday(at: datetime, state: str) -> None:
    """Nothing is submitted until Monday's list opens, so it cannot grow."""
    assert row(api(items(3, FRIDAY), at, FRIDAY), day=FRIDAY)["state"] == state


def test_weekends_are_not_expected_whatever_was_fetched() -> None:
    weekend = [row(api(items(1), NEXT_WEEK), source=source, day=SATURDAY) for source in ("api", "html")]
    assert [(day["is_expected"], day["state"], day["reason"]) for day in weekend] == [
        (False, "missing", "no list on a weekend")
    ] * 2
    assert judged(api([], NEXT_WEEK, SATURDAY), day=SATURDAY) == ("empty", "no list on a weekend", 0)
    found = row(api(items(2), NEXT_WEEK, SATURDAY), day=SATURDAY)
    assert (found["is_expected"], found["state"], found["paper_count"]) == (False, "complete", 2)


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ((api(items(3), OPEN),), ("partial", EARLY, 3)),
        ((api(items(3), None), api([], CLOSED, FRIDAY)), ("partial", "fetched at an unknown time", 3)),
        ((api(items(3), OPEN), api(items(5))), ("complete", None, 5)),
        ((api(items(3)), api([], LATER)), ("complete", None, 3)),  # what was there was there
        ((api(items(3), OPEN), api([], LATER)), ("partial", EARLY, 3)),
        ((api([]),), ("empty", "empty answer", 0)),
        ((api([], OPEN),), ("empty", f"empty answer; {EARLY}", 0)),
        ((api([*items(2), REPR]),), ("partial", REPR_WORDS, 2)),
        ((api([*items(2), REPR]), api(items(3), LATER)), ("complete", None, 3)),
        ((api([*items(2), REPR], LATER), api(items(3))), ("complete", None, 3)),
        ((api([REPR, REPR]),), ("missing", REPR_WORDS, None)),
        ((api([*items(1), REPR], OPEN),), ("partial", f"{REPR_WORDS}; {EARLY}", 1)),
        ((api({"error": "not found"}, status=404),), ("missing", "failed: HTTP status 404", None)),
        ((failed("no answer in 30 s"), failed("reset", LATER)), ("missing", "failed: reset", None)),
        ((failed("reset", LATER), api(items(3))), ("complete", None, 3)),
        ((failed("reset", LATER), api(items(3), OPEN)), ("partial", EARLY, 3)),
        (
            (Capture(payload=b"<p>", url=f"{HUB}/api/daily_papers?date={THURSDAY}", fetched_at=CLOSED),),
            ("missing", "not read: the answer is not JSON", None),
        ),
    ],
)
def test_a_day_is_what_its_best_list_is(pages: tuple[Capture, ...], expected: tuple[Any, ...]) -> None:
    assert judged(*pages) == expected


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ((api(items(50)),), ("partial", "truncated at the limit", 50)),
        ((api(items(50), more="&limit=100"),), ("complete", None, 50)),
        ((api(items(51)),), ("complete", None, 51)),  # a Hub that knows no limit
        ((api(items(50)), api(items(53), more="&limit=100")), ("complete", None, 53)),
        ((api(items(4), more="&limit=4"), api(items(2, start=5), LATER, more="&limit=4&p=1")), ("complete", None, 6)),
        ((api(items(4), more="&limit=4"), api([], LATER, more="&limit=4&p=1")), ("complete", None, 4)),
        ((api(items(4), more="&limit=4&p=0"), api([], OPEN, more="&p=1&limit=4")), ("partial", EARLY, 4)),
        (
            (
                api(items(4), more="&limit=4"),
                api(items(1, start=5), OPEN, more="&limit=4&p=1"),
                api([], more="&limit=4&p=1"),
            ),
            ("complete", None, 5),
        ),
        (
            (api(items(4), more="&limit=4"), api(items(4, start=5), more="&limit=4&p=1")),
            ("partial", "truncated at the limit", 8),
        ),
        (
            (api(items(4), more="&limit=4"), failed("reset", more="&limit=4&p=1")),
            ("partial", "truncated at the limit", 4),
        ),
        (
            (api(items(4), more="&limit=4"), api(items(2, start=9), more="&limit=4&p=2")),
            ("partial", "a page of it is lacking", 6),
        ),
        ((api(items(2, start=5), more="&limit=4&p=1"),), ("partial", "a page of it is lacking", 2)),
        # the page after one that is not full belongs to an older, longer list
        (
            (api(items(3), LATER, more="&limit=4"), api(items(1, start=5), OPEN, more="&limit=4&p=1")),
            ("complete", None, 4),
        ),
        ((api([], more="&limit=4"), api(items(1), more="&limit=4&p=1")), ("partial", "empty answer", 1)),
    ],
)
def test_pages_of_one_list_belong_together(pages: tuple[Capture, ...], expected: tuple[Any, ...]) -> None:
    assert judged(*pages) == expected


def test_fetches_failures_and_times_are_counted() -> None:
    pages = [
        api(items(3), OPEN),
        api(items(4)),
        api(items(4), None, more="&limit=100"),
        failed("reset", LATER),
        api({}, NEXT_WEEK, status=500),
    ]
    found = row(*pages)
    assert (found["fetch_count"], found["failure_count"]) == (3, 2)
    assert (found["first_fetched_at"], found["last_fetched_at"]) == (OPEN, CLOSED)
    assert (found["capture_id"], found["item_count"]) == (pages[1].capture_id, 4)


def test_the_list_of_a_mirror_counts() -> None:
    page = replace(api(items(3)), url=f"https://huggingface.lamps.example/api/daily_papers?date={THURSDAY}")
    assert judged(page) == ("complete", None, 3)


def test_a_list_of_several_pages_is_named_by_its_first() -> None:
    first, second = api(items(4), more="&limit=4"), api(items(2, start=5), LATER, more="&limit=4&p=1")
    found = row(second, first)
    assert (found["capture_id"], found["item_count"]) == (first.capture_id, 6)


class TestListPage:
    """The HTML page of a day without a list shows the list before it (docs/source.md §1)."""

    def test_its_own_list(self) -> None:
        found = row(html(THURSDAY, THURSDAY), source="html")
        assert (found["state"], found["is_expected"], found["paper_count"]) == ("complete", False, 3)
        assert judged(html(THURSDAY, THURSDAY, OPEN), source="html") == ("partial", EARLY, 3)
        assert judged(html(THURSDAY, None), source="html") == ("complete", None, 3)  # no address: the page's own word

    def test_the_list_of_an_earlier_day_proves_that_the_day_has_none(self) -> None:
        page = html(THURSDAY, FRIDAY, NEXT_WEEK)
        shows = "the Hub shows the list of 2023-05-04 instead"
        for source, pages in (("api", [page, api([], NEXT_WEEK, FRIDAY)]), ("html", [page])):
            found = row(*pages, source=source, day=FRIDAY)
            assert (found["is_expected"], found["state"], found["reason"]) == (False, "empty", shows)
        assert judged(page, day=FRIDAY) == ("missing", shows, None)
        assert not row(page, day=FRIDAY)["is_expected"]
        shown = row(page, source="html")
        assert (shown["state"], shown["fetch_count"], shown["capture_id"]) == ("complete", 1, page.capture_id)

    def test_it_proves_nothing_while_the_list_may_still_come(self) -> None:
        assert not row(html(THURSDAY, FRIDAY, datetime(2023, 5, 6, 1, 30)), day=FRIDAY)["is_expected"]
        page = html(THURSDAY, FRIDAY, datetime(2023, 5, 6, 1, 29))
        assert row(page, day=FRIDAY)["is_expected"]
        assert judged(page, day=FRIDAY) == ("missing", "never fetched", None)
        shows = f"the Hub shows the list of 2023-05-04 instead; {EARLY}"
        assert judged(page, source="html", day=FRIDAY) == ("empty", shows, 0)

    def test_it_proves_nothing_against_a_list_that_is_there(self) -> None:
        found = row(html(THURSDAY, FRIDAY, NEXT_WEEK), api(items(2, FRIDAY), NEXT_WEEK, FRIDAY), day=FRIDAY)
        assert (found["is_expected"], found["state"]) == (True, "complete")

    def test_a_later_list_proves_nothing(self) -> None:
        found = row(html(FRIDAY, THURSDAY, NEXT_WEEK))
        assert (found["is_expected"], found["state"], found["reason"]) == (True, "missing", "never fetched")

    def test_a_page_that_cannot_be_read_is_a_failure_of_the_day_it_was_asked_for(self) -> None:
        payload = b'<div data-target="DailyPapers" data-props="{}"></div>'
        broken = Capture(payload=payload, url=f"{HUB}/papers/date/{THURSDAY}", fetched_at=CLOSED)
        found = row(broken, source="html")
        assert (found["state"], found["failure_count"]) == ("missing", 1)
        assert found["reason"].startswith("items in quarantine: DailyPapers: ")


class TestAnAnswerOfAnotherDay:
    """Since 2025-03-17 every item says which day's list it is on: an answer that holds others is no list of the day."""

    ASKED, OTHER, AT = date(2025, 10, 2), date(2025, 10, 1), datetime(2025, 10, 3, 9)

    def answer(self, *days: date) -> Capture:
        papers = [invented.paper(number, day) for number, day in enumerate(days, 1)]
        return api(invented.daily_answer(papers, self.AT), self.AT, self.ASKED)

    def test_it_is_that_days_list_and_the_day_asked_for_says_so(self) -> None:
        page = self.answer(self.OTHER, self.OTHER)
        assert judged(page, day=self.OTHER) == ("complete", None, 2)
        assert judged(page, day=self.ASKED) == ("empty", "the Hub shows the list of 2025-10-01 instead", 0)
        assert row(page, day=self.ASKED)["is_expected"]  # the API shows no list of another day by rule
        tables = tables_of(page)
        assert set(tables["daily_listings"]["listed_on"]) == {self.OTHER}
        assert set(tables["sightings"]["listed_basis"]) == {"item"}

    def test_items_of_other_days_among_those_of_the_day_are_in_quarantine(self) -> None:
        page = self.answer(self.ASKED, self.OTHER, self.ASKED)
        assert set(tables_of(page)["daily_listings"]["listed_on"]) == {self.ASKED}
        assert rejects(collected(page)) == [(2, "other_day", "/1")]
        words = "items in quarantine: the item is of the list of 2025-10-01, not of 2025-10-02"
        assert judged(page, day=self.ASKED) == ("partial", words, 2)

    def test_items_of_several_other_days_are_no_list(self) -> None:
        page = self.answer(self.OTHER, date(2025, 9, 30))
        assert collected(page).sightings.is_empty()
        words = "items in quarantine: the item is of the list of 2025-09-30, not of 2025-10-02"
        assert judged(page, day=self.ASKED) == ("missing", words, None)


@pytest.mark.parametrize("day", ["0001-01-01", "1883-11-18", "9999-12-31", "2024-02-31", "2023-05-04T00:00:00Z"])
def test_days_and_times_at_the_ends_of_the_calendar_do_no_harm(day: str) -> None:
    url = f"{HUB}/api/daily_papers?date={day}"
    times = (datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59), CLOSED)
    pages = [Capture(payload=invented.as_json(items(2)), url=url, fetched_at=at) for at in times]
    pages += [Capture(payload=b"", url=url, fetched_at=at, failure="reset") for at in times]
    assert made(*pages)["listed_on"].max() == FRIDAY
    assert made(*pages[:1], *pages[3:4]).is_empty() or day[:4] == "2023"


def test_other_lists_and_saved_texts_do_not_count() -> None:
    papers = [invented.paper(number, THURSDAY) for number in (1, 2, 3)]
    saved = invented.text_dump(papers, "May 4")
    others = [
        Capture(payload=saved, url=f"{HUB}/papers?date={THURSDAY}", fetched_at=CLOSED),
        Capture(payload=invented.as_json(items(2)), url=f"{HUB}/api/daily_papers", fetched_at=CLOSED),
        Capture(payload=invented.as_json(items(2)), fetched_at=CLOSED),
        api(items(2), more="&submitter=ada"),
    ]
    assert made(*others).filter(pl.col("fetch_count") + pl.col("failure_count") > 0).is_empty()


DAYS = st.sampled_from([THURSDAY, FRIDAY, SATURDAY, MONDAY])
COUNTS = {"read": 4, "partial": 3, "empty": 0, "rejected": 2, "error": 0, "failed": 0, "unknown": 0}


@st.composite
def captured(draw: st.DrawFn) -> dict[str, Any]:
    """A row of `captures`: any state of any page of any list, at any time."""
    state, asked_on = draw(st.sampled_from(list(COUNTS))), draw(DAYS)
    reader = draw(st.sampled_from(["api_list", "list_page"])) if state in {"read", "partial", "empty"} else None
    address = f"{'papers' if reader == 'list_page' else 'api/daily_papers'}?date={asked_on}"
    more = draw(st.sampled_from(["", "&limit=4", "&limit=4&p=1", "&p=2&limit=4", "&limit=3", "&p=1"]))
    return dict.fromkeys(CAPTURES.column_names) | {
        "capture_id": draw(st.integers(0, 2**70).map(lambda number: f"{number:020x}")),
        "url": f"{HUB}/{address}{more}",
        "fetched_at": draw(st.sampled_from([OPEN, CLOSED, LATER, NEXT_WEEK, None])),
        "reader": reader,
        "state": state,
        "reason": None if state == "read" else "any words",
        "list_kind": "daily",
        "listed_on": draw(DAYS) if reader == "list_page" else asked_on,
        "item_count": COUNTS[state],
    }


@settings(max_examples=15, deadline=None)
@given(st.lists(captured(), max_size=12, unique_by=lambda row: row["capture_id"]), st.randoms(use_true_random=False))
def test_it_keeps_its_rules_whatever_was_fetched_in_whatever_order(rows: list[Any], dice: random.Random) -> None:
    seen = [
        {"capture_id": row["capture_id"], "list_kind": "daily", "listed_on": row["listed_on"], "paper_id": str(number)}
        | {"source": "api" if row["reader"] == "api_list" else "html"}
        for row in rows
        if row["state"] in {"read", "partial"}
        for number in range(3)
    ]
    sightings = pl.DataFrame(seen, SIGHTINGS.schema)
    rejected = [
        {"capture_id": row["capture_id"], "position": 2, "rule": "r", "detail": "bad", "pointer": ""}
        for row in rows
        if row["state"] == "partial"
    ]
    quarantine = pl.DataFrame(rejected, QUARANTINE.schema)
    table = coverage(pl.DataFrame(rows, CAPTURES.schema), sightings, quarantine)
    assert COVERAGE.split(table)[1].is_empty(), COVERAGE.split(table)[1].to_dicts()
    last = table["listed_on"].max()
    days = pl.date_range(THURSDAY, last, eager=True).to_list() if last else []
    assert table.select("listed_on", "source").rows() == [(day, source) for day in days for source in ("api", "html")]
    dice.shuffle(rows)
    assert coverage(pl.DataFrame(rows, CAPTURES.schema), sightings, quarantine).equals(table)
