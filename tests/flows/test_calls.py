"""A daily run asks as much of an object store after many releases as after few, and uploads what changed."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta

import pytest

from flows import build, publish
from flows.lake import open_lake
from tests.faulty import Call, Faulty, faulty
from tests.flows import steps
from tests.seaweed import Seaweed
from warehouse import release
from warehouse.archive import Archive

FIRST_DAY = date(2026, 10, 5)
FEW, MANY = 3, 12


def one_more_day(lake: str, day: date) -> None:
    """Land a list, build and publish; the gate is not asked, to be quick."""
    Archive(open_lake(lake)).write([steps.list_of(day)], now=steps.NOW)
    draft = build.make_draft(lake, from_raw=False)
    assert draft is not None
    build.drafts.name_current(open_lake(lake), draft, b'{"results":[]}')
    publish.move(lake, publish.write(lake, today=day))


def asked(way: Faulty, lake: str, day: date) -> list[Call]:
    way.calls.clear()
    one_more_day(lake, day)
    return list(way.calls)


def test_the_requests_of_a_run_do_not_grow(seaweed: Seaweed, monkeypatch: pytest.MonkeyPatch) -> None:
    lake, made = seaweed.lake(), {}
    with faulty(str(seaweed.options.endpoint_url)) as way:
        for name, value in {**seaweed.environment(), "PAPERLAKE_S3_ENDPOINT_URL": way.url}.items():
            monkeypatch.setenv(name, value)
        for number in range(MANY + 1):
            made[number] = asked(way, lake, FIRST_DAY + timedelta(number))
        manifest = release.latest_manifest(open_lake(lake))
    few, many = (Counter(call.kind for call in made[number]) for number in (FEW, MANY))
    assert few == many
    assert manifest is not None
    assert manifest.version == f"{FIRST_DAY + timedelta(MANY):%Y.%m.%d}.1"
    # Of a release's Parquet only what changed is sent, once; all of it is copied, and read back.
    parquet = [file for table in manifest.tables for file in table.files]
    assert many["COPY"] == len(parquet)
