"""The documents of a real release, read by the tools they are made for; what its database says about itself."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import pytest
import yaml
from msgspec import structs

from expectations.report import Report
from flows.documents.notes import Notes
from flows.runtime.lake import open_lake
from flows.steps.release_documents import DOCUMENTS, Material, documents, listed
from tests.flows import steps
from tests.processes import finished
from tests.release_page import Elements
from warehouse.archive.archive import Archive
from warehouse.changes.explain import SinceParent
from warehouse.release.about import lineage
from warehouse.release.draft import CLAIM, ClaimedBy, current_draft
from warehouse.release.latest import DATABASE, latest_manifest, manifest_of
from warehouse.release.manifest import Manifest, decode
from warehouse.release.query import LIMITS, Database
from warehouse.release.snapshot import Snapshot, open_snapshot
from warehouse.schema.catalog import ABOUT_TABLES, ALL_TABLES, CHANGES, MACROS

MONDAY, TUESDAY = steps.TODAY.replace(month=10, day=5), steps.TODAY.replace(month=10, day=6)


@pytest.fixture(scope="module")
def lake(published_twice: str) -> str:
    return published_twice


@pytest.fixture(scope="module")
def manifest(lake: str) -> Manifest:
    return latest_manifest(open_lake(lake))


@pytest.fixture(scope="module")
def folder(lake: str, manifest: Manifest) -> Path:
    return Path(lake) / "releases" / manifest.version


@pytest.fixture(scope="module")
def ask(folder: Path):
    """A function from SQL to rows, over the file as any user opens it."""
    with duckdb.connect(str(folder / "paperlake.duckdb"), read_only=True) as connection:
        yield lambda sql: connection.sql(sql).fetchall()


@pytest.mark.slow
def test_what_others_read_is_what_the_release_holds(folder: Path) -> None:
    """Croissant by mlcroissant, too, without a warning. The other places of `bench.readers` take minutes, have what these have, or what no registry has: by hand
    (docs/release.md).

    Where a place's locked packages cannot be brought to this machine, the others are asked all the same.
    """
    places = ("croissant", "oldest", "contract", "node")
    done = finished(sys.executable, "-m", "bench.readers", str(folder), *places)
    assert done.returncode == 0, done.stdout + done.stderr
    if skipped := [line for line in done.stdout.splitlines() if "| skipped: " in line]:
        pytest.skip(skipped[0])


def contract_in(folder: Path) -> Any:
    """By libyaml: Python's own reader takes a second."""
    return yaml.load((folder / "contract.yaml").read_bytes(), yaml.CSafeLoader)


def test_the_contract_promises_what_the_gate_checked(folder: Path, ask) -> None:
    """Every promise names a check of the gate, and no row breaks a statement of the contract.

    The gate checks no mart: their keys and columns without null are asked of the rows.
    """
    marts = {table.name: table for table in ALL_TABLES if table.layer == "mart"}
    checked = set(ask("SELECT table_name, rule FROM _checks"))
    for table in contract_in(folder)["schema"]:
        quality = table["quality"] + [one for column in table["properties"] for one in column.get("quality", [])]
        assert {(table["name"], one["name"]) for one in quality} <= checked
        for one in quality:
            if one["type"] == "sql":
                assert ask(one["query"]) == [(one["mustBe"],)], one
        required = [one["name"] for one in table["properties"] if one["required"]]
        if table["name"] not in marts:
            assert {(table["name"], f"{name}_not_null") for name in required} <= checked
            continue
        keys = [one["name"] for one in table["properties"] if one.get("primaryKey")]
        assert set(keys) == set(marts.pop(table["name"]).key)
        sql = (
            f"SELECT count(*), count(DISTINCT ({', '.join(keys)})), {', '.join(f'count({name})' for name in required)}"
        )
        [told] = ask(f"{sql} FROM {table['name']}")
        assert len(set(told)) == 1, (table["name"], told)
    assert all(mart.is_view for mart in marts.values())


def test_every_check_across_rows_is_promised(folder: Path, ask) -> None:
    """The reverse: every check of the gate beyond single values is in the contract."""
    tables = contract_in(folder)["schema"]
    promised = {(table["name"], one["name"]) for table in tables for one in table["quality"]}
    names = ", ".join(f"'{table['name']}'" for table in tables)  # a table without rows has no file, and no promise
    kinds = "('rule', 'reference', 'across', 'history', 'pages')"
    asked = ask(f"SELECT table_name, rule FROM _checks WHERE kind IN {kinds} AND table_name IN ({names})")
    assert set(asked) == promised


def test_a_stranger_finds_every_table_and_column(ask) -> None:
    declared = (*ALL_TABLES, *ABOUT_TABLES, *MACROS)
    assert set(ask("SELECT table_name FROM _tables")) == {(one.name,) for one in declared}
    named = ask("SELECT table_name, list(column_name ORDER BY position) FROM _columns GROUP BY ALL")
    assert {name: tuple(columns) for name, columns in named} == {
        one.name: tuple(column.name for column in one.columns) for one in declared
    }
    [told] = ask(
        "FROM _columns SELECT meaning, unit, null_meaning, source, licence WHERE column_name = 'comment_count' "
        "AND table_name = 'paper_observations'"
    )
    assert told == (
        "Comments when the page was fetched.",
        "comments",
        "not shown",
        "numComments; number after the date in a saved text",
        "LicenseRef-Hugging-Face-Terms-of-Service",
    )


