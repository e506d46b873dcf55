"""False but well-formed pages: each is refused by a guard of its own name, and honest days by none."""

from __future__ import annotations

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
from transforms.collect.collect import collect, read_page
from warehouse.archive.captured import Capture
from warehouse.schema.daily_lists import list_days, opens_at

DAYS = tuple(list_days(date(2026, 9, 17), date(2026, 10, 5)))
FRIDAY, MONDAY = DAYS[-2:]
MORNING = 8  # UTC, when the lists are looked at
UPVOTES = (57, 41, 29, 23, 17, 14, 12, 11, 9, 8, 7, 6, 5, 5, 4, 3, 3, 2, 1, 0)  # what the papers of a list have
Items = list[dict[str, Any]]
Change = Callable[[Items], Items | None]
Frames = Mapping[str, pl.DataFrame]


def answer(
    day: date, change: Change = list, *, of: date | None = None, hours: float = MORNING, grown: float = 1
) -> Capture:
    """What a list shows so many hours into its day: the papers `of` a day, grown and changed in some way."""
    fetched_at = datetime.combine(day, time()) + timedelta(hours=hours)
    items = invented.daily_answer([paper(number, of or day) for number in range(len(UPVOTES))], fetched_at)
    for item in items:
        item["paper"]["upvotes"] = round(item["paper"]["upvotes"] * grown)
    return page(change(items) or items, f"{HUB}/api/daily_papers?date={day}", fetched_at)


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
    return {"captures": found.captures, "sightings": sightings, "papers": sightings, "daily_listings": sightings}


def broken(now: Frames, before: Frames) -> dict[str, CheckResult]:
    compared = Comparison(now, before)
    results = [guard.result(compared) for guard in GUARDS if guard.kind == "pages"]
    return {f"{one.table}.{one.rule}": one for one in results if not one.passed}


HONEST = [answer(day) for day in DAYS[:-1]]


@pytest.fixture(scope="module")
def known() -> Frames:
    """A release of honest days."""
    return tables(HONEST)


def after(known: Frames, *new: Capture) -> dict[str, CheckResult]:
    """The guards that refuse new pages after these days."""
    fresh = tables(new)
    return broken({name: pl.concat([known[name], fresh[name]]) for name in known}, known)


def times(factor: int, one_in: float = 1, *, is_sorted: bool = True) -> Change:
    """Upvotes of some papers, here and there on the list, times a factor."""

    def change(items: Items) -> Items:
        for place, item in enumerate(items):
            if place * one_in % 1 < one_in:
                item["paper"]["upvotes"] *= factor
        return sorted(items, key=lambda item: -item["paper"]["upvotes"]) if is_sorted else items

    return change


def moved(*names: str, new: Callable[[int], Any] | None = None) -> Change:
    """Each paper's fields as the next one has them, or as `new` makes them of its place."""

    def change(items: Items) -> None:
        for name in names:
            for found in ([item["paper"] for item in items], items):
                values = [one.pop(name, None) for one in found]
                fresh = [new(place) for place in range(len(found))] if new else values[1:] + values[:1]
                for one, value, old in zip(found, fresh, values, strict=True):
                    if value is not None and (old is not None or not new):
                        one[name] = value

    return change


def later(name: str, by: timedelta) -> Change:
    def change(items: Items) -> None:
        for item in items:
            moment = datetime.fromisoformat(item["paper"][name].removesuffix("Z")) + by
            item["paper"][name] = invented.iso(moment)

    return change


def a_year_back(items: Items) -> None:
    for name in ("publishedAt", "submittedOnDailyAt"):
        later(name, -timedelta(days=364))(items)


def two_titles_swapped(items: Items) -> None:
    one, two = items[3]["paper"], items[9]["paper"]
    one["title"], two["title"] = two["title"], one["title"]


def one_text(name: str) -> Change:
    def change(items: Items) -> None:
        for item in items[:3]:
            item[name] = item["paper"][name] = "The same words."

    return change


def without_day(items: Items) -> None:
    for item in items:
        del item["paper"]["submittedOnDailyAt"]


def on_each(edit: Callable[[dict[str, Any], dict[str, Any], int], None]) -> Change:
    """A change of each item: its inner and outer object, and its place."""

    def change(items: Items) -> None:
        for place, item in enumerate(items):
            edit(item["paper"], item, place)

    return change


