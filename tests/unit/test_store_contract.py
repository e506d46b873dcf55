"""What every store promises, tested on a local folder and on a bucket of SeaweedFS: whole objects, one winner."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from flows.runtime.lake import open_lake
from tests.processes import race
from tests.seaweed import Seaweed
from warehouse.errors import NothingThere, UsageError
from warehouse.store.local_files import FETCHED_BYTES, fetch
from warehouse.store.store import Store

RACERS, RACES = range(4), range(12)


@pytest.fixture(params=["folder", "bucket"])
def url(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of a new lake, which this process and those it starts can open."""
    if request.param == "folder":
        return str(tmp_path / "lake")
    seaweed: Seaweed = request.getfixturevalue("seaweed")
    for name, value in seaweed.environment().items():
        monkeypatch.setenv(name, value)
    return seaweed.lake()


@pytest.fixture
def store(url: str) -> Store:
    return open_lake(url)


class TestKeys:
    @pytest.mark.parametrize(
        "key", ["", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/.", "a\\b", "a\0b", "a\nb", ".tmp/x", ".tmp"]
    )
    def test_an_invalid_key_is_refused_everywhere(self, store: Store, key: str) -> None:
        store.put("good", b"1")
        uses = [
            lambda: store.read(key),
            lambda: store.exists(key),
            lambda: store.put(key, b""),
            lambda: store.put_new(key, b""),
            lambda: store.copy_new("good", key),
            lambda: store.copy_new(key, "new"),
            lambda: store.swap(key, b"", None),
            lambda: store.swap(key, b"", b"1"),
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

    def test_keys_may_have_characters_that_urls_or_xml_escape(self, store: Store) -> None:
        keys = ["a b/c+d", "a%20b", "ü/日本", "x&y<z>", "q?r#s", "it's", "a:b"]
        for key in keys:
            assert store.put_new(key, key.encode())
            assert store.copy_new(key, f"copies/{key}")
        assert store.list("copies") == sorted(f"copies/{key}" for key in keys)
        assert [store.read(f"copies/{key}") for key in keys] == [key.encode() for key in keys]
        store.delete_prefix("copies")
        assert store.list() == sorted(keys)


class TestReading:
    def test_an_object_is_read_whole_by_range_and_as_a_stream(self, store: Store) -> None:
        store.put("a/b", b"0123456789")
        assert store.read("a/b") == b"0123456789"
        assert store.read_range("a/b", 3, 4) == b"3456"
        assert store.read_range("a/b", 8, 99) == b"89"
        assert store.read_range("a/b", 10, 1) == store.read_range("a/b", 99, 1) == store.read_range("a/b", 3, 0) == b""
        assert store.size("a/b") == 10

    def test_a_stream_reads_and_seeks_as_a_file_does(self, store: Store) -> None:
        store.put("a/b", b"0123456789")
        with store.open("a/b") as file:
            assert (file.read(2), file.tell()) == (b"01", 2)
            assert (file.seek(5), file.read()) == (5, b"56789")
            assert (file.seek(-3, 2), file.read(99), file.read(1)) == (7, b"789", b"")
            assert (file.seek(20), file.read()) == (20, b"")
            assert (file.seek(0), file.seek(4, 1), file.read(1)) == (0, 4, b"4")

    def test_an_empty_object_is_there(self, store: Store) -> None:
        store.put("empty", b"")
        assert store.exists("empty")
        assert (store.size("empty"), store.read("empty"), store.read_range("empty", 0, 9)) == (0, b"", b"")
        with store.open("empty") as file:
            assert file.read() == b""
        assert store.copy_new("empty", "also")
        assert store.swap("empty", b"1", b"")

    @pytest.mark.parametrize("key", ["missing", "a", "a/b/c"])
    def test_a_missing_object_is_named(self, store: Store, key: str) -> None:
        store.put("a/b", b"1")
        for read in (store.read, store.open, store.size, lambda key: store.read_range(key, 0, 1)):
            with pytest.raises(NothingThere, match=f"{key} is not in the lake"):
                read(key)
        assert not store.exists(key)
        with pytest.raises(NothingThere, match=f"{key} is not in the lake"):
            store.copy_new(key, "copy")

    def test_list_is_sorted_deep_and_by_folder(self, store: Store) -> None:
        keys = ["a/b/c", "a/b.x", "ab/c", "z", "a/b/.hidden", "a.b"]
        for key in keys:
            store.put(key, b"")
        assert store.list() == sorted(keys)
        assert store.list("a/b") == store.list("a/b/") == ["a/b/.hidden", "a/b/c"]
        assert store.list("z") == store.list("no/such") == []

    def test_an_object_becomes_a_file(self, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("warehouse.store.local_files.FETCHED_BYTES", 4)
        assert FETCHED_BYTES > 4
        for content in (b"", b"012", b"0123", b"01234567", b"0123456789"):
            store.put("a", content)
            fetch(store, "a", tmp_path / "new/file")
            assert (tmp_path / "new/file").read_bytes() == content


class TestWriting:
    def test_its_bytes_are_those_of_a_folder_and_what_is_linked_counts_once(self, store: Store) -> None:
        assert store.stored_bytes("releases") == 0
        store.put("releases/1/a", b"seven77")
        store.put("releases.json", b"aside")
        store.copy_new("releases/1/a", "releases/2/a")
        store.put("releases/2/b", b"b")
        assert store.stored_bytes("releases") == (8 if store.folder else 15)

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
        assert not store.copy_new("a", "b/a")
        store.delete("a")
        assert not store.copy_new("a", "b/a")  # taken: the source is not looked at
        assert store.read("b/a") == b"1"

    @pytest.mark.slow
    def test_a_file_larger_than_a_part(self, store: Store, tmp_path: Path) -> None:
        path = tmp_path / "large"
        with path.open("wb") as file:
            for block in range(140):  # MiB: two whole parts and one that is not
                file.write(block.to_bytes() * (1 << 20))
        assert store.put_file_new("large", path)
        assert not store.put_file_new("large", path)
        assert store.size("large") == 140 << 20
        assert store.read_range("large", (64 << 20) - 1, 2) == b"\x3f\x40"
        with store.open("large") as stored, path.open("rb") as file:
            assert hashlib.file_digest(stored, "sha256").digest() == hashlib.file_digest(file, "sha256").digest()
        assert store.copy_new("large", "copy")
        assert store.size("copy") == 140 << 20

    def test_deleting_twice_is_no_error(self, store: Store) -> None:
        for key in ("a/b/c", "a/d", "ab"):
            store.put(key, b"")
        store.delete("ab")
        store.delete("ab")
        store.delete_prefix("a/")
        store.delete_prefix("a/")
        assert store.list() == []


class TestSwap:
    def test_a_swap_needs_the_expected_bytes(self, store: Store) -> None:
        assert not store.swap("latest", b"1", b"0")
        assert store.swap("latest", b"1", None)
        assert not store.swap("latest", b"2", None)
        assert not store.swap("latest", b"2", b"0")
        assert store.swap("latest", b"2", b"1")
        assert store.read("latest") == b"2"


class TestRaces:
    @pytest.mark.parametrize("way", ["put_new", "put_file_new", "swap", "swap from nothing"])
    def test_among_threads_one_wins(self, store: Store, tmp_path: Path, way: str) -> None:
        def write(racer: int, key: str) -> bool:
            if way == "put_new":
                return store.put_new(key, b"%d" % racer)
            if way == "put_file_new":
                return store.put_file_new(key, tmp_path / str(racer))
            return store.swap(key, b"%d" % racer, b"first" if way == "swap" else None)

        for racer in RACERS:
            (tmp_path / str(racer)).write_bytes(b"%d" % racer)
        keys = [f"race/{race}" for race in RACES]
        for key in keys if way == "swap" else ():
            store.put(key, b"first")
        with ThreadPoolExecutor(2 * len(RACES)) as pool:
            wins = list(pool.map(lambda job: write(*job), [(racer, key) for key in keys for racer in RACERS]))
        for number, key in enumerate(keys):
            [winner] = [racer for racer in RACERS if wins[number * len(RACERS) + racer]]
            assert store.read(key) == b"%d" % winner

    def test_among_threads_a_copy_is_made_once(self, store: Store) -> None:
        store.put("source", b"1")
        with ThreadPoolExecutor(2 * len(RACES)) as pool:
            wins = pool.map(lambda race: store.copy_new("source", f"race/{race}"), sorted([*RACES, *RACES]))
        assert sum(wins) == len(RACES)

    def test_among_processes_one_wins(self, store: Store, url: str) -> None:
        """Of two that write a new object, and of two that swap one: at one moment, as a start costs a second."""
        script = f"""
from concurrent.futures import ThreadPoolExecutor
name, races = sys.argv[2].encode(), range({len(RACES)})
wait()
with ThreadPoolExecutor(2 * len(races)) as pool:
    made = pool.map(lambda race: store.put_new(f"new/{{race}}", name), races)
    swapped = pool.map(lambda race: store.swap(f"old/{{race}}", name, b"first"), races)
    print(*made, *swapped, sep="\\n")
"""
        keys = [f"{kind}/{number}" for kind in ("new", "old") for number in RACES]
        for key in keys[len(RACES) :]:
            store.put(key, b"first")
        first, second = race(script, url, "ab")
        assert {frozenset(pair) for pair in zip(first, second, strict=True)} == {frozenset({"True", "False"})}
        assert [store.read(key) for key in keys] == [b"a" if won == "True" else b"b" for won in first]
