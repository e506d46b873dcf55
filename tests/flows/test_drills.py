"""What an operator meets: each cause is one message that names what to look at, nothing is lost, and the same command
succeeds when the cause is gone."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from flows.hub.budget import Clock
from flows.running.prefect_server import OwnServer
from flows.runtime.environment import utc_now
from flows.runtime.lake import open_lake
from flows.steps.read_back import require_sound, verify_release
from tests import processes
from tests.flows import steps
from tests.flows.conftest import variables_of
from tests.flows.test_erasure import DAYS, LOGIN, PAGE, list_of
from tests.full_disk import Disk, disk
from tests.hub.server import StandIn
from tests.processes import PAPERLAKE, finished
from tests.scanner import places_of
from tests.seaweed import Seaweed
from warehouse.archive.archive import Archive
from warehouse.release.latest import latest_manifest

__all__ = ["disk"]

pytestmark = pytest.mark.slow

SECRET = "Zq9-a-secret-that-fits-nothing"
NOWHERE = "http://127.0.0.1:9"


def paperlake(
    *arguments: str, lake: str, disk: Disk | None = None, is_program: bool = False, **settings: str
) -> subprocess.CompletedProcess[str]:
    """A command of paperlake, forked; of most causes one is the program itself, as its users start it."""
    environment, words = {**os.environ, "PAPERLAKE_LAKE": lake, **settings}, (*arguments, "--quiet")
    if not is_program:
        within = disk.shell.pid if disk else None
        return processes.paperlake(*words, environment=environment, within=within, is_bare=True)
    return finished(*(disk.enter if disk else ()), str(PAPERLAKE), *words, env=environment, timeout=240)


def require_error(done: subprocess.CompletedProcess[str], code: int, *names: str) -> None:
    """Assert one message, with nothing of Python's or Prefect's; changes of the source may precede it."""
    assert (done.returncode, done.stdout) == (code, ""), done.stderr
    messages = [
        line for line in done.stderr.splitlines() if not line.startswith(("warning: the source", "warning: and "))
    ]
    assert [line[:7] for line in messages] == ["error: "], done.stderr
    for name in names:
        assert name in done.stderr


def landed(lake: str) -> set[str]:
    return {entry.capture_id for entry in Archive(open_lake(lake)).index()}


def objects(lake: str) -> dict[str, bytes]:
    store = open_lake(lake)
    return {key: store.read(key) for key in store.list()}


def require_standing(lake: str, version: str, disk: Disk | None = None) -> None:
    """Assert that this release is the latest, and sound; on a disk of its own namespace, by processes inside it."""
    if disk is None:
        assert require_sound(lake, verify_release(open_lake(lake))).startswith(f"release {version} is sound")
    else:
        done = paperlake("verify", lake=lake, disk=disk)
        assert done.stdout.startswith(f"release {version} is sound"), done.stderr


@pytest.fixture(scope="session")
def one_page(tmp_path_factory: pytest.TempPathFactory, sample: Path) -> Path:
    """A lake with a release of one page, made today."""
    lake = tmp_path_factory.mktemp("one_page") / "lake"
    assert steps.run(str(lake), [sample / "2024-03-14-later.json"], now=utc_now()) is not None
    return lake


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake with a release that has the person, without documents."""
    lake = tmp_path_factory.mktemp("small") / "lake"
    with steps.bare_releases():
        steps.build_unchecked(str(lake), [list_of(DAYS[0]), PAGE])
        steps.publish(str(lake))
    return lake


def first_release(lake: str, source: Path) -> str:
    """Give the lake a first release; return its version."""
    return latest_manifest(open_lake(str(shutil.copytree(source, lake)))).version


def follower(lake: str, stood: str) -> str:
    """The version of the latest release, which must follow the one before."""
    manifest = latest_manifest(open_lake(lake))
    assert manifest.parent.version == stood
    return manifest.version


@pytest.fixture(autouse=True)
def _prefect(own_prefect: OwnServer, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """One server for all drills; test_cli.py tests a run with its own."""
    for name, value in variables_of(own_prefect).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path_factory.getbasetemp() / "prefect-of-drills"))


