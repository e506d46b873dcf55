"""The object store on a local folder, beyond what test_store_contract.py asks of every store."""

import errno
import os
from pathlib import Path

import pytest

from tests.processes import python
from warehouse.errors import StoreFailed, UsageError
from warehouse.store import local
from warehouse.store.local import LocalStore
from warehouse.store.opening import open_store
from warehouse.store.store import Store


class TestUrl:
    @pytest.mark.parametrize("form", ["{}", "file://{}", "file:{}", "file://localhost{}", "FILE://{}"])
    def test_every_way_to_name_a_folder(self, tmp_path: Path, form: str) -> None:
        open_store(form.format(tmp_path)).put("a/b", b"1")
        assert (tmp_path / "a/b").read_bytes() == b"1"

    def test_escapes_belong_to_urls_only(self, tmp_path: Path) -> None:
        open_store(f"file://{tmp_path}/a%20b").put("k", b"1")
        open_store(f"{tmp_path}/c%20d").put("k", b"1")
        assert sorted(path.name for path in tmp_path.iterdir()) == ["a b", "c%20d"]

    @pytest.mark.parametrize("url", ["", "http://u:secret@h/", "file://other/x", "file:x", "a\0b"])
    def test_other_urls_are_refused_without_showing_secrets(self, url: str) -> None:
        with pytest.raises(UsageError, match="PAPERLAKE_LAKE") as caught:
            open_store(url)
        assert "secret" not in str(caught.value)

    def test_a_file_is_no_lake_and_no_target(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        with pytest.raises(UsageError, match=r"/file is a file; name a folder$"):
            open_store(str(tmp_path / "file"))

    @pytest.mark.parametrize("name", ["a?b", "a*b", "a[1]b"])
    def test_a_name_with_pattern_characters_is_refused(self, tmp_path: Path, name: str) -> None:
        """DuckDB would put its log elsewhere, and Polars would read another file, or none."""
        with pytest.raises(UsageError, match=r"or the target, is .* pattern"):
            open_store(str(tmp_path / name))

    def test_opening_and_reading_create_nothing(self, tmp_path: Path) -> None:
        store = open_store(str(tmp_path / "lake"))
        assert store.list() == []
        assert not store.exists("a")
        assert list(tmp_path.iterdir()) == []


class TestReading:
    def test_temporary_files_of_a_killed_process_are_not_seen(self, store: Store, tmp_path: Path) -> None:
        store.put("a", b"1")
        (tmp_path / "lake/.tmp/left-over").write_bytes(b"half")
        assert store.list() == ["a"]
        store.put("b", b"2")
        assert store.list() == ["a", "b"]


class TestWriting:
    def test_writes_leave_no_temporary_files(self, store: Store, tmp_path: Path) -> None:
        store.put("a", b"1")
        store.put_new("a", b"1")
        store.swap("a", b"2", b"0")
        assert [path.name for path in (tmp_path / "lake/.tmp").iterdir()] == ["lock"]

    @pytest.mark.parametrize("write", ["put", "put_new"])
    def test_new_folders_are_durable_in_those_they_lie_in(
        self, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: str
    ) -> None:
        synced: list[Path] = []
        monkeypatch.setattr(local, "sync_folder", synced.append)
        getattr(store, write)("a/b/c", b"x")
        lake = tmp_path / "lake"
        assert {tmp_path, lake, lake / "a", lake / "a/b"} <= set(synced)

    def test_a_file_system_without_hard_links_works(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        def link(*_: object) -> None:
            raise OSError(errno.EPERM, "Operation not permitted")

        monkeypatch.setattr(os, "link", link)
        assert store.put_new("a", b"1")
        assert not store.put_new("a", b"2")
        assert store.copy_new("a", "b")
        assert not store.copy_new("a", "b")
        assert (store.read("a"), store.read("b")) == (b"1", b"1")


class TestFailures:
    @pytest.mark.parametrize(
        ("number", "step"),
        [
            (
                errno.ENOSPC,
                r"the disk is full; free space there, or name a place with room \(PAPERLAKE_LAKE, a target\)",
            ),
            (errno.EDQUOT, "quota"),
            (errno.EACCES, "permission denied; give your user access"),
            (errno.EROFS, r"read-only; name a place one can write to \(PAPERLAKE_LAKE"),
            (errno.EIO, r"input/output error; see whether the place is right \(PAPERLAKE_LAKE"),
        ],
    )
    def test_each_failure_names_the_lake_and_the_next_step(self, tmp_path: Path, number: int, step: str) -> None:
        store = LocalStore(tmp_path, str(tmp_path))
        with pytest.raises(StoreFailed, match=step) as caught, store._writing("a/b"):
            raise OSError(number, os.strerror(number))
        assert store.url in str(caught.value)
        assert "a/b" in str(caught.value)
        assert caught.value.exit_code == 7

    def test_a_file_that_cannot_grow_is_not_half_there(self, tmp_path: Path) -> None:
        script = """
import resource, signal
from warehouse.errors import StoreFailed
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    store.put("a", b"x" * 1_000_000)
except StoreFailed as failure:
    print(failure)
"""
        said, _ = python(script, str(tmp_path / "lake")).communicate(timeout=60)
        assert "could not write a in " in said
        assert open_store(str(tmp_path / "lake")).list() == []
        assert list((tmp_path / "lake/.tmp").iterdir()) == []

    def test_a_file_in_place_of_a_folder_is_named(self, store: Store, tmp_path: Path) -> None:
        store.put("raw", b"a file")
        with pytest.raises(StoreFailed, match="could not write raw/warc/x in "):
            store.put_new("raw/warc/x", b"1")
        with pytest.raises(StoreFailed):
            store.swap("raw/warc/x", b"1", None)
        assert store.list("raw/warc") == []

    def test_a_file_in_place_of_the_temporary_folder_is_named(self, store: Store, tmp_path: Path) -> None:
        (tmp_path / "lake").mkdir()
        (tmp_path / "lake/.tmp").touch()
        with pytest.raises(StoreFailed):
            store.put("a", b"1")

    def test_a_folder_in_place_of_an_object_is_named(self, store: Store) -> None:
        store.put("a/b", b"1")
        for write in (store.put, store.put_new):
            with pytest.raises(StoreFailed):
                write("a", b"1")
        with pytest.raises(StoreFailed):
            store.copy_new("a/b", "a")
        assert store.list() == ["a/b"]

    def test_a_name_that_is_too_long_is_an_error(self, store: Store) -> None:
        with pytest.raises(StoreFailed, match="name too long"):
            store.put("a" * 300, b"1")


def test_what_is_put_under_a_prefix_while_it_is_deleted_stays(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two sweepers, or one and a writer: a folder that is not empty when it is to be deleted is no failure."""
    store.put("drafts/a/old", b"")
    unlink, others = Path.unlink, store.folder / "drafts/a/new"

    def write_first(path: Path, *, missing_ok: bool = False) -> None:
        others.mkdir()
        (others / "one").write_bytes(b"")
        unlink(path, missing_ok=missing_ok)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", write_first)
        store.delete_prefix("drafts/a")
    assert store.list() == ["drafts/a/new/one"]
