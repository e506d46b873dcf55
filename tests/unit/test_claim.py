"""Which version a draft claims: the same one each time, later than its parent, and no other draft's."""

from __future__ import annotations

from datetime import date

import pytest

from warehouse.errors import Superseded
from warehouse.release.latest import LATEST
from warehouse.release.manifest import Draft, Latest, Parent, encode
from warehouse.release.write import claim
from warehouse.store.store import Store

TODAY = date(2026, 11, 21)


def draft(draft_id: str, parent: str | None = None) -> Draft:
    return Draft(draft_id, 1, "0", Parent(parent, "0" * 64) if parent else None, 0, "0" * 64, ())


def publish(store: Store, version: str) -> None:
    store.put(LATEST, encode(Latest(version, "0" * 64)))


def test_the_same_draft_has_the_same_version_on_any_day(store: Store) -> None:
    assert claim(store, draft("a"), TODAY) == "2026.11.21.1"
    for day in (TODAY, date(2026, 11, 22), date(2027, 3, 1)):
        assert claim(store, draft("a"), day) == "2026.11.21.1"


def test_another_draft_has_another_version(store: Store) -> None:
    assert [claim(store, draft(name), TODAY) for name in "abca"] == [f"2026.11.21.{n}" for n in (1, 2, 3, 1)]


@pytest.mark.parametrize(
    ("parent", "version"),
    [
        ("2026.11.20.7", "2026.11.21.1"),
        ("2026.11.21.1", "2026.11.21.2"),
        ("2026.11.21.9", "2026.11.21.10"),
        ("2026.12.01.3", "2026.12.01.4"),  # made where the clock was fast
    ],
)
def test_a_release_is_called_later_than_its_parent(store: Store, parent: str, version: str) -> None:
    publish(store, parent)
    assert claim(store, draft("a", parent), TODAY) == version


def test_a_draft_that_was_overtaken_claims_nothing(store: Store) -> None:
    publish(store, "2026.11.21.1")
    with pytest.raises(Superseded, match="paperlake build"):
        claim(store, draft("a"), TODAY)
    assert store.list() == [LATEST]
