"""The object store in a bucket, beyond what test_store_contract.py asks of every store: errors, lost answers, parts."""

import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.faulty import Faulty, faulty
from tests.processes import ROOT
from tests.seaweed import READER, Seaweed
from warehouse.errors import NothingThere, StoreFailed, UsageError
from warehouse.store.objects import S3Options
from warehouse.store.opening import open_store
from warehouse.store.s3 import S3Store
from warehouse.store.store import Store

SECRET = "do-not-show-this"
USES: dict[str, Callable[[Store], object]] = {
    "read": lambda store: store.read("k"),
    "read_range": lambda store: store.read_range("k", 0, 1),
    "exists": lambda store: store.exists("k"),
    "list": lambda store: store.list("k"),
    "put": lambda store: store.put("k", b""),
    "put_new": lambda store: store.put_new("k", b""),
    "copy_new": lambda store: store.copy_new("k", "l"),
    "swap": lambda store: store.swap("k", b"", b"1"),
    "delete": lambda store: store.delete("k"),
    "delete_prefix": lambda store: store.delete_prefix("k"),
}
every_use = pytest.mark.parametrize("use", USES.values(), ids=USES)
a_use = pytest.mark.parametrize("use", [USES["read"], USES["put_new"]], ids=["read", "put_new"])


