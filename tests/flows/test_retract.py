"""A wrong release: readers get the one before, its files stay, and it and later ones come with a warning."""

from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner, Result

from flows.documents.release_index import lead_to_latest, summaries, tombstone
from flows.runtime.lake import open_database, open_lake
from flows.steps.copy_lake import copy_lake
from flows.steps.drop_releases import retain
from flows.steps.read_back import verify_release
from paperlake.cli.app import app
from tests.bare import publish_bare
from tests.flows import steps
from warehouse.errors import GateClosed, NothingThere, Superseded, UsageError
from warehouse.inventory import retention
from warehouse.inventory.keep_rule import KeepRule
from warehouse.release import moves
from warehouse.release.latest import LATEST, require_latest
from warehouse.store.local import LocalStore
from warehouse.store.store import Store

FIRST, SECOND, THIRD = (f"2026.11.21.{number}" for number in (1, 2, 3))
AT, WHY = datetime(2026, 11, 22, 9), "the stars are wrong"


@pytest.fixture
def paperlake(store: Store) -> Callable[..., Result]:
    return lambda *words: CliRunner().invoke(app, [*words, "--lake", store.url], catch_exceptions=False)


def test_the_latest_skips_it_and_every_byte_stays(store: Store) -> None:
    before = {key: store.read(key) for key in store.list("releases") if key != LATEST}
    moved = moves.retract(store, THIRD, at=AT, why=WHY, affected=["paper_observations", "papers:2610.00001"])
    assert (moved.version, moved.number, moved.why) == (SECOND, 4, f"retracted {THIRD}: {WHY}")
    assert require_latest(store).erratum(THIRD) == moved.errata[0]
    assert moves.retract(store, FIRST, at=AT, why="too early").version == SECOND
    assert {key: store.read(key) for key in store.list("releases") if key != LATEST} == before
    assert [one.erratum is not None for one in summaries(store)] == [True, False, True]
    with pytest.raises(UsageError, match=f"retracted already, since 2026-11-22T09:00:00Z: {WHY}"):
        moves.retract(store, THIRD, at=AT, why="again")
    with pytest.raises(UsageError, match=f"{SECOND} is the only one there is: publish a better one"):
        moves.retract(store, SECOND, at=AT, why="this too")
    with pytest.raises(NothingThere, match="paperlake releases"):
        moves.retract(store, "2026.11.21.9", at=AT, why="which?")
    lead_to_latest(store)  # as the command does
    assert verify_release(store, every=True)[1] == []


@pytest.mark.slow
def test_every_later_release_names_it(store: Store) -> None:
    moves.retract(store, THIRD, at=AT, why="`stars` | are wrong", affected=["paper_observations", "papers:2610.00001"])
    moves.retract(store, FIRST, at=AT, why="too early")
    steps.build_unchecked(store.url, [steps.list_of(date(2026, 10, 5))])
    manifest = steps.publish(store.url)
    assert (manifest.version, manifest.parent and manifest.parent.version) == ("2026.11.21.4", SECOND)
    with duckdb.connect(str(open_database(store.url)), read_only=True) as connection:
        told = connection.execute("SELECT version, affected, retracted_at, why FROM _errata").fetchall()
    assert told == [
        (FIRST, "*", AT, "too early"),
        (THIRD, "paper_observations", AT, "`stars` | are wrong"),
        (THIRD, "papers:2610.00001", AT, "`stars` | are wrong"),
    ]
    notes = store.read(f"releases/{manifest.version}/NOTES.md").decode()
    line = f"- `{THIRD}` was retracted on 2026-11-22: `'stars' | are wrong` (`paper_observations`, `papers:2610.00001`)"
    assert f"## Retracted releases\n\n{line}\n" in notes.replace(
        f"- `{FIRST}` was retracted on 2026-11-22: `too early`\n", ""
    )


@pytest.mark.slow
def test_a_retracted_release_is_not_published_again(store: Store) -> None:
    """Its captures are new to the release before; a run without a correction must not undo the retraction."""
    moves.retract(store, THIRD, at=AT, why=WHY)
    for now in (AT, steps.NOW):
        require_refused(store, now)
    assert require_latest(store).version == SECOND
    moves.restore(store, THIRD, at=AT, why="they were right")
    manifest = steps.publish_new(store.url, is_bare=True)
    assert manifest.version == require_latest(store).version == THIRD
    assert verify_release(store)[1] == []
    for version in (THIRD, SECOND):
        moves.retract(store, version, at=AT, why=WHY)
    require_refused(store, AT)  # the same tables on top of another release


