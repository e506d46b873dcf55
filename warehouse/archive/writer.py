"""Landing outcomes: they become records of WARC files, each stored whole before its captures are in the index.

A capture of bytes that are stored already refers to the record that has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Final

from warehouse.archive.captured import (
    NO_PAGE,
    Capture,
    Failed,
    Outcome,
    Refused,
    Revisit,
    Unchanged,
    shown,
    without_erased,
)
from warehouse.archive.index import IndexEntry, add_lines, index_key, line_of, remove_from_index
from warehouse.archive.warc_file import WarcFile, month_of
from warehouse.archive.warc_write import id_of, is_http, unlandable, utc_text
from warehouse.errors import Superseded
from warehouse.people.ledger import BEING_ERASED, Ledger
from warehouse.printable import counted
from warehouse.store.store import Store

OF_A_PAGE: Final = (200, 304)


class Originals:
    """The records of an archive that have a payload, by address and digest, and the digests seen with each ETag."""

    def __init__(self, entries: Iterable[IndexEntry]) -> None:
        self._whole: dict[tuple[str, str], IndexEntry] = {}
        self._anywhere: dict[str, IndexEntry] = {}
        self._tagged: dict[tuple[str, str], list[tuple[str, str]]] = {}
        self.add(entries)

    def add(self, entries: Iterable[IndexEntry]) -> None:
        """Add records that were stored since."""
        for entry in entries:
            if entry.url is None or entry.http_status is None or entry.damage or not entry.payload_bytes:
                continue
            if entry.original is None:
                self._whole.setdefault((entry.url, entry.digest), entry)
                self._anywhere.setdefault(entry.digest, entry)
            if entry.etag and entry.http_status in OF_A_PAGE:
                self._tagged.setdefault((entry.url, _weak(entry.etag)), []).append((_moment(entry.date), entry.digest))

    def of_payload(self, capture: Capture) -> IndexEntry | None:
        """The record of the same address that has the same payload; None where there is none."""
        if not capture.payload or not capture.url or not is_http(capture) or capture.damage:
            return None
        return self._whole.get((capture.url, f"sha256:{capture.payload_sha256}"))

    def of_revisit(self, revisit: Revisit) -> IndexEntry | None:
        """The record that has the payload of a revisit out of another archive; None where there is none.

        It is of the same address where there is one.
        """
        digest = f"sha256:{revisit.payload_sha256}"
        return self._whole.get((revisit.capture.url or "", digest)) or self._anywhere.get(digest)

    def of_etag(self, unchanged: Unchanged) -> IndexEntry | None:
        """The record of the page that a 304 confirms: the last one before it with that ETag, or None.

        Where the clock was set back and all seem to come later, it is the first.
        """
        tagged = self._tagged.get((unchanged.url, _weak(unchanged.etag)))
        if not tagged:
            return None
        asked = _moment(utc_text(unchanged.fetched_at))
        _, digest = max((seen for seen in tagged if seen[0] <= asked), default=min(tagged))
        return self._whole.get((unchanged.url, digest))


def _moment(date: str) -> str:
    """A WARC-Date in a form that sorts, with microseconds or without."""
    # `Z` sorts behind `.`, which would put 06:15:08Z after 06:15:08.5Z
    return date.rstrip("Z")


def _weak(etag: str) -> str:
    """An ETag as If-None-Match compares it: weak and strong ones are equal (RFC 9110, 8.8.3.2)."""
    return etag.removeprefix("W/")


WARCS: Final = "raw/warc/"
FILE_BYTES: Final = 32 << 20  # before compression; a file is held in memory, compressed, until it is whole
WAITING_LIMIT: Final = 10_000  # revisits in memory, some KiB of headers each
NO_ORIGINAL: Final = "the source says that the page is unchanged, and no capture of it with that ETag is landed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Landed:
    """The result of landing.

    `skipped_count` counts captures that the archive, or the same input, had before; `refused` lists what was not
    landed, or could not be captured, with the reason.
    """

    capture_ids: tuple[str, ...] = ()
    skipped_count: int = 0
    payload_bytes: int = 0
    stored_bytes: int = 0
    warcs: tuple[str, ...] = ()
    refused: tuple[Refused, ...] = ()

    @property
    def landed_count(self) -> int:
        return len(self.capture_ids)

    def __str__(self) -> str:
        size = f"{self.payload_bytes / 1e6:,.1f} MB"
        return (
            f"landed {counted(self.landed_count, 'capture')} ({size}), {self.skipped_count:,} were there already, "
            f"{len(self.refused):,} refused"
        )

    def __add__(self, other: Landed) -> Landed:
        return Landed(**{one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(self)})


def add_stored(store: Store, filename: str, entries: Sequence[IndexEntry]) -> None:
    """Index a file that was stored; Superseded where an erasure that began meanwhile has replaced it by another."""
    add_lines(store, index_key(month_of(filename)), [line_of(entry) for entry in entries])
    if not store.exists(WARCS + filename):
        remove_from_index(store, {filename})
        raise Superseded(BEING_ERASED.format(store.url))


def refusal(capture: Capture) -> Refused | None:
    """Why a capture cannot be a record; None where it can."""
    reason = unlandable(capture)
    return Refused(shown(capture.url or capture.capture_id), reason) if reason else None


class ArchiveWriter:
    """One `Archive.write` in progress: the file being filled, and the result so far."""

    def __init__(self, store: Store, entries: list[IndexEntry], now: datetime) -> None:
        self._store, self._now = store, now.replace(microsecond=0)
        self._known, self._originals = {entry.capture_id for entry in entries}, Originals(entries)
        self._ledger = Ledger(store)
        self._ledger.require_whole()
        self._file = WarcFile(self._now)
        self._landed = Landed()
        self._refused: list[Refused] = []
        self._waiting: list[Revisit] = []

    def add(self, found: Outcome | Revisit) -> None:
        """Land one outcome, unless it is landed; a revisit whose page is not there yet waits for it until the end."""
        if isinstance(found, Capture):
            capture = found if found.capture_id in self._known else without_erased(self._ledger, found)
            self._add(capture, self._originals.of_payload(capture))
        elif isinstance(found, Failed):
            self._add(without_erased(self._ledger, found.as_capture()), None)
        elif isinstance(found, Unchanged):
            original, capture = self._originals.of_etag(found), without_erased(self._ledger, found.as_capture())
            self._add(capture if original else replace(capture, failure=NO_ORIGINAL), original)
        elif found.capture_id in self._known:  # its page may have other bytes since somebody was erased
            self._landed += Landed(skipped_count=1)
        elif original := self._originals.of_revisit(found):
            self._add(without_erased(self._ledger, found.capture), original)
        elif len(self._waiting) < WAITING_LIMIT:
            self._waiting.append(found)
        else:
            self._refuse(found)

    def end(self) -> Landed:
        """Store what is not stored yet, land or refuse the revisits that waited, and return the result."""
        # The pages that revisits wait for may be in this file
        self._store_file()
        for revisit in self._waiting:
            if original := self._originals.of_revisit(revisit):
                self._add(without_erased(self._ledger, revisit.capture), original)
            else:
                self._refuse(revisit)
        self._store_file()
        return self._landed + Landed(refused=tuple(self._refused))

    def _add(self, capture: Capture, original: IndexEntry | None) -> None:
        capture_id = id_of(capture, original)
        if capture_id in self._known:
            self._landed += Landed(skipped_count=1)
        elif refused := refusal(capture):
            self._refused.append(refused)
        else:
            self._known.add(capture_id)
            self._file.add(capture, original)
        if self._file.size >= FILE_BYTES:
            self._store_file()

    def _refuse(self, revisit: Revisit) -> None:
        self._refused.append(Refused(shown(revisit.capture.url or ""), NO_PAGE))

    def _store_file(self) -> None:
        packed = self._file.finish()
        self._file = WarcFile(self._now)
        if packed is None:
            return
        # Its name is a hash of its bytes, so one that is there already is this very file
        self._store.put_new(WARCS + packed.filename, packed.data)
        if Ledger(self._store).entries != self._ledger.entries:  # somebody who may be in this file is being erased
            self._store.delete(WARCS + packed.filename)
            raise Superseded(BEING_ERASED.format(self._store.url))
        # The file before its lines: after a kill in between it is not landed, and `recover` indexes it
        add_stored(self._store, packed.filename, packed.entries)
        # Not earlier: a revisit says where its payload lies, which is known when the file is whole
        self._originals.add(packed.entries)
        self._landed += Landed(
            capture_ids=tuple(entry.capture_id for entry in packed.entries),
            payload_bytes=sum(entry.payload_bytes for entry in packed.entries),
            stored_bytes=len(packed.data),
            warcs=(packed.filename,),
        )
