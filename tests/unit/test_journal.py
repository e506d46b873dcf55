"""What was added to the journal survives any end of the process, and is landed once."""

import errno
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.processes import python
from warehouse.archive import writer as archive_writer
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture, Failed, Outcome, Unchanged
from warehouse.archive.journal import Journal, JournalFile
from warehouse.archive.warc_write import record_of
from warehouse.errors import StoreFailed

NOW = datetime.fromisoformat("2026-02-03T04:05:06")
CAPTURING = """
from datetime import datetime, timedelta
from pathlib import Path
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture
from warehouse.archive.journal import Journal
now = datetime(2026, 2, 3)
def page(name):
    return Capture(payload=name.encode() * 500, url=f"https://hub.example/{name}", fetched_at=now, http_status=200)
with Journal(Archive(store), Path(sys.argv[2]), now=lambda: now) as journal:
    for number in range(int(sys.argv[4])):
        pages = [page(f"{sys.argv[3]}-{number}-{part}") for part in range(3)]
        journal.add(pages)
        print(*(page.capture_id for page in pages), flush=True)
    if sys.argv[5:]:
        time.sleep(60)
"""


def page(number: int, etag: str | None = None) -> Capture:
    url = f"https://hub.example/p{number}"
    return Capture(payload=b"page %d" % number, url=url, fetched_at=NOW, http_status=200, etag=etag)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state/journal"


def journal(archive: Archive, folder: Path) -> Journal:
    return Journal(archive, folder, now=lambda: NOW)


def landed(archive: Archive) -> list[str]:
    return sorted(entry.capture_id for entry in archive.index())


def ids(*captures: Capture) -> list[str]:
    return sorted(capture.capture_id for capture in captures)


def interrupt(kept: Journal, then: Callable[[], None] | None = None) -> None:
    kept.add([page(1)])
    if then is None:
        raise KeyboardInterrupt
    then()


@pytest.fixture
def capturing(archive: Archive, folder: Path) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes of a test; whatever comes of it, they end."""
    processes: list[subprocess.Popen[str]] = []
    yield processes
    for process in processes:
        process.kill()
        process.wait()
        process.stdout.close()


def start(processes: list, archive: Archive, folder: Path, *arguments: object) -> subprocess.Popen[str]:
    processes.append(python(CAPTURING, archive.store.url, folder, *arguments))
    return processes[-1]


class TestLanding:
    def test_everything_added_is_landed_in_the_end_and_nothing_before(self, archive: Archive, folder: Path) -> None:
        archive.write([page(1, etag='"1"')], now=NOW)
        later = NOW + timedelta(hours=1)
        headers = (("ETag", '"1"'), ("X", "y"))
        outcomes: list[Outcome] = [
            page(2),
            Unchanged("https://hub.example/p1", later, '"1"', headers),
            Failed("https://hub.example/p3", NOW, "HTTP status 503", 503),
            Capture(payload=b"without an address"),
        ]
        with journal(archive, folder) as kept:
            kept.add(outcomes[:1])
            kept.add(outcomes[1:])
            kept.add([])
            assert landed(archive) == ids(page(1))
            assert len(list(folder.iterdir())) == 1
        assert kept.landed.landed_count == 4
        assert list(folder.iterdir()) == []
        found = {capture.url: capture for capture in archive.captures(archive.index()) if capture.fetched_at != NOW}
        unchanged = found["https://hub.example/p1"]
        assert (unchanged.payload, unchanged.http_status, unchanged.headers) == (b"page 1", 304, headers)
        failed = next(entry for entry in archive.index() if entry.failure)
        assert archive.read(failed) == outcomes[2].as_capture()  # type: ignore[union-attr]

    def test_nothing_to_add_leaves_no_trace(self, archive: Archive, folder: Path) -> None:
        with journal(archive, folder) as kept:
            pass
        assert kept.landed.landed_count == 0
        assert not folder.exists()
        assert archive.store.list() == []

    def test_what_came_before_an_error_is_landed_and_the_error_goes_on(self, archive: Archive, folder: Path) -> None:
        with pytest.raises(KeyboardInterrupt), journal(archive, folder) as kept:
            interrupt(kept)
        assert landed(archive) == ids(page(1))

    def test_a_full_journal_begins_anew(self, archive: Archive, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(archive_writer, "FILE_BYTES", 4000)
        with journal(archive, folder) as kept:
            for number in range(100, 125):
                kept.add([page(number)])
                assert len(list(folder.iterdir())) <= 1
            assert 0 < 25 - len(landed(archive)) < 8
        assert landed(archive) == ids(*(page(number) for number in range(100, 125)))

    def test_what_no_record_can_hold_is_refused(self, archive: Archive, folder: Path) -> None:
        with journal(archive, folder) as kept:
            kept.add([page(1), Capture(payload=b"x", url="a\r\nb")])
        assert landed(archive) == ids(page(1))
        [refused] = kept.landed.refused
        assert "address" in refused.reason

    def test_a_lake_that_cannot_be_written_leaves_it_to_the_next_run(
        self, archive: Archive, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patch, pytest.raises(StoreFailed), journal(archive, folder) as kept:
            interrupt(kept, lambda: patch.setattr(type(archive.store), "swap", lambda *_: False))
        with journal(archive, folder) as kept:
            assert landed(archive) == ids(page(1))
        assert list(folder.iterdir()) == []

    def test_what_is_landed_and_still_there_lands_once(self, archive: Archive, folder: Path, tmp_path: Path) -> None:
        archive.write([page(1, etag='"1"')], now=NOW)
        with journal(archive, folder) as kept:
            kept.add([page(2), Unchanged("https://hub.example/p1", NOW + timedelta(1), '"1"')])
            shutil.copytree(folder, tmp_path / "copy")
        before = landed(archive)
        with journal(archive, tmp_path / "copy") as again:
            assert (again.landed.landed_count, again.landed.skipped_count) == (0, 2)
        assert landed(archive) == before


class TestDisk:
    def test_a_torn_tail_is_cut_off_wherever_it_is_torn(self, folder: Path) -> None:
        pages = [page(number) for number in range(3)]
        parts = [record_of(page, now=NOW) for page in pages]
        ends = [sum(map(len, parts[: count + 1])) for count in range(3)]
        whole = b"".join(parts)
        folder.mkdir(parents=True)
        for size in range(0, len(whole) + 1, 3):
            for tail in (b"", b"\xff" * 200):
                path = folder / "journal-x.warc.gz"
                path.write_bytes(whole[:size] + tail)
                with closing(JournalFile.claim(path)) as file:
                    assert list(file.outcomes()) == pages[: sum(end <= size for end in ends)]

    def test_a_full_disk_loses_what_was_not_added(
        self, archive: Archive, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(_: int) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        with journal(archive, folder) as kept:
            kept.add([page(1)])
            with monkeypatch.context() as patch:
                patch.setattr(os, "fsync", full)
                with pytest.raises(StoreFailed, match=r"journal in .*no space left"):
                    kept.add([page(2)])
            kept.add([page(3)])
        assert landed(archive) == ids(page(1), page(3))

    def test_a_folder_that_cannot_be_made(self, archive: Archive, folder: Path) -> None:
        folder.parent.parent.mkdir(exist_ok=True)
        folder.parent.write_bytes(b"a file")
        with pytest.raises(StoreFailed, match="could not write the journal"), journal(archive, folder) as kept:
            kept.add([page(1)])

    def test_a_journal_that_cannot_be_removed_is_an_error(
        self, archive: Archive, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As where permission was lost meanwhile: what it holds is landed, and the next run lands it again."""
        unlink = Path.unlink

        def refuse(path: Path, *, missing_ok: bool = False) -> None:
            if path.parent == folder:
                raise PermissionError(errno.EACCES, "Permission denied")
            unlink(path, missing_ok)

        monkeypatch.setattr(Path, "unlink", refuse)
        with pytest.raises(StoreFailed, match="could not write the journal"), journal(archive, folder) as kept:
            kept.add([page(1)])
        assert landed(archive) == ids(page(1))

    def test_a_journal_that_cannot_be_opened_is_an_error(self, archive: Archive, folder: Path) -> None:
        (folder / "journal-x.warc.gz").mkdir(parents=True)
        with pytest.raises(StoreFailed, match="journal in"), journal(archive, folder):
            pass


