"""Facets: what the papers that match have in common, each with a field that finds as many."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from paperlake.find.finder import Finder
from paperlake.find.reasons import facets, facets_text
from tests.unit.test_search_papers import opened_lake
from warehouse.errors import UsageError
from warehouse.release.query import Database

__all__ = ["opened_lake"]


def test_each_facet_narrows_to_as_many_papers(opened_lake: Database) -> None:
    finder = Finder(opened_lake)
    rows = list(facets(opened_lake, "sort:date agents").rows)
    assert [row[:3] for row in rows] == [
        ("year", "2025", 3),
        ("keyword", "caches", 1),
        ("keyword", "reeds", 1),
    ]
    for _, _, count, narrow in rows:
        assert finder.search(f"sort:date agents {narrow}", 10).paper_count == count
    assert [row[:3] for row in facets(opened_lake, "looms").rows] == [
        ("year", "2025", 1), ("keyword", "caches", 1), ("keyword", "looms", 1), ("has", "code", 1)
    ]  # fmt: skip


def test_they_are_a_table_with_a_narrower_query(opened_lake: Database) -> None:
    text = facets_text("it's looms", facets(opened_lake, "it's looms"))
    assert text.splitlines()[1].split() == ["year", "2025", "1", "year:2025"]
    assert text.endswith("for example: paperlake search 'it'\"'\"'s looms year:2025'\n")
    assert facets_text("zzzz", facets(opened_lake, "zzzz")) == "no paper matches\n"
    with pytest.raises(UsageError, match="sort:luck is not known"):
        facets(opened_lake, "sort:luck")


def test_they_go_with_a_query_alone() -> None:
    program = [str(Path(sys.executable).with_name("paperlake")), "search", "looms", "--facets", "--explain"]
    done = subprocess.run(program, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr[:10]) == (2, "error: --f")
