"""The guards that compare with the previous release: real losses are named, ordinary days pass."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import cache

import polars as pl
import pytest

from expectations.comparison import Comparison
from expectations.gate import GUARDS, Proven, check, require, rules_digest
from expectations.report import ACCEPTABLE, CheckResult
from tests import invented
from tests.collected import page
from tests.derived import derive
from tests.invented import HUB
from tests.unit.test_vandalised import tables as shown
from tests.vandalism import Change, Items, Material, as_it_is, each, kept, moved, upvotes
from transforms.collect.collect import collect, read_page
from warehouse.archive.captured import Capture
from warehouse.errors import GateClosed

THURSDAY, FRIDAY = date(2026, 10, 1), date(2026, 10, 2)


def answer(day: date, hours: float, change: Change = as_it_is, *, more_upvotes: int = 0) -> Capture:
    """The list of a day some time after midnight, its items changed in some way."""
    fetched_at = datetime(day.year, day.month, day.day) + timedelta(hours=hours)
    papers = [invented.paper(number, day) for number in range(1, 13)]
    items = invented.daily_answer(papers, fetched_at, more_upvotes=more_upvotes)
    return page(
        change(Material(items, [], random.Random(1))) or items, f"{HUB}/api/daily_papers?date={day}", fetched_at
    )


@cache
def tables(*captures: Capture) -> dict[str, pl.DataFrame]:
    return derive(collect(read_page(capture) for capture in captures))


def broken(now: dict[str, pl.DataFrame], before: dict[str, pl.DataFrame]) -> dict[str, CheckResult]:
    compared = Comparison(now, before)
    guards = [guard for guard in GUARDS if guard.kind in ACCEPTABLE]
    assert all(guard.applies(compared) for guard in guards)
    results = [guard.result(compared) for guard in guards]
    return {f"{one.table}.{one.rule}": one for one in results if not one.passed}


def failed(before: list[Capture], *new: Capture) -> dict[str, CheckResult]:
    return broken(tables(*before, *new), tables(*before))


BEFORE = [answer(THURSDAY, 20), answer(FRIDAY, 20)]


def longer(given: Material) -> Items:
    return [*given.items, invented.list_item(invented.paper(13, FRIDAY), datetime(2026, 10, 3))]


def scrambled(given: Material) -> None:
    for item in given.items:
        found = item["paper"]
        found["id"], found["title"], found["summary"] = found["title"], found["summary"], found["id"]


def swapped(given: Material) -> None:
    """Two counts of a paper, exchanged."""
    for item in given.items:
        item["paper"]["upvotes"], item["numComments"] = item["numComments"], item["paper"]["upvotes"] + 1000


truncated = kept(lambda place, _: place < 4)
vandalised = upvotes(lambda count, _: count * 1000 + 1000, is_sorted=False)
without_upvotes = upvotes(lambda *_: 0)
without_comments = each(lambda item, _: item.pop("numComments"))


def test_an_ordinary_day_and_a_list_that_grew_pass() -> None:
    grown = answer(FRIDAY, 44, longer, more_upvotes=30)
    assert failed(BEFORE, grown, answer(date(2026, 10, 5), 3), answer(date(2026, 10, 5), 9, more_upvotes=5)) == {}


def test_pages_of_old_days_that_are_landed_late_pass() -> None:
    assert failed([answer(FRIDAY, 44, more_upvotes=60)], *BEFORE, answer(date(2024, 3, 12), 20)) == {}


@pytest.mark.parametrize(
    ("captures", "rule", "words"),
    [
        ([answer(FRIDAY, 44, truncated)], "daily_listings.lists_kept", "2026-10-02 lost 8 of 12 papers"),
        ([page(b"[]", f"{HUB}/api/daily_papers?date=2026-10-02", datetime(2026, 10, 4))], "daily_listings.lists_kept", "2026-10-02 lost 12 of 12 papers"),
        ([answer(date(2026, 10, 5), 20, scrambled)], "captures.items_read", "12 of 12 items are in quarantine"),
        ([answer(FRIDAY, 44, moved("title"))], "papers.titles_kept", "paper_id=26"),
        ([answer(FRIDAY, 44, moved("summary"))], "papers.abstracts_kept", "paper_id=26"),
        ([answer(FRIDAY, 44, moved("authors"))], "papers.authors_kept", "paper_id=26"),
        ([answer(FRIDAY, 44, moved("publishedAt"))], "papers.dates_kept", "paper_id=26"),
        ([answer(FRIDAY, 44, moved("discussionId"))], "papers.discussions_kept", "paper_id=26"),
        ([answer(FRIDAY, 44, swapped)], "papers.comments_rise_slowly", "paper_id=26"),
        ([answer(date(2026, 10, 5), 20, swapped)], "sightings.comments_in_range", "paper_id=26"),
        ([answer(FRIDAY, 44, vandalised)], "papers.upvotes_rise_slowly", "paper_id=26"),
        ([answer(date(2026, 10, 5), 20, vandalised)], "sightings.upvotes_in_range", "paper_id=26"),
        ([answer(FRIDAY, 44, without_upvotes)], "papers.upvotes_rarely_fall", "paper_id=26"),
        ([answer(date(2026, 10, 5), 20, without_comments)], "sightings.comment_count_nulls_steady", "paper_id=26"),
    ],
)  # fmt: skip
def test_a_loss_or_a_jump_is_refused_and_named(captures: list[Capture], rule: str, words: str) -> None:
    """By the guard of that name alone, which reads nothing that takes a whole release to make."""
    [guard] = [guard for guard in GUARDS if f"{guard.table}.{guard.rule}" == rule]
    found = guard.result(Comparison(shown([*BEFORE, *captures]), shown(BEFORE)))
    assert not found.passed
    assert words in "; ".join(found.examples)


def test_a_limit_that_the_data_set_is_told_where_it_is_broken() -> None:
    broken = failed(BEFORE, answer(date(2026, 10, 5), 20, vandalised))["sightings.upvotes_in_range"]
    assert re.fullmatch(
        r"new rows have over 5 times the upvotes that are high \([0-9,]+\), as a median", broken.meaning
    )


def test_a_good_day_after_a_bad_one_that_was_accepted_passes() -> None:
    bad = answer(FRIDAY, 44, moved("title", "summary", "publishedAt", "discussionId"))
    assert failed([*BEFORE, bad], answer(FRIDAY, 68)) == {}


def test_the_known_fault_of_old_archives_is_no_alarm() -> None:
    reprs = page(
        [repr({"title": str(number)}) for number in range(9)],
        f"{HUB}/api/daily_papers?date=2026-10-05",
        datetime(2026, 10, 5, 9),
    )
    assert failed(BEFORE, reprs) == {}


def test_a_paper_that_is_known_by_its_arxiv_id_now_is_no_loss() -> None:
    papers = [invented.paper(number, FRIDAY) for number in range(1, 5)]
    dump = page(invented.text_dump(papers, "Oct 2"), None, datetime(2026, 10, 2, 8))
    assert failed([answer(THURSDAY, 20), dump], answer(FRIDAY, 20)) == {}


def test_an_author_list_that_got_shorter_is_no_loss() -> None:
    def shorter(given: Material) -> None:
        first = given.items[0]["paper"]
        first["authors"] = first["authors"][:1]

    assert failed(BEFORE, answer(FRIDAY, 44, shorter)) == {}


def twins(day: date, count: int, fetched_at: datetime, *, has_abstracts: bool = True) -> Capture:
    """A list of papers that share twelve titles with each other, and with those of every other day."""
    papers = [invented.paper(n, day) for n in range(1, count + 1)]
    nouns = [invented.NOUNS[n % 12] for n in range(1, count + 1)]
    papers = [
        replace(
            one, title=f"On {noun}s again", abstract=f"{one.abstract} So {noun}s again.", extra={"ai_summary": None}
        )
        for one, noun in zip(papers, nouns, strict=True)
    ]
    items = invented.daily_answer(papers, fetched_at)
    for item in () if has_abstracts else items:
        item["paper"].pop("summary")
        item.pop("summary", None)
    return page(items, f"{HUB}/api/daily_papers?date={day}", fetched_at)


def test_a_cluster_of_another_kind_is_no_loss() -> None:
    """Older looks at the same lists tell which papers of one title are one work."""
    before = tables(twins(FRIDAY, 40, datetime(2026, 10, 2, 20), has_abstracts=False))
    now = tables(
        twins(FRIDAY, 40, datetime(2026, 10, 2, 20), has_abstracts=False), twins(FRIDAY, 40, datetime(2026, 10, 2, 14))
    )
    kinds = before["paper_clusters"].join(now["paper_clusters"], on=["kind", "paper_id"], how="anti")
    assert kinds.height > 20
    assert "paper_clusters.keys_kept" not in broken(now, before)


def test_a_cluster_that_is_named_by_an_older_paper_now_is_no_loss() -> None:
    before = [twins(FRIDAY, 24, datetime(2026, 10, 2, 20))]
    older = twins(date(2026, 8, 20), 12, datetime(2026, 10, 5, 9))
    lost = tables(*before)["paper_clusters"].join(tables(*before, older)["paper_clusters"], on="cluster_id", how="anti")
    assert lost.height == 20  # as rows; every paper is still in a cluster
    assert failed(before, older) == {}


def test_shorter_lists_of_similar_papers_are_no_loss_but_papers_without_one_are() -> None:
    before = tables(twins(FRIDAY, 40, datetime(2026, 10, 2, 20)))
    alike = before["similar_papers"]
    shorter = alike.filter(pl.col("rank") == 1)
    assert (shorter.height, alike.height > 100) == (40, True)
    assert "similar_papers.keys_kept" not in broken(before | {"similar_papers": shorter}, before)
    none = alike.filter(pl.col("paper_id") > alike["paper_id"].unique().sort()[10])
    assert "similar_papers.keys_kept" in broken(before | {"similar_papers": none}, before)


def test_papers_that_are_in_no_cluster_any_more_are_a_loss() -> None:
    before = tables(twins(FRIDAY, 24, datetime(2026, 10, 2, 20)))
    found = broken(before | {"paper_clusters": before["paper_clusters"].head(3)}, before)
    assert (found["paper_clusters.keys_kept"].failed_count, [*found]) == (21, ["paper_clusters.keys_kept"])


def test_captures_that_are_gone_are_a_loss() -> None:
    lost = broken(tables(BEFORE[1]), tables(*BEFORE))
    assert {f"{table}.keys_kept" for table in ("captures", "sightings", "papers", "daily_listings")} <= lost.keys()


def test_an_accepted_loss_passes_the_gate_and_is_on_record() -> None:
    before = tables(*BEFORE)
    now = tables(*BEFORE, answer(FRIDAY, 44, truncated))
    proven = Proven("2026.10.03.1", rules_digest(), before)
    with pytest.raises(GateClosed, match=r"2026-10-02 lost 8 of 12 papers[\s\S]*--accept-loss"):
        require(check(now, proven=proven))
    report = check(now, proven=proven, accepted_loss="the Hub took them back")
    require(report)
    assert [one.rule for one in report.failed] == ["lists_kept"]
    assert type(report).from_json(report.to_json()).accepted_loss == "the Hub took them back"


def test_no_acceptance_covers_a_broken_rule() -> None:
    before = tables(*BEFORE)
    broken = before | {"papers": before["papers"].with_columns(title=pl.lit(None, pl.String))}
    with pytest.raises(GateClosed, match="title is missing"):
        require(check(broken, proven=Proven("1", "", before), accepted_loss="never mind"))
