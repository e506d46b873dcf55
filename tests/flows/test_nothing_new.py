"""A run with nothing to do ends before Prefect is imported: when it may, and when it may not."""

import shutil
from datetime import date, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest

from flows.runtime.lake import journal_folder, open_lake
from flows.runtime.scope import Scope
from flows.steps.what_is_new import fold_replaced, nothing_new
from tests.flows import steps
from tests.test_architecture import run
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Limits
from warehouse.archive.writer import Landed
from warehouse.inventory.pool_files import GRACE, is_over
from warehouse.release.latest import DATABASE, latest_manifest, release_key
from warehouse.schema.core.captures import CAPTURES

NOW = datetime(2026, 11, 22)
FETCHED = date(2026, 10, 1)  # its list was fetched on that day, and never again
ONE_DAY = Scope(since=FETCHED, until=FETCHED, refetch_after=(timedelta(hours=1),))


def found(lake: str, *paths: Path, scope: Scope = ONE_DAY) -> Landed | None:
    return nothing_new(open_lake(lake), paths, scope, Limits(), NOW)


def test_paths_whose_captures_are_all_released_are_nothing_new(published: str, sample: Path) -> None:
    assert found(published, sample) == Landed(skipped_count=26)


def test_a_page_that_is_not_landed_is_new(published: str, sample: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    page.write_bytes((sample / "saved.txt").read_bytes() + b"\n")
    assert found(published, sample, page) is None


def test_a_refused_file_is_left_to_the_run(published: str, sample: Path, tmp_path: Path) -> None:
    assert found(published, sample, tmp_path / "gone.json") is None
    large = Limits(payload_bytes=10)
    assert nothing_new(open_lake(published), [sample], ONE_DAY, large, NOW) is None


def test_what_is_landed_and_not_released_is_new(published_copy: str, sample: Path) -> None:
    Archive(open_lake(published_copy)).write([steps.list_of(date(2026, 10, 5))], now=steps.NOW)
    assert found(published_copy, sample) is None


def test_a_file_without_its_index_is_new(published_copy: str, sample: Path) -> None:
    for index in Path(published_copy).glob("raw/index/*"):
        index.unlink()
    assert found(published_copy) is None


def test_a_lake_of_another_schema_is_built_anew(published: str, sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warehouse.release.schema_changes.schema_digest", lambda table: f"other {table.name}")
    assert found(published, sample) is None


def test_a_damaged_release_is_left_to_the_run(published_copy: str, sample: Path) -> None:
    [path] = Path(published_copy).glob(f"releases/*/data/{CAPTURES.name}.parquet")
    path.chmod(0o644)
    pl.DataFrame().write_parquet(path)
    assert found(published_copy, sample) is None


def test_without_a_release_all_is_new(lake: str, sample: Path) -> None:
    assert found(lake, sample) is None


def test_a_day_that_is_fetched_is_not_due(published: str) -> None:
    assert found(published) == Landed()
    assert found(published, scope=Scope(since=FETCHED, until=FETCHED, refetch_after=(timedelta(days=30),))) is None
    assert found(published, scope=Scope()) is None


def test_what_a_killed_run_left_is_new(published: str, tmp_path: Path) -> None:
    lake = str(shutil.copytree(published, tmp_path / "copy"))
    folder = journal_folder(open_lake(lake))
    folder.mkdir(exist_ok=True)
    (folder / "journal-1.warc.gz").touch()
    assert found(lake) is None


def test_a_run_with_nothing_new_folds_what_was_replaced_an_hour_ago(published_copy: str, published_twice: str) -> None:
    before = latest_manifest(store := open_lake(published_copy))
    shutil.copytree(published_twice, published_copy, dirs_exist_ok=True)  # the same, and a release more
    database = release_key(before.version, DATABASE)
    for minutes, is_there in ((59, True), (60, False), (61, False)):
        fold_replaced(store, steps.NOW + timedelta(minutes=minutes))
        assert (store.exists(database), is_over(store, steps.NOW + GRACE)) == (is_there, is_there)


def test_nothing_new_is_known_before_anything_heavy_is_imported(published: str, sample: Path) -> None:
    """The command imports neither Prefect nor Great Expectations."""
    program = f"""
import sys
from paperlake.cli.main import main
sys.argv = ["paperlake", "run", {str(sample)!r}, "--lake", {published!r}]
try:
    main()
finally:
    print(*({{"prefect", "great_expectations", "pandas", "duckdb", "httpx"}} & set(sys.modules)))
"""
    done = run(program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "nothing new: every landed capture is in the latest release; no new release",
        f"its page: {published}/releases/2026.11.21.1/index.html",
        "",
    ]
    assert done.stderr == "landed 0 captures (0.0 MB), 26 were there already, 0 refused\n"
