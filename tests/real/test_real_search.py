"""Search on the real captures, with queries of known answers; both lie beside the repository."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from bench import search
from flows.runtime.lake import open_database
from paperlake.find.finder import Finder
from warehouse.release.query import opened

# .02 to .05 under what was measured (bench/RESULTS.md): a change of the rules that costs more must say so
MOST = 20  # queries of a kind; `python -m bench.search LAKE` asks all, and with `--sql` the macros too
SQL_ASKS = 7  # one query in so many is asked of the macros too, 3 of each kind
BARS = {
    "summary": 0.975,
    "summary-few": 0.6,
    "keywords": 0.81,
    "title-typo": 0.92,
    "title-drop": 0.92,
    "title-hyphen": 0.97,
    "title-british": 0.92,
    "natural": 0.63,
    "similar-lists": 0.41,
    "similar-keywords": 0.235,
}


def chosen(name: str) -> list[search.Query]:
    """Queries of a kind, from first to last."""
    every = search.queries()[name]
    return [every[place * len(every) // MOST] for place in range(MOST)] if len(every) > MOST else every


@pytest.fixture(scope="module")
def finder(growing: Path) -> Iterator[Finder]:
    if not search.SHARED.is_dir():
        pytest.skip("the queries are not beside the repository")
    with opened(open_database(str(growing))) as database:
        found = Finder(database)
        found.search = cache(found.search)  # how good the answers are and what SQL finds is asked of the same queries
        yield found


@pytest.mark.parametrize("name", BARS)
def test_quality(finder: Finder, name: str) -> None:
    means, _ = search.measured(finder, name, chosen(name))
    assert next(iter(means.values())) >= BARS[name]


def test_sql_finds_the_same(finder: Finder) -> None:
    asked = [query for name in BARS for query in chosen(name)[::SQL_ASKS] if "text" in query]
    assert len(asked) > 20
    assert search.differing(finder, asked) == []


def test_similar_in_sql(finder: Finder) -> None:
    ids = [paper_id for (paper_id,) in finder.database.rows("SELECT paper_id FROM core.papers ORDER BY paper_id").rows]
    for paper_id in ids[::200]:
        rows = list(finder.database.rows("SELECT paper_id FROM similar_to(?) ORDER BY rank", [paper_id]).rows)
        assert [other for (other,) in rows] == [hit.paper_id for hit in finder.similar([paper_id], 20)]
