"""Files of older releases, stored once by their content: what a reader sees, whenever whoever shares them is stopped."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

import pytest

from warehouse.errors import Damaged, NothingThere
from warehouse.store.local import LocalStore
from warehouse.store.pooled_list import LENT, PLACES, POOL
from warehouse.store.store import Store

OLD, NEW = "releases/2026.11.01.1", "releases/2026.11.02.1"
FILES = {
    OLD: {"data/a.parquet": b"same", "data/b.parquet": b"old", "explore/index.html": b"<i>", "README.md": b"old"},
    NEW: {"data/a.parquet": b"same", "data/b.parquet": b"new", "explore/index.html": b"<i>", "README.md": b"new"},
}
PAGES = {"explore/index.html": b"<a>the latest</a>"}
SUMS, NEW_SUMS = ({key: hashlib.sha256(data).hexdigest() for key, data in FILES[one].items()} for one in (OLD, NEW))
SHARED = ["data/a.parquet", "explore/index.html"]


class Stopped(BaseException):
    """The process was killed."""


class Bucket(LocalStore):
    """A folder that is taken for a bucket, and is cut off after so many changes."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, "s3://bucket/lake")
        self.folder, self.left = None, 1_000_000

    def _counted(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Stopped

    def put(self, key: str, data: bytes) -> None:
        self._counted()
        super().put(key, data)

    def put_new(self, key: str, data: bytes) -> bool:
        self._counted()
        return super().put_new(key, data)

    def copy_new(self, source_key: str, key: str) -> bool:
        self._counted()
        return super().copy_new(source_key, key)

    def delete_all(self, keys: Iterable[str]) -> None:
        for key in keys:
            self._counted()
            super().delete(key)


@pytest.fixture
def bucket(tmp_path: Path) -> Bucket:
    bucket = Bucket(tmp_path)
    for release, files in FILES.items():
        for key, data in files.items():
            bucket.put(f"{release}/{key}", data)
    return bucket


def read(store: Store) -> dict[str, dict[str, bytes]]:
    return {one: {key: store.read(f"{one}/{key}") for key in files} for one, files in FILES.items()}


def whole() -> list[str]:
    return sorted(f"{release}/{key}" for release, files in FILES.items() for key in files)


def test_a_reader_sees_no_difference(bucket: Bucket) -> None:
    store, reader = Store(bucket), Store(bucket)
    assert read(reader) == FILES
    assert store.pool(OLD, SUMS, PAGES)
    assert read(store) == read(reader) == FILES  # who read before it was pooled goes on
    assert store.list() == reader.list() == whole()
    assert store.list(f"{OLD}/data") == [f"{OLD}/data/a.parquet", f"{OLD}/data/b.parquet"]
    assert store.list("releases/2026.11.01") == []
    for one in (store, reader, Store(bucket)):
        assert one.exists(f"{OLD}/data/a.parquet")
        assert not one.exists(f"{OLD}/data/c.parquet")
        assert one.size(f"{OLD}/data/b.parquet") == 3
        assert one.read_range(f"{OLD}/data/b.parquet", 1, 1) == b"l"
        with one.open(f"{OLD}/data/b.parquet") as file:
            assert file.read() == b"old"
        with pytest.raises(NothingThere):
            one.read(f"{OLD}/data/c.parquet")


def test_what_lies_where(bucket: Bucket) -> None:
    store = Store(bucket)
    store.pool(OLD, SUMS, PAGES)
    assert not store.pool(OLD, SUMS, PAGES), "nothing was left to do"
    at_own = [key for key in bucket.list("releases") if key.startswith(OLD)]
    assert at_own == [f"{OLD}/README.md", f"{OLD}/explore/index.html", f"{OLD}/{PLACES}"]
    assert bucket.read(f"{OLD}/explore/index.html") == PAGES["explore/index.html"]
    names = {f"{POOL}/{SUMS[key]}{Path(key).suffix}" for key in SUMS if "/" in key}
    assert set(bucket.list(POOL)) == names
    assert store.temporary() == []
    store.pool(NEW, NEW_SUMS, PAGES)
    assert len(bucket.list(POOL)) == len(names) + 1, "of four files one differs"
    assert read(store) == FILES


def lend_and_pool(store: Store) -> None:
    store.lend(NEW, NEW_SUMS, SUMS.values())
    store.pool(OLD, SUMS, PAGES)


DONE = {
    "pool": lambda store: store.pool(OLD, SUMS, PAGES),
    "unpool": lambda store: store.unpool(OLD),
    "lend": lambda store: store.lend(NEW, NEW_SUMS, SUMS.values()),
    "lend and pool": lend_and_pool,
    "lend another": lambda store: store.lend(OLD, SUMS, NEW_SUMS.values()),
    "pool who lends": lambda store: store.pool(OLD, SUMS, PAGES),
    "put back who borrows": lambda store: store.unpool(OLD),
}
BEFORE = {
    "unpool": [DONE["pool"]],
    "lend": [DONE["pool"]],
    "lend another": [DONE["lend"]],
    "pool who lends": [DONE["lend another"]],
    "put back who borrows": [lend_and_pool],
}
AT_OWN = {"pool": 2, "lend": 2, "lend and pool": 2, "pool who lends": 2}  # its document, and a page that stands in


@pytest.mark.parametrize("work", DONE)
def test_stopped_at_any_change_nothing_is_missing_and_the_next_goes_on(tmp_path: Path, work: str) -> None:
    for changes in range(40):
        bucket = Bucket(tmp_path / str(changes))
        for release, files in FILES.items():
            for key, data in files.items():
                bucket.put(f"{release}/{key}", data)
        for done in BEFORE.get(work, []):
            done(Store(bucket))
        bucket.left = changes
        is_done = True
        try:
            DONE[work](Store(bucket))
        except Stopped:
            is_done = False
        bucket.left = 1_000_000
        assert read(Store(bucket)) == FILES, changes
        assert Store(bucket).list() == whole(), changes
        store = Store(bucket)
        DONE[work](store)
        assert read(store) == FILES, changes
        store.delete_all(store.temporary())  # as an erasure does, and who drops releases
        assert read(store) == FILES, changes
        at_own = {key for key in bucket.list(OLD) if not key.endswith(PLACES)}
        assert len(at_own) == AT_OWN.get(work, len(FILES[OLD])), changes
        if is_done:
            return
    raise AssertionError("it never ended")


def test_what_the_latest_release_has_the_pool_lacks(bucket: Bucket) -> None:
    store, reader = Store(bucket), Store(bucket)
    store.pool(OLD, SUMS, PAGES)
    assert read(reader) == FILES
    store.lend(NEW, NEW_SUMS, SUMS.values())
    shared = {f"{POOL}/{SUMS[key]}{Path(key).suffix}": f"{NEW}/{key}" for key in SHARED}
    assert set(bucket.list(POOL)) == {f"{POOL}/{SUMS['data/b.parquet']}.parquet", LENT}
    assert read(store) == read(reader) == FILES
    assert [reader.place(f"{OLD}/{key}") for key in SHARED] == [*shared.values()]
    assert store.temporary() == []
    assert store.list() == whole()
    before = bucket.left
    store.lend(NEW, NEW_SUMS, SUMS.values())
    assert bucket.left == before, "nothing was left to do"

    store.put(f"{NEW}/data/a.parquet", b"masked")
    assert Store(bucket).read(f"{OLD}/data/a.parquet") == b"same"
    store.put(f"{OLD}/data/a.parquet", b"masked")
    assert store.temporary() == [f"{POOL}/{SUMS['data/a.parquet']}.parquet"], "what is masked can go"
    store.delete_all([*store.list(NEW), f"{NEW}/manifest.json"])
    assert reader.read(f"{OLD}/explore/index.html") == b"<i>"


def test_who_lends_is_replaced_and_put_back(bucket: Bucket) -> None:
    store = Store(bucket)
    store.lend(OLD, SUMS, NEW_SUMS.values())
    store.pool(OLD, SUMS, PAGES)
    assert read(store) == FILES, "who lends is pooled"
    store.lend(NEW, NEW_SUMS, SUMS.values())
    store.lend(OLD, SUMS, NEW_SUMS.values())
    assert read(Store(bucket)) == FILES, "a pooled release has nothing to lend"
    store.lend(NEW, NEW_SUMS, SUMS.values())
    store.unpool(OLD)
    store.lend(OLD, SUMS, NEW_SUMS.values())
    store.pool(NEW, NEW_SUMS, PAGES)
    assert read(store) == read(Store(bucket)) == FILES
    assert set(bucket.list(POOL)) == {f"{POOL}/{NEW_SUMS['data/b.parquet']}.parquet", LENT}
    store.delete(f"{OLD}/data/a.parquet")
    assert store.read(f"{NEW}/data/a.parquet") == b"same"


def test_a_file_that_the_latest_release_lost_is_put_back(bucket: Bucket) -> None:
    store = Store(bucket)
    store.pool(OLD, SUMS, PAGES)
    store.lend(NEW, NEW_SUMS, SUMS.values())
    bucket.delete(f"{NEW}/data/a.parquet")
    with pytest.raises(NothingThere):
        store.read(f"{OLD}/data/a.parquet")
    store.put(f"{NEW}/data/a.parquet", b"same")
    assert read(store) == FILES


@pytest.mark.parametrize("kind", [Bucket, LocalStore])
def test_a_file_that_is_given_up_is_made_again(tmp_path: Path, kind: type[LocalStore]) -> None:
    stored = kind(tmp_path / "lake") if kind is Bucket else LocalStore(tmp_path / "lake", "lake")  # type: ignore[call-arg]
    for key, data in FILES[OLD].items():
        stored.put(f"{OLD}/{key}", data)
    key = f"{OLD}/data/b.parquet"
    for changes in range(20):
        if isinstance(stored, Bucket):
            stored.left = changes
        try:
            Store(stored).pool(OLD, SUMS, PAGES, ["data/b.parquet"])
        except Stopped:
            assert Store(stored).read(f"{OLD}/data/a.parquet") == b"same"
            assert Store(stored).exists(key) == Store(stored).is_kept(key)
        else:
            break
    if isinstance(stored, Bucket):
        stored.left = 1_000_000
    store = Store(stored)
    assert (store.is_kept(key), store.exists(key), store.made_again(key), stored.exists(key)) == (
        False,
        False,
        "",
        False,
    )
    assert key not in store.list()
    with pytest.raises(NothingThere):
        store.read(key)
    (made := tmp_path / "made").write_bytes(b"again")
    store.put_again(key, made, hashlib.sha256(b"again").hexdigest())
    for one in (store, Store(stored)):
        assert (one.is_kept(key), one.read(key), key in one.list()) == (True, b"again", True)
        assert one.made_again(key) == hashlib.sha256(b"again").hexdigest()
    store.put(key, b"masked")
    assert store.made_again(key) == hashlib.sha256(b"masked").hexdigest()
    store.unpool(OLD)
    assert Store(stored).read(key) == b"masked"
    assert store.pool(OLD, SUMS, PAGES, ["data/b.parquet"])
    assert not Store(stored).is_kept(key)
    assert not stored.exists(key)
    store.delete_all([*store.list(OLD), f"{OLD}/manifest.json"])
    assert stored.list(OLD) == [], "of a release that is dropped nothing is known any more"


def test_writing_to_a_pooled_release(bucket: Bucket) -> None:
    store, reader = Store(bucket), Store(bucket)
    store.pool(OLD, SUMS, PAGES)
    assert reader.read(f"{OLD}/data/a.parquet") == b"same"
    store.put(f"{OLD}/data/a.parquet", b"masked")
    assert store.read(f"{OLD}/data/a.parquet") == b"masked"
    assert store.read(f"{NEW}/data/a.parquet") == b"same"
    assert store.temporary() == [f"{POOL}/{SUMS['data/a.parquet']}.parquet"]
    store.delete_all(store.temporary())
    assert reader.read(f"{OLD}/data/a.parquet") == b"masked"
    store.delete(f"{OLD}/data/a.parquet")
    assert not Store(bucket).exists(f"{OLD}/data/a.parquet")
    store.delete_all(store.list(OLD))
    assert bucket.list(OLD) == []
    assert store.temporary() == bucket.list(POOL)
    assert store.list() == [key for key in whole() if NEW in key]


def test_a_release_that_lost_a_file_is_not_pooled(bucket: Bucket) -> None:
    bucket.delete(f"{OLD}/data/b.parquet")
    store = Store(bucket)
    with pytest.raises(NothingThere, match="data/b"):
        store.pool(OLD, SUMS, PAGES)
    assert store.read(f"{OLD}/data/a.parquet") == b"same"
    assert not bucket.exists(f"{OLD}/{PLACES}")


def test_a_damaged_list_of_files_is_named(bucket: Bucket) -> None:
    Store(bucket).pool(OLD, SUMS, PAGES)
    for data in (b"[", b'[{"key": "data/a.parquet", "file": "../../secret"}]', b"\xff"):
        bucket.put(f"{OLD}/{PLACES}", data)
        with pytest.raises(Damaged, match=r"pooled\.json is not what was written"):
            Store(bucket).read(f"{OLD}/data/a.parquet")


def test_in_a_folder_files_stay_where_they_are(tmp_path: Path) -> None:
    store = Store(LocalStore(tmp_path, str(tmp_path)))
    store.put(f"{OLD}/data/a.parquet", b"same")
    assert not store.pool(OLD, SUMS, PAGES)
    assert store.list() == [f"{OLD}/data/a.parquet"]
