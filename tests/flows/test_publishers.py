"""Two publishers at one moment: one release, one winner, nothing half-written."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from flows.landing.inputs import captures_from
from flows.runtime.lake import open_lake
from tests.flows import steps
from tests.processes import ROOT
from tests.seaweed import Seaweed
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture, Limits
from warehouse.release.draft import name_current
from warehouse.release.faults import faults
from warehouse.release.latest import MANIFEST, latest_manifest, release_key

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


@pytest.mark.slow
@pytest.mark.parametrize("place", ["folder", "bucket"])
def test_one_wins_and_the_other_is_told(
    request: pytest.FixtureRequest, lake: str, sample: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """The same draft, published by two processes at one moment, twenty times over."""
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
        for number, capture in enumerate(captures[:20], 1):
            _make_draft(lake, capture)
            said = _publish(publishers)
            assert sorted(line.split()[0] for line in said) == ["Superseded", "won"], (number, said)
            _require_whole(lake, number)
    finally:
        for publisher in publishers:
            publisher.communicate(timeout=60)


def _make_draft(lake: str, capture: Capture) -> None:
    store = open_lake(lake)
    Archive(store).write([capture], now=steps.NOW)
    draft = steps.make_draft(lake)
    assert draft is not None
    name_current(store, draft, b'{"results":[]}')


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
    versions = {key.split("/")[1] for key in keys if key.count("/") > 1}
    assert len(versions) == count
    assert {release_key(version, MANIFEST) for version in versions} <= keys
    manifest = latest_manifest(store)
    assert manifest is not None
    assert faults(store, manifest) == []
    assert store.list("drafts") == []
