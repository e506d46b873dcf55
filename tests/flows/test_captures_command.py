"""`paperlake captures` on a lake in which nothing is decided; what it publishes: tests/laws/test_standing.py."""

from __future__ import annotations

import json

import pytest

from paperlake.cli.release_texts import DecidedCapture, decided_text
from tests.flows.test_answers import said
from warehouse.errors import NothingThere
from warehouse.release.manifest import Decision


def test_where_nothing_is_decided_it_says_so_and_no_unknown_page_is_decided_about(published: str) -> None:
    assert said(published, "captures") == "nothing is decided about any page\n"
    assert json.loads(said(published, "captures", "--format", "json")) == []
    for words in (["confirm", "f" * 20, "--because", "seen"], ["withdraw", "f" * 20]):
        with pytest.raises(NothingThere, match=f"page {'f' * 20}"):
            said(published, "captures", *words)


def test_a_decision_is_a_line_with_its_page() -> None:
    one = Decision("a" * 20, "set_aside", "papers have another title", "2026-10-03T08:00:00Z", "papers.titles_kept")
    text = decided_text([DecidedCapture(one, "https://hub.example/\x1b[2J", None)])
    assert text.splitlines()[0].split() == ["page", "standing", "since", "rule", "why", "fetched", "address"]
    assert "set_aside  2026-10-03T08:00:00Z  papers.titles_kept  papers have another title" in text
    assert "\x1b" not in text
