"""`paperlake copy`: a lake, or its releases, in another place, byte for byte, whatever happens on the way."""

import os
import signal
import tarfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from click.testing import CliRunner

from flows.runtime.lake import open_lake
from flows.steps.copy_lake import copy_lake
from flows.steps.drop_releases import retain
from flows.steps.read_back import require_sound, verify_raw, verify_release
from paperlake.cli.app import app
from tests import processes
from tests.flows import steps
from tests.seaweed import Seaweed
from warehouse.errors import Damaged, NothingThere, Superseded, UsageError
from warehouse.inventory.keep_rule import KeepRule
from warehouse.release import moves
from warehouse.release.latest import LATEST, latest, release_key, require_latest
from warehouse.release.manifest import Dropped, encode
from warehouse.store.store import Store

KILLS = 4


class Dying:
    """A store whose process is killed after so many writes."""

    def __init__(self, store: Store, writes: int) -> None:
        self.store, self.writes = store, writes

    def __getattr__(self, name: str) -> Any:
        if name in {"put_file_new", "copy_new", "swap"}:
            self.writes -= 1
            if self.writes < 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return getattr(self.store, name)


def killed_copy(source: str, target: str, writes: int) -> None:
    copy_lake(open_lake(source), Dying(open_lake(target), writes))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory, three_bare: Path) -> str:
    """A lake of three releases, the first of which was dropped."""
    lake = str(copytree(three_bare, tmp_path_factory.mktemp("copied") / "lake"))
    retain(open_lake(lake), KeepRule(2), apply=True, at=steps.NOW)
    return lake


@pytest.fixture
def target(tmp_path: Path) -> str:
    return str(tmp_path / "copy")


def contents(lake: str) -> dict[str, bytes]:
    store = open_lake(lake)
    return {key: store.read(key) for key in store.list() if not key.startswith("drafts/")}


def require_copy(lake: str, of: str) -> None:
    """Assert that the copy has all of the lake, and is sound."""
    assert contents(lake) == contents(of)
    store = open_lake(lake)
    require_sound(lake, verify_raw(store))
    require_sound(lake, verify_release(store, every=True))


