"""The flows as Prefect runs them: a few, with a server."""

import logging
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from prefect import flow
from prefect.artifacts import Artifact, create_markdown_artifact
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.logging import get_run_logger
from prefect.settings import temporary_settings

from flows.daily import daily
from flows.hub.budget import Clock
from flows.people.erase import Machine, look
from flows.people.prefect_history import prefect_rows
from flows.plan.due import missing_list
from flows.running.deployed import flow_run
from flows.running.how import How
from flows.running.prefect_server import OwnServer
from flows.runtime.environment import utc_now
from flows.runtime.lake import open_lake
from flows.verify import verify
from tests.flows import steps
from tests.flows.test_erasure import DAYS, LOGIN, WISH, list_of
from tests.flows.test_lineage import events_in, require_told
from tests.hub import faults
from tests.hub.days import Days
from tests.hub.server import StandIn
from warehouse.archive.archive import Archive
from warehouse.errors import Damaged, GateClosed, NoList, StoreFailed
from warehouse.release.latest import latest_manifest
from warehouse.schema.core.listings import COVERAGE

__all__ = ["events_in"]

# Prefect's own warnings, and its sockets, which are let go while they are none of another test's
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default"), pytest.mark.usefixtures("let_go")]


@pytest.fixture(scope="module", autouse=True)
def prefect(own_prefect: OwnServer) -> Iterator[None]:
    with temporary_settings(own_prefect.settings):
        yield


def test_daily_publishes_and_shows_what_it_did(
    lake: str, sample: Path, events_in: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Its lines reach Prefect once."""
    caplog.set_level(logging.INFO, "paperlake")  # as a command sets it
    with get_client(sync_client=True) as client:
        before = len(lines(client))
        landing, manifest = daily(lake, [str(sample)])
        said = lines(client)[before:]
    assert len([line for line in said if line.startswith("landed 26 ")]) == 1
    assert len([line for line in said if line.startswith("gate: ")]) == 1
    assert (landing.landed_count, landing.refused) == (26, ())
    assert "26 captures" in Artifact.get("paperlake-land").data
    assert '"sightings"' in Artifact.get("paperlake-tables").data
    assert "none failed" in Artifact.get("paperlake-gate").data
    assert manifest.version in Artifact.get("paperlake-release").data
    require_told(lake, events_in)
    assert steps.make_draft(lake, from_raw=True) is None, "raw gives the release"

    again, nothing = daily(lake, [str(sample)])
    assert (again.landed_count, again.skipped_count, nothing) == (0, 26, None)


def test_a_list_that_is_missing_ends_the_run_as_no_list_when_all_else_is_published(lake: str, monkeypatch) -> None:
    now = utc_now()
    expected = missing_list(COVERAGE.empty(), now)
    assert expected is not None
    with StandIn(Days(), clock=Clock(now=lambda: now)) as hub:
        hub.misbehave(faults.empty_list(), f"?date={expected}&")  # its page shows papers: it is no holiday
        monkeypatch.setenv("PAPERLAKE_HUB_URL", hub.url)
        monkeypatch.setattr("flows.daily.CLOCK", Clock(now=lambda: now))  # six hours may end while it runs
        state = daily(lake, return_state=True)
    assert (state.is_failed(), state.name) == (True, "NoList")
    assert f"{expected:%A, %Y-%m-%d}" in state.message
    assert latest_manifest(open_lake(lake)) is not None
    with pytest.raises(NoList, match="published"):
        state.result()


def test_verify_names_the_faults_of_the_archive_and_of_the_release_at_once(published_copy: str) -> None:
    lake = published_copy
    verify(lake)
    flipped = [
        next(Path(lake).glob("raw/warc/*/*.warc.gz")),
        next(Path(lake).glob("releases/*/data/papers/all.parquet")),
    ]
    for path in flipped:
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.chmod(0o644)
        path.write_bytes(content)
    with pytest.raises(Damaged) as damaged:
        verify(lake)
    assert all(path.name in str(damaged.value) for path in flipped)


FAILURES = [(StoreFailed("the disk is full"), 3), (GateClosed("a rule failed"), 1)]


@pytest.mark.parametrize(("error", "tries"), FAILURES)
@pytest.mark.parametrize("is_task", [False, True])
def test_a_step_is_tried_again_only_when_the_store_failed(
    error: Exception, tries: int, is_task: bool, lake: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flows.running.how.DELAYS_SECONDS", (0.0, 0.0))
    calls = []

    def fail() -> None:
        calls.append(1)
        raise error

    def failing_with(how: How) -> None:
        how.step("fail", fail)

    @flow(name="failing")
    def failing() -> None:
        with flow_run(lake, "failing") as how:
            failing_with(how)

    with pytest.raises(type(error)):
        failing() if is_task else failing_with(How(lake))
    assert len(calls) == tries


def test_runs_that_name_a_person_leave_the_history(lake: str, served_prefect_home: Path) -> None:
    @flow(name="gate")
    def named(accepted_loss: str) -> None:
        get_run_logger().warning("submitter_login: %s", LOGIN)
        create_markdown_artifact(f"https://hub.example/{accepted_loss}", key="paperlake-gate")

    named(LOGIN)
    until_logged(LOGIN)
    Archive(open_lake(lake)).write([list_of(DAYS[0])], now=steps.NOW)
    steps.publish_tables(lake)
    person, _, found = look(open_lake(lake), WISH, Machine(prefect=served_prefect_home))
    assert found.prefect_rows >= 3
    assert prefect_rows(served_prefect_home, person, delete=True) == prefect_rows(served_prefect_home, person) == 0
    with closing(sqlite3.connect(served_prefect_home / "prefect.db")) as history:
        for table in ("flow_run", "log", "artifact", "artifact_collection"):
            assert LOGIN not in str(history.execute(f"SELECT * FROM {table}").fetchall()), table


def until_logged(word: str) -> None:
    """A flow may end before Prefect's thread has sent its log, and the server answers while it is busy."""
    ends = time.monotonic() + 30
    with get_client(sync_client=True) as client:
        while not any(word in line for line in lines(client)):
            assert time.monotonic() < ends, f"{word} is not in Prefect's log"
            time.sleep(0.05)


def lines(client: SyncPrefectClient) -> list[str]:
    """All that is in Prefect's log."""
    found = client.request("POST", "/logs/filter", json={"limit": 200, "sort": "TIMESTAMP_ASC"}).json()
    return [line["message"] for line in found]
