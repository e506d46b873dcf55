"""Whatever stands in the fields of an answer, every item is accounted for and every table keeps its rules."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.collected import collected, page
from tests.invented import HUB
from transforms.core.derive import derive
from warehouse.schema.core import CORE_TABLES

SIGNS = st.sampled_from(
    list("aZ0é\u212a\u0130ß你 .-_/:#?%$\\\"'<&\t\n\0\x1c\x7f\x85\u00a0\u2028\u200b\ufeff\ufffd\U0001f600")
)
texts = st.one_of(st.text(SIGNS, max_size=12), st.sampled_from(["", " ", "x" * 501, "İ" * 500, "y" * 4_001]))
counts = st.one_of(st.integers(-2, 5), st.sampled_from([2**31 - 1, 2**31, -(2**31), 10**30, 1.0, True, "1"]))
instants = st.one_of(
    st.sampled_from(["2025-03-01T10:00:00.000Z", "2025-10-06T00:00:00.000Z", "2025-03-09T02:30:00.000Z"]),
    st.sampled_from(["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "2025-02-30T00:00:00.000Z", "Feb 30", ""]),
)
ids = st.one_of(st.sampled_from(["2503.00001", "2503.00002", "hep-th/9901001", "2503.0213", " 2503.00001"]), texts)
titles = st.one_of(st.sampled_from(["Woven Ledgers", "woven ledgers!"]), texts)
github = st.one_of(texts.map("https://github.com/".__add__), texts.map("https://github.com/a/".__add__), texts)
people = st.fixed_dictionaries({}, optional={"user": texts, "name": texts, "fullname": texts})
authors = st.fixed_dictionaries(
    {"name": texts}, optional={"user": people, "status": texts, "hidden": st.booleans(), "_id": texts}
)
anything = st.recursive(
    st.one_of(st.none(), st.booleans(), counts, texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=5,
)
papers = st.fixed_dictionaries(
    {"id": ids, "title": titles},
    optional={
        "summary": texts,
        "authors": st.lists(authors, max_size=3),
        "publishedAt": instants,
        "submittedOnDailyAt": instants,
        "submittedOnDailyBy": people,
        "upvotes": counts,
        "githubStars": counts,
        "numTotalModels": counts,
        "ai_keywords": st.lists(texts, max_size=3),
        "ai_summary": texts,
        "githubRepo": github,
        "githubRepoAddedBy": texts,
        "projectPage": github,
        "mediaUrls": st.lists(github, max_size=3),
        "organization": people,
        "discussionId": texts,
        "unheard-of": anything,
    },
)
items = st.fixed_dictionaries(
    {"paper": papers},
    optional={
        "publishedAt": instants,
        "numComments": counts,
        "submittedBy": people,
        "mediaUrl": github,
        "title": texts,
    },
)
answers = st.lists(st.one_of(items, items, items, anything), max_size=8)
addresses = st.sampled_from(
    [
        "/api/daily_papers?date=2025-10-07",
        "/api/daily_papers",
        "/api/papers/search?q=%00a%0A",
        "/api/daily_papers?week=2025-W41",
    ]
)


@pytest.mark.slow
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(answers, answers, addresses)
def test_every_table_keeps_its_rules(first: list[Any], second: list[Any], address: str) -> None:
    result = collected(page(first, HUB + address), page(second, f"{HUB}/api/papers/search?q=looms", None))
    assert result.captures["item_count"].sum() == len(first) + len(second)
    tables = derive(result)
    for table in CORE_TABLES:
        frame = tables[table.name]
        assert table.split(frame)[1].is_empty(), table.name
        assert not frame.select(pl.struct(table.key).is_duplicated().any()).item(), table.name
        for column, target in table.references.items():
            owner, name = target.split(".")
            assert frame.select(pl.col(column).is_in(tables[owner][name].implode()).all()).item(), (table.name, column)
