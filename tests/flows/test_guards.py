"""A release that would lose something is not published until an operator gives a reason."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from expectations.gate import require
from expectations.report import Report
from flows.runtime.lake import open_lake
from tests.flows import steps
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture
from warehouse.errors import GateClosed
from warehouse.release.latest import latest_manifest

DAY = date(2026, 10, 2)
Items = list[dict[str, Any]]


def truncated(items: Items) -> Items:
    return items[:4]


def scrambled(items: Items) -> Items:
    for item in items:
        found = item["paper"]
        found["id"], found["title"], found["summary"] = found["summary"], found["id"], found["title"]
    return items


def vandalised(items: Items) -> Items:
    for number, item in enumerate(items):
        item["paper"]["upvotes"] = item["paper"]["upvotes"] * 1000 + 1000
        item["title"] = item["paper"]["title"] = f"Buy now {number}"
    return items


def emptied(_items: Items) -> Items:
    return []


def again(capture: Capture, change: Callable[[Items], Items]) -> Capture:
    """The same list a day later, changed."""
    assert capture.fetched_at is not None
    payload = json.dumps(change(json.loads(capture.payload))).encode()
    return replace(capture, payload=payload, fetched_at=capture.fetched_at + timedelta(days=1))


@pytest.fixture(scope="session")
def good_day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake with a release of one list; tests only read it."""
    lake = tmp_path_factory.mktemp("good_day") / "lake"
    with steps.bare_releases():
        assert steps.run_captures(str(lake), [steps.list_of(DAY, papers=12)])
    return lake


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (truncated, "2026-10-02 lost 8 of 12 papers"),
        pytest.param(scrambled, "12 of 12 items are in quarantine", marks=pytest.mark.slow),
        pytest.param(vandalised, "titles_kept", marks=pytest.mark.slow),
        pytest.param(emptied, "2026-10-02 lost 12 of 12 papers", marks=pytest.mark.slow),
    ],
)
def test_a_bad_day_is_refused_and_an_accepted_one_stays_on_record(
    good_day: Path, lake: str, change: Callable[[Items], Items], told: str
) -> None:
    good = steps.list_of(DAY, papers=12)
    shutil.copytree(good_day, lake)
    first = latest_manifest(open_lake(lake))
    Archive(open_lake(lake)).write([again(good, change)], now=steps.NOW)
    draft = steps.make_draft(lake)
    assert draft is not None
    with pytest.raises(GateClosed, match=told):
        require(steps.check_draft(lake, draft))
    assert latest_manifest(open_lake(lake)) == first
    require(steps.check_draft(lake, draft, accepted_loss="seen on the Hub too"))
    with steps.bare_releases():
        steps.publish(lake)
    second = latest_manifest(open_lake(lake))
    assert second is not None
    kept = Report.from_json(bytes(second.checks))
    assert kept.accepted_loss == "seen on the Hub too"
    assert kept.failed
    Archive(open_lake(lake)).write([steps.list_of(date(2026, 10, 5), papers=12)], now=steps.NOW)
    next_day = steps.make_draft(lake)
    assert next_day is not None
    require(steps.check_draft(lake, next_day))  # what was accepted once is not told again
