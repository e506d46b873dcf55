"""A lake in a bucket whose older releases share their files: each command finds them as before."""

import os
import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import duckdb
import pytest

from flows.documents.release_index import pages_instead
from flows.runtime.lake import open_lake
from flows.steps.read_back import verify_raw
from paperlake.reading.lakes import Lake
from tests import processes
from tests.flows import steps
from tests.flows.test_erasure import LOGIN, list_of
from tests.processes import ROOT
from tests.scanner import places_of
from tests.seaweed import Seaweed
from warehouse.inventory.owners import Owner, inventory
from warehouse.inventory.pool_files import GRACE, pool_all
from warehouse.release import moves
from warehouse.release.latest import EXPLORER, LAKE_FORMAT, latest_manifest, require_latest
from warehouse.release.manifest import Manifest
from warehouse.release.write import faults
from warehouse.store.pooled_list import PLACES, POOL
from warehouse.store.s3 import S3Store
from warehouse.store.store import Store

pytestmark = pytest.mark.slow

FIRST = date(2026, 9, 28)


@pytest.fixture(scope="module")
def environment(seaweed: Seaweed, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    found = {**seaweed.environment(), "PAPERLAKE_CACHE": str(tmp_path_factory.mktemp("cache"))}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in found.items():
            patch.setenv(name, value)
        yield found


@pytest.fixture(scope="module")
def lake(seaweed: Seaweed, environment: dict[str, str]) -> str:
    """A lake with three releases, of which the oldest is pooled."""
    del environment
    url = seaweed.lake()
    for days in range(3):
        publish(url, days)
    return url


def publish(url: str, days: int) -> None:
    """A release of a list more, with an explorer; the first two have the person who is erased."""
    made = list_of if days < 2 else steps.list_of
    with steps.bare_releases(more=lambda _: {EXPLORER: b"<!doctype html>"}):
        assert steps.run_captures(url, [made(FIRST + timedelta(days))]) is not None


def paperlake(*words: str, lake: str) -> str:
    done = processes.paperlake(*words, *(["--lake", lake] if lake else []), environment=dict(os.environ))
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), (words, done.stderr)
    return done.stdout


def released(store: Store) -> list[Manifest]:
    past = moves.moves(store)
    versions = sorted({move.version for move in past}, key=moves.order_of)
    return [moves.published(store, one, past) for one in versions if moves.dropped(store, one, past) is None]


def require_sound(url: str, *pooled: bool) -> None:
    """Every file of every release is read back, and nothing lies in the lake that nobody knows."""
    store = open_lake(url)
    kept = require_pooled(store, *pooled)
    assert [faults(store, one) for one in kept] == [[]] * len(kept)
    assert {item.owner for item in inventory(store)}.isdisjoint({Owner.LEFT, Owner.NOBODY})


def require_pooled(store: Store, *pooled: bool) -> list[Manifest]:
    """The releases, each of which shares its files or has its own."""
    kept = released(store)
    assert [store.exists(f"releases/{one.version}/{PLACES}") for one in kept] == list(pooled)
    return kept


def objects(seaweed: Seaweed, url: str) -> S3Store:
    return S3Store(url, seaweed.options)


def everything_in(bucket: S3Store, folder: Path) -> Path:
    """As any tool copies a bucket."""
    for key in bucket.list():
        (to := folder / key).parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(bucket.read(key))
    return folder


def test_what_releases_share_lies_once(lake: str, seaweed: Seaweed) -> None:
    require_sound(lake, True, False, False)
    assert require_latest(open_lake(lake)).lake_format == LAKE_FORMAT
    old, there = released(open_lake(lake))[0], objects(seaweed, lake)
    left = [key for key in there.list(f"releases/{old.version}") if "/data/" in key or "/marts/" in key]
    assert left == []
    wanted, own = (
        {file.sha256 for one in some for file in one.files if file.key.startswith("data/")}
        for some in (released(open_lake(lake))[:1], released(open_lake(lake))[-1:])
    )
    assert wanted & own
    assert wanted - own <= {Path(key).stem for key in there.list(POOL)}
    assert {Path(key).stem for key in there.list(POOL)}.isdisjoint(own), "what the latest has lies there alone"
    assert b"../../latest/explore/index.html" in there.read(f"releases/{old.version}/explore/index.html")


