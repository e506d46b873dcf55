"""The journal: what was fetched survives `kill -9` before it is landed, and costs the object store no call a page.

Each process has a file of its own in the folder. What a dead process left behind is landed by the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import Self

from warehouse.archive import writer as archive_writer
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture, in_utc
from warehouse.archive.journal_file import NAMES, JournalFile, records_of
from warehouse.archive.outcome import Outcome
from warehouse.archive.warc_file import HEADER_SIZE
from warehouse.archive.writer import Landed, refusal
from warehouse.erasing.ledger import Ledger
from warehouse.erasing.masked_captures import without_erased


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
        captures = [without_erased(self._ledger, capture) for capture in found]
        refused = [refusal(capture) for capture in captures]
        self.landed += Landed(refused=tuple(reason for reason in refused if reason))
        kept = [capture for capture, reason in zip(captures, refused, strict=True) if reason is None]
        if not kept:
            return
        now = in_utc(self._now())
        if self._file is None:
            self._file = JournalFile.new(self._folder, now)
        self._file.append(records_of(kept, now))
        self._size += sum(len(capture.payload) + HEADER_SIZE for capture in kept)
        if self._size >= archive_writer.FILE_BYTES:
            self._land_own()

    def _land_own(self) -> None:
        file, self._file, self._size = self._file, None, 0
        if file is not None:
            self._land(file)

    def _land(self, file: JournalFile) -> None:
        with file:
            self.landed += self._archive.write(file.outcomes(), now=self._now())
            file.delete()
