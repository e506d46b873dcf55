"""A few records of the archive to carry away: a WARC file of their own bytes, to which made pages may be added."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from fastwarc.stream_io import GzipWriter

from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture
from warehouse.archive.index import IndexEntry, Place
from warehouse.archive.warc_write import COMPRESSION_LEVEL, write_record, write_warcinfo


@dataclass(frozen=True, slots=True)
class CarriedRecord:
    """A record in the file: a gzip member, and its SHA-256."""

    offset: int
    length: int
    sha256: str


class CarriedFile:
    """A WARC file that is being filled. Each record is checked when it is taken, and taken once."""

    def __init__(self, archive: Archive, entries: Iterable[IndexEntry], *, now: datetime) -> None:
        self._archive, self._now, self._data = archive, now.replace(microsecond=0), b""
        self._places: dict[Place, CarriedRecord] = {}
        taken = list(entries)
        stream = io.BytesIO()
        write_warcinfo(GzipWriter(stream), now=self._now, first_id=taken[0].capture_id)
        self._append(stream.getvalue())
        self.records = {one.capture_id: self._taken(one) for one in taken}
        self.payloads = {one.capture_id: archive.read(one).payload for one in taken}

    @property
    def data(self) -> bytes:
        """The file as it is now."""
        return self._data

    def add(self, page: Capture) -> None:
        """Append a page that was made, not captured."""
        stream = io.BytesIO()
        write_record(GzipWriter(stream, compression_level=COMPRESSION_LEVEL), page, now=self._now)
        self._append(stream.getvalue())

    def _taken(self, entry: IndexEntry) -> tuple[CarriedRecord, CarriedRecord | None]:
        """The record of a page, and where that is a revisit the one that has its bytes."""
        original = self._copied(entry.original) if entry.original else None
        return self._copied(Place(entry.filename, entry.offset, entry.length)), original

    def _copied(self, place: Place) -> CarriedRecord:
        if place not in self._places:
            self._places[place] = self._append(self._archive.member(place))
        return self._places[place]

    def _append(self, member: bytes) -> CarriedRecord:
        made = CarriedRecord(len(self._data), len(member), hashlib.sha256(member).hexdigest())
        self._data += member
        return made
