"""The journal: what was fetched survives `kill -9` before it is landed, and costs the object store no call a page.

Each process has a file of its own in the folder: WARC records, each a gzip member, that are only appended. It holds
the file's lock, which the kernel releases when the process ends, however it ends; what it left behind is landed by the
next one. In a journal a 304 without a page is an Unchanged; the archive makes a revisit of it.
"""

import io
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Final, Self

from warehouse.archive import writer as archive_writer
from warehouse.archive.archive import Archive
from warehouse.archive.captured import NOT_MODIFIED, Capture, Outcome, Unchanged, in_utc, without_erased
from warehouse.archive.warc_file import ANY_SIZE, HEADER_SIZE, capture_in, only_record
from warehouse.archive.warc_write import record_of
from warehouse.archive.writer import Landed, refusal
from warehouse.people.ledger import Ledger
from warehouse.store.local import make_folder, sync_folder
from warehouse.store.temporary import takes, writing

JOURNAL: Final = "the journal"
NAMES: Final = "journal-*.warc.gz"
READ_BYTES: Final = 64 << 10


class JournalFile:
    """A journal file that this process has locked, until it is closed."""

    def __init__(self, path: Path, file: io.FileIO) -> None:
        self.path = path
        self._file = file

    @classmethod
    def new(cls, folder: Path, now: datetime) -> Self:
        """A new file, named so that older ones sort before it; StoreFailed where none can be made."""
        with writing(JOURNAL, folder):
            make_folder(folder)
            while True:
                made = cls.claim(folder / NAMES.replace("*", f"{now:%Y%m%dT%H%M%S}-{os.urandom(8).hex()}"), "xb")
                if made is not None:  # else a process that lands what was left behind took it first
                    sync_folder(folder)
                    return made

    @classmethod
    def claim(cls, path: Path, mode: str = "rb+") -> Self | None:
        """The file at a path; None where another process has or had it; StoreFailed where it cannot be opened."""
        with writing(JOURNAL, path.parent), suppress(FileNotFoundError):
            file = io.FileIO(path, mode)
            if takes(file.fileno(), path):
                return cls(path, file)
            file.close()
        return None

    def append(self, data: bytes) -> None:
        """Append bytes; on return they are on the disk. StoreFailed, with none of them there, where that fails."""
        size = os.fstat(self._file.fileno()).st_size
        with writing(JOURNAL, self.path.parent):
            try:
                left = memoryview(data)
                while left:
                    left = left[self._file.write(left) :]
                os.fsync(self._file.fileno())
            except OSError:
                # Records behind a torn one are never read, so it must not stay
                self._file.truncate(size)
                self._file.seek(size)
                raise

    def outcomes(self) -> Iterator[Outcome]:
        """The outcomes appended, one at a time, without a torn record that a process was writing when it died."""
        with self.path.open("rb") as file:
            for block in _members(file):
                capture = capture_in(only_record(block), ANY_SIZE)
                is_page = capture.payload or capture.failure is not None or capture.http_status != NOT_MODIFIED
                if is_page or capture.url is None or capture.fetched_at is None:
                    yield capture
                else:
                    yield Unchanged(capture.url, capture.fetched_at, capture.etag or "", capture.headers)

    def delete(self) -> None:
        """Remove the file, whose outcomes are landed; StoreFailed where that fails."""
        with writing(JOURNAL, self.path.parent):
            self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Release the file, for any process to land."""
        self._file.close()


def _members(file: BinaryIO) -> Iterator[bytes]:
    """The whole gzip members of a file, unpacked, up to one that is cut short."""
    pending = b""
    while True:
        stream, block = zlib.decompressobj(31), bytearray()
        while not stream.eof:
            pending = pending or file.read(READ_BYTES)
            if not pending:
                return
            try:
                block += stream.decompress(pending)
            except zlib.error:  # a disk that lost power may have kept the length of a tail, and not its bytes
                return
            pending = stream.unused_data
        yield bytes(block)


class Journal:
    """Outcomes on their way into an archive; a context manager, which lands all of them in the end.

    The folder is for this lake alone: whatever journal lies there is landed in it.
    Entering it lands what dead processes left in the folder; leaving it lands what was added, also where the body
    raises. What cannot be landed then (StoreFailed) stays in the folder for the next one. `landed` sums up all of it.
    Memory and disk: one WARC file, because a journal of some 32 MiB payload is landed and begun anew.
    """

    def __init__(self, archive: Archive, folder: Path, *, now: Callable[[], datetime]) -> None:
        self.landed = Landed()
        self._archive, self._folder, self._now = archive, folder, now
        self._ledger = Ledger(archive.store)
        self._file: JournalFile | None = None
        self._size = 0

    def __enter__(self) -> Self:
        for path in sorted(self._folder.glob(NAMES)):
            if (left := JournalFile.claim(path)) is not None:
                self._land(left)
        return self

    def __exit__(self, *_: object) -> None:
        self._land_own()

    def add(self, outcomes: Iterable[Outcome]) -> None:
        """Append outcomes; on return all are durable on this machine. StoreFailed, with none kept, where that fails.

        What no record can hold is refused, and listed in `landed`.
        """
        found = [outcome if isinstance(outcome, Capture) else outcome.as_capture() for outcome in outcomes]
        # Not only when they are landed: an erased person must not lie in the journal either
        captures = [without_erased(self._ledger, capture) for capture in found]
        refused = [refusal(capture) for capture in captures]
        self.landed += Landed(refused=tuple(reason for reason in refused if reason))
        kept = [capture for capture, reason in zip(captures, refused, strict=True) if reason is None]
        if not kept:
            return
        now = in_utc(self._now())
        if self._file is None:
            self._ledger.require_whole()
            self._file = JournalFile.new(self._folder, now)
        self._file.append(b"".join(record_of(capture, now=now) for capture in kept))
        self._size += sum(len(capture.payload) + HEADER_SIZE for capture in kept)
        if self._size >= archive_writer.FILE_BYTES:
            self._land_own()

    def _land_own(self) -> None:
        file, self._file, self._size = self._file, None, 0
        if file is not None:
            self._land(file)

    def _land(self, file: JournalFile) -> None:
        with closing(file):
            self.landed += self._archive.write(file.outcomes(), now=self._now())
            # Only now; if it is landed twice after a kill, the second time changes nothing
            file.delete()
