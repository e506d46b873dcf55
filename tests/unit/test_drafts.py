"""Drafts: sweeping those that can no longer be published, and the version that one claims, later than its parent's."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from datetime import date

import pytest
from msgspec.structs import replace

from warehouse.errors import Damaged, GateClosed, StoreFailed, Superseded
from warehouse.inventory.owners import Owner, inventory
from warehouse.inventory.retention import drop_superseded
from warehouse.release.draft import claim, current_draft
from warehouse.release.latest import CURRENT, LATEST, MANIFEST, release_key
from warehouse.release.manifest import Draft, Erratum, Latest, Manifest, Parent, encode
from warehouse.store.store import Store

FIRST, SECOND, TENTH = "2026.11.21.1", "2026.11.21.2", "2026.11.21.10"
TODAY = date(2026, 11, 21)
KEYS = ("data/papers.parquet", "data/sightings/2026.parquet", "quality/index.html")


def leave(store: Store, *draft_ids: str) -> None:
    for draft_id in draft_ids:
        for key in KEYS:
            store.put(f"drafts/{draft_id}/{key}", b"")


def left(store: Store) -> set[str]:
    return {key.split("/")[1] for key in store.list("drafts")}


def latest_is(store: Store, version: str) -> None:
    store.put(LATEST, encode(Latest(version, "0" * 64)))


def test_drafts_of_older_releases_are_swept(store: Store) -> None:
    """Also those without a release before them, and those of an older paperlake, whose ids name none."""
    leave(store, "first-0123", f"{FIRST}-0123", f"{SECOND}-0123", f"{TENTH}-0123", "0123456789abcdef")
    store.put("drafts/current.json", b"null")
    latest_is(store, FIRST)
    drop_superseded(store)
    assert left(store) == {"current.json", f"{FIRST}-0123"}


def test_a_damaged_name_of_the_draft_is_no_reason_to_restore_what_no_copy_has(store: Store) -> None:
    leave(store, "first-0123")
    store.put(CURRENT, b"{")
    with pytest.raises(Damaged, match=f'{CURRENT} is not what paperlake wrote; remove it, and run "paperlake build"'):
        current_draft(store)
    assert {item.owner for item in inventory(store)} == {Owner.DRAFT}


def test_before_the_first_release_all_others_may_be_alive(store: Store) -> None:
    leave(store, "first-0123", "first-4567")
    drop_superseded(store)
    assert left(store) == {"first-0123", "first-4567"}


def test_a_draft_on_a_release_that_comes_meanwhile_stays(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the drafts are listed, another publisher moves on and a third builds on that."""
    latest_is(store, FIRST)
    leave(store, f"{FIRST}-0123")
    listed = store.list

    def list_late(prefix: str = "") -> list[str]:
        if prefix == "drafts":
            latest_is(store, SECOND)
            leave(store, f"{SECOND}-0123")
        return listed(prefix)

    monkeypatch.setattr(store, "list", list_late)
    drop_superseded(store)
    monkeypatch.undo()
    assert left(store) == {f"{SECOND}-0123"}


def test_sweeping_and_writing_at_one_moment(store: Store) -> None:
    """Two sweep, one writes obsolete drafts, one a live draft: that stays whole, and no sweep fails."""
    latest_is(store, SECOND)
    live = [f"drafts/{SECOND}-{number:04}/{key}" for number in range(60) for key in KEYS]

    def write_old() -> None:
        for number in range(60):
            with suppress(StoreFailed):  # its folder is gone between two steps: it may be written again
                leave(store, f"{FIRST}-{number % 3}")

    def write_live() -> None:
        assert all(store.put_new(key, b"") for key in live)

    def sweep() -> None:
        for _ in range(40):
            drop_superseded(store)

    with ThreadPoolExecutor() as pool:
        for done in [pool.submit(work) for work in (write_old, write_live, sweep, sweep)]:
            done.result()
    drop_superseded(store)
    assert set(store.list("drafts")) == set(live)


def draft(draft_id: str, parent: str | None = None) -> Draft:
    return Draft(draft_id, 1, "0", Parent(parent, "0" * 64) if parent else None, 0, "0" * 64, ())


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
    latest_is(store, parent)
    assert claim(store, draft("a", parent), TODAY) == version


def test_a_draft_that_was_overtaken_claims_nothing(store: Store) -> None:
    latest_is(store, FIRST)
    with pytest.raises(Superseded, match="paperlake build"):
        claim(store, draft("a"), TODAY)
    assert store.list() == [LATEST]


def test_what_a_killed_publisher_wrote_is_swept_though_another_was_refused_since(store: Store) -> None:
    version = claim(store, draft("first-0123"), TODAY)
    store.put(f"releases/{version}/data/papers.parquet", b"")
    latest_is(store, TENTH)
    with pytest.raises(Superseded):
        claim(store, draft("first-0123"), TODAY)
    drop_superseded(store)
    assert store.list() == [f"releases/{version}/draft.json", LATEST]


@pytest.mark.parametrize("code_version", ["0", "1"])
def test_what_was_retracted_is_published_again_by_another_paperlake_alone(store: Store, code_version: str) -> None:
    """Which may have mended its marts: the tables are the same."""
    wrong = Manifest(SECOND, 1, "0", None, 0, "", (), ())
    store.put(release_key(SECOND, MANIFEST), encode(wrong))
    erratum = Erratum(SECOND, "2026-11-22T09:00:00Z", "wrong ranks")
    store.put(LATEST, encode(Latest(FIRST, "0" * 64, errata=(erratum,))))
    again = replace(draft("a", FIRST), code_version=code_version)
    with pytest.raises(GateClosed, match=f"release {SECOND} again") if code_version == "0" else nullcontext():
        assert claim(store, again, TODAY) == SECOND
