"""The whole pipeline on a real object store: the same bytes as on a local disk, and the database fetched once."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from flows.documents.site_files import ASSETS
from flows.runtime.lake import open_lake
from tests import processes
from tests.browser import browsing
from tests.chromium import CHROMIUM
from tests.flows import steps
from tests.seaweed import Seaweed
from warehouse.release.latest import latest_manifest, require_latest
from warehouse.release.write import faults

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


def test_the_same_bytes_as_on_a_local_disk(in_bucket: str, published: str) -> None:
    assert steps.hashes(in_bucket) == steps.hashes(published)
    assert open_lake(in_bucket).list("raw") == open_lake(published).list("raw")
    assert steps.table(in_bucket, "papers").equals(steps.table(published, "papers"))


def test_the_release_reads_back_and_a_second_run_finds_nothing_new(in_bucket: str, sample: Path) -> None:
    store = open_lake(in_bucket)
    manifest = latest_manifest(store)
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
            assert page.value("document.querySelectorAll('main .fault').length") == 0
            assert len(page.main) > 200
        assert {one.split("/")[2] for one in page.asked if one.startswith("http")} == {address.split("/")[2]}


def test_a_flow_does_not_try_again_what_only_a_setting_can_mend(sample: Path, seaweed: Seaweed) -> None:
    """Retries would come 1 and 5 s later."""
    done = paperlake("land", str(sample / "saved.txt"), lake=seaweed.lake(), PAPERLAKE_S3_SECRET_ACCESS_KEY="wrong")
    assert (done.returncode, done.stdout) == (7, "")
    assert "correct PAPERLAKE_S3_SECRET_ACCESS_KEY" in done.stderr