def test_a_wrong_key_of_a_bucket_is_named_and_changes_nothing(
    seaweed: Seaweed, sample: Path, served_prefect_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may end between building and publishing; what else is wrong with a bucket: tests/unit/test_s3_store.py, and by
    itself `land`: test_a_flow_does_not_try_again_what_only_a_setting_can_mend.
    """
    for name, value in seaweed.environment().items():
        monkeypatch.setenv(name, value)
    lake, page = seaweed.lake(), str(sample / "2024-03-14-morning.json")
    stood = steps.run(lake, [sample / "2024-03-14-later.json"], now=utc_now(), is_bare=True).version
    for words in (("run", page), ("publish",)):
        before = objects(lake)
        broken = paperlake(*words, lake=lake, is_program=words[0] == "run", PAPERLAKE_S3_SECRET_ACCESS_KEY=SECRET)
        require_error(broken, 7, "PAPERLAKE_S3_SECRET_ACCESS_KEY")
        assert SECRET not in broken.stderr
        assert objects(lake) == before, words
        for then in [("land", page), ("build",)] if words[0] == "run" else [words]:
            assert paperlake(*then, lake=lake).returncode == 0
    kept = [path for path in served_prefect_home.rglob("*") if path.is_file()]
    assert kept
    assert not any(SECRET.encode() in one.read_bytes() for one in kept)
    require_standing(lake, follower(lake, stood))


def test_a_hub_that_does_not_answer_is_named(lake: str, one_page: Path) -> None:
    stood, before = first_release(lake, one_page), landed(lake)
    days = ("--since", "2026-10-01", "--until", "2026-10-02")
    done = paperlake("run", *days, lake=lake, PAPERLAKE_HUB_URL=NOWHERE)  # between tries the program waits
    require_error(done, 10, NOWHERE, "PAPERLAKE_HUB_URL")
    require_standing(lake, stood)
    assert len(landed(lake) - before) == 1  # the attempt itself is kept
    with StandIn(clock=Clock()) as hub:
        assert paperlake("run", *days, lake=lake, PAPERLAKE_HUB_URL=hub.url).returncode == 0
    assert landed(lake) > before
    require_standing(lake, follower(lake, stood))


class TestDisk:
    def test_a_disk_full_at_any_step_loses_nothing(self, disk: Disk, sample: Path, one_page: Path, lake: str) -> None:
        """The disk is full while landing, at the draft, at the database and at the last files of the release."""
        stood = first_release(lake, one_page)
        shutil.copytree(lake, disk.path / "lake")
        full, there = str(disk.place / "lake"), str(disk.path / "lake")
        for left_kib in (4, 400, 1100):
            disk.fill(left_kib)
            done = paperlake("run", str(sample), lake=full, disk=disk, is_program=left_kib == 1100)
            require_error(done, 7, "disk is full", "PAPERLAKE_LAKE")
            assert [path.name for path in (disk.path / "lake/.tmp").iterdir()] == ["lock"]
            require_standing(full, stood, disk)
        assert len(landed(there)) == 27
        disk.free()
        assert paperlake("run", str(sample), lake=full, disk=disk).returncode == 0
        require_standing(full, follower(there, stood), disk)

    @pytest.mark.parametrize(
        ("words", "left_kib", "code"),
        [
            (("erase", LOGIN, "--why", "asked", "--really"), (50, 1600), 7),
            (("copy", "{lake}", "{target}"), (1600,), 7),
            (("export", "iceberg", "{target}"), (800,), 7),
            (("export", "delta", "{target}"), (200,), 7),
            (("deposit", "{version}", "--output", "{target}"), (400,), 2),
        ],
        ids=["erase", "copy", "iceberg", "delta", "deposit"],
    )
    def test_a_command_that_meets_a_full_disk_says_so_and_is_done_by_the_next(
        self,
        disk: Disk,
        tmp_path: Path,
        small: Path,
        one_page: Path,
        *,
        words: tuple[str, ...],
        left_kib: tuple[int, ...],
        code: int,
    ) -> None:
        lake, target = str(tmp_path / "lake"), str(disk.place / "target")
        version = first_release(lake, one_page if words[0] == "deposit" else small)  # that of all documents
        if words[0] == "erase":
            shutil.copytree(lake, disk.path / "lake")
            lake = str(disk.place / "lake")
        given = [word.format(lake=lake, target=target, version=version) for word in words]
        environment = {**os.environ, "PAPERLAKE_LAKE": lake}
        for left in left_kib:
            disk.fill(left)
            done = processes.paperlake(*given, environment=environment, within=disk.shell.pid)
            require_error(done, code, target if code == 2 else "full")
            assert [path.name for path in disk.path.glob("*/.tmp/*")] in ([], ["lock"])
        disk.free()
        done = processes.paperlake(*given, environment=environment, within=disk.shell.pid)
        assert done.returncode == 0, done.stderr
        require_standing(lake, version, disk)
        if words[0] == "copy":
            require_standing(target, version, disk)
        if words[0] == "erase":
            assert places_of(shutil.copytree(disk.path / "lake", tmp_path / "erased"), LOGIN) == []

    def test_no_room_for_temporary_files_is_named(self, disk: Disk, sample: Path, one_page: Path, lake: str) -> None:
        """For one of those after the pages are landed."""
        stood = first_release(lake, one_page)
        disk.fill(1500)
        require_error(paperlake("run", str(sample), lake=lake, disk=disk, TMPDIR=str(disk.place)), 7, "TMPDIR")
        assert [path.name for path in disk.path.iterdir()] == ["filler"]
        require_standing(lake, stood)
        assert len(landed(lake)) == 27

    def test_no_room_for_prefect_is_named(self, disk: Disk, sample: Path, lake: str) -> None:
        disk.fill(100)
        page, home = str(sample / "saved.txt"), str(disk.place / "prefect")
        done = paperlake("run", page, lake=lake, disk=disk, is_program=True, PREFECT_HOME=home)
        require_error(done, 7, "PREFECT_HOME")
        assert not Path(lake).exists()
