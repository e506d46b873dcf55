"""What the declarations say of the source's eras, against the days on which the real captures show each field."""

import re
from datetime import date

import polars as pl
import pytest

from transforms.collect.collect import Collected
from warehouse.schema.catalog import CORE_TABLES

DECLARED = {
    column.name: (column.sources, column.since) for table in CORE_TABLES for column in table.columns if column.since
}
# The calendar of docs/source.md §9 that no column declares
CALENDAR = {
    "thumbnail": date(2024, 6, 12),
    "mediaUrls": date(2024, 6, 12),
    "submittedBy": date(2024, 6, 13),
    "paper.authors[].user._id": date(2024, 8, 6),
    "submittedBy.followerCount": date(2024, 10, 24),
    "submittedBy._id": date(2024, 12, 3),
    "summary": date(2025, 3, 11),
    "paper.submittedOnDailyAt": date(2025, 3, 17),
    "submittedBy.isHfAdmin": date(2025, 3, 21),
    "organization": date(2025, 10, 3),
    "submittedBy.isUserFollowing": date(2026, 1, 7),
    "paper.authors[].user.name": date(2026, 3, 12),
}


@pytest.fixture(scope="module")
def first_days(collected: Collected) -> dict[str, date]:
    of_lists = collected.schema_paths.filter(reader="api_list", list_kind="daily")
    return dict(of_lists.group_by("path").agg(pl.col("first_listed_on").min()).iter_rows())


def assert_first(path: str, since: date, first_days: dict[str, date], days: list[date]) -> None:
    """Never before its day, and on one of the first lists that were captured from then on."""
    assert first_days[path] >= since, path
    captured = [day for day in days if day >= since]
    assert first_days[path] in captured[:6], path  # a rare field is not on every list


def test_since_is_the_first_day_the_captures_show_a_field(collected: Collected, first_days: dict[str, date]) -> None:
    days = sorted(set(collected.captures.filter(state="read", list_kind="daily")["listed_on"]))
    asked = 0
    for sources, since in DECLARED.values():
        paths = [path for path in sources if path in first_days]
        assert paths, sources
        earliest = min(paths, key=first_days.__getitem__)
        assert_first(earliest, since, first_days, days)
        asked += 1
    for path, since in CALENDAR.items():
        assert_first(path, since, first_days, days)
    assert asked > 8


def test_a_field_that_was_there_always_declares_no_day(collected: Collected, first_days: dict[str, date]) -> None:
    first = min(first_days.values())
    always = {
        column.sources[0]
        for table in CORE_TABLES
        for column in table.columns
        if not column.since and re.split("[,;]", column.source)[0] in column.sources[:1]
    }
    named = {path: day for path, day in first_days.items() if path in always}
    assert {"paper.upvotes", "numComments", "paper.id"} <= named.keys()
    assert {path: day for path, day in named.items() if day != first} == {}


def test_every_item_has_what_no_item_lacks(collected: Collected) -> None:
    """Missing values are omitted keys, never null (docs/source.md §1), and every type is constant but for the repr days."""
    paths = collected.schema_paths.filter(reader="api_list")
    assert "null" not in paths["json_type"].to_list()
    types = paths.group_by("path").agg(pl.col("json_type").n_unique())
    assert types.filter(pl.col("json_type") > 1)["path"].to_list() == ["[]"]
    items = paths.filter(path="[]", json_type="object")["item_count"].sum()
    assert (
        items
        == paths.filter(path="paper.authors")["item_count"].sum()
        == collected.sightings.filter(
            pl.col("capture_id").is_in(collected.captures.filter(reader="api_list")["capture_id"].implode())
        ).height
    )


def test_no_example_shows_a_person(collected: Collected) -> None:
    shown = collected.schema_paths.filter(pl.col("example").is_not_null())
    assert shown.filter(pl.col("path").str.contains("(?i)author|user|avatar|follow|submitted")).is_empty()
    assert shown.filter(pl.col("example").str.contains("avatars")).is_empty()
