"""The status of small lakes: what the release shows, and what came after it."""

import json
import re
from datetime import date, datetime

import pytest

from flows.runtime.lake import open_lake
from flows.runtime.scope import Scope
from flows.watch.status import DueCount, LastList, status_of
from tests import invented
from tests.flows import steps
from tests.invented import HUB
from tests.processes import ROOT
from transforms.core.coverage import Gap
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture
from warehouse.errors import NothingThere
from warehouse.release.manifest import encode

NOW = datetime(2023, 5, 16, 12)  # a Tuesday
EARLY = "fetched before the list was closed"


def answer(day: int, at: datetime, count: int = 2) -> Capture:
    listed_on = date(2023, 5, day)
    papers = [invented.paper(number, listed_on) for number in range(1, count + 1)]
    payload = invented.as_json(invented.daily_answer(papers, at))
    url = f"{HUB}/api/daily_papers?date={listed_on}"
    return Capture(payload=payload, url=url, fetched_at=at, http_status=200)


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Thursday's list and Friday's of the first week, one of the second, one that was fetched too early."""
    lake = str(tmp_path_factory.mktemp("status") / "lake")
    closed = datetime(2023, 5, 11, 12)
    pages = [answer(4, closed), answer(5, closed), answer(9, closed, 3), answer(11, closed)]
    Archive(open_lake(lake)).write(pages, now=steps.NOW)
    steps.publish_tables(lake)
    return lake


def test_status_has_the_release_and_what_came_after_it(lake: str) -> None:
    status = status_of(open_lake(lake), Scope(), NOW)
    assert (status.release.capture_count, status.release.paper_count) == (4, 9)
    assert status.last_list == LastList(date(2023, 5, 11), 2, "partial", EARLY, datetime(2023, 5, 11, 12))
    assert (status.last_covered_on, status.last_closed_on) == (date(2023, 5, 11), date(2023, 5, 15))
    assert status.days == {"complete": 3, "early": 1, "partial": 0, "empty": 0, "failed": 0, "unfetched": 2}
    assert status.later_day_count == 2  # over a weekend
    assert status.gaps == (
        # after the last fetch, over a weekend
        Gap(date(2023, 5, 12), date(2023, 5, 15), 2, "missing", "never fetched"),
        Gap(date(2023, 5, 10), date(2023, 5, 10), 1, "missing", "never fetched"),
        Gap(date(2023, 5, 8), date(2023, 5, 8), 1, "missing", "never fetched"),
    )


def test_every_field_of_the_json_is_documented(lake: str) -> None:
    """Scripts may rely on them: removing one needs a line in CHANGELOG.md."""
    table = (
        (ROOT / "docs/monitor.md").read_text().partition("status --format json` has")[2].partition("The same, day")[0]
    )
    told = json.loads(encode(status_of(open_lake(lake), Scope(), NOW)))
    parts = {"release": "release", "held": "held", "last_list": "last_list", "due": "due", "gaps": "gaps[]"}
    found = told.keys() - parts.keys()
    for name, shown in parts.items():
        inside = told[name][0] if isinstance(told[name], list) else told[name]
        found |= {f"{shown}.{key}" for key in inside}
    assert set(re.findall(r"`([\w.\[\]]+)`", table)) - {"null"} == found


def test_a_list_that_is_still_open_is_no_gap(lake: str) -> None:
    status = status_of(open_lake(lake), Scope(), datetime(2023, 5, 12, 1, 29))
    assert (status.last_closed_on, status.later_day_count) == (date(2023, 5, 10), 0)
    assert status.gaps[0].first_on == date(2023, 5, 10)


def test_status_shows_what_is_due_and_when_the_next_is(lake: str) -> None:
    """Eight days of nine (that of the 4th was fetched since its last age came), five weeks, a month, trending, 9 papers."""
    status = status_of(open_lake(lake), Scope(), NOW)
    assert status.due == DueCount(8 + 5 + 1 + 1 + 9, datetime(2023, 5, 17, 1, 30))


def test_what_was_landed_since_is_shown(lake: str) -> None:
    Archive(open_lake(lake)).write([answer(12, datetime(2023, 5, 16, 11))], now=NOW)
    assert status_of(open_lake(lake), Scope(), NOW).unreleased_capture_count == 1


def test_before_the_first_release_the_next_step_is_named(tmp_path) -> None:
    store = open_lake(str(tmp_path / "lake"))
    with pytest.raises(NothingThere, match='run "paperlake run PATH" first'):
        status_of(store, Scope(), NOW)
    Archive(store).write([answer(4, NOW)], now=NOW)
    with pytest.raises(NothingThere, match=r'landed \(1\); run "paperlake build"'):
        status_of(store, Scope(), NOW)
