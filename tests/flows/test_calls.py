"""A daily run makes as many requests after many releases as after few, and uploads only what changed."""

from collections import Counter
from datetime import date, timedelta

import pytest

from flows.runtime.lake import open_lake
from tests.faulty import Call, Faulty, faulty
from tests.flows import steps
from tests.seaweed import Seaweed
from warehouse.archive.archive import Archive
from warehouse.changes.row_steps import ROWS
from warehouse.release.draft import name_current
from warehouse.release.latest import latest_manifest
from warehouse.release.manifest import File
from warehouse.store.pooled_list import POOL
from warehouse.store.s3 import S3Store

FIRST_DAY = date(2026, 10, 5)
FEW, MANY = 2, 6


def land_and_publish(lake: str, *days: date) -> None:
    """Land a list a day, build and publish, without the gate and documents, to be quick: these ask for nothing."""
    for day in days:
        Archive(open_lake(lake)).write([steps.list_of(day, papers=1)], now=steps.NOW)
    draft = steps.make_draft(lake)
    name_current(open_lake(lake), draft, b'{"results":[]}')
    with steps.bare_releases(with_causes=True):
        steps.publish(lake, days[-1])


def asked(way: Faulty, lake: str, day: date) -> list[Call]:
    way.calls.clear()
    land_and_publish(lake, day)
    return list(way.calls)


def fill_up(lake: str, days: list[date]) -> None:
    """Make releases of each day: those before the last are copies of the first, which a run cannot tell apart."""
    *between, last = days
    store = open_lake(lake)
    for key in store.list(f"releases/{FIRST_DAY:%Y.%m.%d}.1"):
        for day in between:
            store.copy_new(key, key.replace(f"{FIRST_DAY:%Y.%m.%d}", f"{day:%Y.%m.%d}"))
    land_and_publish(lake, *between, last)


def step_count(lake: str) -> int:
    """How many tables and marts have rows that differ from the release before: one file each."""
    manifest = latest_manifest(open_lake(lake))
    return sum(file.key.startswith(ROWS) for file in manifest.files)


def files_of(lake: str, day: date) -> tuple[set[File], set[str]]:
    """The files of the tables of the latest release, and the hashes of all its files."""
    manifest = latest_manifest(open_lake(lake))
    assert manifest.version == f"{day:%Y.%m.%d}.1"
    return {file for table in manifest.tables for file in table.files}, {file.sha256 for file in manifest.files}


@pytest.mark.slow
def test_the_requests_of_a_run_do_not_grow(seaweed: Seaweed, monkeypatch: pytest.MonkeyPatch) -> None:
    lake, days = seaweed.lake(), [FIRST_DAY + timedelta(number) for number in range(MANY + 1)]
    with faulty(str(seaweed.options.endpoint_url)) as way:
        for name, value in {**seaweed.environment(), "PAPERLAKE_S3_ENDPOINT_URL": way.url}.items():
            monkeypatch.setenv(name, value)
        for day in days[:FEW]:
            land_and_publish(lake, day)
        few, steps_few = asked(way, lake, days[FEW]), step_count(lake)
        fill_up(lake, days[FEW + 1 : MANY])
        (before, held), pooled = files_of(lake, days[MANY - 1]), len(S3Store(lake, seaweed.options).list(POOL))
        many = asked(way, lake, days[MANY])
        (after, holds), steps_many = files_of(lake, days[MANY]), step_count(lake)
    # Not the same number: a later list may bring no new word, and then a file less changes
    more = steps_many - steps_few
    # That of the release before, and read back; whether a release behind the one that is pooled now is so already, and
    # by which hash its manifest is right since the erasures; what the latest release has no more goes to the pool
    each = Counter({"PUT": more, "GET": 2 * more + 1, "LIST": 1, "COPY": len(held - holds)})
    assert Counter(call.kind for call in many) <= Counter(call.kind for call in few) + each
    changed, kept = after - before, after & before
    put = [call.path for call in many if call.kind == "PUT"]
    assert changed
    assert kept
    uploads = {file.key: sum(path.endswith(f"/{file.key}") for path in put) for file in changed | kept}
    assert uploads == {**{file.key: 0 for file in kept}, **{file.key: 1 for file in changed}}
    newly_pooled = len(S3Store(lake, seaweed.options).list(POOL)) - pooled  # of the release that is shared from now on
    assert sum(call.kind == "COPY" for call in many) == len(after) + newly_pooled
