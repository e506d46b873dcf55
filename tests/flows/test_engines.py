"""Exported tables, read by Polars, pyiceberg and DuckDB as docs/engines.md shows."""

import re
import warnings
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest
from click.testing import CliRunner

from flows.runtime.lake import open_lake
from paperlake.cli.app import app
from tests.exported import loaded
from tests.old_client import OldClient
from warehouse.release import moves
from warehouse.release.latest import release_key

pytestmark = pytest.mark.slow  # every table of three releases is exported twice


def blocks(language: str) -> list[str]:
    page = Path(__file__).parents[2] / "docs" / "engines.md"
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def all_tables(three_bare: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every table of three releases, exported both ways by the commands."""
    place = tmp_path_factory.mktemp("engines")
    for kind, folder in (("iceberg", "warehouse"), ("delta", "delta")):
        words = ["export", kind, str(place / folder), "--history", "--quiet", "--lake", str(three_bare)]
        done = CliRunner().invoke(app, words, catch_exceptions=False)
        assert "release 2026.11.21.3 is in" in done.stdout
    return place


def test_duckdb_reads_all_tables_and_one_before(three_bare: Path, all_tables: Path, old_client: OldClient) -> None:
    lake, folder = open_lake(str(three_bare)), all_tables / "warehouse" / "paperlake"
    asked, expected = [], {}
    for version in ("2026.11.21.2", "2026.11.21.3"):
        manifest = moves.published(lake, version)
        for part in (*manifest.tables, *manifest.marts):
            if not part.files:
                continue
            snapshot = loaded(all_tables / "warehouse", part.name).refs()[version].snapshot_id
            files = [str(lake.local_path(release_key(version, file.key))) for file in part.files]
            sources = [f"iceberg_scan('{folder / part.name}', snapshot_from_id = {snapshot})", f"read_parquet({files})"]
            if version == "2026.11.21.3":
                sources += [
                    f"iceberg_scan('{folder / part.name}')",
                    f"delta_scan('{all_tables / 'delta' / part.name}')",
                ]
            expected[f"{version} {part.name}"] = len(sources)
            asked += [
                f"SELECT '{version} {part.name}', count(*), sum(hash(t)) FROM {source} AS t" for source in sources
            ]
    told = old_client.ask(" UNION ALL ".join(asked)).rows
    found = {name: [row[1:] for row in told if row[0] == name] for name in expected}
    for name, count in expected.items():
        assert len(found[name]) == count
        assert all(row == found[name][0] for row in found[name]), (name, found[name])


@pytest.mark.parametrize("code", blocks("python"))
def test_the_python_of_the_page_works(all_tables: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.chdir(all_tables)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as in `read`
        exec(compile(code, "docs/engines.md", "exec"), names := {})
    if catalog := names.get("catalog"):
        catalog.close()
    for name in ("most", "then", "papers", "first", "rows"):
        found = names.get(name, [])
        assert not isinstance(found, pl.DataFrame | pa.Table) or len(found) > 0
    assert names.get("releases", [])[-1:] in ([], ["2026.11.21.3"])


@pytest.mark.parametrize("sql", blocks("sql"))
def test_the_sql_of_the_page_works(
    all_tables: Path, old_client: OldClient, monkeypatch: pytest.MonkeyPatch, sql: str
) -> None:
    monkeypatch.chdir(all_tables)
    assert old_client.ask(sql).rows
