"""A withdrawn paper says so where people look: on its page, among hits, in citations; in SQL too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from paperlake.answers.citations import citations
from paperlake.answers.one_paper import one_paper
from paperlake.find.finder import Finder
from paperlake.find.reasons import found_rows, found_text
from paperlake.texts.one_paper_text import one_paper_text
from tests.collected import collected
from tests.unit.test_adoption import LOOMS, TIDES, own
from tests.unit.test_paper_status import CLAIM, PAGES, SHOWN, START
from tests.unit.test_time_marts import made
from warehouse.release.query import Database, opened

# Withdrawn, for the last look at it is the second; the other one is suspected
UNTIL_WITHDRAWN = [one for one in PAGES if one.fetched_at and one.fetched_at.date() < START.date().replace(day=30)]
WORDS = f"withdrawn at arXiv on 2026-01-12; its author names {TIDES} in its place"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder: Path = tmp_path_factory.mktemp("shown")
    more = own("2512.05555", START, [], 0)
    with made(folder, collected(*SHOWN, more, *UNTIL_WITHDRAWN)):
        pass
    with opened(folder / "lake.duckdb") as database:
        yield database


def test_the_page_of_a_paper(database: Database) -> None:
    text = " ".join(one_paper_text(one_paper(database, LOOMS)).split())
    assert f"arXiv {WORDS}; its comments: {CLAIM}" in text
    assert "2 versions, the last of 2026-01-12" in text
    assert "licence http://creativecommons.org/licenses/by/4.0/" in text
    assert "perhaps withdrawn at arXiv" in one_paper_text(one_paper(database, TIDES))
    assert "arXiv  " not in one_paper_text(one_paper(database, "2512.05555"))


def test_hits_of_a_search(database: Database) -> None:
    found = Finder(database).search("woven looms", 10)
    rows = {row["paper_id"]: row for row in found_rows(database, found)}
    assert rows[LOOMS]["status"] == WORDS
    assert "status" not in rows["2512.05555"]
    text = found_text(list(rows.values()), found, None)
    assert text.count("withdrawn at arXiv") == 2


def test_citations(database: Database) -> None:
    both = [LOOMS, "2512.05555"]
    gone, sound = citations(database, both, "bibtex").strip().split("\n\n")
    assert gone.endswith(",\n  note = {Withdrawn at arXiv, as seen on 2026-01-27}\n}")
    assert "note" not in sound
    first, second = json.loads(citations(database, both, "csl-json"))
    assert (first["note"], second.get("note")) == (f"W{WORDS[1:]}.", None)
    assert f"N1  - W{WORDS[1:]}.\n" in citations(database, both, "ris")


def test_a_release_of_before_says_nothing(tmp_path: Path) -> None:
    with made(tmp_path, collected(*SHOWN, *UNTIL_WITHDRAWN)):
        pass
    import duckdb

    with duckdb.connect(str(tmp_path / "lake.duckdb")) as connection:
        connection.execute("DROP VIEW IF EXISTS main.paper_status; DROP TABLE mart.paper_status CASCADE")
    with opened(tmp_path / "lake.duckdb") as older:
        assert one_paper(older, LOOMS)["arxiv"] == []
        assert "note" not in citations(older, [LOOMS], "csl-json")