def test_the_database_holds_what_is_declared_and_no_path_of_the_machine(ask, folder: Path, lake: str) -> None:
    found = ask(
        "SELECT DISTINCT table_name FROM duckdb_tables() UNION "
        "SELECT DISTINCT view_name FROM duckdb_views() WHERE NOT internal"
    )
    assert set(found) == {(table.name,) for table in (*ALL_TABLES, *ABOUT_TABLES)}
    assert lake.encode() not in (folder / "paperlake.duckdb").read_bytes()


def test_examples_are_values_of_the_column(ask) -> None:
    assert ask("SELECT example FROM _columns WHERE table_name = 'papers' AND column_name = 'paper_id'") == ask(
        "SELECT min(paper_id) FROM papers"
    )
    numbers = "rtrim(type, '[]') IN ('INTEGER', 'BIGINT', 'DOUBLE', 'FLOAT', 'TINYINT')"
    assert ask(f"SELECT count(*) FROM _columns WHERE {numbers} AND example IS NOT NULL") == [(0,)]
    lacking = ask(
        f"SELECT table_name, column_name FROM _columns WHERE example IS NULL AND layer = 'core' AND NOT {numbers}"
    )
    assert all(ask(f'SELECT count("{column}") FROM core."{table}"') == [(0,)] for table, column in lacking)
    assert ask("SELECT max(length(example)) <= 100 FROM _columns") == [(True,)]


def test_the_chain_of_releases_is_in_the_newest(ask, lake: str, manifest: Manifest) -> None:
    parent = manifest_of(open_lake(lake), manifest.parent)
    told = ask("SELECT version, parent, row_count, parquet_bytes FROM _releases ORDER BY version")
    assert told == [
        (
            one.version,
            one.parent and one.parent.version,
            sum(table.row_count for table in one.tables),
            sum(file.bytes for table in one.tables for file in table.files),
        )
        for one in (parent, manifest)
    ]


def test_all_checks_are_in_the_database(ask, manifest: Manifest) -> None:
    report = Report.from_json(bytes(manifest.checks))
    assert ask("SELECT count(*), count(*) FILTER (has_passed) FROM _checks") == [
        (report.check_count, report.check_count - len(report.failed))
    ]
    told = dict(ask("SELECT table_name, count(*) FROM _checks WHERE has_passed GROUP BY ALL"))
    assert (report.passed_count, report.results) == (told, report.failed)
    assert ask("SELECT count(*) > 0 FROM _checks WHERE kind = 'history'") == [(True,)]


def test_the_notes_tell_what_came(folder: Path, lake: str) -> None:
    notes = json.loads((folder / "notes.json").read_text())
    tables = {one["name"]: one for one in notes["tables"]}
    assert notes["list_days"] == ["2026-10-05"]
    assert (tables["captures"]["added_count"], tables["daily_listings"]["added_count"]) == (1, 3)
    assert tables["papers"]["row_count"] == steps.table(lake, "papers").height
    assert "## New list days\n\n2026-10: 05\n" in (folder / "NOTES.md").read_text()


@pytest.mark.slow
def test_whoever_writes_them_the_documents_are_the_same_bytes(lake: str, tmp_path: Path) -> None:
    """They are written from the draft that was claimed; its own files, and so the comparison, are gone."""
    shutil.copytree(lake, lake := str(tmp_path / "lake"))
    Archive(open_lake(lake)).write([steps.list_of(TUESDAY)], now=steps.NOW)
    drafted = steps.make_draft(lake)
    steps.check_draft(lake, drafted)
    draft = current_draft(open_lake(lake))
    manifest = steps.publish(lake)
    folder = Path(lake) / "releases" / manifest.version
    claimed = decode((folder / CLAIM).read_bytes(), ClaimedBy, CLAIM)
    assert claimed.is_of(draft)
    assert not claimed.is_of(structs.replace(draft, code_version="9.9.9"))
    notes = msgspec.json.decode((folder / "notes.json").read_bytes(), type=Notes)
    followed = lineage(open_lake(lake), draft, manifest.version)
    report = Report.from_json(bytes(draft.report))
    with (
        open_snapshot(open_lake(lake), manifest) as snapshot,
        duckdb.connect(str(folder / DATABASE), read_only=True) as connection,
    ):
        ask = Database(connection, LIMITS).rows
        changes = CHANGES.conform(connection.sql("FROM _changes").pl())
        (why := SinceParent(snapshot.files)).of(manifest)
        whole = Snapshot(structs.replace(manifest, tables=(*manifest.tables, *manifest.marts)), snapshot.files)
        given = Material(draft, report, notes, followed, whole.scan, whole.path, manifest.marts, ask, changes, why.step)
        fresh = documents(given)
    assert fresh.keys() <= {file.key for file in manifest.files}
    assert {key: (folder / key).read_bytes() for key in fresh} == fresh
    assert not any(f"{Path.home()}/".encode() in data or lake.encode() in data for data in fresh.values())


def test_the_card_and_the_page_list_every_document_with_its_words(folder: Path) -> None:
    page = Elements((folder / "index.html").read_bytes()).words()
    card = (folder / "README.md").read_text()
    for document in DOCUMENTS:
        assert (folder / document.key).is_file()
        assert f"- [{document.key}]({document.key}): {document.words}" in card or document.key == "README.md"
        assert f"{document.key}: {document.words}" in page or document.key == "index.html"
    assert {document.key for document in DOCUMENTS} <= listed(but="").keys()
    for line in (folder / "llms.txt").read_text().splitlines()[4:]:
        assert ".." not in line, line
