"""False but well-formed pages: each is refused by a guard of its own name, and honest days by none."""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any

import polars as pl
import pytest

from expectations.comparison import OPENED_AT, Comparison
from expectations.gate import GUARDS
from expectations.report import CheckResult
from tests import invented
from tests.collected import page
from tests.invented import HUB
from tests.vandalism import (
    NEW_DAYS,
    Change,
    Material,
    as_it_is,
    comments,
    days,
    each,
    made,
    merged,
    moved,
    text,
    upvotes,
)  # fmt: skip
from transforms.collect.collect import collect, read_page
from warehouse.archive.captured import Capture
from warehouse.schema.daily_lists import list_days, opens_at

DAYS = tuple(list_days(date(2026, 9, 17), date(2026, 10, 5)))
FRIDAY, MONDAY = DAYS[-2:]
MORNING = 8  # UTC, when the lists are looked at
UPVOTES = (57, 41, 29, 23, 17, 14, 12, 11, 9, 8, 7, 6, 5, 5, 4, 3, 3, 2, 1, 0)  # what the papers of a list have
Frames = Mapping[str, pl.DataFrame]


def answer(
    day: date, change: Change = as_it_is, *, of: date | None = None, hours: float = MORNING, grown: float = 1
) -> Capture:
    """What a list shows so many hours into its day: the papers `of` a day, grown and changed in some way."""
    fetched_at = datetime.combine(day, time()) + timedelta(hours=hours)
    items = invented.daily_answer([paper(number, of or day) for number in range(len(UPVOTES))], fetched_at)
    for item in items:
        item["paper"]["upvotes"] = round(item["paper"]["upvotes"] * grown)
    return page(
        change(Material(items, [], random.Random(1))) or items, f"{HUB}/api/daily_papers?date={day}", fetched_at
    )


def paper(number: int, day: date) -> invented.Paper:
    """One of a list's papers, with links of its own and as many upvotes as papers have in the morning: few have many."""
    found = invented.paper(number + 1, day)
    links = {
        "githubRepo": f"https://github.com/a/{found.arxiv_id}",
        "projectPage": f"https://a.example/{found.arxiv_id}",
    }
    return replace(found, upvotes=(UPVOTES[number] + day.day % 3), extra=links)


def tables(captures: Iterable[Capture]) -> dict[str, pl.DataFrame]:
    """What guards over pages read; every paper of these pages has an arXiv id, which is its `paper_id`."""
    found = collect(map(read_page, captures))
    sightings = found.sightings.with_columns(paper_id=pl.col("arxiv_id"))
    frames = {"captures": found.captures, "quarantine": found.quarantine}
    return frames | dict.fromkeys(("sightings", "papers", "daily_listings"), sightings)


def broken(now: Frames, before: Frames) -> dict[str, CheckResult]:
    compared = Comparison(now, before)
    results = [guard.result(compared) for guard in GUARDS if guard.kind == "pages"]
    return {f"{one.table}.{one.rule}": one for one in results if not one.passed}


HONEST = [answer(day) for day in DAYS[:-1]]


@pytest.fixture(scope="module")
def known() -> Frames:
    """A release of honest days."""
    return tables(HONEST)


def grown(known: Frames, *new: Capture) -> Frames:
    fresh = tables(new)
    return {name: pl.concat([known[name], fresh[name]]) for name in known}


def after(known: Frames, *new: Capture) -> dict[str, CheckResult]:
    """The guards that refuse new pages after these days."""
    return broken(grown(known, *new), known)


def times(factor: int, share: float = 1) -> Change:
    return upvotes(lambda count, _: count * factor, share)


def a_year_back(given: Material) -> None:
    for name in ("publishedAt", "submittedOnDailyAt"):
        days(name, -364)(given)


def recorded(given: Material) -> None:
    """Records of authors as the Hub has them, a second and a count for each paper, but of the next paper's authors."""
    for place, item in enumerate(given.items):
        for count, author in enumerate(item["paper"]["authors"]):
            author["_id"] = f"{0x6AB00000 + place:08x}fb3bf90ddc{count:06x}"
        item["paper"]["discussionId"] = f"{0x6AB00000 + place:08x}fb3bf90ddc{99:06x}"
    moved("authors")(given)


def paper_with(change: Callable[[dict[str, Any], int], dict[str, Any]]) -> Change:
    """Each paper with what is made of it and of its place, in the inner object alone."""
    return each(lambda item, place: item["paper"].update(change(item["paper"], place)))


SAME_TITLES = text("title", lambda _: "The same words.", 0.15)
LOGIN = {"fullname": "N", "type": "user"}
AGAIN, NEW = {"day": FRIDAY, "hours": MORNING + 24}, {"day": MONDAY}


