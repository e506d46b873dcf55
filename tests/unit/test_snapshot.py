"""A snapshot reads a release or a draft as it was written, and fetches each file of a far lake once; the cache keeps whole
databases, each of its name.
"""

import os
import tempfile
import time
from collections import Counter
from datetime import date
from pathlib import Path

import polars as pl
import pytest

from tests.drafts import write_draft
from warehouse.errors import Damaged, NothingThere, StoreFailed, UsageError
from warehouse.release.cache import KEPT, cached, forget, made_in
from warehouse.release.latest import MANIFEST, release_key
from warehouse.release.manifest import Draft, File, Manifest, digest, encode
from warehouse.release.snapshot import open_snapshot
from warehouse.schema.catalog import CORE_TABLES
from warehouse.schema.core.listings import COVERAGE
from warehouse.store import local_files as module
from warehouse.store.local_files import LocalFiles, local_files, one_file, scratch
from warehouse.store.store import Store

DAY = date(2026, 10, 2)


class Far:
    """A store of another machine: what it has is read in ranges, and counted."""

    def __init__(self, store: Store) -> None:
        self.folder, self.url, self._store = None, "s3://far", store
        self.asked: Counter[str] = Counter()
        self.breaks_off = False

    def local_path(self, _key: str) -> None:
        return None

    def read_range(self, key: str, offset: int, length: int) -> bytes:
        if offset and self.breaks_off:
            raise StoreFailed("it broke off")
        self.asked[key] += offset == 0
        return self._store.read_range(key, offset, length)


@pytest.fixture
def draft(store: Store) -> Draft:
    tables = {table.name: table.empty() for table in CORE_TABLES}
    row = {"source": "api", "listed_on": DAY, "is_expected": True, "state": "missing"}
    tables["coverage"] = COVERAGE.conform(pl.DataFrame([row], schema=COVERAGE.schema))
    return write_draft(store, tables)


def test_it_does_not_read_damaged_or_missing_files(store: Store, draft: Draft) -> None:
    path = store.local_path(f"drafts/{draft.draft_id}/data/coverage.parquet")
    path.write_bytes(path.read_bytes()[:-1])
    with open_snapshot(store, draft) as snapshot:
        assert not snapshot.is_sound(COVERAGE)
        with pytest.raises(Damaged, match="paperlake verify"):
            snapshot.read(COVERAGE)
    path.unlink()
    with open_snapshot(store, draft) as snapshot:
        assert not snapshot.is_sound(COVERAGE)
        with pytest.raises(NothingThere):
            snapshot.path("data/coverage.parquet")


def test_each_file_of_a_far_lake_is_fetched_once_and_gone_at_the_end(store: Store, draft: Draft) -> None:
    far = Far(store)
    with open_snapshot(far, draft) as snapshot:
        for _ in range(2):
            assert snapshot.read(COVERAGE).height == 1
        path = snapshot.path("data/coverage.parquet")
        assert path.is_file()
    assert list(far.asked.values()) == [1]
    assert not path.exists()


