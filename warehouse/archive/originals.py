"""Which stored record has a payload already, so that the next capture of the same bytes need not repeat them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from warehouse.archive.captured import Capture
from warehouse.archive.index import IndexEntry
from warehouse.archive.outcome import Revisit, Unchanged
from warehouse.archive.warc_write import is_http, utc_text

OF_A_PAGE: Final = (200, 304)


class Originals:
    """The records of an archive that have a payload, by address and digest, and the digests seen with each ETag."""

    def __init__(self, entries: Iterable[IndexEntry]) -> None:
        self._whole: dict[tuple[str, str], IndexEntry] = {}
        self._tagged: dict[tuple[str, str], list[tuple[str, str]]] = {}
        self.add(entries)

    def add(self, entries: Iterable[IndexEntry]) -> None:
        """Add records that were stored since."""
        for entry in entries:
            if entry.url is None or entry.http_status is None or entry.damage or not entry.payload_bytes:
                continue
            if entry.original is None:
                self._whole.setdefault((entry.url, entry.digest), entry)
            if entry.etag and entry.http_status in OF_A_PAGE:
                self._tagged.setdefault((entry.url, _weak(entry.etag)), []).append((_moment(entry.date), entry.digest))

    def of_payload(self, capture: Capture) -> IndexEntry | None:
        """The record of the same address that has the same payload; None where there is none."""
        if not capture.payload or not capture.url or not is_http(capture) or capture.damage:
            return None
        return self._whole.get((capture.url, f"sha256:{capture.payload_sha256}"))

    def of_revisit(self, revisit: Revisit) -> IndexEntry | None:
        """The record that has the payload of a revisit out of another archive; None where there is none."""
        return self._whole.get((revisit.capture.url or "", f"sha256:{revisit.payload_sha256}"))

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
    return date.rstrip("Z")


def _weak(etag: str) -> str:
    """An ETag as If-None-Match compares it: weak and strong ones are equal (RFC 9110, 8.8.3.2)."""
    return etag.removeprefix("W/")
