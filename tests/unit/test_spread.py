"""Tasks of a build on a cluster in this process: order, how many are in flight, errors, refused workers."""

import json
import os
import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from flows.tasks import on_dask
from flows.tasks.spread import spread
from flows.tasks.workplace import Workplace, workplace
from tests.bare import publish_bare
from warehouse.errors import ClusterFailed, Damaged, Superseded, UsageError
from warehouse.inventory.retention import drop_superseded
from warehouse.store.opening import open_store

# What Dask says of its own folder where a machine is busy
pytestmark = pytest.mark.filterwarnings("ignore:Creating scratch directories is taking:UserWarning")
IN_PROCESS = {"processes": False, "n_workers": 1, "threads_per_worker": 2, "dashboard_address": "127.0.0.1:0"}
GATE = threading.Semaphore(0)
LET_GO = threading.Event()
BEGUN: list[int] = []
STAYS: list[bytes] = []


def last_first(number: int) -> int:
    """The first task waits for the second one."""
    GATE.acquire() if number == 0 else GATE.release()
    return number * 10


def held(number: int) -> int:
    """A task that waits until it is released, unless it is the first."""
    BEGUN.append(number)
    if number:
        LET_GO.wait(60)
    return number


def broken(number: int) -> int:
    if number == 1:
        raise Damaged("raw/warc/x.warc.gz is not what it was")
    return number


def heaped(number: int) -> int:
    """Use 100 MB in small blocks below one that stays: freed, they do not shrink the heap by themselves."""
    blocks = [b"x" * 50_000 for _ in range(2_000)]
    STAYS.append(b"x" * 50_000)
    return number + len(blocks)


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    return tmp_path / "lake"


@pytest.fixture
def on_dask_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERLAKE_DASK", "distributed:LocalCluster")
    monkeypatch.setenv("PAPERLAKE_DASK_OPTIONS", json.dumps(IN_PROCESS))


@pytest.fixture
def on_cluster(lake: Path, on_dask_here: None) -> Iterator[Workplace]:
    with workplace(open_store(str(lake))) as at:
        yield at


def test_results_come_in_the_order_of_the_tasks(on_cluster: Workplace) -> None:
    assert list(on_cluster.spread(last_first, [0, 1])) == [0, 10]


def test_few_tasks_are_in_flight_and_none_before_it_is_asked_for(on_cluster: Workplace) -> None:
    BEGUN.clear()
    LET_GO.clear()
    results = on_cluster.spread(held, range(50))
    assert BEGUN == []
    assert next(results) == 0
    assert 0 in BEGUN
    assert len(BEGUN) <= 4  # of two threads
    LET_GO.set()
    assert list(results) == list(range(1, 50))


def test_tasks_of_many_bytes_are_sent_without_a_warning(on_cluster: Workplace) -> None:
    tasks = [bytes([number]) * 2**20 for number in range(12)]
    assert list(on_cluster.spread(len, tasks)) == [2**20] * 12


def test_an_error_of_a_task_comes_back_as_itself(on_cluster: Workplace) -> None:
    with pytest.raises(Damaged, match=r"^raw/warc/x.warc.gz is not what it was$"):
        list(on_cluster.spread(broken, range(3)))


def test_the_scratch_place_is_among_the_drafts_and_goes(lake: Path, on_dask_here: None) -> None:
    with workplace(open_store(str(lake))) as at:
        at.place.put("x/y", b"")
        assert [path.name[:14] for path in (lake / "drafts").iterdir()] == ["first-scratch-"]
    assert open_store(str(lake)).list() == []


def test_a_build_whose_place_went_with_the_release_before_is_superseded(lake: Path, on_dask_here: None) -> None:
    store = open_store(str(lake))
    with pytest.raises(Superseded), workplace(store) as at:  # noqa: PT012 - it is what the place does
        publish_bare(store, "2026.11.21.1", at=datetime(2026, 11, 21))
        drop_superseded(store)
        at.place.read(["x"])


def test_a_worker_of_another_version_is_named(on_cluster: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = dict(on_dask.versions())
    monkeypatch.setattr(on_dask, "versions", lambda: tuple((ours | {"polars": "0.1"}).items()))
    with pytest.raises(
        UsageError, match=rf"^PAPERLAKE_DASK: the worker inproc://\S+ .* polars 0.1 and not {ours['polars']}, "
    ):
        list(on_cluster.spread(int, range(2)))


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("DASK", "scheduler:8786", "it must be the address of a scheduler, "),
        ("DASK", "http://127.0.0.1:8786", "it must be the address of a scheduler"),
        ("DASK", "distributed:NoCluster", "there is no class distributed:NoCluster here; install it"),
        ("DASK_OPTIONS", "n_workers=2", "it must be a JSON object"),
    ],
)
def test_wrong_settings_are_named(
    name: str, value: str, words: str, lake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAPERLAKE_DASK", "distributed:LocalCluster")
    monkeypatch.setenv(f"PAPERLAKE_{name}", value)
    with pytest.raises(UsageError, match=rf"^PAPERLAKE_{name}: {words}"), workplace(open_store(str(lake))) as at:
        list(at.spread(int, range(2)))


def test_a_scheduler_that_cannot_be_reached_is_named(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERLAKE_DASK", "tcp://127.0.0.1:9")
    monkeypatch.setenv("PAPERLAKE_DASK_SECONDS", "0.2")
    with (
        pytest.raises(
            ClusterFailed, match=r"^the cluster tcp://127.0.0.1:9 cannot be reached, .*the same command resumes$"
        ),
        workplace(open_store(str(lake))) as at,
    ):
        list(at.spread(int, range(2)))


def test_a_relative_folder_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERLAKE_DASK", "tcp://127.0.0.1:9")
    with (
        pytest.raises(UsageError, match=r"PAPERLAKE_DASK is set, and the lake is \./lake; "),
        workplace(open_store("./lake")),
    ):
        pass


def test_what_a_task_no_longer_uses_goes_back_to_the_system() -> None:
    """With glibc; elsewhere memory goes back anyway."""

    def resident_bytes() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    before = resident_bytes()
    assert list(spread(heaped, range(2))) == [2_000, 2_001]
    assert resident_bytes() - before < 30_000_000