def test_a_fetch_that_broke_off_is_begun_anew(tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FETCHED_BYTES", 4)
    store.put("data/x", b"twelve bytes")
    far = Far(store)
    far.breaks_off = True
    files = LocalFiles(far, tmp_path)
    with pytest.raises(StoreFailed):
        files.path("data/x")
    far.breaks_off = False
    assert files.path("data/x").read_bytes() == b"twelve bytes"


def stored(store: Store, content: bytes) -> File:
    store.put("a.duckdb", content)
    return File("a.duckdb", len(content), digest(content))


def test_an_object_is_fetched_once(store: Store, tmp_path: Path) -> None:
    file = stored(store, b"content")
    path = cached(store, "a.duckdb", file, tmp_path / "new/cache")
    assert (path.name, path.read_bytes()) == (f"{file.sha256}.duckdb", b"content")
    store.delete("a.duckdb")
    assert cached(store, "a.duckdb", file, tmp_path / "new/cache") == path


def test_a_file_cut_short_is_fetched_again(store: Store, tmp_path: Path) -> None:
    file = stored(store, b"content")
    cached(store, "a.duckdb", file, tmp_path).write_bytes(b"cont")
    assert cached(store, "a.duckdb", file, tmp_path).read_bytes() == b"content"


def test_other_bytes_than_the_manifest_says_are_not_kept(store: Store, tmp_path: Path) -> None:
    file, version = stored(store, b"content"), "2026.10.02.1"
    manifest = Manifest(version, 2, "0", None, 1, "", (), (file,))
    store.put(release_key(version, MANIFEST), encode(manifest))
    store.put(key := release_key(version, file.key), b"changed")
    with pytest.raises(Damaged, match=rf"{version}/a\.duckdb"):
        cached(store, key, file, tmp_path / "cache")
    store.delete(key)
    with pytest.raises(NothingThere, match=r"a\.duckdb"):
        cached(store, key, file, tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_only_the_newest_are_kept_and_nothing_of_others_is_touched(store: Store, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    others = [cache / name for name in ("thesis.txt", "mine.duckdb", f"{'0' * 63}.duckdb")]
    for path in [*others, cache / f"{'0' * 64}.duckdb.{'0' * 12}"]:
        path.touch()
        os.utime(path, (0, 0))
    made = []
    for number in range(KEPT[".duckdb"] + 2):
        made.append(cached(store, "a.duckdb", stored(store, b"%d" % number), cache))
        os.utime(made[-1], (1000 + number, 1000 + number))
    assert sorted(cache.iterdir()) == sorted([*others, *made[-KEPT[".duckdb"] :]])


@pytest.mark.parametrize("hours", [-10_000, 10_000])
def test_what_was_fetched_now_is_kept_wherever_the_clock_was(store: Store, tmp_path: Path, hours: int) -> None:
    """Under a clock that is set back later all others are newer: the file was gone before anybody opened it."""
    for number in range(2 * KEPT[".duckdb"]):
        last = cached(store, "a.duckdb", stored(store, b"%d" % number), tmp_path)
        assert last.exists()
        moment = last.stat().st_mtime + hours * 3600 * (number < KEPT[".duckdb"])
        os.utime(last, (moment, moment))
    assert len(list(tmp_path.glob("*.duckdb"))) == KEPT[".duckdb"]
    assert all(path.stat().st_mtime < time.time() + 3600 for path in tmp_path.iterdir())


def test_what_others_fetch_just_now_is_kept(store: Store, tmp_path: Path) -> None:
    first = cached(store, "a.duckdb", stored(store, b"first"), cache := tmp_path / "cache")
    others = [cache / f"{'0' * 64}.duckdb.{number:012}" for number in range(KEPT[".duckdb"] + 1)]
    for path in others:
        path.touch()
    last = cached(store, "a.duckdb", stored(store, b"last"), cache)
    assert sorted(cache.iterdir()) == sorted([first, last, *others])


def test_of_two_who_fetch_a_file_the_first_stays_open(store: Store, tmp_path: Path) -> None:
    def fetch_beside(made: Path) -> None:
        made_in(store, tmp_path, "a.duckdb", Path.touch)
        first.append(one_file(tmp_path / "a.duckdb"))
        made.touch()

    first: list[tuple[int, ...]] = []
    assert [one_file(made_in(store, tmp_path, "a.duckdb", fetch_beside))] == first


def test_a_cache_that_cannot_be_written_names_its_setting(store: Store, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreFailed, match="set PAPERLAKE_CACHE"):
        cached(store, "a.duckdb", stored(store, b"content"), tmp_path / "file/cache")
    (tmp_path / f"{'0' * 64}.duckdb").mkdir()
    with pytest.raises(StoreFailed, match="set PAPERLAKE_CACHE"):
        forget(tmp_path, ())


@pytest.mark.parametrize("name", ["a?b", "a*b", "a[1]b"])
def test_a_name_that_is_a_pattern_is_no_cache(store: Store, tmp_path: Path, name: str) -> None:
    """DuckDB would look for another file, and call the lake damaged."""
    with pytest.raises(UsageError, match=r"PAPERLAKE_CACHE is .*pattern"):
        cached(store, "a.duckdb", stored(store, b"content"), tmp_path / name)


@pytest.mark.parametrize("name", ["a?b", "a*b", "a[1]b"])
def test_a_name_that_is_a_pattern_is_no_temporary_folder(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """For files written and fetched there: Polars found none, and raised a traceback."""
    (tmp_path / name).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / name))
    with pytest.raises(UsageError, match=r"TMPDIR is .*pattern"), scratch():
        pass
    with local_files(store) as files:  # of a lake on this machine nothing is fetched
        assert files.store is store
    monkeypatch.setattr(store, "folder", None)
    with pytest.raises(UsageError, match=r"TMPDIR is .*pattern"), local_files(store):
        pass
    assert list((tmp_path / name).iterdir()) == []
