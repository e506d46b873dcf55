"""The flows as Prefect runs them: a few, with a server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from prefect import flow
from prefect.artifacts import Artifact
from prefect.settings import PREFECT_API_URL, temporary_settings

from flows.daily import daily
from flows.hub.patience import Clock
from flows.runtime.lake import open_lake
from flows.runtime.now import utc_now
from flows.runtime.retries import step
from flows.steps.missing_list import missing_list
from flows.verify import verify
from tests.hub.days import Days
from tests.hub.server import StandIn
from warehouse.errors import Damaged, GateClosed, NoList, StoreFailed
from warehouse.release.latest import latest_manifest
from warehouse.schema.core.captures import CAPTURES

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]  # Prefect's own warnings


@pytest.fixture(scope="module", autouse=True)
def prefect(prefect_api_url: str) -> Iterator[None]:
    with temporary_settings({PREFECT_API_URL: prefect_api_url}):
        yield


def test_daily_publishes_and_shows_what_it_did(lake: str, sample: Path) -> None:
    landing, manifest = daily(lake, [str(sample)])
    assert (landing.landed_count, landing.refused) == (26, ())
    assert manifest is not None
    assert "26 captures" in Artifact.get("paperlake-land").data
    assert '"sightings"' in Artifact.get("paperlake-tables").data
    assert "none failed" in Artifact.get("paperlake-gate").data
    assert manifest.version in Artifact.get("paperlake-release").data

    again, nothing = daily(lake, [str(sample)])
    assert (again.landed_count, again.skipped_count, nothing) == (0, 26, None)


@pytest.mark.dated
def test_a_list_that_is_missing_ends_the_run_as_no_list_when_all_else_is_published(lake: str, monkeypatch) -> None:
    now = utc_now()
    expected = missing_list(CAPTURES.empty(), now)
    assert expected is not None
    with StandIn(Days(quiet=[expected]), now=lambda: now) as hub:
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


@pytest.mark.parametrize(("error", "tries"), [(StoreFailed("the disk is full"), 3), (GateClosed("a rule failed"), 1)])
def test_a_task_tries_again_only_when_the_store_failed(error: Exception, tries: int, monkeypatch) -> None:
    monkeypatch.setattr("flows.runtime.retries.DELAYS_SECONDS", (0.0, 0.0))
    calls = []

    @step("fail")
    def fail() -> None:
        calls.append(1)
        raise error

    @flow(name="failing")
    def failing() -> None:
        fail()

    with pytest.raises(type(error)):
        failing()
    assert len(calls) == tries
