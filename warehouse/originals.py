"""Which stored record has a payload already, so that the next capture of the same bytes need not repeat them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from warehouse.capture import Capture
from warehouse.cdxj import IndexEntry
from warehouse.outcome import Unchanged
from warehouse.warc import is_http

OF_A_PAGE: Final = (200, 304)


class Originals:
    """The whole HTTP captures of an archive, by address and digest, and what each ETag of an address stood for."""

    def __init__(self, entries: Iterable[IndexEntry]) -> None:
        self._whole: dict[tuple[str, str], IndexEntry] = {}
        self._latest: dict[tuple[str, str], IndexEntry] = {}
        self.add(entries)

    def add(self, entries: Iterable[IndexEntry]) -> None:
        """Take in what was stored."""
        for entry in entries:
            if entry.url is None or entry.http_status is None or entry.damage or not entry.payload_bytes:
                continue
            if entry.original is None:
                self._whole.setdefault((entry.url, entry.digest), entry)
            if entry.etag and entry.http_status in OF_A_PAGE:
                self._note(entry, (entry.url, _weak(entry.etag)))

    def of_payload(self, capture: Capture) -> IndexEntry | None:
        """The record of the same address that has the same payload."""
        if not capture.payload or not capture.url or not is_http(capture) or capture.damage:
            return None
        return self._whole.get((capture.url, f"sha256:{capture.payload_sha256}"))

    def of_etag(self, unchanged: Unchanged) -> IndexEntry | None:
        """The record whose payload the source says is still the page: the latest of that address with that ETag."""
        latest = self._latest.get((unchanged.url, _weak(unchanged.etag)))
        return latest and self._whole.get((unchanged.url, latest.digest))

    def _note(self, entry: IndexEntry, key: tuple[str, str]) -> None:
        latest = self._latest.get(key)
        if latest is None or _moment(latest) <= _moment(entry):
            self._latest[key] = entry


def _moment(entry: IndexEntry) -> tuple[str, str]:
    return entry.date.rstrip("Z"), entry.capture_id


def _weak(etag: str) -> str:
    """An ETag as If-None-Match compares it: weak or strong (RFC 9110, 8.8.3.2)."""
    return etag.removeprefix("W/")
