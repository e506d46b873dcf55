"""The explorer on all real captures: what it costs, and that it shows what the commands answer.

PAPERLAKE_DRILL_EACH says of how many lists, papers and drawn queries one is asked; with 1 it is all of the 30, 200 and
400. Of the queries that are written down it is each sixteenth here, and all of them of the sample, in test_explore.py.
"""

import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from flows.documents.site_files import ASSETS, WHOLE_BYTES
from flows.runtime.lake import open_database, open_lake
from paperlake.explore import ReleaseServer
from tests.browser import Page, browsing
from tests.chromium import CHROMIUM
from tests.flows.counted_explored import SKIMMED
from tests.flows.test_explore import SHOWN, same_papers
from tests.real.ends import ends_of
from tests.real.explore_queries import WRITTEN, queries
from tests.serving import serving
from warehouse.release.latest import manifest_of, require_latest
from warehouse.release.query import Database, opened
from warehouse.tex import untexed

pytestmark = pytest.mark.skipif(
    CHROMIUM is None or not ASSETS.exists(), reason="no Chromium, or no assets: make assets"
)
# Bytes. What the first page no longer reads of the lists, a paper reads of its own cohort
FIRST_CODE, FIRST_DATA, PAPER = 60_000, 520_000, 330_000
SEED = 13
EACH = int(os.environ.get("PAPERLAKE_DRILL_EACH", "17"))  # prime to the number of forms in which each name is asked


class CountingServer(ReleaseServer):
    """Bytes of bodies by path, as they are asked for."""

    counts: Counter[str]

    def sent(self, kind: bool) -> int:
        """Bytes of code; else of data, which the ends of files are."""
        return sum(
            n for path, n in self.counts.items() if (path.startswith("/explore/") and path[-3:] != ".gz") is kind
        )


@pytest.fixture(scope="module")
def database(growing: Path) -> Iterator[Database]:
    with opened(open_database(str(growing))) as found:
        yield found


