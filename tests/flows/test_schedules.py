"""Schedules, the missing list, `paperlake serve`, and a worker of a work pool."""

import asyncio
import errno
import logging
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from uuid import UUID

import polars as pl
import prefect
import pytest
import yaml
from prefect.client.orchestration import get_client
from prefect.server.schemas.schedules import CronSchedule
from prefect.settings import PREFECT_API_URL, temporary_settings

from flows import schedules
from flows.hub.budget import Clock
from flows.plan.due import missing_list
from flows.running import prefect_server
from flows.running.prefect_server import OwnServer, until_gone
from flows.runtime.lake import open_lake
from paperlake.digest.digest_flow import digest
from paperlake.push.push_flow import push
from tests.flows.conftest import variables_of
from tests.hub.days import Days
from tests.hub.faults import silence
from tests.hub.server import StandIn
from tests.processes import ROOT, finished, paperlake
from tests.serving import answering
from warehouse.errors import StoreFailed, UsageError
from warehouse.release.latest import latest_manifest
from warehouse.schema.core.listings import COVERAGE
from warehouse.schema.daily_lists import list_days, opens_at

FRIDAY = date(2026, 10, 2)
THURSDAY = date(2026, 10, 1)
OPENED = datetime(2026, 10, 2, 1, 30)
PAPERLAKE = (sys.executable, "-c", "from paperlake.cli.main import main; main()")
PREFECT = (sys.executable, "-m", "prefect")


def runs(when: tuple[schedules.When, ...], days: int, start: datetime) -> list[datetime]:
    """The moments of a schedule, UTC without zone."""
    end = start + timedelta(days=days)
    crons = [CronSchedule(cron=one.cron, timezone=schedules.ZONE) for one in when]
    found = [asyncio.run(cron.get_dates(1000, start.replace(tzinfo=UTC), end.replace(tzinfo=UTC))) for cron in crons]
    seconds = sorted(moment.timestamp() for moments in found for moment in moments)
    return [datetime.fromtimestamp(second, UTC).replace(tzinfo=None) for second in seconds]


def test_the_work_pool_has_the_declared_deployments() -> None:
    declared = yaml.safe_load((ROOT / "prefect.yaml").read_text())["deployments"]
    found = {}
    for one in declared:
        module, _, name = one["entrypoint"].rpartition(".")
        assert (one["name"], module in sys.modules) == (name, True)
        assert one["concurrency_limit"] == schedules.ONE_AT_A_TIME.model_dump(mode="json", exclude_none=True)
        assert {when["timezone"] for when in one["schedules"]} == {schedules.ZONE}
        found[name] = [when["cron"] for when in one["schedules"]]
    assert found == {flow.name: [one.cron for one in when] for flow, when in schedules.hours(None).items()}


def test_letters_and_pushes_are_of_serve_where_they_are_set_up() -> None:
    """A work pool has no subscribers, and no token."""
    served = schedules.hours(None, digest=digest, push=push)
    assert {flow.name for flow in served.keys() - schedules.hours(None).keys()} == {"digest", "push"}


