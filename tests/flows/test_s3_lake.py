"""The whole pipeline on a real object store: the same bytes as on a local disk, and the database fetched once."""

from __future__ import annotations

import json
import os
import subprocess
from datetime import date
from pathlib import Path

import pytest

from flows.documents.explorer.site_files import ASSETS
from flows.hub import Hub
from flows.plan import Scope
from flows.runtime.lake import open_lake
from flows.runtime.settings import Settings
from flows.steps.capture_due import capture_due
from tests import processes
from tests.browser import browsing
from tests.chromium import CHROMIUM
from tests.flows import steps
from tests.hub.clock import VirtualClock
from tests.hub.server import StandIn
from tests.seaweed import Seaweed
from warehouse.archive.archive import Archive
from warehouse.release.faults import faults
from warehouse.release.latest import DATABASE, latest_manifest, release_key, require_latest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def environment(seaweed: Seaweed, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {**seaweed.environment(), "PAPERLAKE_CACHE": str(tmp_path_factory.mktemp("cache"))}


@pytest.fixture(autouse=True)
def _settings(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)


@pytest.fixture(scope="module")
def in_bucket(seaweed: Seaweed, environment: dict[str, str], sample: Path) -> str:
    """A lake in the bucket with one release of the whole sample; tests only read it."""
    lake = seaweed.lake()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        assert steps.run(lake, [sample]) is not None
    return lake


def paperlake(*arguments: str, lake: str, **settings: str) -> subprocess.CompletedProcess[str]:
    done = processes.paperlake(*arguments, "--lake", lake, environment={**os.environ, **settings})
    assert "Traceback" not in done.stderr, done.stderr
    return done


def test_what_the_hub_gives_is_captured_into_the_bucket(
    seaweed: Seaweed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PAPERLAKE_STATE", str(tmp_path))
    lake, clock = seaweed.lake(), VirtualClock()
    scope = Scope(since=date(2026, 6, 1), until=date(2026, 6, 3))
    with StandIn(now=clock.now, clock=clock.seconds) as hub:
        for landed_count in (4, 0):
            with Hub(Settings(hub_url=hub.url), clock=clock.clock()) as client:
                assert capture_due(open_lake(lake), client, scope, clock=clock.clock()).landed_count == landed_count
    assert len(Archive(open_lake(lake)).index()) == 4
    [journal] = tmp_path.iterdir()
    assert list(journal.iterdir()) == []


def test_the_same_bytes_as_on_a_local_disk(in_bucket: str, published: str) -> None:
    assert steps.hashes(in_bucket) == steps.hashes(published)
    assert open_lake(in_bucket).list("raw") == open_lake(published).list("raw")
    assert steps.table(in_bucket, "papers").equals(steps.table(published, "papers"))


def test_the_release_reads_back_and_a_second_run_finds_nothing_new(in_bucket: str, sample: Path) -> None:
    store = open_lake(in_bucket)
    manifest = latest_manifest(store)
    assert manifest is not None
    assert faults(store, manifest) == []
    before = store.list()
    assert steps.run(in_bucket, [sample]) is None
    assert store.list() == before


def test_reading_commands_fetch_the_database_once(in_bucket: str, tmp_path: Path) -> None:
    ask = ("sql", "SELECT count(*) AS n FROM captures", "--format", "json")
    assert json.loads(paperlake(*ask, lake=in_bucket, PAPERLAKE_CACHE=str(tmp_path)).stdout) == [{"n": 26}]
    [file] = tmp_path.iterdir()
    fetched = file.stat()
    assert "papers_by_month" in paperlake("tables", lake=in_bucket, PAPERLAKE_CACHE=str(tmp_path)).stdout
    assert [path.stat().st_mtime_ns for path in tmp_path.iterdir()] == [fetched.st_mtime_ns]
    capture_id = steps.table(in_bucket, "captures")["capture_id"][0]
    assert paperlake("show", "raw", capture_id, lake=in_bucket).stdout
    assert "is sound" in paperlake("verify", lake=in_bucket).stdout


@pytest.mark.skipif(CHROMIUM is None or not ASSETS.exists(), reason="no Chromium, or no assets: make assets")
def test_the_explorer_is_read_from_the_bucket(in_bucket: str, seaweed: Seaweed, tmp_path: Path) -> None:
    version = require_latest(seaweed.open(in_bucket)).version
    address = f"{seaweed.options.endpoint_url}/{in_bucket.removeprefix('s3://')}/releases/{version}/explore/index.html"
    with browsing(tmp_path / "profile") as page:
        for path in ("", "calendar", "paper/2610.02204", "search/harbours", "trends"):
            page.open(f"{address}#/{path}")
            assert page.value("document.querySelectorAll('.fault').length") == 0
            assert len(page.value("document.querySelector('main').innerText")) > 200
        assert {one.split("/")[2] for one in page.asked if one.startswith("http")} == {address.split("/")[2]}


def test_a_damaged_database_is_not_opened(in_bucket: str, seaweed: Seaweed, tmp_path: Path) -> None:
    store, copy = open_lake(in_bucket), open_lake(seaweed.lake())
    for key in store.list("releases"):
        copy.put(key, store.read(key))
    manifest = latest_manifest(copy)
    assert manifest is not None
    copy.put(release_key(manifest.version, DATABASE), b"not a database")
    done = paperlake("sql", "SELECT 1", lake=copy.url, PAPERLAKE_CACHE=str(tmp_path))
    assert (done.returncode, done.stdout, list(tmp_path.iterdir())) == (6, "", [])
    assert "paperlake verify" in done.stderr


@pytest.mark.parametrize(
    ("settings", "code", "names"),
    [
        ({"PAPERLAKE_S3_SECRET_ACCESS_KEY": "do-not-show"}, 7, "PAPERLAKE_S3_SECRET_ACCESS_KEY"),
        ({"PAPERLAKE_S3_ENDPOINT_URL": "http://127.0.0.1:9"}, 7, "PAPERLAKE_S3_ENDPOINT_URL"),
        ({"PAPERLAKE_S3_ENDPOINT_URL": "http://u:do-not-show@h"}, 2, "PAPERLAKE_S3_ENDPOINT_URL"),
        ({"PAPERLAKE_S3_ENDPOINT_URL": "do-not-show"}, 2, "PAPERLAKE_S3_ENDPOINT_URL"),
        ({"PAPERLAKE_S3_ACCESS_KEY_ID": ""}, 2, "PAPERLAKE_S3_ACCESS_KEY_ID"),
        ({"PAPERLAKE_CACHE": "/dev/null/cache"}, 7, "PAPERLAKE_CACHE"),
    ],
)
def test_a_wrong_setting_is_named(in_bucket: str, settings: dict[str, str], code: int, names: str) -> None:
    done = paperlake("sql", "SELECT 1", lake=in_bucket, **settings)
    assert (done.returncode, done.stdout) == (code, "")
    assert names in done.stderr
    assert "do-not-show" not in done.stderr


def test_a_wrong_bucket_is_named(in_bucket: str) -> None:
    for command in (("sql", "SELECT 1"), ("verify",), ("verify", "--raw")):
        done = paperlake(*command, lake="s3://no-such-bucket/lake")
        assert (done.returncode, done.stdout) == (7, "")
        assert "there is no such bucket" in done.stderr


def test_a_flow_does_not_try_again_what_only_a_setting_can_mend(sample: Path, seaweed: Seaweed) -> None:
    """Retries would come 1 and 5 s later."""
    done = paperlake("land", str(sample / "saved.txt"), lake=seaweed.lake(), PAPERLAKE_S3_SECRET_ACCESS_KEY="wrong")
    assert (done.returncode, done.stdout) == (7, "")
    assert "correct PAPERLAKE_S3_SECRET_ACCESS_KEY" in done.stderr