@pytest.mark.parametrize(
    ("look", "change", "rule"),
    [
        (AGAIN, times(10, 0.3), "papers.listed_upvotes_rise_alike"),
        (AGAIN, times(10), "papers.listed_upvotes_rise_slowly"),
        (NEW, times(10), "sightings.upvotes_as_usual"),
        (NEW, times(10), "sightings.upvotes_exact"),
        (NEW | {"of": FRIDAY}, each(lambda item, _: item["paper"].pop("submittedOnDailyAt")), "papers.list_days_kept"),
        (NEW, a_year_back, "sightings.dates_fit_ids"),
        (NEW, NEW_DAYS["dates a year back"], "sightings.listed_soon"),
        (AGAIN, moved("organization"), "papers.organizations_kept"),
        (AGAIN, made("organization", lambda place: {"name": f"o{place}", "fullname": "O"}), "papers.organization_names_kept"),
        (AGAIN, moved("submittedOnDailyBy"), "papers.submitters_kept"),
        (AGAIN, moved("githubRepo"), "papers.repositories_kept"),
        (AGAIN, moved("projectPage"), "papers.project_pages_kept"),
        (AGAIN, moved("ai_summary"), "papers.ai_summaries_kept"),
        (AGAIN, moved("ai_keywords"), "papers.keywords_kept"),
        (AGAIN, moved("title", share=0.1), "papers.titles_kept"),
        (NEW, text("summary", lambda _: "The same words.", 0.15), "sightings.abstracts_differ"),
        (NEW, SAME_TITLES, "sightings.titles_differ"),
        (NEW | {"hours": -24}, as_it_is, "sightings.lists_open"),
        (NEW, moved("title"), "sightings.titles_fit"),
        (NEW, moved("ai_summary"), "sightings.ai_summaries_fit"),
        (NEW, made("ai_keywords", lambda place: [f"gravel{place}"]), "sightings.keywords_fit"),
        (NEW, NEW_DAYS["repositories invented"], "sightings.repositories_fit"),
        (NEW, NEW_DAYS["one repository for all"], "sightings.repositories_differ"),
        (NEW, NEW_DAYS["tags in titles"], "sightings.titles_bare"),
        (NEW, text("title", "\N{CYRILLIC SMALL LETTER A}bc {}".format, 0.1), "sightings.titles_of_one_script"),
        (AGAIN, text("title", "\N{CYRILLIC SMALL LETTER A}bc {}".format, 0.05), "papers.titles_undisguised"),
        (NEW, NEW_DAYS["abstracts cut to 100"], "sightings.abstracts_whole"),
        (NEW, merged, "sightings.abstracts_of_one"),
        (NEW, recorded, "sightings.records_fit"),
        (NEW, NEW_DAYS["ids one higher"], "sightings.thumbnails_fit"),
        (NEW, paper_with(lambda paper, _: {"id": f"{paper['id'][:4]}.99999"}), "sightings.ids_in_time"),
        (NEW, text("title", "On {}".format, inner=True), "sightings.places_agree"),
        (NEW, paper_with(lambda *_: {"publishedAt": "2026-09-01T00:00:00.000Z"}), "sightings.moments_fit"),
        (NEW, paper_with(lambda *_: {"publishedAt": "2026-08-30T00:00:00.000Z"}), "sightings.dates_in_month"),
        (NEW, NEW_DAYS["upvotes all 0"], "sightings.upvotes_there"),
        (NEW, NEW_DAYS["upvotes all 1"], "sightings.upvotes_spread"),
        (NEW, upvotes(lambda count, _: count // 15), "sightings.upvotes_as_usual"),
        (NEW, NEW_DAYS["comments and upvotes exchanged"], "sightings.comments_fewer"),
        (NEW, comments(0), "sightings.comments_as_usual"),
        (NEW, made("submittedOnDailyBy", lambda _: {"user": "one"} | LOGIN), "sightings.submitters_as_usual"),
        (AGAIN, paper_with(lambda paper, place: {"upvotes": paper["upvotes"] // (10 if place in {2, 3} else 1)}), "papers.upvotes_never_collapse"),
        (AGAIN, comments(0), "papers.comments_rarely_fall"),
        (AGAIN, times(3, 0.15), "papers.resting_lists_rest"),
        (NEW, lambda given: given.items[::2] + given.items[1::2], "sightings.lists_in_order"),
    ],
)  # fmt: skip
def test_a_false_page_is_refused_by_name(known: Frames, look: dict[str, Any], change: Change, rule: str) -> None:
    [guard] = [one for one in GUARDS if f"{one.table}.{one.rule}" == rule]
    assert not guard.result(Comparison(grown(known, answer(**look, change=change)), known)).passed


@pytest.mark.parametrize("look", [AGAIN, NEW])
def test_an_honest_page_is_no_alarm(known: Frames, look: dict[str, Any]) -> None:
    assert after(known, answer(**look)) == {}


def test_a_list_that_grew_from_its_first_minutes_is_no_alarm(known: Frames) -> None:
    """Most papers of a list have ten times their first upvotes a day later, and some thirty times."""
    young = answer(MONDAY, hours=2, grown=0.1)
    assert after(known, young, answer(MONDAY, hours=26)) == {}
    assert after(tables([*HONEST, young]), answer(MONDAY, hours=26)) == {}


@pytest.mark.parametrize("at_once", [3, len(HONEST)])
def test_honest_days_are_no_alarm_however_many_are_built_at_once(at_once: int) -> None:
    captures = [capture for day in DAYS for capture in (answer(day), answer(day, hours=30, grown=2.2))]
    every = tables(captures)
    before: Frames = {}
    for last in range(at_once, len(captures) + at_once, at_once):
        ids = [capture.capture_id for capture in captures[:last]]
        now = {name: frame.filter(pl.col("capture_id").is_in(ids)) for name, frame in every.items()}
        assert broken(now, before) == {}
        before = now


def test_a_false_day_is_found_in_a_build_of_many() -> None:
    days = [answer(day, a_year_back if day == DAYS[4] else as_it_is) for day in DAYS]
    assert {"sightings.dates_fit_ids"} <= broken(tables(days), {}).keys()


def test_a_good_look_after_a_false_one_that_was_accepted_passes(known: Frames) -> None:
    false = answer(FRIDAY, moved("organization", "githubRepo", "ai_summary", "title"), hours=MORNING + 24)
    assert after(grown(known, false), answer(FRIDAY, hours=MORNING + 48)) == {}


def test_lists_open_where_the_calendar_says_so() -> None:
    days = [date(2025, 11, 3), date(2026, 3, 9), date(2026, 10, 2)]
    opened = pl.DataFrame({"listed_on": days}).select(OPENED_AT).to_series()
    assert opened.to_list() == list(map(opens_at, days))