def test_letters_that_are_half_set_up_are_an_error(lake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERLAKE_DIGEST_URL", "https://papers.example.org")
    with pytest.raises(UsageError, match="PAPERLAKE_DIGEST_FROM"):
        schedules.serve(lake)


@pytest.mark.parametrize("hours", [1, 6])
def test_a_run_follows_each_fetch_of_the_first_day_in_ten_minutes_summer_and_winter(hours: int) -> None:
    """The clocks of New York change on 2026-11-01."""
    moments = runs(schedules.DAILY, 60, datetime(2026, 10, 5))
    for day in list_days(date(2026, 10, 7), date(2026, 11, 20)):
        due = opens_at(day) + timedelta(hours=hours)
        assert min(moment for moment in moments if moment >= due) - due == timedelta(minutes=10), day


def test_a_place_where_the_secret_cannot_be_kept_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("PAPERLAKE_STATE", str(tmp_path / "file"))
    keeping = schedules.secret_file(OwnServer("http://127.0.0.1:4200", "secret"))
    with pytest.raises(StoreFailed, match=r"^could not write prefect-.* set PAPERLAKE_STATE "), keeping:
        pass


def test_a_server_of_our_own_that_cannot_start_is_no_fault_of_paperlake(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 7, as the reference has it; where there is no room for temporary files, that is said before."""
    monkeypatch.setattr(prefect_server, "PROGRAM", (sys.executable, "-c", ""))
    with pytest.raises(StoreFailed, match="ended as it started"), prefect_server.prefect_server():
        pytest.fail("there is none")
    monkeypatch.setattr(tempfile, "gettempdir", Mock(side_effect=FileNotFoundError(errno.ENOENT, "No usable one")))
    with pytest.raises(StoreFailed, match="TMPDIR"):
        prefect_server.require_room()


@pytest.mark.parametrize("cron", ["now and then", "0 0 31 2 *"])
def test_a_cron_that_is_none_or_never_comes_is_named(lake: str, cron: str) -> None:
    with pytest.raises(UsageError, match="--cron"):
        schedules.serve(lake, cron)


def test_a_prefect_server_that_does_not_answer_is_named(lake: str) -> None:
    nowhere = temporary_settings({PREFECT_API_URL: "http://127.0.0.1:9/api"})
    with nowhere, pytest.raises(UsageError, match="PREFECT_API_URL"):
        schedules.serve(lake)
    environment = {**os.environ, "PREFECT_API_URL": "http://127.0.0.1:9/api"}
    ran = paperlake("run", str(ROOT / "tests/sample"), "--lake", lake, environment=environment)
    said = "error: no Prefect server answers at PREFECT_API_URL; start it, or unset it to have one started\n"
    assert (ran.returncode, ran.stderr) == (2, said)


def with_server(answer: Callable[[Any, bytes], tuple[int, bytes]], lake: str, home: Path, *words: str):
    """A command that was told of a Prefect server, which answers so."""
    with answering(answer) as url:
        known = {"PREFECT_API_URL": f"{url}/api", "PREFECT_HOME": str(home), "PREFECT_CLIENT_MAX_RETRIES": "0"}
        return paperlake(*words, "--lake", lake, environment={**os.environ, **known})


@pytest.mark.parametrize(
    ("status", "code", "how"),
    [(401, 2, "answered 401 Unauthorized"), (500, 7, "answered 500"), (None, 7, "does not answer any more")],
)
def test_a_prefect_server_that_fails_in_a_run_is_named(lake: str, tmp_path: Path, status, code: int, how: str) -> None:
    """It says that it is well, and of which version, and then refuses, has a full disk, or is gone."""

    def failing(asked: Any, _: bytes) -> tuple[int, bytes]:
        if not (answered := 200 if asked.path.endswith(("/health", "/version")) else status):
            asked.connection.shutdown(socket.SHUT_RDWR)
        return answered or 500, f'"{prefect.__version__}"'.encode()

    ran = with_server(failing, lake, tmp_path, "run", str(ROOT / "tests/sample"))
    assert (ran.returncode, ran.stderr.count("\n")) == (code, 1), ran.stderr
    assert ran.stderr.startswith(f"error: Prefect's server {how}")


def test_a_prefect_server_that_fails_as_deployments_are_written_is_named(lake: str, tmp_path: Path) -> None:
    """Prefect raises an error of its own then, or one of JSON where a proxy before it answers."""

    def failing(asked: Any, _: bytes) -> tuple[int, bytes]:
        if asked.command == "GET":
            return (200 if asked.path.endswith("/health") else 404), b"{}"
        known = {"work_pools": (409, b"{}"), "flows": (201, b'{"id": "%s"}' % str(UUID(int=1)).encode())}
        return known.get(asked.path.split("/")[2], (502, b"<p>Bad gateway"))

    ran = with_server(failing, lake, tmp_path, "serve", "--quiet")
    assert (ran.returncode, ran.stderr.count("\n")) == (7, 1), ran.stderr
    assert ran.stderr.startswith("error: Prefect's server does not take our deployments")


def test_serve_says_when_its_server_is_away_and_ends_where_it_stays_away(caplog: pytest.LogCaptureFixture) -> None:
    """It said nothing: each of its calls that failed was a traceback of Prefect's on stdout."""
    answers = iter([200, 500, 500, 200, 200])
    caplog.set_level(logging.INFO, "paperlake")
    ended = pytest.raises(StoreFailed, match="does not answer any more; look at PREFECT_API_URL")
    with answering(lambda *_: (next(answers, 500), b"")) as url, ended:
        asyncio.run(until_gone(f"{url}/api", 0.01))
    away = "Prefect's server does not answer; nothing runs until it does"
    assert caplog.messages == [away, "Prefect's server answers again", away]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("known", "profiles", "words"),
    [
        ({"PREFECT_CLIENT_MAX_RETRIES": "many"}, "", "a setting of Prefect (PREFECT_…, or its profile) is wrong"),
        ({"PREFECT_API_URL": os.fsdecode(b"http://\xff/api")}, "", "no Prefect server answers at PREFECT_API_URL;"),
        ({}, "active = [mine", "a setting of Prefect (PREFECT_…, or its profile) is wrong: Invalid value"),
        (
            {},
            'active = "mine"\n[profiles.mine]\nPREFECT_API_URL = "http://127.0.0.1:9/api"',
            "no Prefect server answers at PREFECT_API_URL, as Prefect's profile has it;",
        ),
    ],
)
def test_a_setting_of_prefect_that_is_wrong_is_named(
    lake: str, tmp_path: Path, known: dict[str, str], profiles: str, words: str
) -> None:
    """By `doctor`; and as it is by a run, and by an erasure, which asks for Prefect's history."""
    (tmp_path / "profiles.toml").write_text(profiles)
    environment = {**os.environ, **known, "PREFECT_HOME": str(tmp_path)}
    commands = [["doctor"], ["run", str(ROOT / "tests/sample")], ["erase", "priya", "--why", "GDPR art. 17"]]
    for command in commands if "PREFECT_CLIENT_MAX_RETRIES" in known else commands[:1]:
        ran = finished(*PAPERLAKE, *command, "--lake", lake, env=environment)
        assert (ran.returncode, words in ran.stdout + ran.stderr) == (2, True), ran.stderr
        assert "Traceback" not in ran.stderr


def lists(*known: tuple[date, str, bool, int | None]) -> pl.DataFrame:
    return pl.DataFrame(
        known,
        [(name, COVERAGE.schema[name]) for name in ("listed_on", "source", "is_expected", "paper_count")],
        orient="row",
    )


LISTED = (THURSDAY, "api", True, 9)


@pytest.mark.parametrize(
    ("known", "now", "expected"),
    [
        ((LISTED,), OPENED + timedelta(hours=5), None),  # Friday's list may still be empty
        ((LISTED,), OPENED + timedelta(hours=6), FRIDAY),
        ((LISTED, (FRIDAY, "api", True, 1)), OPENED + timedelta(hours=6), None),
        ((LISTED, (FRIDAY, "api", True, 0)), OPENED + timedelta(hours=6), FRIDAY),  # answered, and empty
        ((LISTED, (FRIDAY, "api", True, None)), OPENED + timedelta(hours=6), FRIDAY),
        ((LISTED, (FRIDAY, "html", False, 9)), OPENED + timedelta(hours=6), FRIDAY),
        ((LISTED, (FRIDAY, "api", False, 0)), OPENED + timedelta(days=1), None),  # a holiday, as its page shows
        (((FRIDAY, "api", True, 9),), OPENED + timedelta(days=2), None),  # none is expected on a weekend
        ((LISTED,), OPENED + timedelta(days=3, hours=5), FRIDAY),
    ],
)
def test_a_list_is_missed_six_hours_after_it_opened(known, now: datetime, expected: date | None) -> None:
    assert missing_list(lists(*known), now) == expected


def test_an_empty_lake_misses_the_newest_list() -> None:
    assert missing_list(COVERAGE.empty(), OPENED + timedelta(days=400)) == date(2027, 11, 5)


@contextmanager
def process(command: tuple[str, ...], environment: Mapping[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process with a log of its own; killed at the end, if it still runs."""
    with log.open("wb") as stream:
        pipe = subprocess.PIPE  # our own server lives as long as its stdin
        run = subprocess.Popen(command, cwd=log.parent, env=environment, stdin=pipe, stdout=stream, stderr=stream)
        try:
            yield run
        finally:
            if run.poll() is None:
                run.kill()
            run.communicate()


def wait_for(condition: Callable[[], object], seconds: float, log: Path) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.2)


def family(pid: int) -> set[int]:
    """A process and all its descendants."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = {int(pid): int(parent) for pid, parent in (line.split() for line in listed.splitlines())}
    found, more = set[int](), {pid}
    while more:
        found |= more
        more = {child for child, parent in parents.items() if parent in found} - found
    return found


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def hub() -> Iterator[StandIn]:
    with StandIn(Days(), clock=Clock()) as hub:
        yield hub


@pytest.fixture
def environment(hub: StandIn, tmp_path: Path, used_prefect_home: Path) -> dict[str, str]:
    """Of a machine that knows the stand-in, and runs no Prefect server yet."""
    shutil.copytree(used_prefect_home, tmp_path / "prefect")
    ours = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "NO_COLOR": "1"}
    prefect = {"PREFECT_HOME": str(tmp_path / "prefect"), "PREFECT_SERVER_ANALYTICS_ENABLED": "false"}
    prefect |= {"PREFECT_RUNNER_POLL_FREQUENCY": "1", "PREFECT_WORKER_QUERY_SECONDS": "1"}
    return {**ours, **prefect, "PAPERLAKE_HUB_URL": hub.url, "PAPERLAKE_HUB_TOKEN": "hf_invented_secret"}


@pytest.mark.slow
def test_serve_that_is_told_to_end_ends_the_run_under_way(lake: str, hub: StandIn, environment, tmp_path: Path) -> None:
    """By SIGTERM, for which it does what it does for SIGINT. What it publishes: test_start.py; when it is killed:
    test_guarded_prefect.py.
    """
    hub.misbehave(silence(600), "/api/daily_papers")
    log = tmp_path / "serve.log"
    with process((*PAPERLAKE, "serve", "--lake", lake, "--cron", "* * * * * */20"), environment, log) as serving:
        wait_for(lambda: any("/api/daily_papers" in target for target in hub.targets), 300, log)
        everyone = family(serving.pid)
        serving.send_signal(signal.SIGTERM)
        assert serving.wait(120) == 0
    wait_for(lambda: not any(map(is_alive, everyone)), 60, log)
    assert "Traceback" not in log.read_text()
    [path] = re.findall(r"secret; it is in (\S+)", log.read_text())
    assert not Path(path).exists()


SERVER = """
from flows.running.prefect_server import prefect_server
with prefect_server() as own:
    print(own.url, own.secret, flush=True)
    input()
"""


# Commands of Prefect's command line in one process: most of each is its imports.
ONE_BY_ONE = """
import sys
from prefect.cli import app
for command in sys.argv[1:]:
    sys.argv = ["prefect", "--no-prompt", *command.split()]
    try:
        app()
    except SystemExit as ended:
        print("ended:", ended.code or 0, flush=True)
"""


@contextmanager
def whole_server(environment: Mapping[str, str], log: Path) -> Iterator[OwnServer]:
    """A server of a process of its own, on a free port."""
    with process((sys.executable, "-c", SERVER), environment, log):
        wait_for(lambda: "http" in log.read_text(), 240, log)
        yield OwnServer(*log.read_text().split())


def states(own: OwnServer, flow: str) -> list[str]:
    """States of the runs of a flow that have ended."""
    wanted = {"flows": {"name": {"any_": [flow]}}, "flow_runs": {"end_time": {"is_null_": False}}}
    with temporary_settings(own.settings), get_client(sync_client=True) as client:
        found = client.request("POST", "/flow_runs/filter", json=wanted)
    return [run["state_name"] for run in found.json()]


@pytest.mark.slow
def test_a_worker_of_a_work_pool_runs_the_deployments(lake: str, environment, tmp_path: Path) -> None:
    with whole_server(environment, tmp_path / "server.log") as own:
        known = {**variables_of(own), "PAPERLAKE_LAKE": lake}
        theirs = {**environment, **known}
        commands = ("work-pool create paperlake --type process", "deploy --all", "deployment run daily/daily")
        done = finished(sys.executable, "-c", ONE_BY_ONE, *commands, cwd=ROOT, env=theirs)
        assert (done.returncode, done.stdout.count("ended: 0\n")) == (0, len(commands)), done.stdout + done.stderr
        log = tmp_path / "worker.log"
        with process((*PREFECT, "worker", "start", "--pool", "paperlake"), theirs, log) as worker:
            wait_for(lambda: "published" in log.read_text() and states(own, "daily") == ["Completed"], 300, log)
            worker.send_signal(signal.SIGINT)
            worker.wait(120)
    assert latest_manifest(open_lake(lake))
    assert "published" in log.read_text()
    kept = b"".join(path.read_bytes() for path in (tmp_path / "prefect").rglob("*") if path.is_file())
    assert b"hf_invented_secret" not in kept
