"""Invented items of the JSON API's lists, for tests of the readers."""

from datetime import datetime
from typing import Any

from tests.collected import DAILY, FETCHED_AT, collected, page, rejects


def without(made: dict[str, Any]) -> dict[str, Any]:
    """The item without a key: the source omits missing values (docs/source.md §1)."""
    return {key: value for key, value in made.items() if value is not None}


def item(paper: dict[str, Any] | None = None, **outer: Any) -> dict[str, Any]:
    """A list item with the fields of all eras, some of them changed; None leaves a key out."""
    inner = {
        "id": "2503.01234",
        "authors": [{"_id": "0" * 24, "name": "Ada Holm", "hidden": False}],
        "publishedAt": "2024-03-11T17:59:58.000Z",
        "title": "Woven Ledgers for\n  Slow Tides",
        "summary": "We weave\nledgers and  keep\nthem.\n  They last.",
        "upvotes": 12,
    }
    base = {"publishedAt": "2024-03-12T03:17:21.812Z", "title": "Woven Ledgers for Slow Tides", "numComments": 3}
    return without({"paper": without(inner | (paper or {}))} | base | outer)


def rows(*contents: Any, url: str | None = DAILY, fetched_at: datetime | None = FETCHED_AT) -> list[dict[str, Any]]:
    result = collected(page(list(contents), url, fetched_at))
    assert rejects(result) == []
    return result.sightings.rows(named=True)
