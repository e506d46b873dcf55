"""A release that would lose something is not published until an operator gives a reason."""

import json
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from expectations.gate import require
from expectations.report import Report
from flows.runtime.lake import open_lake
from tests.flows import steps
from warehouse.archive.archive import Archive
from warehouse.errors import GateClosed
from warehouse.release.latest import latest_manifest

DAY = date(2026, 10, 2)


@pytest.mark.slow
def test_a_bad_day_is_refused_and_an_accepted_one_stays_on_record(lake: str) -> None:
    good = steps.list_of(DAY, papers=12)
    assert steps.run_captures(lake, [good], is_bare=True) is not None
    first = latest_manifest(open_lake(lake))
    four = replace(good, payload=json.dumps(json.loads(good.payload)[:4]).encode())
    Archive(open_lake(lake)).write([replace(four, fetched_at=good.fetched_at + timedelta(days=1))], now=steps.NOW)
    draft = steps.make_draft(lake)
    with pytest.raises(GateClosed, match="2026-10-02 lost 8 of 12 papers"):
        require(steps.check_draft(lake, draft))
    assert latest_manifest(open_lake(lake)) == first
    require(steps.check_draft(lake, draft, accepted_loss="seen on the Hub too"))
    steps.publish(lake)
    second = latest_manifest(open_lake(lake))
    kept = Report.from_json(bytes(second.checks))
    assert kept.accepted_loss == "seen on the Hub too"
    assert kept.failed
    notes = (Path(lake) / "releases" / second.version / "NOTES.md").read_text()
    assert "because: `seen on the Hub too`" in notes
    assert "- `daily_listings.lists_kept`: the newest list of a day lacks papers that it had" in notes
    Archive(open_lake(lake)).write([steps.list_of(date(2026, 10, 5), papers=12)], now=steps.NOW)
    next_day = steps.make_draft(lake)
    require(steps.check_draft(lake, next_day))  # what was accepted once is not told again