def both(name: str, write: Callable[[str], str], *, first: int = 99) -> Change:
    def edit(paper: dict[str, Any], item: dict[str, Any], place: int) -> None:
        if place < first:
            paper[name] = item[name] = write(paper[name])

    return on_each(edit)


def merged(items: Items) -> None:
    for one in (items[0], items[0]["paper"]):
        one["summary"] += " " + items[1]["paper"]["summary"]


def recorded(items: Items) -> None:
    """Records of authors as the Hub has them, a second and a count for each paper, but of the next paper's authors."""
    for place, item in enumerate(items):
        for count, author in enumerate(item["paper"]["authors"]):
            author["_id"] = f"{0x6AB00000 + place:08x}fb3bf90ddc{count:06x}"
        item["paper"]["discussionId"] = f"{0x6AB00000 + place:08x}fb3bf90ddc{99:06x}"
    moved("authors")(items)


def exchanged(paper: dict[str, Any], item: dict[str, Any], _: int) -> None:
    paper["upvotes"], item["numComments"] = item["numComments"], paper["upvotes"]


LOGIN = {"fullname": "N", "type": "user"}
AGAIN, NEW = {"day": FRIDAY, "hours": MORNING + 24}, {"day": MONDAY}


@pytest.mark.parametrize(
    ("look", "change", "rule"),
    [
        (AGAIN, times(10, 0.3), "papers.listed_upvotes_rise_alike"),
        (AGAIN, times(10), "papers.listed_upvotes_rise_slowly"),
        (NEW, times(10), "sightings.upvotes_as_usual"),
        (NEW, times(10), "sightings.upvotes_exact"),
        (NEW, times(100, 0.3), "sightings.upvotes_as_usual"),
        (NEW | {"of": FRIDAY}, without_day, "papers.list_days_kept"),
        (NEW, a_year_back, "sightings.dates_fit_ids"),
        (NEW, later("publishedAt", -timedelta(days=365)), "sightings.listed_soon"),
        (AGAIN, moved("organization"), "papers.organizations_kept"),
        (AGAIN, moved("organization", new=lambda place: {"name": f"o{place}", "fullname": "O"}), "papers.organization_names_kept"),
        (AGAIN, moved("submittedOnDailyBy"), "papers.submitters_kept"),
        (AGAIN, moved("submittedOnDailyBy", new=lambda place: {"user": f"u{place}"} | LOGIN), "papers.submitters_kept"),
        (AGAIN, moved("githubRepo"), "papers.repositories_kept"),
        (AGAIN, moved("githubRepo", new="https://github.com/new/{}".format), "papers.repositories_kept"),
        (AGAIN, moved("projectPage"), "papers.project_pages_kept"),
        (AGAIN, moved("projectPage", new="https://new.example/{}".format), "papers.project_pages_kept"),
        (AGAIN, moved("ai_summary"), "papers.ai_summaries_kept"),
        (AGAIN, moved("ai_summary", new="It is number {}.".format), "papers.ai_summaries_kept"),
        (AGAIN, moved("ai_keywords"), "papers.keywords_kept"),
        (AGAIN, moved("ai_keywords", new=lambda place: [f"word {place}"]), "papers.keywords_kept"),
        (AGAIN, two_titles_swapped, "papers.titles_kept"),
        (NEW, one_text("summary"), "sightings.abstracts_differ"),
        (NEW, one_text("title"), "sightings.titles_differ"),
        (NEW | {"hours": -24}, list, "sightings.lists_open"),
        (NEW, moved("title"), "sightings.titles_fit"),
        (NEW, moved("ai_summary"), "sightings.ai_summaries_fit"),
        (NEW, moved("ai_keywords", new=lambda place: [f"gravel{place}"]), "sightings.keywords_fit"),
        (NEW, moved("githubRepo", new="https://github.com/weather/station-{}".format), "sightings.repositories_fit"),
        (NEW, moved("githubRepo", new=lambda _: "https://github.com/weather/station"), "sightings.repositories_differ"),
        (NEW, both("title", "<b>{}</b>".format), "sightings.titles_bare"),
        (NEW, both("title", "\N{CYRILLIC SMALL LETTER A}bc {}".format, first=2), "sightings.titles_of_one_script"),
        (AGAIN, both("title", "\N{CYRILLIC SMALL LETTER A}bc {}".format, first=1), "papers.titles_undisguised"),
        (NEW, both("summary", lambda text: text[:100]), "sightings.abstracts_whole"),
        (NEW, merged, "sightings.abstracts_of_one"),
        (NEW, recorded, "sightings.records_fit"),
        (NEW, on_each(lambda paper, *_: paper.update(id=f"{int(paper['id'][:4])}.{int(paper['id'][5:]) + 1:05d}")), "sightings.thumbnails_fit"),
        (NEW, on_each(lambda paper, *_: paper.update(id=f"{paper['id'][:4]}.99999")), "sightings.ids_in_time"),
        (NEW, on_each(lambda paper, *_: paper.update(title=f"On {paper['title']}")), "sightings.places_agree"),
        (NEW, on_each(lambda paper, *_: paper.update(publishedAt="2026-09-01T00:00:00.000Z")), "sightings.moments_fit"),
        (NEW, on_each(lambda paper, *_: paper.update(publishedAt="2026-08-30T00:00:00.000Z")), "sightings.dates_in_month"),
        (NEW, on_each(lambda paper, *_: paper.update(upvotes=0)), "sightings.upvotes_there"),
        (NEW, on_each(lambda paper, *_: paper.update(upvotes=1)), "sightings.upvotes_spread"),
        (NEW, on_each(lambda paper, *_: paper.update(upvotes=paper["upvotes"] // 15)), "sightings.upvotes_as_usual"),
        (NEW, on_each(exchanged), "sightings.comments_fewer"),
        (NEW, on_each(lambda _, item, __: item.update(numComments=0)), "sightings.comments_as_usual"),
        (NEW, moved("submittedOnDailyBy", new=lambda _: {"user": "one"} | LOGIN), "sightings.submitters_as_usual"),
        (AGAIN, on_each(lambda paper, item, place: paper.update(upvotes=paper["upvotes"] // (10 if place in {2, 3} else 1))), "papers.upvotes_never_collapse"),
        (AGAIN, on_each(lambda _, item, __: item.update(numComments=0)), "papers.comments_rarely_fall"),
        (AGAIN, times(3, 0.15), "papers.resting_lists_rest"),
        (NEW, lambda items: items[::2] + items[1::2], "sightings.lists_in_order"),
        (NEW, times(10, 0.3, is_sorted=False), "sightings.lists_in_order"),
    ],
)  # fmt: skip
def test_a_false_page_is_refused_by_name(known: Frames, look: dict[str, Any], change: Change, rule: str) -> None:
    assert rule in after(known, answer(**look, change=change))


@pytest.mark.parametrize("look", [AGAIN, NEW])
def test_an_honest_page_is_no_alarm(known: Frames, look: dict[str, Any]) -> None:
    assert after(known, answer(**look)) == {}


def test_a_list_that_grew_from_its_first_minutes_is_no_alarm(known: Frames) -> None:
    """Most papers of a list have ten times their first upvotes a day later, and some thirty times."""
    young = answer(MONDAY, hours=2, grown=0.1)
    assert after(known, young, answer(MONDAY, hours=26)) == {}
    assert after(tables([*HONEST, young]), answer(MONDAY, hours=26)) == {}


@pytest.mark.parametrize("at_once", [1, 4, len(HONEST)])
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
    days = [answer(day, a_year_back if day == DAYS[4] else list) for day in DAYS]
    assert {"sightings.dates_fit_ids"} <= broken(tables(days), {}).keys()


def test_a_good_look_after_a_false_one_that_was_accepted_passes(known: Frames) -> None:
    false = answer(FRIDAY, moved("organization", "githubRepo", "ai_summary", "title"), hours=MORNING + 24)
    fresh = tables([false])
    before = {name: pl.concat([known[name], fresh[name]]) for name in known}
    assert after(before, answer(FRIDAY, hours=MORNING + 48)) == {}


def test_lists_open_where_the_calendar_says_so() -> None:
    days = [date(2025, 11, 3), date(2026, 3, 9), date(2026, 10, 2)]
    opened = pl.DataFrame({"listed_on": days}).select(OPENED_AT).to_series()
    assert opened.to_list() == list(map(opens_at, days))
