"""Masking a person in a capture, which keeps its id and gets a note of the erasure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from warehouse.archive.captured import Capture
from warehouse.erasing.ledger import Ledger
from warehouse.erasing.pages import masked_page
from warehouse.erasing.person import Person

Note = Callable[[str], str]  # a capture's id → the note on the erasure in its record


def masked_capture(person: Person, capture: Capture, note: Note) -> Capture:
    """The capture with the person masked, under the same id; the capture itself where nothing in it is theirs."""
    masked = replace(
        capture,
        payload=masked_page(person, capture.payload),
        url=_masked(person, capture.url),
        final_url=_masked(person, capture.final_url),
        headers=tuple((name, person.of_value(value)) for name, value in capture.headers),
        failure=_masked(person, capture.failure),
    )
    return capture if masked == capture else replace(masked, erased=capture.erased or note(capture.capture_id))


def without_erased(ledger: Ledger, capture: Capture) -> Capture:
    """A capture that is to be landed, with everybody in the ledger masked."""
    texts = (capture.url, capture.final_url, capture.failure, *(value for _, value in capture.headers))
    text = "\n".join([capture.payload.decode("utf-8", "surrogateescape"), *(one for one in texts if one)])
    for entry, person in ledger.people_in(text):
        capture = masked_capture(person, capture, entry.note)
    return capture


def _masked(person: Person, text: str | None) -> str | None:
    return None if text is None else person.of_value(text)