@pytest.fixture(scope="module")
def explorer(growing: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Page, CountingServer]]:
    store = open_lake(str(growing))
    server = CountingServer(store, manifest_of(store, require_latest(store)), 0)
    server.counts = Counter()
    handler: Any = server.RequestHandlerClass
    begin = handler.begin

    def counted(self: Any, status: Any, content_type: str, size: int | None, more: dict[str, str]) -> None:
        server.counts[self.path] += size or 0
        begin(self, status, content_type, size, more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(handler, "begin", counted)
        with serving(server), browsing(tmp_path_factory.mktemp("profile")) as page:
            yield page, server


def papers(database: Database, count: int) -> list[str]:
    ids = [row[0] for row in database.rows("SELECT paper_id FROM papers ORDER BY 1").rows]
    return random.Random(SEED).sample(ids, count)


def test_what_the_first_pages_cost(explorer: tuple[Page, CountingServer], database: Database) -> None:
    page, server = explorer
    page.open(f"{server.address}#/")
    page.until(SKIMMED)
    code, data = server.sent(True), server.sent(False)
    assert code <= FIRST_CODE
    assert data <= FIRST_DATA
    costs = []
    for paper_id in papers(database, 5):
        server.counts.clear()
        page.value("location.reload()")
        page.open(f"{server.address}#/")
        page.until(SKIMMED)
        before = server.sent(False)
        page.value(f"location.hash = '#/paper/' + encodeURIComponent({json.dumps(paper_id)})")
        page.until(
            f"document.querySelector('main').dataset.shown?.includes(encodeURIComponent({json.dumps(paper_id)}))"
        )
        costs.append(server.sent(False) - before)
    assert max(costs) <= PAPER, costs


def test_the_ends_of_files_are_what_their_readers_need(growing: Path) -> None:
    release = growing / "releases" / require_latest(open_lake(str(growing))).version
    ends = ends_of(release)
    assert "data/search_words.parquet" in ends
    assert min((release / key).stat().st_size for key in ends) > WHOLE_BYTES


def test_lists_and_papers_are_those_of_the_database(explorer: tuple[Page, CountingServer], database: Database) -> None:
    page, server = explorer
    days = [str(row[0]) for row in database.rows("SELECT DISTINCT listed_on FROM daily_listings ORDER BY 1").rows]
    question = (
        "SELECT paper_id, title, coalesce(upvote_count, -1) FROM daily_listings JOIN papers USING (paper_id) "
        "WHERE listed_on = '{}' ORDER BY rank NULLS LAST, paper_id"
    )
    for day in random.Random(SEED).sample(days, 30)[::EACH]:
        page.open(f"{server.address}#/list/{day}")
        listed = database.rows(question.format(day)).rows
        assert page.value(SHOWN) == [[paper_id, untexed(title), count] for paper_id, title, count in listed]
    chosen = papers(database, 200)[::EACH]
    asked = {row[0]: list(row) for row in database.rows(FACTS, [chosen]).rows}
    for paper_id in chosen:
        found = page.asks("tables.js", FOUND.replace("PAPER", json.dumps(paper_id)))
        assert found == asked[paper_id]


def test_boards_are_those_of_the_macro(explorer: tuple[Page, CountingServer], database: Database) -> None:
    page, server = explorer
    page.open(f"{server.address}#/boards")
    listed = page.texts(".claims a")
    query = "SELECT benchmark FROM benchmarks WHERE paper_count > 0 ORDER BY paper_count DESC, benchmark"
    assert listed == [row[0] for row in database.rows(query).rows]
    for benchmark in listed[: BOARDS_SHOWN : min(EACH, 4)]:
        page.open(f"{server.address}#/board/{quote(benchmark, safe='')}")
        assert sorted(page.value(BOARDS_DRAWN)) == sorted(map(list, database.rows(BOARD, [benchmark]).rows))


def test_search_is_that_of_the_macro(explorer: tuple[Page, CountingServer], database: Database) -> None:
    page, server = explorer
    page.open(f"{server.address}#/search/")
    asked = list(dict.fromkeys(queries(database)))
    assert len(asked) > 400
    asked = [*asked[: WRITTEN : min(EACH, 16)], *asked[WRITTEN::EACH]]
    named = sum(same_papers(page, database, query)["name"] is not None for query in asked)
    assert named > 100 // EACH


FACTS = """
SELECT paper_id, title, published_on::VARCHAR, upvote_count, comment_count, github_star_count, abstract,
    (SELECT list(name ORDER BY position) FROM paper_authors AS authors WHERE authors.paper_id = papers.paper_id),
    (SELECT count(*) FROM paper_keywords AS keywords WHERE keywords.paper_id = papers.paper_id),
    (SELECT count(*) FROM paper_observations AS looks WHERE looks.paper_id = papers.paper_id),
    (SELECT count(*) FROM paper_claims AS claims WHERE claims.paper_id = papers.paper_id)
FROM papers WHERE paper_id IN (SELECT unnest($1))
"""
BOARDS_SHOWN = 40
BOARD = """
SELECT
    concat(split || ', ', metric, ' (', scale, '; ', polarity, ' is better)') AS heading,
    list(paper_id ORDER BY place)[:20] AS papers
FROM (SELECT *, row_number() OVER () AS place FROM board_as_of($1, NULL))
WHERE apart_because IS NULL
GROUP BY split, metric, scale, polarity
"""
BOARDS_DRAWN = """[...document.querySelectorAll('section.trend')].map((one) => {
    const items = [...one.querySelectorAll('.papers li')]
    const id = (item) => decodeURIComponent(item.querySelector('a').hash.slice('#/paper/'.length))
    return [one.querySelector('h2').textContent, items.map(id)]
})"""
FOUND = """{
    const here = { paper_id: { $eq: PAPER } }
    const of = (table, ...columns) => m.rows(table, ['paper_id', ...columns], here)
    const [[one], [text], authors, keywords, looks, claims] = await Promise.all([
        of('papers', 'title', 'published_on', 'upvote_count', 'comment_count', 'github_star_count'),
        of('paper_texts', 'abstract'), of('paper_authors', 'position', 'name'), of('paper_keywords'),
        of('paper_observations'), of('paper_claims')])
    const names = authors.sort((first, second) => first.position - second.position).map((row) => row.name)
    return [one.paper_id, one.title, one.published_on?.toISOString().slice(0, 10) ?? null, one.upvote_count ?? null,
        one.comment_count ?? null, one.github_star_count ?? null, text?.abstract ?? null, names.length ? names : null,
        keywords.length, looks.length, claims.length]
}"""
