"""What an older client moves over HTTP to ask a release of all real captures, counted by the server."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from paperlake.find.finder import Finder
from tests.old_client import OldClient
from tests.questions import ATTACH, DATABASE, PARQUET, REQUESTS, Question
from tests.ranges import Served, served
from tests.real.folder import CAPTURES
from warehouse.release.latest import latest
from warehouse.release.query import opened
from warehouse.store.opening import open_store

SEARCHED = "less kv cache memory for long context"
SEARCH_KIB = 12 * 1024  # 7,500 to 10,300 seen: threads of a client may ask for one block twice


@pytest.fixture(scope="module")
def release(growing: Path) -> Iterator[Served]:
    named = latest(open_store(str(growing)))
    with served(growing / "releases" / named.version) as server:
        yield server


@pytest.mark.parametrize("question", PARQUET, ids=lambda question: question.name)
def test_parquet(release: Served, old_client: OldClient, question: Question) -> None:
    release.asked.clear()
    assert old_client.ask(question.sql.replace("@", release.url)).rows
    assert release.sent <= question.kib << 10
    assert len(release.asked) <= REQUESTS


@pytest.mark.parametrize("question", DATABASE, ids=lambda question: question.name)
def test_the_database(release: Served, old_client: OldClient, question: Question) -> None:
    release.asked.clear()
    assert old_client.ask(ATTACH.replace("@", release.url), question.sql).rows
    assert release.sent <= question.kib << 10


@pytest.mark.parametrize("version", ["oldest_client", "old_client"])
def test_a_search_moves_little_but_the_index(release: Served, version: str, request: pytest.FixtureRequest) -> None:
    client: OldClient = request.getfixturevalue(version)
    with opened(release.folder / "paperlake.duckdb") as database:
        expected = [hit.paper_id for hit in Finder(database).search(SEARCHED, 100).hits]
    release.asked.clear()
    asked = f"SELECT paper_id FROM search_papers('{SEARCHED}') ORDER BY rank"
    found = client.ask(ATTACH.replace("@", release.url), "USE lake", asked).rows
    assert [paper_id for (paper_id,) in found] == expected
    assert release.sent <= SEARCH_KIB << 10


def test_what_the_pages_said_is_a_fifth_of_the_raw_json(release: Served) -> None:
    """As Parquet; what rules made of it, acronyms, systems, claims, citations and normal names, and the index of search
    come on top, a fiftieth for the pages that a browser finds one paper by (`page_rows`), and a bit for months of
    sightings and quarters of other tables, so that a day writes no whole year of them (`NEWEST_PAPERS`).
    """
    raw = sum(path.stat().st_size for path in CAPTURES.rglob("*.json"))
    files = [*release.folder.glob("data/*.parquet"), *release.folder.glob("data/*/*.parquet")]
    core: Counter[str] = Counter()
    for path in files:
        core[path.relative_to(release.folder / "data").parts[0].removesuffix(".parquet")] += path.stat().st_size
    read = sum(core.pop(name) for name in ("paper_systems", "paper_claims", "version_claims"))
    index = sum(
        core.pop(name) for name in [*core] if name.startswith(("search_", "identity_")) or name == "similar_papers"
    )
    normal = duckdb.execute(
        """SELECT sum(total_compressed_size)::BIGINT FROM parquet_metadata($files)
        WHERE path_in_schema IN ('normal_keyword', 'group_name')""",
        {"files": [str(path) for path in files if {"paper_keywords", "organizations.parquet"} & {*path.parts}]},
    ).fetchall()[0][0]
    citations, acronyms = core.pop("paper_citations"), core.pop("paper_acronyms")
    assert sum(core.values()) - normal < raw / 5 + raw / 50 + raw / 150
    assert read + normal < raw / 40  # a claim has its parts, each with its place
    assert citations < raw / 40
    assert acronyms < raw / 250
    assert index < raw / 7
