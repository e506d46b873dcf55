"""The object store keeps its promises on a local folder: whole objects, one winner, errors that tell the next step."""

import errno
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from warehouse.errors import NothingThere, StoreFailed, UsageError
from warehouse.store import Store, open_store

ROOT = Path(__file__).parents[2]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(str(tmp_path / "lake"))


def python(script: str, *arguments: object) -> subprocess.Popen[str]:
    """A process of its own that has `store` open on the lake given as its first argument."""
    start = "import sys\nfrom warehouse.store import open_store\nstore = open_store(sys.argv[1])\n"
    return subprocess.Popen(
        [sys.executable, "-c", start + script, *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


class TestUrl:
    @pytest.mark.parametrize("form", ["{}", "file://{}", "file:{}", "file://localhost{}", "FILE://{}"])
    def test_every_way_to_name_a_folder(self, tmp_path: Path, form: str) -> None:
        open_store(form.format(tmp_path)).put("a/b", b"1")
        assert (tmp_path / "a/b").read_bytes() == b"1"

    def test_escapes_belong_to_urls_only(self, tmp_path: Path) -> None:
        open_store(f"file://{tmp_path}/a%20b").put("k", b"1")
        open_store(f"{tmp_path}/c%20d").put("k", b"1")
        assert sorted(path.name for path in tmp_path.iterdir()) == ["a b", "c%20d"]

    @pytest.mark.parametrize("url", ["", "s3://bucket/x", "http://u:secret@h/", "file://other/x", "file:x", "a\0b"])
    def test_other_urls_name_the_setting_and_keep_secrets(self, url: str) -> None:
        with pytest.raises(UsageError, match="PAPERLAKE_LAKE") as caught:
            open_store(url)
        assert "secret" not in str(caught.value)

    def test_a_file_is_no_lake(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        with pytest.raises(UsageError, match="PAPERLAKE_LAKE"):
            open_store(str(tmp_path / "file"))

    def test_opening_and_reading_create_nothing(self, tmp_path: Path) -> None:
        store = open_store(str(tmp_path / "lake"))
        assert store.list() == []
        assert not store.exists("a")
        assert list(tmp_path.iterdir()) == []


class TestKeys:
    @pytest.mark.parametrize(
        "key", ["", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/.", "a\\b", "a\0b", "a\nb", ".tmp/x", ".tmp"]
    )
    def test_what_is_no_key_is_refused_everywhere(self, store: Store, key: str) -> None:
        store.put("good", b"1")
        uses = [
            lambda: store.read(key),
            lambda: store.exists(key),
            lambda: store.put(key, b""),
            lambda: store.put_new(key, b""),
            lambda: store.copy_new("good", key),
            lambda: store.copy_new(key, "new"),
            lambda: store.swap(key, b"", None),
            lambda: store.delete(key),
            lambda: store.local_path(key),
        ]
        for use in uses:
            with pytest.raises(UsageError, match="not a key"):
                use()
        assert store.list() == ["good"]

    def test_the_whole_lake_cannot_be_deleted(self, store: Store) -> None:
        with pytest.raises(UsageError):
            store.delete_prefix("")


class TestReading:
    def test_whole_range_stream_and_size(self, store: Store) -> None:
        store.put("a/b", b"0123456789")
        assert store.read("a/b") == b"0123456789"
        assert store.read_range("a/b", 3, 4) == b"3456"
        assert store.read_range("a/b", 8, 99) == b"89"
        assert store.size("a/b") == 10
        with store.open("a/b") as file:
            file.seek(5)
            assert file.read() == b"56789"

    @pytest.mark.parametrize("key", ["missing", "a", "a/b/c"])
    def test_what_is_not_there(self, store: Store, key: str) -> None:
        store.put("a/b", b"1")
        for read in (store.read, store.open, store.size):
            with pytest.raises(NothingThere, match=key):
                read(key)
        assert not store.exists(key)
        with pytest.raises(NothingThere):
            store.copy_new(key, "copy")

    def test_list_is_sorted_deep_and_by_folder(self, store: Store) -> None:
        keys = ["a/b/c", "a/b.x", "ab/c", "z", "a/b/.hidden", "a.b"]
        for key in keys:
            store.put(key, b"")
        assert store.list() == sorted(keys)
        assert store.list("a/b") == store.list("a/b/") == ["a/b/.hidden", "a/b/c"]
        assert store.list("z") == store.list("no/such") == []

    def test_temporary_files_of_a_killed_process_are_not_seen(self, store: Store, tmp_path: Path) -> None:
        store.put("a", b"1")
        (tmp_path / "lake/.tmp/left-over").write_bytes(b"half")
        assert store.list() == ["a"]
        store.put("b", b"2")
        assert store.list() == ["a", "b"]

    def test_local_path_is_where_it_lies(self, store: Store) -> None:
        store.put("a/b", b"1")
        path = store.local_path("a/b")
        assert path is not None
        assert path.is_absolute()
        assert path.read_bytes() == b"1"


class TestWriting:
    def test_put_replaces(self, store: Store) -> None:
        store.put("a", b"1")
        store.put("a", b"2")
        assert store.read("a") == b"2"

    def test_put_new_keeps_what_is_there(self, store: Store, tmp_path: Path) -> None:
        other = tmp_path / "other"
        other.write_bytes(b"3" * 3_000_000)
        assert store.put_new("a", b"1")
        assert not store.put_new("a", b"2")
        assert not store.put_file_new("a", other)
        assert not store.copy_new("a", "a")
        assert store.read("a") == b"1"
        assert store.put_file_new("b/c", other)
        assert store.read("b/c") == other.read_bytes()

    def test_a_copy_outlives_its_source(self, store: Store) -> None:
        store.put("a", b"1")
        assert store.copy_new("a", "b/a")
        store.put("a", b"2")
        store.delete("a")
        assert store.read("b/a") == b"1"

    def test_delete(self, store: Store) -> None:
        for key in ("a/b/c", "a/d", "ab"):
            store.put(key, b"")
        store.delete("ab")
        store.delete("ab")
        store.delete_prefix("a/")
        store.delete_prefix("a/")
        assert store.list() == []

    def test_nothing_is_left_behind(self, store: Store, tmp_path: Path) -> None:
        store.put("a", b"1")
        store.put_new("a", b"1")
        store.swap("a", b"2", b"0")
        assert [path.name for path in (tmp_path / "lake/.tmp").iterdir()] == ["lock"]

    def test_without_hard_links(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        def link(*_: object) -> None:
            raise OSError(errno.EPERM, "Operation not permitted")

        monkeypatch.setattr(os, "link", link)
        assert store.put_new("a", b"1")
        assert not store.put_new("a", b"2")
        assert store.copy_new("a", "b")
        assert not store.copy_new("a", "b")
        assert (store.read("a"), store.read("b")) == (b"1", b"1")


class TestSwap:
    def test_only_from_what_is_expected(self, store: Store) -> None:
        assert not store.swap("latest", b"1", b"0")
        assert store.swap("latest", b"1", None)
        assert not store.swap("latest", b"2", None)
        assert not store.swap("latest", b"2", b"0")
        assert store.swap("latest", b"2", b"1")
        assert store.read("latest") == b"2"


class TestRaces:
    def test_put_new_among_threads_has_one_winner(self, store: Store) -> None:
        barrier = Barrier(8)

        def write(number: int) -> list[bool]:
            wins = []
            for round_ in range(20):
                barrier.wait()
                wins.append(store.put_new(f"race/{round_}", b"%d" % number * 10_000))
            return wins

        with ThreadPoolExecutor(8) as pool:
            outcomes = list(pool.map(write, range(8)))
        for round_, wins in enumerate(zip(*outcomes, strict=True)):
            winner = [number for number, won in enumerate(wins) if won]
            assert len(winner) == 1
            assert store.read(f"race/{round_}") == b"%d" % winner[0] * 10_000

    def test_swap_among_threads_loses_no_step(self, store: Store) -> None:
        def climb(_: int) -> int:
            wins = 0
            for _try in range(25):
                current = store.read("count") if store.exists("count") else None
                wins += store.swap("count", b"%d" % (int(current or b"0") + 1), current)
            return wins

        with ThreadPoolExecutor(4) as pool:
            assert sum(pool.map(climb, range(4))) == int(store.read("count"))

    def test_processes_too(self, tmp_path: Path) -> None:
        script = """
for number in range(60):
    print("new", store.put_new(f"new/{number}", sys.argv[2].encode()))
    while True:
        current = store.read("count") if store.exists("count") else None
        if store.swap("count", str(int(current or b"0") + 1).encode(), current):
            break
"""
        racers = [python(script, tmp_path / "lake", name) for name in "ab"]
        said = [racer.communicate(timeout=60)[0].splitlines() for racer in racers]
        assert [racer.returncode for racer in racers] == [0, 0]
        assert all({first, second} == {"new True", "new False"} for first, second in zip(*said, strict=True))
        assert open_store(str(tmp_path / "lake")).read("count") == b"120"

    def test_killed_in_the_middle_of_a_write(self, tmp_path: Path) -> None:
        script = """
import time
def endless():
    yield b"x" * 1_000_000
    print("begun", flush=True)
    time.sleep(60)
with store._writing("a"), store._temporary(endless()) as made:
    pass
"""
        writer = python(script, tmp_path / "lake")
        assert writer.stdout is not None
        assert writer.stdout.readline() == "begun\n"
        writer.kill()
        writer.communicate()
        store = open_store(str(tmp_path / "lake"))
        assert store.list() == []
        assert store.put_new("a", b"1")


class TestFailures:
    @pytest.mark.parametrize(
        ("number", "step"),
        [
            (errno.ENOSPC, "the disk is full; free space there, then run again"),
            (errno.EDQUOT, "quota"),
            (errno.EACCES, "permission denied; give your user access"),
            (errno.EROFS, "read-only; set PAPERLAKE_LAKE"),
            (errno.EIO, "input/output error; see whether PAPERLAKE_LAKE"),
        ],
    )
    def test_each_tells_the_lake_and_the_next_step(self, store: Store, number: int, step: str) -> None:
        with pytest.raises(StoreFailed, match=step) as caught, store._writing("a/b"):  # type: ignore[attr-defined]
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
        said, _ = python(script, tmp_path / "lake").communicate(timeout=60)
        assert "could not write a in the lake" in said
        assert open_store(str(tmp_path / "lake")).list() == []
        assert list((tmp_path / "lake/.tmp").iterdir()) == []

    def test_a_file_where_a_folder_should_be(self, store: Store, tmp_path: Path) -> None:
        store.put("raw", b"a file")
        with pytest.raises(StoreFailed, match="could not write raw/warc/x in the lake"):
            store.put_new("raw/warc/x", b"1")
        with pytest.raises(StoreFailed):
            store.swap("raw/warc/x", b"1", None)
        assert store.list("raw/warc") == []

    def test_a_file_where_temporary_files_go(self, store: Store, tmp_path: Path) -> None:
        (tmp_path / "lake").mkdir()
        (tmp_path / "lake/.tmp").touch()
        with pytest.raises(StoreFailed):
            store.put("a", b"1")

    def test_a_folder_where_an_object_should_be(self, store: Store) -> None:
        store.put("a/b", b"1")
        for write in (store.put, store.put_new):
            with pytest.raises(StoreFailed):
                write("a", b"1")
        with pytest.raises(StoreFailed):
            store.copy_new("a/b", "a")
        assert store.list() == ["a/b"]

    def test_a_name_the_file_system_cannot_hold(self, store: Store) -> None:
        with pytest.raises(StoreFailed, match="name too long"):
            store.put("a" * 300, b"1")


def test_importing_it_is_cheap() -> None:
    script = (
        "import sys, warehouse.store; print(*[m for m in ('fsspec', 's3fs', 'polars', 'msgspec') if m in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout.strip() == ""