def test_an_older_release_is_read_as_any_other(lake: str, seaweed: Seaweed) -> None:
    on_the_web = f"{seaweed.options.endpoint_url}/{lake.removeprefix('s3://')}"  # as a browser, without a key
    for url in (lake, on_the_web):
        found = Lake.at(url)
        for number, one in enumerate(released(open_lake(lake)), 1):
            listed = found[one.version].table("daily_listings").collect()
            assert listed["listed_on"].n_unique() == number
            assert found[one.version].sql("SELECT count(*) AS n FROM daily_listings")["n"].item() == listed.height


def test_any_other_tool_finds_the_files_of_an_older_release(lake: str, seaweed: Seaweed, tmp_path: Path) -> None:
    version = released(open_lake(lake))[0].version
    everything_in(objects(seaweed, lake), tmp_path)
    assert len(Lake.at(str(tmp_path))[version].table("daily_listings").collect())
    [code] = re.findall(
        r"^```python\n(.*?)^```", (ROOT / "docs/release.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    exec(code.replace("s3://bucket/lake", str(tmp_path)).replace("2026.10.02.1", version), {})
    rows = duckdb.sql("SELECT count(DISTINCT listed_on) FROM read_parquet(getvariable('files'))").fetchall()
    assert rows == [(1,)]


def test_moves_drops_erasures_and_copies(lake: str, seaweed: Seaweed, tmp_path: Path) -> None:
    copy = seaweed.lake()
    paperlake("copy", lake, copy, lake="")
    require_pooled(open_lake(copy), True, True, False)
    oldest, _, newest = (one.version for one in released(open_lake(copy)))
    paperlake("rollback", oldest, lake=copy)
    require_sound(copy, False, True, False)
    at_own = objects(seaweed, copy).list(f"releases/{oldest}/data")
    assert at_own, "the files of the latest release lie at their own keys"
    paperlake("rollback", newest, lake=copy)

    before = set(objects(seaweed, copy).list(POOL))
    assert places_of(everything_in(objects(seaweed, copy), tmp_path / "before"), LOGIN)
    paperlake("erase", LOGIN, "--why", "GDPR art. 17", "--really", lake=copy)
    assert before - set(objects(seaweed, copy).list(POOL)), "files with the person are gone"
    assert places_of(everything_in(objects(seaweed, copy), tmp_path / "erased"), LOGIN) == []
    require_sound(copy, False, True, False)
    assert verify_raw(open_lake(copy))[1] == []

    publish(copy, 3)
    require_pooled(open_lake(copy), False, True, False, False)
    pool_all(open_lake(copy), pages_instead, at=steps.NOW + GRACE - timedelta(minutes=1))
    require_pooled(open_lake(copy), True, True, False, False)
    reader = Lake.at(copy)[newest]
    before = reader.table("daily_listings").collect()
    paperlake("retain", "--keep-last", "4", "--apply", lake=copy)
    require_pooled(open_lake(copy), True, True, True, False)
    assert reader.table("daily_listings").collect().equals(before), "who reads the release before reads on"
    assert "4 releases are sound" in paperlake("verify", "--all", lake=copy)
    paperlake("retain", "--keep-last", "2", "--apply", lake=copy)
    require_sound(copy, True, False)

    paperlake("copy", lake, str(tmp_path / "near"), lake="")
    near = open_lake(str(tmp_path / "near"))
    assert [faults(near, one) for one in released(near)] == [[]] * 3
    assert latest_manifest(near) == latest_manifest(open_lake(lake))
