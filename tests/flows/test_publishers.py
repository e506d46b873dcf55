"""Two publishers at one moment: one release, one winner, nothing half-written."""

import os
import shutil
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from flows.running.how import How
from flows.runtime.lake import open_lake
from flows.steps import build_draft, write_release
from tests import processes
from tests.drills.writes import without_owner
from tests.flows import steps
from tests.seaweed import Seaweed
from warehouse.archive.captured import Capture
from warehouse.errors import NothingThere, PaperlakeError, Superseded
from warehouse.release import moves
from warehouse.release.draft import claim, current_draft, has_current, name_current
from warehouse.release.latest import LATEST, MANIFEST, latest, latest_manifest, release_key
from warehouse.release.manifest import Draft, Manifest
from warehouse.release.write import faults
from warehouse.store.local import LocalStore
from warehouse.store.local_files import LocalFiles, local_files
from warehouse.store.store import Store

pytestmark = pytest.mark.slow

FIRST_DAY = date(2026, 9, 28)


@pytest.fixture(autouse=True)
def bare(published: str) -> Iterator[None]:
    """Publishers race for claims, files and the move, so releases need no documents."""
    with steps.bare_releases():
        yield


def pages(count: int) -> list[Capture]:
    return [steps.list_of(FIRST_DAY + timedelta(number), papers=1) for number in range(count)]


@pytest.mark.parametrize(("place", "times"), [("folder", 2), ("bucket", 1)])
def test_one_wins_and_the_other_gets_an_error(
    *, request: pytest.FixtureRequest, lake: str, monkeypatch: pytest.MonkeyPatch, place: str, times: int
) -> None:
    """Two processes publish the same draft at one moment; in a bucket each time takes seconds."""
    if place == "bucket":
        seaweed: Seaweed = request.getfixturevalue("seaweed")
        lake = seaweed.lake()
        for name, value in seaweed.environment().items():
            monkeypatch.setenv(name, value)
    ends = [Pipe() for _ in "ab"]
    publishers = [processes.forked(_publisher, theirs, lake, dict(os.environ)) for _, theirs in ends]
    ours = [end for end, _ in ends]
    try:
        for number, capture in enumerate(pages(times), 1):
            steps.build_unchecked(lake, [capture])
            assert _asked(ours, "look") == ["ready", "ready"]
            said = _asked(ours, "publish")
            assert sorted(line.split()[0] for line in said) == ["Superseded", "won"], (number, said)
            _require_whole(lake, number)
    finally:
        for publisher in publishers:
            publisher.kill()
            publisher.join()


def _publisher(end: Connection, lake: str, environment: dict[str, str]) -> None:
    """A process that takes up the waiting draft, and publishes it when let go: both at nearly one moment."""
    os.environ.update(environment)
    with steps.bare_releases():
        while end.recv() == "look":
            draft = current_draft(open_lake(lake))
            end.send("ready")
            end.recv()
            try:
                steps.publish(lake, draft=draft)
            except PaperlakeError as error:
                end.send(f"{type(error).__name__} {error}")
            else:
                end.send("won")


def _asked(publishers: Sequence[Connection], word: str) -> list[str]:
    for publisher in publishers:
        publisher.send(word)
    assert all(publisher.poll(120) for publisher in publishers)
    return [publisher.recv() for publisher in publishers]


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


def _require_whole(lake: str, count: int) -> None:
    """Assert as many releases as were published, each complete, and the latest sound to the byte."""
    store = open_lake(lake)
    keys = set(store.list("releases"))
    versions = {key.split("/")[1] for key in keys if key.count("/") > 1} - {"latest"}
    assert len(versions) == count
    assert {release_key(version, MANIFEST) for version in versions} <= keys
    manifest = latest_manifest(store)
    assert faults(store, manifest) == []
    assert store.list("drafts") == ["drafts/current.json"]
    assert not has_current(store)


@pytest.fixture(scope="module")
def two_drafts(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Draft, Draft]:
    """A lake with a release, and drafts of two publishers on it; tests copy it."""
    lake = tmp_path_factory.mktemp("two") / "lake"
    first, second, third = pages(3)
    with steps.bare_releases():
        steps.run_captures(str(lake), [first])
        return lake, steps.build_unchecked(str(lake), [second]), steps.build_unchecked(str(lake), [third])


@pytest.fixture
def two(lake: str, two_drafts: tuple[Path, Draft, Draft]) -> tuple[Draft, Draft]:
    """Drafts of two publishers on one release: that of the first one, and one with a capture more, checked later."""
    there, *drafts = two_drafts
    shutil.copytree(there, lake)
    ours, theirs = drafts
    return ours, theirs


def test_a_draft_of_another_publisher_is_superseded(lake: str, two: tuple[Draft, Draft]) -> None:
    """The first has published its draft; the other gets an error at any step, not 'nothing new'."""
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


def test_a_draft_published_before_a_kill_waits_no_more(lake: str, two: tuple[Draft, Draft]) -> None:
    """The release is there; the next publisher finds nothing new, and no error that another was first."""
    _, draft = two
    store = open_lake(lake)
    moves.publish(store, steps.write(lake, draft=draft), at=steps.NOW)
    assert current_draft(store).draft_id == draft.draft_id
    assert not write_release.is_waiting(store)
    assert not has_current(store)


def test_a_draft_whose_files_another_publisher_dropped_is_superseded(
    lake: str, two: tuple[Draft, Draft], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both publish one draft; the first ends after the second has claimed the version, as it reads the draft."""
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
def test_a_run_that_comes_second_builds_on_the_first(lake: str, monkeypatch: pytest.MonkeyPatch, rounds: int) -> None:
    """Another run publishes after each of its first builds; if that never ends, the run gives up."""
    captures = pages(2 * 2)
    others: list[Manifest | None] = []

    def build(files: LocalFiles, how: How, **_: object) -> Draft:
        draft = steps.build_unchecked(lake, [captures.pop()])
        if len(others) < rounds:
            others.append(steps.publish(lake, draft=steps.build_unchecked(lake, [captures.pop()])))
        return draft

    def publish(files: LocalFiles, how: How, draft: Draft, *, patience: float) -> Manifest:
        return steps.publish(lake, draft=draft)

    monkeypatch.setattr(build_draft, "TRIES", 2)
    monkeypatch.setattr(build_draft, "build_in", build)
    monkeypatch.setattr(build_draft, "publish_in", publish)
    with local_files(open_lake(lake)) as files:
        if rounds == 2:
            with pytest.raises(Superseded):
                build_draft.build_and_publish(files, None, How(lake))
        else:
            manifest = build_draft.build_and_publish(files, None, How(lake))
            assert manifest.parent.version == others[0].version
    assert open_lake(lake).list("drafts") == ["drafts/current.json"]


def test_half_a_release_goes_with_the_next_one_though_both_are_of_one_draft(one_release: Path, lake: str) -> None:
    """A publish was killed, and the same tables passed the gate in another way."""
    store = open_lake(str(shutil.copytree(one_release, lake)))
    draft = steps.build_unchecked(lake, [steps.list_of(date(2026, 10, 5))])
    half = steps.write(lake)
    ready = name_current(store, draft, b'{"results":[],"accepted_loss":"so it is"}')
    assert steps.publish(lake, draft=ready).version != half.version
    assert without_owner(store) == []
