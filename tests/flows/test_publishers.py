"""Two publishers at one moment: one release, one winner, nothing half-written."""

from __future__ import annotations

import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import pytest

from flows import daily
from flows.landing.inputs import captures_from
from flows.runtime.lake import open_lake
from flows.steps import write_release
from tests.flows import steps
from tests.processes import ROOT
from tests.seaweed import Seaweed
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture, Limits
from warehouse.errors import NothingThere, Superseded
from warehouse.release import moves
from warehouse.release.draft import current_draft, has_current, name_current
from warehouse.release.faults import faults
from warehouse.release.latest import LATEST, MANIFEST, latest, latest_manifest, release_key
from warehouse.release.manifest import Draft, Manifest
from warehouse.release.write import claim
from warehouse.store.local import LocalStore
from warehouse.store.local_files import LocalFiles, local_files
from warehouse.store.store import Store

pytestmark = pytest.mark.slow

PUBLISHER = """
import sys, time
from tests.flows import steps
from warehouse.errors import PaperlakeError
print("ready", flush=True)
for moment in sys.stdin:
    time.sleep(max(float(moment) - time.time(), 0))
    try:
        steps.publish(sys.argv[1])
        print("won", flush=True)
    except PaperlakeError as error:
        print(type(error).__name__, str(error).splitlines()[0], flush=True)
"""


@pytest.mark.parametrize(("place", "times"), [("folder", 10), ("bucket", 4)])
def test_one_wins_and_the_other_is_told(
    *, request: pytest.FixtureRequest, lake: str, sample: Path, monkeypatch: pytest.MonkeyPatch, place: str, times: int
) -> None:
    """The same draft, published by two processes at one moment, again and again; in a bucket each takes seconds."""
    if place == "bucket":
        seaweed: Seaweed = request.getfixturevalue("seaweed")
        lake = seaweed.lake()
        for name, value in seaweed.environment().items():
            monkeypatch.setenv(name, value)
    captures = [found for found in captures_from([sample], Limits()) if isinstance(found, Capture)]
    command = [sys.executable, "-c", PUBLISHER, lake]
    publishers = [
        subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in "ab"
    ]
    try:
        assert [_line(publisher) for publisher in publishers] == ["ready", "ready"]
        for number, capture in enumerate(captures[:times], 1):
            _make_draft(lake, capture)
            said = _publish(publishers)
            assert sorted(line.split()[0] for line in said) == ["Superseded", "won"], (number, said)
            _require_whole(lake, number)
    finally:
        for publisher in publishers:
            publisher.communicate(timeout=60)


def test_the_first_release_may_appear_while_it_is_looked_for(published: str) -> None:
    class Slow(LocalStore):
        looks = 0

        def read(self, key: str) -> bytes:
            self.looks += key == LATEST
            if key == LATEST and self.looks == 1:
                raise NothingThere(key)
            return super().read(key)

    slow = Slow(Path(published), published)
    assert latest(slow) == latest(open_lake(published))
    assert slow.looks == 2


def _make_draft(lake: str, capture: Capture) -> Draft:
    store = open_lake(lake)
    Archive(store).write([capture], now=steps.NOW)
    draft = steps.make_draft(lake)
    assert draft is not None
    return name_current(store, draft, b'{"results":[]}')


def _publish(publishers: list[subprocess.Popen[str]]) -> list[str]:
    moment = time.time() + 0.1
    for publisher in publishers:
        assert publisher.stdin is not None
        publisher.stdin.write(f"{moment}\n")
        publisher.stdin.flush()
    return [_line(publisher) for publisher in publishers]


def _line(publisher: subprocess.Popen[str]) -> str:
    assert publisher.stdout is not None
    return publisher.stdout.readline().strip()


