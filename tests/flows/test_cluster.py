"""A build on Dask workers, the lake in a bucket: the bytes of one process, whatever is killed."""

import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from flows.runtime.lake import open_lake
from flows.runtime.settings import load
from flows.steps.read_back import require_sound, verify_release
from flows.tasks.spread import TaskSizes
from flows.watch import checkup
from tests.dask_cluster import DaskCluster, dask_cluster
from tests.flows import steps
from tests.processes import ROOT
from tests.seaweed import Seaweed
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture
from warehouse.errors import ClusterFailed, UsageError
from warehouse.release.latest import DRAFTS, latest
from warehouse.release.manifest import Draft

pytestmark = pytest.mark.slow

DAYS = [date(2023, 6, 1) + timedelta(59 * number) for number in range(12)]  # each of a month of its own
PAPERS = 12  # of a day
SMALL = TaskSizes(chunk_bytes=12_000, described_rows=25, derived_rows=25)  # a dozen chunks, and some ranges
WORKER_MIB = 700
KILLS = 3
OF_A_BUILD = 3  # what Dask allows a task by default: with a fourth worker lost it would take the task for the cause


@pytest.fixture(scope="module")
def captures() -> list[Capture]:
    return [steps.list_of(day, PAPERS) for day in DAYS]


@pytest.fixture(scope="module")
def alone(captures: list[Capture], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """SHA-256 of every file of the draft that one process makes in a folder."""
    lake = str(tmp_path_factory.mktemp("alone") / "lake")
    Archive(open_lake(lake)).write(captures, now=steps.NOW)
    return hashes(steps.make_draft(lake, sizes=SMALL))


@pytest.fixture
def in_bucket(seaweed: Seaweed, captures: list[Capture], monkeypatch: pytest.MonkeyPatch) -> str:
    """A lake with the captures and no release."""
    for name, value in seaweed.environment().items():
        monkeypatch.setenv(name, value)
    return landed(seaweed, captures)


def landed(seaweed: Seaweed, captures: list[Capture]) -> str:
    lake = seaweed.lake()
    Archive(open_lake(lake)).write(captures, now=steps.NOW)
    return lake


def hashes(draft: Draft | None) -> dict[str, str]:
    return {file.key: file.sha256 for table in draft.tables for file in table.files}


@pytest.fixture
def cluster(seaweed: Seaweed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[DaskCluster]:
    """A scheduler, on which this process builds; it has no worker yet."""
    with dask_cluster(seaweed.environment(), tmp_path) as running:
        monkeypatch.setenv("PAPERLAKE_DASK", running.address)
        yield running


def test_workers_give_the_bytes_of_one_process(in_bucket: str, alone: dict[str, str], cluster: DaskCluster) -> None:
    cluster.are_programs = True  # as users start them
    pids = cluster.add_workers(2)
    assert "2 workers, 2 threads" in checkup.check_cluster(open_lake(in_bucket), load())
    assert hashes(steps.make_draft(in_bucket, sizes=SMALL)) == alone
    peaks = cluster.peaks()
    sys.stdout.write(f"workers {pids}: at most {peaks} MiB\n")
    assert len(set(pids)) == 2
    assert max(peaks) <= WORKER_MIB
    assert {key.split("/")[2] for key in open_lake(in_bucket).list(DRAFTS)} == {"data"}, "the scratch place was left"


def test_workers_killed_at_moments_by_chance(
    seaweed: Seaweed, in_bucket: str, captures: list[Capture], alone: dict[str, str], cluster: DaskCluster
) -> None:
    """Each build has all of its files, and they are those of one process."""
    chance, killed, builds = random.Random(17), list[int](), 0
    cluster.add_workers(3)
    while len(killed) < KILLS:
        lake, is_over = landed(seaweed, captures) if builds else in_bucket, threading.Event()
        killer = threading.Thread(target=_kill, args=(cluster, chance, killed, is_over))
        killer.start()
        try:
            draft = steps.make_draft(lake, sizes=SMALL)
        finally:
            is_over.set()
            killer.join()
        assert hashes(draft) == alone
        builds += 1
    sys.stdout.write(f"killed {killed} in {builds} builds\n")
    assert steps.check_draft(lake, draft).passed


def _kill(cluster: DaskCluster, chance: random.Random, killed: list[int], is_over: threading.Event) -> None:
    """A worker, by chance and at a moment by chance, and another one in its place, three times a build."""
    for _ in range(min(OF_A_BUILD, KILLS - len(killed))):
        if is_over.wait(chance.uniform(0.1, 3)):
            return
        killed.append(cluster.kill_worker(chance.randrange(len(cluster.workers))))
        cluster.add_workers(1)


def test_a_run_killed_and_a_scheduler_killed(in_bucket: str, alone: dict[str, str], cluster: DaskCluster) -> None:
    """The release before stands; the next run does the job, and leaves nothing of the ones that ended."""
    store = open_lake(in_bucket)
    cluster.add_workers(2)
    run = subprocess.Popen([sys.executable, "-m", "tests.flows.test_cluster", in_bucket], cwd=ROOT)
    _wait_for_tasks(in_bucket)
    run.kill()
    run.wait()
    left = {key.split("/")[1] for key in store.list(DRAFTS)}
    assert [key.startswith("first-scratch-") for key in left] == [True]

    killer = threading.Thread(target=lambda: (_wait_for_tasks(in_bucket, left), cluster.kill_scheduler()))
    killer.start()
    with pytest.raises(ClusterFailed, match=rf"{cluster.address} cannot be reached, or was lost .*resumes$"):
        steps.make_draft(in_bucket, sizes=SMALL)
    killer.join()
    assert latest(store) is None
    now = {key.split("/")[1] for key in store.list(DRAFTS)}  # a worker may end its task after its scheduler
    assert left <= now
    assert all(key.startswith("first-scratch-") for key in now)

    cluster.start_scheduler()
    cluster.add_workers(1)
    manifest = steps.publish_new(in_bucket)
    assert {file.key: file.sha256 for table in manifest.tables for file in table.files} == alone
    assert {key for key in store.list(DRAFTS) if not key.endswith(".json")} == set()
    require_sound(in_bucket, verify_release(store, every=True))


def _wait_for_tasks(lake: str, known: set[str] = frozenset()) -> None:
    """Until a new scratch place has something that workers have made."""
    store, end = open_lake(lake), time.monotonic() + 180  # on a busy machine imports alone may take half a minute
    while time.monotonic() < end:
        if any("/chunks/" in key and key.split("/")[1] not in known for key in store.list(DRAFTS)):
            return
        time.sleep(0.05)
    raise AssertionError("no task was done in three minutes")


def test_a_worker_without_settings_of_the_lake_is_named(in_bucket: str, cluster: DaskCluster, tmp_path: Path) -> None:
    cluster.add_workers(1, PAPERLAKE_S3_SECRET_ACCESS_KEY="wrong")
    with pytest.raises(UsageError, match=r"^PAPERLAKE_DASK: the worker tcp://127\.0\.0\.1:\d+ cannot build: ") as told:
        steps.make_draft(in_bucket, sizes=SMALL)
    secret = load().s3_secret_access_key
    assert secret.get_secret_value() not in str(told.value) + (tmp_path / "log").read_text()
    assert open_lake(in_bucket).list(DRAFTS) == []


if __name__ == "__main__":
    steps.make_draft(sys.argv[1], sizes=SMALL)
