"""Pages of known forms are counted by what is declared, and are read and counted as if they were walked."""

import json
from datetime import date, datetime
from typing import Any

import msgspec
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import fields

from tests.api_items import item
from tests.collected import DAILY, collected, page
from transforms.collect.source_paths import PathTable, merged
from transforms.readers.hub_items import HubCount, HubItem
from transforms.readers.json_values import PLAIN, walked
from transforms.readers.known_items import KNOWN_ITEMS, KnownPaths, known
from transforms.readers.reading import Author, Reading

texts = st.text("aé\n\"'{", max_size=3)
VALUES: dict[Any, st.SearchStrategy[Any]] = {
    str: texts,
    bool: st.booleans(),
    HubCount: st.integers(-(2**31), 2**31 - 1),
    list[str]: st.lists(texts, max_size=2),
}


def objects(form: type[Struct]) -> st.SearchStrategy[dict[str, Any]]:
    """Any object of a form, as plain values."""
    keys = {key.encode_name: (key.required, value_of(key.type)) for key in fields(form)}
    return st.fixed_dictionaries(
        {name: value for name, (is_required, value) in keys.items() if is_required},
        optional={name: value for name, (is_required, value) in keys.items() if not is_required},
    )


def value_of(kind: Any) -> st.SearchStrategy[Any]:
    if kind == list[known(Author)]:
        return st.lists(objects(known(Author)), max_size=3)
    return VALUES[kind] if kind in VALUES else objects(kind)


@settings(deadline=None, max_examples=25)
@given(st.lists(objects(known(HubItem)), min_size=1, max_size=4))
def test_a_known_form_counts_as_the_same_plain_values(items: list[dict[str, Any]]) -> None:
    payload = json.dumps(items).encode()
    exact = KNOWN_ITEMS.decode(payload)
    assert all(type(one) is known(HubItem) for one in exact)
    counted = sorted((path for path, _ in KnownPaths([exact]).found), key=str)
    assert counted == sorted(walked(PLAIN.decode(payload), [], []), key=str)
    assert [plain(one) for one in exact] == [plain(one) for one in msgspec.json.decode(payload, type=list[HubItem])]


MOMENTS = st.one_of(st.none(), st.datetimes(datetime(2025, 10, 1), datetime(2025, 10, 9)))
DAYS = st.dates(date(2025, 10, 1), date(2025, 10, 3))


@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(DAYS, MOMENTS, st.lists(objects(known(HubItem)), max_size=2)), min_size=1, max_size=5))
def test_pages_of_an_era_are_counted_together_as_each_alone(
    pages: list[tuple[date, datetime | None, list[dict[str, Any]]]],
) -> None:
    together, alone = PathTable(), [PathTable() for _ in pages]
    for number, (listed_on, fetched_at, items) in enumerate(pages):
        known_items = KNOWN_ITEMS.decode(json.dumps(items).encode())
        reading = Reading(reader="api_list", list_kind="daily", listed_on=listed_on, json_items=known_items)
        for table in (together, alone[number]):
            table.add(reading, fetched_at, str(number), 0)
    assert together.frame().equals(merged(pl.concat(table.frame() for table in alone)))


def plain(one: HubItem) -> dict[str, Any]:
    """What the wider types know of an item."""
    return msgspec.to_builtins(msgspec.convert(one, HubItem, from_attributes=True))


@pytest.mark.parametrize(
    ("change", "path", "json_type"),
    [
        ({"zest": 1}, "zest", "integer"),
        ({"title": None}, "title", "null"),
        ({"thumbnail": ["a"]}, "thumbnail", "array"),
        ({"submittedBy": {"name": "ada", "isPro": 1.5}}, "submittedBy.isPro", "number"),
    ],
)
def test_another_key_or_type_is_counted_too_and_all_is_read(change: dict[str, Any], path: str, json_type: str) -> None:
    changed = item() | change
    with pytest.raises(msgspec.ValidationError):
        KNOWN_ITEMS.decode(json.dumps([changed]).encode())
    found = collected(page([changed, item({"id": "2503.00002"})], DAILY))
    row = found.schema_paths.filter(path=path, json_type=json_type)
    assert (row["value_count"].to_list(), row["item_count"].to_list()) == ([1], [1])
    assert found.sightings.height == 2
    assert found.schema_paths.filter(path="paper.authors[].name")["value_count"].to_list() == [2]
