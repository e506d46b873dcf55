"""The cache of fetched databases: each is whole or absent, is the one of its name, and old ones are removed."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from warehouse.errors import Damaged, NothingThere, StoreFailed, UsageError
from warehouse.release.latest import KEPT, cached
from warehouse.release.manifest import File, digest
from warehouse.store.local_files import local_files, scratch
from warehouse.store.store import Store


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
    file = stored(store, b"content")
    store.put("a.duckdb", b"changed")
    with pytest.raises(Damaged, match=r"a\.duckdb"):
        cached(store, "a.duckdb", file, tmp_path / "cache")
    store.delete("a.duckdb")
    with pytest.raises(NothingThere, match=r"a\.duckdb"):
        cached(store, "a.duckdb", file, tmp_path / "cache")
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


def test_a_cache_that_cannot_be_written_names_its_setting(store: Store, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreFailed, match="set PAPERLAKE_CACHE"):
        cached(store, "a.duckdb", stored(store, b"content"), tmp_path / "file/cache")


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