def require_refused(store: Store, now: datetime) -> None:
    refused = pytest.raises(GateClosed, match=f"this is release {THIRD} again, which was retracted: {WHY}; mend")
    with steps.bare_releases(), refused:
        steps.publish_new(store.url, now=now)


def test_going_back_to_it_needs_an_option(
    store: Store, tmp_path: Path, paperlake: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    moves.retract(store, THIRD, at=AT, why=WHY)
    with pytest.raises(UsageError, match=f"was retracted 2026-11-22T09:00:00Z: {WHY}; --retracted says"):
        paperlake("rollback", THIRD)
    assert paperlake("tables").stderr == ""
    warning = f"warning: release {THIRD} was retracted 2026-11-22T09:00:00Z: {WHY}\n"
    assert paperlake("materialize", THIRD, "-o", str(tmp_path / "third.duckdb")).stderr == warning
    monkeypatch.setattr("webbrowser.open", bool)
    store.put(page := f"releases/{THIRD}/index.html", b"its page")  # these releases are bare
    assert paperlake("open", THIRD).stderr == warning
    store.delete(page)
    assert paperlake("rollback", THIRD, "--retracted").stdout.startswith(f"latest is {THIRD}")
    assert paperlake("trending").stderr == warning
    assert f"; release {THIRD} was retracted 2026-11-22T09:00:00Z: {WHY}; every" in paperlake("verify").stdout
    assert "retracted" not in paperlake("verify", FIRST).stdout


def test_it_can_be_taken_back_and_is_on_record(store: Store, paperlake: Callable[..., Result]) -> None:
    said = paperlake("retract", THIRD, "--why", f"{WHY}\u202e", "--affected", "papers")
    assert said.stdout == f"latest is {SECOND} (move 4: retracted {THIRD}: {WHY}\\u202e)\n"
    assert f"retracted {require_latest(store).errata[0].retracted_at}: {WHY}\\u202e" in paperlake("releases").stdout
    assert paperlake("retract", THIRD, "--why", "they were right", "--undo").stdout.startswith(f"latest is {SECOND}")
    assert require_latest(store).errata == ()
    paperlake("rollback", THIRD, "--why", "forward again")
    assert [move.why for move in moves.moves(store)][3:] == [
        f"retracted {THIRD}: {WHY}\u202e",
        f"restored {THIRD}: they were right",
        "forward again",
    ]
    with pytest.raises(UsageError, match="is not retracted"):
        paperlake("retract", THIRD, "--why", "twice", "--undo")
    with pytest.raises(UsageError, match="--affected stars:1 names no table"):
        paperlake("retract", THIRD, "--why", WHY, "--affected", "stars:1")


def test_what_is_retracted_stays_so_whatever_moves(store: Store, tmp_path: Path) -> None:
    """A drop, a move forward and a copy of the lake keep it; a dropped release cannot be retracted."""
    moves.retract(store, SECOND, at=AT, why=WHY)
    retain(store, KeepRule(1), apply=True, at=AT)
    with pytest.raises(NothingThere, match="was dropped"):
        moves.retract(store, FIRST, at=AT, why=WHY)
    assert retention.finish_drops(store, tombstone) == []
    copy_lake(store, copied := open_lake(str(tmp_path / "copy")))
    for lake in (store, copied):
        assert verify_release(lake)[1] == []
        publish_bare(lake, "2026.11.22.1", at=AT)
        assert [one.version for one in require_latest(lake).errata] == [SECOND]


def test_a_retracted_release_stands_for_its_day_only_where_no_other_does(store: Store) -> None:
    publish_bare(store, "2026.11.22.1", at=AT)
    for retracted, dropped in ((THIRD, [FIRST, THIRD]), (SECOND, [SECOND, THIRD]), (FIRST, [FIRST, SECOND])):
        moves.retract(store, retracted, at=AT, why=WHY)
        assert retain(store, KeepRule(days=2), apply=False, at=AT).dropped == dropped


def test_a_retraction_that_another_overtook_takes_nothing_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process, which has no lease, retracts a release after `latest.json` was read, before the move."""
    swap, others = LocalStore.swap, [FIRST]

    def late(self: LocalStore, key: str, data: bytes, expected: bytes | None) -> bool:
        if others:
            moves.retract(store, others.pop(), at=AT, why="too early")
        return swap(self, key, data, expected)

    monkeypatch.setattr(LocalStore, "swap", late)
    with pytest.raises(Superseded, match="run the same one again"):
        moves.retract(store, THIRD, at=AT, why=WHY)
    assert [one.version for one in require_latest(store).errata] == [FIRST]
    assert [one.version for one in moves.retract(store, THIRD, at=AT, why=WHY).errata] == [FIRST, THIRD]
