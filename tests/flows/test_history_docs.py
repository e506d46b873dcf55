"""The SQL of docs/history.md and docs/release.md, run on a release of the sample: each block gives rows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from flows.lake import open_database
from tests.conftest import SAMPLE
from tests.flows import steps
from warehouse.precedence import CRITERIA
from warehouse.query import opened

DOCS, RELEASE = (
    (Path(__file__).parents[2] / "docs" / name).read_text("utf-8") for name in ("history.md", "release.md")
)
BLOCKS = re.findall(r"^```sql\n(.*?)^```", DOCS + RELEASE, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    lake = str(tmp_path_factory.mktemp("docs") / "lake")
    steps.run(lake, [SAMPLE])
    with opened(open_database(lake)) as database:
        yield lambda sql: list(database.rows(sql).rows)


@pytest.mark.parametrize("sql", BLOCKS)
def test_every_block_gives_rows(ask, sql: str) -> None:
    assert ask(sql)


def test_the_page_names_every_criterion() -> None:
    assert re.findall(r"^\| `(\w+)` \|", DOCS.partition("## Which word counts")[2], re.MULTILINE) == list(CRITERIA)


def test_what_the_sample_tells(ask) -> None:
    """A list that grew, a title that was revised, a title that is told twice."""
    noon, later = (
        ask(f"SELECT paper_id, upvote_count FROM listing_as_of('2026-10-01', '{moment}') ORDER BY rank")
        for moment in ("2026-10-01 12:00", "2026-10-03")
    )
    assert (len(noon), len(later)) == (6, 7)
    assert {paper: count + 9 for paper, count in noon}.items() <= dict(later).items()
    titles = ask("SELECT version_number, text FROM text_versions WHERE has_changed AND field = 'title' ORDER BY 1")
    assert [(number, text.endswith(", Revised")) for number, text in titles] == [(1, False), (2, True)]
    told = ask("SELECT is_winner, right(value, 8), sighting_count FROM conflicts WHERE field = 'title' ORDER BY value")
    assert told == [(False, "$\\ell_2$", 2), (True, "in ell_2", 2)]
