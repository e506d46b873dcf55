"""Which reader reads a page, and what came of the pages that none reads."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.collected import DAILY, page
from tests.invented import HUB
from transforms.readers import READERS, read
from transforms.readers.reading import Outcome
from warehouse.archive.captured import Capture
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.precedence import SOURCES

PAPER = {"id": "2503.01234", "title": "Woven Ledgers"}
ELSEWHERE = "https://elsewhere.example/kept"
ROBOTS = f"{HUB}/robots.txt"


def test_readers_differ_in_their_names_and_have_sources_whose_rank_is_known() -> None:
    assert len({reader.name for reader in READERS}) == len(READERS)
    assert {reader.source for reader in READERS} == set(SOURCES)
    assert all(len(reader.name) <= (CAPTURES.column("reader").max_length or 0) for reader in READERS)


@pytest.mark.parametrize(
    ("capture", "reader"),
    [
        (page([{"paper": PAPER}]), "api_list"),
        (page([{"paper": PAPER}], None), "api_list"),
        (page({"error": "no"}), "api_list"),
        (page(PAPER, ELSEWHERE), "api_paper"),
        (page([PAPER], f"{HUB}/api/papers/2503.01234"), "api_paper"),
    ],
)
def test_a_reading_names_its_reader(capture: Capture, reader: str) -> None:
    reading = read(capture)
    assert (reading.outcome, reading.reader, reading.source, reading.reason) == ("read", reader, "api", None)


@pytest.mark.parametrize(
    ("capture", "outcome", "reason"),
    [
        (replace(page(b""), failure="no answer"), "failed", "no answer"),
        (replace(page(b""), failure="HTTP status 503", http_status=503), "failed", "HTTP status 503"),
        (page(b"[]", http_status=404), "http_error", "HTTP status 404"),
        (page(b"[]", damage="digest differs"), "unreadable", "digest differs"),
        (page(b" \n"), "unreadable", "the page has no content"),
        (page(b"busy", DAILY), "unreadable", "the answer is not JSON"),
        (page(b"User-agent: *", ROBOTS), "no_papers", "robots.txt: what the Hub lets programs ask for, no papers"),
        (page(b"{1", ELSEWHERE), "unknown_layout", "JSON that is malformed, at an address that tells nothing"),
        (page(b"{}", ELSEWHERE), "unknown_layout", "JSON of another shape"),
        (page({"on": 1, "rows": []}, ELSEWHERE), "unknown_layout", "JSON of another shape, with the keys on, rows"),
        (page(b"<p>", ELSEWHERE), "unknown_layout", "HTML without the data of a list or a paper"),
        (page(b"hello", ELSEWHERE), "unknown_layout", "text that is no list and no paper"),
    ],
)
def test_a_page_that_no_reader_read_says_why(capture: Capture, outcome: Outcome, reason: str) -> None:
    reading = read(capture)
    before = "no reader knows this page: " if outcome == "unknown_layout" else ""
    assert (reading.outcome, reading.reason) == (outcome, before + reason)
    assert (reading.reader, reading.source, reading.sightings) == (None, None, [])
