"""The source's schema as its pages show it: counted exactly, the same however captures are cut into builds."""

import json
from collections import Counter
from datetime import datetime
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.collected import DAILY, collected, page
from tests.invented import HUB
from transforms.collect.source_paths import drift, merged, new_paths
from transforms.readers.json_values import ITEM, JSON_TYPES, KEY_LIMIT, LARGEST, MOST_PATHS, JsonPaths
from warehouse.archive.captured import Capture
from warehouse.schema.core.captures import SCHEMA_PATHS

KEYS = st.sampled_from(["paper", "title", "a.b", "", "[]", "$", "*", "é", "x" * 200])
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


def rows(table: pl.DataFrame, *names: str) -> list[tuple[Any, ...]]:
    return table.select(names).rows()


def day(number: int, items: object, at: int | None = 8) -> Capture:
    fetched_at = datetime(2025, 10, number, at) if at is not None else None
    return page(items, f"{HUB}/api/daily_papers?date=2025-10-{number:02}", fetched_at)


def paper(**told: Any) -> dict[str, Any]:
    return {"paper": {"id": "2503.01234", "title": "Woven Ledgers", "upvotes": 3} | told}


def one_by_one(value: object, path: str, seen: Counter[tuple[str, str]]) -> None:
    """The paths of a value, by a plain walk over everything inside it."""
    seen[path, JSON_TYPES[type(value)]] += 1
    if isinstance(value, list):
        for inner in value:
            one_by_one(inner, f"{path}[]", seen)
    if isinstance(value, dict):
        for key, inner in value.items():
            is_plain = key.isascii() and key.isidentifier() and len(key) <= KEY_LIMIT
            name = key if is_plain else ascii(key[:KEY_LIMIT])[:KEY_LIMIT]
            one_by_one(inner, name if path == ITEM else f"{path}.{name}", seen)


@settings(deadline=None, max_examples=60)
@given(st.lists(VALUES, max_size=6))
def test_values_and_items_are_counted_as_one_by_one(items: list[object]) -> None:
    paths = JsonPaths()
    paths.take(ITEM, items, range(len(items)))
    values, holders = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for item in items:
        seen = Counter[tuple[str, str]]()
        one_by_one(item, ITEM, seen)
        values += seen
        holders.update(seen.keys())
    assert {key: seen.value_count for key, seen in paths.seen.items()} == values
    assert {key: len(seen.items) for key, seen in paths.seen.items()} == holders


def test_a_row_has_first_and_last_time_count_and_example() -> None:
    table = collected(
        day(2, [paper(tags=["b", "a"]), paper(id="2503.00002")], at=9),
        day(7, [paper(tags=["c"])]),
    ).schema_paths
    (row,) = table.filter(path="paper.tags[]").rows(named=True)
    assert (row["reader"], row["list_kind"], row["era"], row["json_type"]) == ("api_list", "daily", "2025-10", "string")
    assert (row["value_count"], row["item_count"], row["example"]) == (3, 2, "b")
    assert (str(row["first_listed_on"]), str(row["last_listed_on"])) == ("2025-10-02", "2025-10-07")
    assert (row["first_seen_at"], row["last_seen_at"]) == (datetime(2025, 10, 2, 9), datetime(2025, 10, 7, 8))


def test_values_that_are_no_item_have_paths_too() -> None:
    wrapped = {"status": "success", "data": ["{'paper': {'authors': [{'name': 'Ada Holm'}]}}"]}
    table = collected(day(1, wrapped)).schema_paths
    assert rows(table, "path", "json_type", "example") == [
        ("$", "object", None),
        ("$.data", "array", None),
        ("$.status", "string", "success"),
        ("[]", "string", None),
    ]


@pytest.mark.parametrize("key", ["name", "fullname", "avatarUrl", "followerCount"])
def test_no_example_holds_a_person(key: str) -> None:
    item = paper(authors=[{"name": "Ada", "user": {key: "ada"}}]) | {"submittedBy": {key: "ada"}, "commentText": "ada"}
    table = collected(day(1, [item])).schema_paths
    assert table.filter(pl.col("example").str.contains("(?i)ada")).is_empty()
    assert table.filter(path=f"submittedBy.{key}").height == 1


