"""`paperlake doctor`: each check finds its fault, on each kind of store, and names the next step. Prefect's: test_schedules.py."""

import shutil
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from flows.hub.budget import Clock
from flows.runtime.lake import open_lake
from flows.runtime.settings import load
from flows.steps.make_draft import make_draft
from flows.steps.standing import decided
from flows.watch import checkup
from flows.watch.checkup import CheckupFinding, check_conditional_writes, check_up
from paperlake.cli.app import app
from tests.flows import steps
from tests.hub.days import Days
from tests.hub.server import StandIn
from tests.seaweed import Seaweed
from warehouse.archive.archive import Archive
from warehouse.errors import StoreFailed
from warehouse.release import moves
from warehouse.release.latest import require_latest
from warehouse.store.local_files import local_files
from warehouse.store.store import Store

CHECKS = ["versions", "settings", "lake", "conditions", "clock", "disk", "journal", "hub"]
LATER = datetime(2026, 11, 22, 12)
IN_2062 = datetime(2062, 10, 5, 18)
pytestmark = pytest.mark.usefixtures("own_state")


@pytest.fixture(scope="module")
def made(one_release: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A copy: to try conditional writes `doctor` writes for a moment, while others may copy what all share."""
    return str(shutil.copytree(one_release, tmp_path_factory.mktemp("made") / "lake"))


def findings(lake: str, now: datetime = LATER, *, asks_hub: bool = False) -> dict[str, CheckupFinding]:
    return {found.check: found for found in check_up(lake, load(), Clock(now=lambda: now), asks_hub=asks_hub)}


def test_a_sound_lake_gives_a_line_a_check_and_is_not_changed(made: str) -> None:
    before = open_lake(made).list()
    done = CliRunner().invoke(app, ["doctor", "--lake", made])
    assert done.exit_code == 0, done.output
    assert [line.split()[1] for line in done.output.splitlines()] == CHECKS
    assert [line.split()[0] for line in done.output.splitlines()] == ["ok"] * 7 + ["note"]
    assert open_lake(made).list() == before


@pytest.mark.slow
def test_a_real_bucket_keeps_the_conditions(seaweed: Seaweed) -> None:
    store = seaweed.open(seaweed.lake())
    assert (
        check_conditional_writes(store) == "put if absent and compare-and-swap are honoured: 1 of 8 racing writers won"
    )
    assert store.list() == []


class _Careless:
    """A store that ignores the conditions of writes."""

    def __init__(self, store: Store, careless: str) -> None:
        self._store, self._careless = store, careless

    def __getattr__(self, name: str):
        if name == self._careless:
            return lambda key, data, *_: self._store.put(key, data) or True
        return getattr(self._store, name)


@pytest.mark.parametrize("careless", ["put_new", "swap"])
def test_a_store_that_ignores_conditions_is_reported(careless: str, made: str) -> None:
    store = open_lake(made)
    before = store.list()
    with pytest.raises(StoreFailed, match="accepts a write that it should refuse"):
        check_conditional_writes(_Careless(store, careless))  # type: ignore[arg-type]
    assert store.list() == before


def test_a_disowned_page_of_days_to_come_is_no_fault_of_the_clock(made: str, lake: str) -> None:
    store, page = open_lake(shutil.copytree(made, lake)), replace(steps.list_of(date(2026, 10, 5)), fetched_at=IN_2062)
    Archive(store).write([page], now=LATER)
    assert f"or disown page {page.capture_id}" in findings(lake)["clock"].words
    decisions = decided((), page.capture_id, "disowned", "mistyped", LATER)
    with local_files(store) as files:
        steps.publish_tables(lake, make_draft(files, from_raw=False, decisions=decisions))
    assert findings(lake)["clock"].state == "ok"


def test_a_move_of_days_to_come_is_found(made: str, lake: str) -> None:
    store = open_lake(shutil.copytree(made, lake))
    moves.keep(store, require_latest(store).version, at=IN_2062, why="under a clock that was ahead")
    assert "latest.json was moved at 2062-10-05 18:00 UTC, in the future; set" in findings(lake)["clock"].words
    assert findings(lake, IN_2062)["clock"].state == "ok"


def test_each_fault_has_its_exit_code(made: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert findings(made, LATER - timedelta(days=60))["clock"].code == 10
    (tmp_path / "file").touch()
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("PAPERLAKE_STATE", str(tmp_path / "file"))
        found = findings(made)["disk"]
        assert (found.code, f"PAPERLAKE_STATE: {tmp_path / 'file'} is no folder" in found.words) == (2, True)
    monkeypatch.setattr(checkup, "LEAST_ROOM", 1 << 60)
    assert "TMPDIR" in findings(made)["disk"].words
    monkeypatch.setenv("PAPERLAKE_ALERT_MAIL", "ada@example.org")
    assert findings(made)["settings"][1:] == (
        "wrong",
        "PAPERLAKE_ALERT_MAIL: a letter needs a relay and a sender; set PAPERLAKE_DIGEST_FROM, PAPERLAKE_DIGEST_SMTP_URL",
        2,
    )
    monkeypatch.delenv("PAPERLAKE_ALERT_MAIL")
    for setting, check in {"SIGNING_KEY": "settings", "CORRECTIONS": "corrections"}.items():
        monkeypatch.setenv(f"PAPERLAKE_{setting}", str(tmp_path / "nowhere"))
        assert findings(made)[check][1::2] == ("wrong", 2)
        monkeypatch.delenv(f"PAPERLAKE_{setting}")
    monkeypatch.setenv("PAPERLAKE_REFETCH", "1h")
    assert findings(made)["settings"].words.endswith("; PAPERLAKE_REFETCH is no setting")
    nothing = findings(str(tmp_path / "none"))
    assert (nothing["lake"].state, nothing["conditions"].state) == ("note", "note")
    assert not (tmp_path / "none").exists()


def test_a_lake_that_cannot_be_read_ends_the_checks_of_it(made: str, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    (damaged / "releases").mkdir(parents=True)
    (damaged / "releases/latest.json").write_bytes(b"{")
    found = findings(str(damaged))
    assert [*found] == ["versions", "settings", "lake", "hub"]
    assert (found["lake"].state, found["lake"].code) == ("wrong", 6)


def test_the_hub_is_asked_only_where_that_is_wanted(made: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now = Clock().now
    with StandIn(Days(), clock=Clock(now=now)) as hub:
        monkeypatch.setenv("PAPERLAKE_HUB_URL", hub.url)
        assert findings(made, now())["hub"].state == "note"
        assert hub.calls == []
        assert findings(made, now(), asks_hub=True)["hub"].words == f"{hub.url} answers"