@pytest.mark.slow
def test_copy_to_a_bucket_and_back(source: str, target: str, seaweed: Seaweed, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in seaweed.environment().items():
        monkeypatch.setenv(name, value)
    bucket = seaweed.lake()
    sent = copy_lake(open_lake(source), open_lake(bucket))
    back = copy_lake(open_lake(bucket), open_lake(target))
    assert sent == back
    assert sent.kept_count == 0
    require_copy(target, source)
    assert copy_lake(open_lake(source), open_lake(target)) == (0, 0, sent.sent_count)


def test_what_both_releases_hold_is_sent_once(source: str, target: str) -> None:
    copied = copy_lake(open_lake(source), open_lake(target), releases_only=True)
    distinct = set(contents(source).values())
    assert copied.sent_bytes < sum(map(len, contents(target).values()))
    assert copied.sent_bytes <= sum(map(len, distinct))
    assert open_lake(target).list("raw") == []
    require_sound(target, verify_release(open_lake(target), every=True))


def test_a_lake_of_which_a_folder_is_a_link_is_copied_whole(source: str, target: str, tmp_path: Path) -> None:
    lake = copytree(source, tmp_path / "lake")
    (lake / "raw").rename(tmp_path / "raw")
    (lake / "raw").symlink_to(tmp_path / "raw")
    copy_lake(open_lake(str(lake)), open_lake(target))
    require_copy(target, source)


def test_a_killed_copy_is_resumed(source: str, target: str) -> None:
    writes = len(contents(source)) // (KILLS + 1)
    for _ in range(KILLS):
        process = processes.forked(killed_copy, source, target, writes)
        process.join(60)
        assert process.exitcode == -signal.SIGKILL
        assert not open_lake(target).exists(LATEST), "it is written last"
    copy_lake(open_lake(source), open_lake(target))
    require_copy(target, source)


def first_send(monkeypatch: pytest.MonkeyPatch, target: str, happens: Callable[[], object]) -> None:
    """Let something else happen to the lake when the first object is sent."""
    store = type(open_lake(target))
    send = store.put_file_new

    def send_late(*arguments: object) -> object:
        monkeypatch.setattr(store, "put_file_new", send)
        happens()
        return send(*arguments)

    monkeypatch.setattr(store, "put_file_new", send_late)


@pytest.mark.slow
def test_a_copy_made_meanwhile_is_sound(source: str, lake: str, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    copytree(source, lake)
    before = latest(open_lake(lake))
    first_send(monkeypatch, target, lambda: steps.run_captures(lake, [steps.list_of(date(2026, 10, 5))]))
    with steps.bare_releases():
        copy_lake(open_lake(lake), open_lake(target))
    assert latest(open_lake(target)) == before
    require_sound(target, verify_release(open_lake(target), every=True))
    copy_lake(open_lake(lake), open_lake(target))
    require_copy(target, lake)
    first_send(monkeypatch, f"{target}2", lambda: retain(open_lake(lake), KeepRule(1), apply=True, at=steps.NOW))
    with pytest.raises(Superseded, match="the same command resumes"):
        copy_lake(open_lake(lake), open_lake(f"{target}2"))
    copy_lake(open_lake(lake), open_lake(f"{target}2"))
    require_copy(f"{target}2", lake)


def test_what_an_older_paperlake_dropped_stays_known(tmp_path: Path, lake: str, target: str) -> None:
    """0.1.0 kept drops as records alone, of which copies had none: their releases were looked for in vain."""
    with tarfile.open(Path(__file__).parents[1] / "lakes" / "0.1.0.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    source = open_lake(lake)
    first = moves.moves(source)[0]
    source.delete_prefix(f"releases/{first.version}")
    record = Dropped(first.version, first.manifest_sha256, first.moved_at, "kept the last release")
    source.put(moves.dropped_key(first.version), encode(record))
    copy_lake(source, open_lake(target))
    assert moves.dropped(open_lake(target), first.version) == record
    require_sound(target, verify_release(open_lake(target), every=True))


def test_damaged_bytes_are_named_and_not_passed_on(source: str, lake: str, target: str) -> None:
    copytree(source, lake)
    page = Path(lake) / release_key(require_latest(open_lake(lake)).version, "data/captures.parquet")
    page.chmod(0o644)
    page.write_bytes(page.read_bytes()[:-1] + b"?")
    with pytest.raises(Damaged, match=r"captures\.parquet in .* is not what it was: run .*verify --all"):
        copy_lake(open_lake(lake), open_lake(target))
    assert not open_lake(target).exists(LATEST)


def test_no_copy_onto_itself_or_another_lake(source: str, target: str, published: str, tmp_path: Path) -> None:
    """Nothing is written, no lease either: that of a copy into the lake itself was nobody's file there."""
    (tmp_path / "link").symlink_to(published)
    (tmp_path / "home").mkdir()
    (tmp_path / "home/letter").touch()
    before = open_lake(source).list()
    for one, other, words in (
        (source, f"{source}/", "are one place"),
        (source, f"{source}/backup", "are one place"),
        (published, str(tmp_path / "link"), "are one place"),
        (source, str(tmp_path / "home"), "is not empty, and is no lake"),
        (source, f"{published}/some/backup", f"is in the lake {published}"),
    ):
        done = CliRunner().invoke(app, ["copy", one, other])
        assert isinstance(done.exception, UsageError)
        assert words in str(done.exception)
    assert open_lake(source).list() == before
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["letter"]
    with pytest.raises(NothingThere, match="nothing to copy"):
        copy_lake(open_lake(target), open_lake(source))
    with pytest.raises(UsageError, match="no copy of it"):
        copy_lake(open_lake(source), open_lake(published))