@pytest.mark.parametrize(
    "told",
    [
        {"curators": ["ada"]},
        {"likedBy": ["ada"]},
        {"login": "ada"},
        {"reviewed": {"displayName": "ada"}},
        {"handle": "ada"},
    ],
)
def test_no_example_of_a_new_field_holds_a_person(told: dict[str, object]) -> None:
    table = collected(day(1, [paper() | told])).schema_paths
    assert table.filter(pl.col("example").str.contains("ada")).is_empty()


def test_a_hostile_key_is_harmless_text() -> None:
    item = paper() | {"\n\x1b[31m" + "x" * 9_000: 1, "paper.title": 2}
    table = collected(day(1, [item])).schema_paths
    assert "'paper.title'" in table["path"].to_list()
    assert SCHEMA_PATHS.split(table)[1].is_empty()
    assert table["path"].str.len_chars().max() <= KEY_LIMIT


def test_a_page_of_endless_keys_counts_alone_and_its_rest_together() -> None:
    many = paper() | {f"k{number}": number for number in range(5_000)}
    table = collected(day(1, [many]), day(2, [paper(fresh=1)])).schema_paths
    assert table.height < MOST_PATHS + 10
    assert table.filter(path="*")["value_count"].sum() > 4_000
    assert table.filter(path="paper.fresh").height == 1


def test_a_page_that_is_too_large_to_look_at_says_so() -> None:
    table = collected(day(1, [paper(summary="x" * LARGEST)])).schema_paths
    assert rows(table, "path", "json_type") == [("*", "null")]


class TestDrift:
    def paths(self, *captures: Capture) -> pl.DataFrame:
        return collected(*captures).schema_paths

    def test_a_new_path_or_type_is_reported_with_its_page(self) -> None:
        old, new = day(1, [paper()]), day(2, [paper(title=7, badge="gold")])
        changes = drift(self.paths(old), self.paths(old, new))
        assert rows(changes, "change", "path", "json_type", "item_count", "example", "capture_id") == [
            ("new path", "paper.badge", "string", 1, "gold", new.capture_id),
            ("new type", "paper.title", "integer", 1, "7", new.capture_id),
        ]
        assert new_paths(self.paths(old), self.paths(old, new)).equals(changes)

    def test_what_is_new_only_to_the_lake_is_no_drift(self) -> None:
        old, html = self.paths(day(1, [paper()])), page(paper()["paper"], f"{HUB}/api/papers/2503.01234")
        assert drift(old.clear(), old).is_empty()
        assert drift(old, merged(pl.concat([old, self.paths(html)]))).is_empty()
        assert drift(old, old).is_empty()

    @pytest.mark.parametrize(("later", "gone"), [(30, ["paper.upvotes"]), (5, [])])
    def test_a_path_that_vanished_is_reported(self, later: int, gone: list[str]) -> None:
        old = day(1, [paper(id=f"2503.{number:05}") for number in range(10)])
        bare = [paper(id=f"2503.{number:05}") for number in range(later)]
        for item in bare:
            del item["paper"]["upvotes"]
        changes = drift(self.paths(old), self.paths(old, day(2, bare)))
        assert changes.filter(change="vanished")["path"].to_list() == gone

    def test_an_older_page_without_the_field_is_no_loss(self) -> None:
        old = day(1, [paper()])
        past = page(
            [{"paper": {"id": f"2403.{n:05}", "title": "x"}} for n in range(30)], DAILY.replace("2025-10", "2024-03")
        )
        assert drift(self.paths(old), self.paths(old, past)).is_empty()


def test_json_as_the_source_writes_it_is_counted_in_every_reader() -> None:
    detail = page(paper()["paper"] | {"numTotalModels": 3}, f"{HUB}/api/papers/2503.01234")
    props = json.dumps({"dailyPapers": [paper()], "periodType": "daily"}).replace('"', "&quot;")
    html = page(f'<div data-target="DailyPapers" data-props="{props}"></div>'.encode(), f"{HUB}/papers?date=2025-10-07")
    table = collected(detail, html).schema_paths
    assert ("api_paper", "numTotalModels", 1) in rows(table, "reader", "path", "item_count")
    assert ("list_page", "$.periodType", 1) in rows(table, "reader", "path", "item_count")
    assert ("list_page", "paper.title", 1) in rows(table, "reader", "path", "item_count")
