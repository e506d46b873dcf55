"""Real captures trip no guard, built one by one or in parts; the same captures, falsified, are refused."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import timedelta

import polars as pl
import pytest

from expectations.comparison import ComparedFrames, Comparison
from expectations.gate import GUARDS
from expectations.report import ACCEPTABLE
from tests.derived import derive
from tests.real.folder import captures
from transforms.collect.collect import Collected

PARTS = (8, 4, 2, 1)  # each has twice the captures of the one before, the last all
CUTS = 6
IS_LIST = (pl.col("reader") == "api_list") & (pl.col("list_kind") == "daily") & (pl.col("state") == "read")
LISTS = 25  # that are made false in each way
LATER = timedelta(hours=24)
FALSE = "f" * 20
Change = Callable[[pl.DataFrame], pl.DataFrame]


def alarms(now: ComparedFrames, before: ComparedFrames, kinds: frozenset[str] = frozenset({"pages"})) -> list[str]:
    compared = Comparison(now, before)
    results = [guard.result(compared) for guard in GUARDS if guard.kind in kinds and guard.applies(compared)]
    return [str(result) for result in results if not result.passed]


@pytest.fixture(scope="module")
def pages(tables: ComparedFrames) -> ComparedFrames:
    """The captures in order of time, and the tables of what pages show; other tables are left out."""
    return {
        "captures": tables["captures"].sort("fetched_at", "capture_id", nulls_last=False),
        "sightings": tables["sightings"],
        "papers": tables["papers"],
        "daily_listings": tables["daily_listings"],
    }


def until(pages: ComparedFrames, count: int) -> ComparedFrames:
    """The first captures, and what they say."""
    first = pages["captures"].head(count)
    return {**pages, "captures": first, "sightings": pages["sightings"].join(first, on="capture_id", how="semi")}


@pytest.mark.slow
def test_a_build_a_capture_is_without_a_false_alarm(pages: ComparedFrames) -> None:
    before: ComparedFrames = {}
    found: dict[int, list[str]] = {}
    for count in range(1, pages["captures"].height + 1):
        now = until(pages, count)
        if told := alarms(now, before):
            found[count] = told
        before = now
    assert found == {}
    assert pages["captures"].height == len(captures()) > 400


@pytest.mark.slow
def test_a_build_of_parts_is_without_a_false_alarm(
    collected: Collected, pages: ComparedFrames, tables: ComparedFrames
) -> None:
    """Built in parts by time, with all guards; then all at once."""
    ids, before = pages["captures"]["capture_id"], {}
    for part in PARTS:
        first = ids.head(len(ids) // part).implode()
        some = Collected(*(frame.filter(pl.col("capture_id").is_in(first)) for frame in collected))
        now = derive(some) if part > 1 else tables
        assert alarms(now, before, ACCEPTABLE) == []
        before = now
    assert alarms(before, {}, ACCEPTABLE) == []


def test_captures_that_come_in_any_order_are_no_alarm(pages: ComparedFrames) -> None:
    for seed in range(4):
        shuffled = pages["captures"].sample(fraction=1, shuffle=True, seed=seed)
        before: ComparedFrames = {}
        for part in range(1, CUTS + 1):
            now = until({**pages, "captures": shuffled}, len(shuffled) * part // CUTS)
            assert alarms(now, before) == []
            before = now


def lists(pages: ComparedFrames, least: int) -> Iterator[tuple[int, pl.DataFrame]]:
    """Some of the lists of so many papers, with the number of captures up to them."""
    dice = random.Random(least)
    rows = pages["captures"].with_row_index("count", offset=1)
    long = rows.filter(IS_LIST, pl.col("sighting_count") >= least)[60:]
    for count, capture_id in dice.sample(long.select("count", "capture_id").rows(), LISTS):
        yield count, pages["sightings"].filter(capture_id=capture_id).sort("position")


def refused(pages: ComparedFrames, count: int, rows: pl.DataFrame, *, again: bool) -> list[str]:
    """The guards that refuse a false page, in place of the last page or a day after it."""
    known = until(pages, count if again else count - 1)
    page = pages["captures"][count - 1 : count].with_columns(capture_id=pl.lit(FALSE))
    shown = rows.with_columns(capture_id=pl.lit(FALSE))
    if again:
        page, shown = page.with_columns(pl.col("fetched_at") + LATER), shown.with_columns(pl.col("observed_at") + LATER)
    now = {
        **pages,
        "captures": pl.concat([known["captures"], page]),
        "sightings": pl.concat([known["sightings"], shown]),
    }
    return alarms(now, known)


def times(factor: int, share: float) -> Change:
    """Upvotes of some papers times a factor; the list is in order again."""

    def change(rows: pl.DataFrame) -> pl.DataFrame:
        chosen = pl.int_range(pl.len()).shuffle(seed=rows.height) < share * pl.len()
        higher = rows.with_columns(pl.when(chosen).then(pl.col("upvote_count") * factor).otherwise("upvote_count"))
        in_order = higher.sort("upvote_count", descending=True, maintain_order=True)
        return in_order.with_columns(position=pl.int_range(1, pl.len() + 1, dtype=pl.Int32))

    return change


def moved(name: str) -> Change:
    return lambda rows: rows.with_columns(pl.col(name).shift(-1, fill_value=pl.col(name).first()))


def back(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.with_columns(pl.col("published_on", "listed_on") - timedelta(days=364))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "again", "found"),
    [
        (times(10, 0.3), True, 20),  # of few upvotes on a quiet day, ten times as many are nothing special
        (times(10, 1), True, LISTS),
        (times(10, 1), False, LISTS),
        (times(100, 0.3), False, 20),
        (moved("title"), True, LISTS),
        (moved("submitter_login"), True, 18),  # of 2024 there is none before 2024-06-13
        (back, False, LISTS),
        (lambda rows: rows.with_columns(abstract=pl.lit("The same words.")), False, LISTS),
        (lambda rows: rows.with_columns(pl.col("listed_on") + timedelta(days=7)), False, LISTS),
        (lambda rows: rows.with_columns(pl.col("upvote_count").shuffle(seed=3)), False, LISTS),
    ],
)  # fmt: skip
def test_false_pages_are_refused(pages: ComparedFrames, change: Change, again: bool, found: int) -> None:
    told = [refused(pages, count, change(rows), again=again) for count, rows in lists(pages, 12)]
    assert sum(map(bool, told)) >= found
    assert all(refused(pages, count, rows, again=again) == [] for count, rows in list(lists(pages, 12))[:5])
