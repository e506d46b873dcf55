"""Which reader reads a page, and what came of the pages that none reads."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.collected import DAILY, capture_of, collected, of_page, outcome, page, rejects
from tests.invented import HUB
from transforms.collect.read_page import READERS
from warehouse.archive.captured import Capture
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.provenance import SOURCES

API = (DAILY, f"{HUB}/api/daily_papers", f"{HUB}/api/papers/search?q=x", f"{HUB}/api/papers/2503.01234")
BLANK = (b"", b"\n \t\r\n", b"\xef\xbb\xbf", b" " * 5_000)
NO_JSON = (b"<title>502 Bad Gateway</title>", b"\0" * 99_999, b"\x89PNG\r\n", b"null", b"busy", "[]".encode("utf-16"))
NO_TEXT = (b"hello", b"\0" * 99_999, b"\x1f\x8b\x08\0\0", bytes(range(256)) * 10)
HTML = (b"<p>", b"\xef\xbb\xbf<!doctype html><p>", b"\n\n  <!doctype html><p>")
UNKNOWN = "no reader knows this page: "
ROBOTS = f"{HUB}/robots.txt"


def kept(payload: bytes) -> Capture:
    """A page of an address that tells nothing."""
    return page(payload, "https://elsewhere.example/kept")


def test_readers_differ_in_their_names_and_have_sources_whose_rank_is_known() -> None:
    assert len({reader.name for reader in READERS}) == len(READERS)
    assert {reader.source for reader in READERS} == set(SOURCES)
    assert all(len(reader.name) <= (CAPTURES.column("reader").max_length or 0) for reader in READERS)


@pytest.mark.parametrize(
    ("captures", "state", "rule", "reason"),
    [
        ([replace(page(b""), failure="no answer")], "failed", None, "no answer"),
        ([replace(page(b""), failure="HTTP status 503", http_status=503)], "failed", None, "HTTP status 503"),
        ([page([], http_status=206)], "error", None, "HTTP status 206"),
        ([page([], http_status=404)], "error", None, "HTTP status 404"),
        ([page(b"[]", damage="digest says\n\x1b[31m no")], "rejected", "digest", "digest says\ufffd\ufffd[31m no"),
        ([page(blank, url) for url in (DAILY, None) for blank in BLANK], "rejected", "empty_page", "the page has no content"),
        ([page(busy, url) for url in API for busy in NO_JSON], "rejected", "malformed_json", "the answer is not JSON"),
        ([page(b"User-agent: *", ROBOTS)], "unknown", None, "robots.txt: what the Hub lets programs ask for, no papers"),
        ([kept(b"{1")], "unknown", None, f"{UNKNOWN}JSON that is malformed, at an address that tells nothing"),
        ([kept(b"{}")], "unknown", None, f"{UNKNOWN}JSON of another shape"),
        ([kept(b'{"on": 1, "rows": []}')], "unknown", None, f"{UNKNOWN}JSON of another shape, with the keys on, rows"),
        (list(map(kept, HTML)), "unknown", None, f"{UNKNOWN}HTML without the data of a list or a paper"),
        (list(map(kept, NO_TEXT)), "unknown", None, f"{UNKNOWN}text that is no list and no paper"),
    ],
)  # fmt: skip
def test_a_page_that_no_reader_read_says_why(
    captures: list[Capture], state: str, rule: str | None, reason: str
) -> None:
    together = collected(*captures)
    for capture in captures:
        result = of_page(together, capture)
        assert outcome(result) == (None, state, 0, 1 if rule else 0, 0)
        assert rejects(result) == ([(0, rule, "")] if rule else [])
        assert capture_of(result)["reason"] == reason