def _require_whole(lake: str, count: int) -> None:
    """As many releases as were published, each complete, and the latest sound to the byte."""
    store = open_lake(lake)
    keys = set(store.list("releases"))
    versions = {key.split("/")[1] for key in keys if key.count("/") > 1} - {"latest"}
    assert len(versions) == count
    assert {release_key(version, MANIFEST) for version in versions} <= keys
    manifest = latest_manifest(store)
    assert manifest is not None
    assert faults(store, manifest) == []
    assert store.list("drafts") == ["drafts/current.json"]
    assert not has_current(store)


@pytest.fixture
def two(lake: str, sample: Path) -> tuple[Draft, Draft]:
    """Drafts of two publishers on one release: that of the first one, and one with a capture more, checked later."""
    first, second, third = [found for found in captures_from([sample], Limits()) if isinstance(found, Capture)][:3]
    steps.run_captures(lake, [first])
    return _make_draft(lake, second), _make_draft(lake, third)


def test_a_draft_of_another_publisher_is_superseded(lake: str, two: tuple[Draft, Draft]) -> None:
    """The first one published its own; the other one is told so wherever it is, not that there is nothing new."""
    ours, theirs = two
    store = open_lake(lake)
    manifest = steps.write(lake, draft=ours)
    steps.move(lake, manifest)
    assert current_draft(store).draft_id == theirs.draft_id
    assert store.list("drafts") == ["drafts/current.json"]
    with pytest.raises(Superseded, match="paperlake build"):
        steps.check_draft(lake, theirs)
    assert write_release.is_waiting(store)
    with pytest.raises(Superseded, match="paperlake build"):
        steps.publish(lake)
    with pytest.raises(Superseded, match="paperlake build"):
        steps.write(lake, draft=ours)


def test_a_publisher_killed_before_it_forgot_its_draft(lake: str, two: tuple[Draft, Draft]) -> None:
    """The release is there; whoever publishes next is told that nothing is new, not that another one was first."""
    _, draft = two
    store = open_lake(lake)
    moves.publish(store, steps.write(lake, draft=draft), at=steps.NOW)
    assert current_draft(store).draft_id == draft.draft_id
    assert not write_release.is_waiting(store)
    assert not has_current(store)


def test_a_draft_whose_files_another_publisher_dropped_is_superseded(
    lake: str, two: tuple[Draft, Draft], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both publish one draft; the first one is done when the second has claimed the version and reads the draft."""
    _, draft = two

    def claim_late(store: Store, draft: Draft, today: date) -> str:
        version = claim(store, draft, today)
        monkeypatch.setattr(write_release, "claim", claim)
        steps.publish(lake)
        store.delete_prefix(f"releases/{version}/data")  # as if the second were the first to copy
        return version

    monkeypatch.setattr(write_release, "claim", claim_late)
    with pytest.raises(Superseded, match="paperlake build"):
        steps.write(lake, draft=draft)


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_run_that_comes_second_builds_on_the_first(
    lake: str, sample: Path, monkeypatch: pytest.MonkeyPatch, rounds: int
) -> None:
    """After each of its first builds another run publishes; where that never ends, the run gives up."""
    captures = [found for found in captures_from([sample], Limits()) if isinstance(found, Capture)]
    others: list[Manifest | None] = []

    def build(files: LocalFiles, *, accepted_loss: str | None) -> Draft:
        draft = _make_draft(lake, captures.pop())
        if len(others) < rounds:
            others.append(steps.publish(lake, draft=_make_draft(lake, captures.pop())))
        return draft

    def publish(files: LocalFiles, draft: Draft) -> Manifest:
        return steps.publish(lake, draft=draft)

    monkeypatch.setattr(daily, "TRIES", 2)
    monkeypatch.setattr(daily, "build_in", build)
    monkeypatch.setattr(daily, "publish_in", publish)
    with local_files(open_lake(lake)) as files:
        if rounds == 2:
            with pytest.raises(Superseded):
                daily.build_and_publish(files, None)
        else:
            manifest = daily.build_and_publish(files, None)
            assert manifest is not None
            assert others[0] is not None
            assert manifest.parent is not None
            assert manifest.parent.version == others[0].version
    assert open_lake(lake).list("drafts") == ["drafts/current.json"]
