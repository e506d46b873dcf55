"""docs/attach.md, run as it stands on a release of the sample, by the clients that it names."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from paperlake.find.finder import Finder
from tests.old_client import OldClient
from tests.processes import finished
from tests.ranges import Served, served
from tests.seaweed import READER, Seaweed
from warehouse.release.latest import latest
from warehouse.release.query import opened
from warehouse.store.opening import open_store

DOCS = (Path(__file__).parents[2] / "docs" / "attach.md").read_text("utf-8")
SITE = "https://lake.example"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", DOCS, re.DOTALL | re.MULTILINE)


def statements(sql: str) -> list[str]:
    return [statement for statement in sql.split(";\n") if statement]


@pytest.fixture
def lake(published: str) -> Path:
    return Path(published)


@pytest.fixture
def site(lake: Path) -> Iterator[Served]:
    with served(lake) as server:
        yield server


@pytest.mark.slow  # the older client is installed
@pytest.mark.parametrize("sql", [sql for sql in blocks("sql") if SITE in sql])
def test_the_sql_of_the_page_works_over_http(site: Served, old_client: OldClient, sql: str) -> None:
    assert old_client.ask(*statements(sql.replace(SITE, site.url).replace("/2026.parquet", "/all.parquet"))).rows
    assert {asked.path.rpartition(".")[2] for asked in site.asked} <= {"duckdb", "parquet"}


@pytest.mark.slow
@pytest.mark.parametrize("version", ["oldest_client", "old_client"])
def test_search_over_http_gives_what_the_command_gives(
    lake: Path, site: Served, version: str, request: pytest.FixtureRequest
) -> None:
    client: OldClient = request.getfixturevalue(version)
    named = latest(open_store(str(lake)))
    attach = f"ATTACH '{site.url}/releases/{named.version}/paperlake.duckdb' AS lake (READ_ONLY)"
    with opened(lake / "releases" / named.version / "paperlake.duckdb") as database:
        finder = Finder(database)
        for asked in ("frugal gardens that weave", "tidal kettels"):
            ask = f"SELECT paper_id, score FROM search_papers('{asked}') ORDER BY rank"
            found = client.ask(attach, "USE lake", ask)
            assert [tuple(row) for row in found.rows] == [
                (hit.paper_id, hit.score) for hit in finder.search(asked, 100).hits
            ]
        [(first,)] = database.rows("SELECT min(paper_id) FROM core.search_vectors").rows
        alike = client.ask(attach, "USE lake", f"SELECT paper_id FROM similar_to('{first}') ORDER BY rank").rows
        assert [paper_id for (paper_id,) in alike] == [hit.paper_id for hit in finder.similar([first], 20)]
    assert {asked.path.rpartition("/")[2] for asked in site.asked} == {"paperlake.duckdb"}


@pytest.mark.slow
@pytest.mark.parametrize("sql", [sql for sql in blocks("sql") if SITE not in sql])
def test_the_sql_of_the_page_works_in_a_bucket(lake: Path, seaweed: Seaweed, old_client: OldClient, sql: str) -> None:
    url = seaweed.lake()
    near, far = open_store(str(lake)), seaweed.open(url)
    named = latest(near)
    for key in near.list(f"releases/{named.version}"):
        far.put(key, near.read(key))
    assert READER["access_key_id"] in sql
    server = str(seaweed.options.endpoint_url).removeprefix("http://")
    here = sql.replace("s3.example", server).replace("USE_SSL true", "USE_SSL false").replace("s3://lakes/lake", url)
    assert old_client.ask(*statements(here)).rows[0][0] > 0


def test_the_python_of_the_page_works(site: Served) -> None:
    script = "\n".join(blocks("python")).replace(SITE, site.url)
    done = finished(sys.executable, "-c", script)
    # The threads of the library that reads Parquet over HTTP may abort when a busy machine ends the process under them
    assert done.returncode == 0 or done.stderr == "terminate called without an active exception\n", done.stderr
    assert {asked.path.rpartition("/")[2] for asked in site.asked} == {
        "latest.json",
        "papers_by_month.parquet",
        "manifest.json",
        "all.parquet",
    }