@pytest.fixture(autouse=True)
def _hardly_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two tries of a request botocore waits up to a second or two."""
    monkeypatch.setattr("botocore.retries.standard.ExponentialBackoff.delay_amount", lambda *_: 0.01)
    monkeypatch.setattr("warehouse.store.s3_bucket.PAUSE_SECONDS", 0.01)


@pytest.fixture
def store(seaweed: Seaweed) -> S3Store:
    return S3Store(seaweed.lake(), seaweed.options)


@pytest.fixture
def way(seaweed: Seaweed) -> Iterator[Faulty]:
    with faulty(str(seaweed.options.endpoint_url)) as server:
        yield server


@pytest.fixture
def far(seaweed: Seaweed, way: Faulty, monkeypatch: pytest.MonkeyPatch) -> S3Store:
    """A store behind the faulty way, in parts of 5 MiB; its first connection is made."""
    monkeypatch.setattr("warehouse.store.s3.PART_BYTES", 5 << 20)
    store = S3Store(seaweed.lake(), replace(seaweed.options, endpoint_url=way.url))
    store.put("there", b"0123456789" * 1000)
    way.asked.clear()
    return store


@pytest.fixture
def large(tmp_path: Path) -> Path:
    path = tmp_path / "large"
    path.write_bytes(b"x" * (11 << 20))
    return path


def failure_of(use: Callable[[Store], object], store: Store) -> str:
    """The message of the failure, checked to show no secret."""
    with pytest.raises(StoreFailed) as caught:
        use(store)
    assert SECRET not in "".join(traceback.format_exception(caught.value))
    assert store.url in str(caught.value)
    return str(caught.value)


class TestUrl:
    @pytest.mark.parametrize(
        ("url", "shown"),
        [("s3://lakes", "s3://lakes"), ("s3://lakes/", "s3://lakes"), ("S3://lakes/a/b c/", "s3://lakes/a/b c")],
    )
    def test_a_bucket_or_a_folder_in_it(self, url: str, shown: str) -> None:
        store = open_store(url)
        assert (store.url, store.folder, store.local_path("k")) == (shown, None, None)

    @pytest.mark.parametrize(
        "url",
        [
            *("s3:", "s3://", "s3:///lake", "s3:/lakes/x", "s3://La_ke/x", "s3://lakes:9000/x"),
            *(f"s3://key:{SECRET}@lakes/x", f"s3://lakes/x?secret={SECRET}", f"s3://lakes/x#{SECRET}"),
            *("s3://lakes/a//b", "s3://lakes/../b", "s3://lakes/.tmp/b"),
        ],
    )
    def test_other_urls_are_refused_without_showing_secrets(self, url: str) -> None:
        with pytest.raises(UsageError) as caught:
            open_store(url)
        assert SECRET not in str(caught.value)

    def test_a_lake_may_be_a_whole_bucket(self, seaweed: Seaweed) -> None:
        whole = seaweed.open("s3://lakes")
        part = seaweed.open(f"{seaweed.lake()}/deeper")
        part.put("k", b"1")
        folder = part.url.removeprefix("s3://lakes/")
        assert whole.read(f"{folder}/k") == b"1"
        assert f"{folder}/k" in whole.list()
        whole.delete_prefix(folder)
        assert part.list() == []

    def test_what_other_tools_leave_in_a_bucket_is_not_listed(self, store: S3Store) -> None:
        store.put("a/b", b"1")
        for key in ("a/", ".tmp/lock"):
            store._bucket.ask("put_object", Key=store._base + key, Body=b"")
        assert store.list() == store.list("a") == ["a/b"]

    def test_an_object_has_its_content_type(self, store: S3Store) -> None:
        """However it was written: without it browsers save pages of a bucket, and run no modules."""
        page, latest = "releases/latest/index.html", "releases/latest.json"
        store.put(page, b"a")
        store.put_new("releases/1/page.js", b"b")
        store.put_new(latest, b"c")
        assert store.swap(latest, b"d", b"c")
        assert store.copy_new(page, "releases/2/page.html")
        told = {key: store._bucket.get(Key=store._base + key)[1]["ContentType"] for key in store.list("releases")}
        assert told == {
            "releases/1/page.js": "text/javascript; charset=utf-8",
            "releases/2/page.html": "text/html; charset=utf-8",
            "releases/latest.json": "application/json",
            "releases/latest/index.html": "text/html; charset=utf-8",
        }

    def test_keys_of_several_answers_are_listed(self, store: S3Store, monkeypatch: pytest.MonkeyPatch) -> None:
        """An answer has a thousand, and here four, as S3 itself is asked for."""
        ask = store._bucket.ask
        few = {"list_objects_v2": {"MaxKeys": 4}}
        monkeypatch.setattr(store._bucket, "ask", lambda use, **how: ask(use, **how, **few.get(use, {})))
        monkeypatch.setattr("warehouse.store.s3_bucket.DELETED_AT_ONCE", 3)
        for number in range(10):
            store.put(f"k/{number:04}", b"")
        assert store.list() == [f"k/{number:04}" for number in range(10)]
        store.delete_prefix("k")
        assert store.list() == []


class TestFailures:
    """Each failure names the setting to look at; that every use says so of a failure is shown by the first one."""

    @every_use
    def test_a_missing_bucket_is_named(self, seaweed: Seaweed, use: Callable[[Store], object]) -> None:
        message = failure_of(use, seaweed.open("s3://no-such-bucket/lake"))
        assert "there is no such bucket; create it, or correct PAPERLAKE_LAKE" in message

    @a_use
    def test_an_endpoint_that_does_not_answer_is_named(self, use: Callable[[Store], object]) -> None:
        nowhere = S3Options(endpoint_url="http://127.0.0.1:9", access_key_id="k", secret_access_key=SECRET, attempts=2)
        message = failure_of(use, open_store("s3://lakes/x", nowhere))
        assert "http://127.0.0.1:9 cannot be reached" in message
        assert "PAPERLAKE_S3_ENDPOINT_URL" in message

    @a_use
    def test_a_wrong_secret_is_named(self, seaweed: Seaweed, use: Callable[[Store], object]) -> None:
        message = failure_of(use, seaweed.open(seaweed.lake(), secret_access_key=SECRET))
        assert "correct PAPERLAKE_S3_SECRET_ACCESS_KEY" in message

    @a_use
    def test_a_wrong_clock_is_named(
        self, store: Store, use: Callable[[Store], object], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from botocore import auth

        now = auth.get_current_datetime
        monkeypatch.setattr(auth, "get_current_datetime", lambda **how: now(**how) - timedelta(hours=1))
        assert "the clock of this machine" in failure_of(use, store)

    @pytest.mark.parametrize("use", ["put", "put_new", "copy_new", "swap", "delete", "delete_prefix"])
    def test_a_user_who_may_only_read_is_named(self, seaweed: Seaweed, store: Store, use: str) -> None:
        store.put("k", b"1")
        store.put("k/l", b"1")
        reader = seaweed.open(store.url, **READER)
        assert reader.read("k") == b"1"
        assert "access denied; give the owner of PAPERLAKE_S3_ACCESS_KEY_ID" in failure_of(USES[use], reader)
        assert store.list() == ["k", "k/l"]

    def test_an_unknown_user_is_named(self, seaweed: Seaweed) -> None:
        stranger = seaweed.open(seaweed.lake(), access_key_id="stranger", secret_access_key=SECRET)
        assert "correct PAPERLAKE_S3_ACCESS_KEY_ID" in failure_of(USES["list"], stranger)

    def test_missing_keys_are_named(self, seaweed: Seaweed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
            monkeypatch.setenv(name, str(tmp_path / name))
        store = seaweed.open(seaweed.lake(), access_key_id=None, secret_access_key=None)
        assert "set PAPERLAKE_S3_ACCESS_KEY_ID and PAPERLAKE_S3_SECRET_ACCESS_KEY" in failure_of(USES["list"], store)
        monkeypatch.setenv("AWS_PROFILE", "nobody")
        store = seaweed.open(seaweed.lake(), access_key_id=None, secret_access_key=None)
        assert "correct AWS_PROFILE" in failure_of(USES["list"], store)
        monkeypatch.setenv("AWS_DEFAULT_REGION", "a b")
        store = seaweed.open(seaweed.lake(), region=None)
        assert "correct AWS_DEFAULT_REGION" in failure_of(USES["list"], store)

    def test_an_endpoint_of_the_aws_chain_that_is_none_is_named(
        self, seaweed: Seaweed, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("AWS_ENDPOINT_URL", "localhost:8333")
        assert "correct AWS_ENDPOINT_URL" in failure_of(USES["list"], seaweed.open(seaweed.lake(), endpoint_url=None))

    @pytest.mark.parametrize("use", ["read", "exists", "list", "put_new", "swap"])
    def test_a_server_that_is_no_object_store_is_named(self, far: Store, way: Faulty, use: str) -> None:
        way.faults = ["200"]
        assert "does not answer as an object store; correct PAPERLAKE_S3_ENDPOINT_URL" in failure_of(USES[use], far)

    def test_a_server_that_keeps_failing_is_named(self, seaweed: Seaweed, way: Faulty) -> None:
        store = seaweed.open(seaweed.lake(), endpoint_url=way.url, attempts=2)
        way.faults = ["503"] * 9
        assert "too busy" in failure_of(USES["list"], store)
        assert len(way.asked) == 2


class TestLostAnswers:
    """What the server did before the connection broke is neither repeated nor reported wrongly."""

    @pytest.mark.parametrize("fault", ["lost", "cut", "503"])
    def test_a_failed_read_is_repeated(self, far: Store, way: Faulty, fault: str) -> None:
        way.faults = [fault]
        assert far.read("there") == b"0123456789" * 1000
        way.faults = [fault]
        assert far.list() == ["there"]
        with pytest.raises(NothingThere):
            far.read("missing")

    def test_a_body_that_always_breaks_off_is_an_error(self, far: Store, way: Faulty) -> None:
        way.faults = ["cut"] * 99
        assert "broke off" in failure_of(lambda store: store.read("there"), far)
        assert len(way.asked) == 5

    @pytest.mark.parametrize("fault", ["lost", "409", "503"])
    def test_a_writer_whose_answer_was_lost_still_wins(self, far: Store, way: Faulty, fault: str) -> None:
        for write in (lambda: far.put_new("new", b"1"), lambda: far.swap("swapped", b"1", None)):
            way.faults = [fault]
            assert write()
        way.faults = ["", fault]
        assert far.swap("swapped", b"2", b"1")
        way.faults = [fault]
        assert far.copy_new("there", "copy")
        assert [far.read(key) for key in ("new", "swapped", "copy")] == [b"1", b"2", far.read("there")]

    @pytest.mark.slow
    @pytest.mark.parametrize("fault", ["lost", "409", "503"])
    def test_a_large_file_is_written_only_once(self, far: Store, way: Faulty, large: Path, fault: str) -> None:
        """Its requests: whether it is there, the start, three parts, the end."""
        way.faults = ["", "", fault]
        assert far.put_file_new("second request", large)
        way.faults = ["", "", "", "", "", fault]
        assert far.put_file_new("last request", large)
        assert far.read("second request") == far.read("last request") == large.read_bytes()

    def test_a_loser_whose_answer_was_lost_still_loses(self, far: Store, way: Faulty) -> None:
        way.faults = ["lost"]
        assert not far.put_new("there", b"1")
        assert not far.swap("there", b"1", b"0")
        assert far.read("there") == b"0123456789" * 1000


class TestLargeFiles:
    def test_an_upload_that_fails_leaves_nothing(self, far: S3Store, way: Faulty, large: Path) -> None:
        way.faults = ["", "", "", "403"]
        assert "access denied" in failure_of(lambda store: store.put_file_new("large", large), far)
        assert not far.exists("large")
        uploads = far._bucket.ask("list_multipart_uploads", Prefix=far._base).get("Uploads", [])
        assert uploads == []

    @pytest.mark.slow
    def test_of_racing_uploads_one_wins(self, far: Store, seaweed: Seaweed, tmp_path: Path) -> None:
        racers, keys = range(3), [f"large/{number}" for number in range(7)]
        near = seaweed.open(far.url)
        for racer in racers:
            (tmp_path / str(racer)).write_bytes(b"%d" % racer * (6 << 20))
        jobs = [(key, tmp_path / str(racer)) for key in keys for racer in racers]
        with ThreadPoolExecutor(7) as pool:
            wins = list(pool.map(lambda job: near.put_file_new(*job), jobs))
        for number, key in enumerate(keys):
            [winner] = [racer for racer in racers if wins[number * len(racers) + racer]]
            assert near.read(key) == (tmp_path / str(winner)).read_bytes()


def test_how_many_requests_each_use_makes(far: Store, way: Faulty, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"1")
    with far.open("there") as file:
        for _ in range(100):
            file.read(50)
    asked = {"open, and a hundred small reads": list(way.asked)}
    for name, use in {
        "read": lambda: far.read("there"),
        "exists": lambda: far.exists("there"),
        "list": far.list,
        "put_new": lambda: far.put_new("new", b"1"),
        "put_file_new": lambda: far.put_file_new("file", tmp_path / "file"),
        "copy_new": lambda: far.copy_new("there", "copy"),
        "swap": lambda: far.swap("new", b"2", b"1"),
    }.items():
        way.asked.clear()
        assert use()
        asked[name] = list(way.asked)
    assert asked == {
        "open, and a hundred small reads": ["GET", "GET"],
        "read": ["GET"],
        "exists": ["GET"],
        "list": ["GET"],
        "put_new": ["PUT"],
        "put_file_new": ["PUT"],
        "copy_new": ["PUT"],
        "swap": ["GET", "PUT"],
    }


def test_a_local_lake_imports_no_library_of_s3() -> None:
    script = """
import sys
from flows.runtime.lake import open_lake
open_lake("./nowhere").exists("k")
print(*[name for name in ("fsspec", "s3fs", "botocore", "aiohttp", "pydantic", "polars") if name in sys.modules])
"""
    said = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout.strip() == ""