class TestProcesses:
    def test_killed_at_any_moment_nothing_is_lost(self, archive: Archive, folder: Path, capturing: list) -> None:
        said: set[str] = set()
        for name, lines in (("a", 1), ("b", 9), ("c", 40)):
            process = start(capturing, archive, folder, name, 100_000)
            for _ in range(lines):
                said |= set(process.stdout.readline().split())
            process.send_signal(signal.SIGKILL)
            rest, _ = process.communicate()
            said |= set(rest.rpartition("\n")[0].split())
        assert len(list(folder.iterdir())) == 1  # each landed what the one before had left
        with journal(archive, folder):
            assert said <= set(landed(archive))
            assert len(landed(archive)) - len(said) <= 9  # durable, and killed before it said so
        assert list(folder.iterdir()) == []

    def test_a_living_process_s_journal_is_left_alone(self, archive: Archive, folder: Path, capturing: list) -> None:
        living = start(capturing, archive, folder, "a", 2, "stay")
        said = [*living.stdout.readline().split(), *living.stdout.readline().split()]
        with journal(archive, folder) as kept:
            kept.add([page(1)])
        assert landed(archive) == ids(page(1))
        living.kill()
        living.wait()
        with journal(archive, folder):
            assert landed(archive) == sorted([*said, *ids(page(1))])

    def test_several_processes_land_each_capture_once(self, archive: Archive, folder: Path, capturing: list) -> None:
        dead = start(capturing, archive, folder, "dead", 5, "stay")
        said = [capture_id for _ in range(5) for capture_id in dead.stdout.readline().split()]
        dead.kill()
        dead.wait()
        for name in "abc":
            start(capturing, archive, folder, name, 20)
        for process in capturing[1:]:
            told, _ = process.communicate(timeout=60)
            assert process.returncode == 0
            said += told.split()
        assert landed(archive) == sorted(said)
        assert list(folder.iterdir()) == []
