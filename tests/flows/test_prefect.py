"""The flows as Prefect runs them: a few, through its own harness."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from prefect import flow
from prefect.artifacts import Artifact
from prefect.testing.utilities import prefect_test_harness

from flows.daily import daily
from flows.retries import step
from warehouse.errors import GateClosed, StoreFailed

pytestmark = [pytest.mark.xdist_group("prefect"), pytest.mark.filterwarnings("default")]  # Prefect's own warnings


@pytest.fixture(scope="module", autouse=True)
def prefect() -> Iterator[None]:
    with prefect_test_harness():
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


@pytest.mark.parametrize(("error", "tries"), [(StoreFailed("the disk is full"), 3), (GateClosed("a rule failed"), 1)])
def test_a_task_tries_again_only_when_the_store_failed(error: Exception, tries: int, monkeypatch) -> None:
    monkeypatch.setattr("flows.retries.DELAYS_SECONDS", (0.0, 0.0))
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
