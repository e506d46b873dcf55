"""Lakes of released versions are read, built on and published by this one; a lake of a newer version is refused.

`tests/lakes/<version>.tar.xz` is a lake of two releases as that version wrote it, of invented papers: three captures
each (`paperlake run` on a part of the sample of then). A new version gets one more, and no old one is ever made anew.
"""

import hashlib
import json
import tarfile
from datetime import date
from functools import partial
from pathlib import Path
from shutil import copytree
from zipfile import ZipFile

import polars as pl
import pytest
from click.testing import CliRunner

import flows.steps.make_draft
from expectations.history import NAMED_BY_CONTENT
from flows.documents.release_index import summaries
from flows.runtime.lake import latest_database, open_database, open_lake
from flows.runtime.scope import Scope
from flows.steps.copy_lake import copy_lake
from flows.steps.deposit import deposit
from flows.steps.read_back import require_sound, verify_raw, verify_release
from flows.watch.status import status_of
from paperlake.cli.app import app
from paperlake.cli.release_texts import two_releases
from paperlake.digest.letter_papers import Filter, Kind, Matcher
from paperlake.digest.responses import following
from paperlake.digest.subscribers import Wishes
from tests.flows import steps
from tests.processes import ROOT
from warehouse.archive.archive import Archive
from warehouse.changes.diff import diff
from warehouse.errors import NewerLake, NothingThere, Superseded
from warehouse.release.draft import name_current
from warehouse.release.latest import LAKE_FORMAT, LATEST, MANIFEST, latest_manifest, manifest_of, require_latest
from warehouse.release.manifest import Draft, Parent
from warehouse.release.query import opened
from warehouse.schema.catalog import CORE_TABLES

LAKES = ROOT / "tests/lakes"
OF_THEN = {"captures": 6, "sightings": 33, "papers": 26, "daily_listings": 20}
# What changed by intent in rows that both have (CHANGELOG.md): `submitted_at` of some months of 2024 is put right
PUT_RIGHT = {"submitted_at", "submitted_basis"}


@pytest.fixture(params=sorted(path.name.removesuffix(".tar.xz") for path in LAKES.glob("*.tar.xz")))
def old(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The lake of a released version, as it was written."""
    folder = tmp_path_factory.mktemp(request.param)
    with tarfile.open(LAKES / f"{request.param}.tar.xz") as kept:
        kept.extractall(folder, filter="data")
    return str(folder / "lake")


def raw_files(lake: str) -> dict[str, str]:
    store = open_lake(lake)
    return {key: hashlib.sha256(store.read(key)).hexdigest() for key in store.list("raw")}


def counts(lake: str) -> dict[str, int]:
    with opened(open_database(lake)) as database:
        return {name: next(iter(database.rows(f"SELECT count(*) FROM core.{name}").rows))[0] for name in OF_THEN}


@pytest.mark.slow
def test_an_old_lake_is_read_built_on_published_verified_and_compared(old: str) -> None:
    store = open_lake(old)
    before, raw = require_latest(store).version, raw_files(old)
    had = {table.name for table in manifest_of(store, require_latest(store)).tables}
    assert counts(old) == OF_THEN
    require_sound(old, verify_release(store, every=True))
    require_sound(old, verify_raw(store))
    assert status_of(store, Scope(), steps.NOW).release.capture_count == OF_THEN["captures"]

    with steps.bare_releases(with_gate=True):
        manifest = steps.publish_new(old)  # no new capture, and yet a new release
    assert manifest.parent.version == before
    assert counts(old) == OF_THEN
    with opened(open_database(old)) as database:
        asked = {name for (name,) in database.rows("SELECT table_name FROM _checks WHERE rule = 'keys_kept'").rows}
    assert asked == had - NAMED_BY_CONTENT, "every table that it had is asked whether rows are gone"
    assert {table.name for table in manifest.tables} == {table.name for table in CORE_TABLES} > had
    assert all(table.cohort_rows for table in manifest.tables if table.name in {"papers", "sightings"})
    compared = diff(store, *two_releases(store, None, None), all_columns=False)
    both = [table for table in compared.tables if table.name in OF_THEN]
    assert [
        (table.name, table.added_count, table.removed_count)
        for table in both
        if table.added_count + table.removed_count
    ] == []
    changed = {
        column.name
        for table in compared.tables
        if table.rows_before
        for column in table.columns
        if column.changed_count
    }
    assert changed <= PUT_RIGHT
    assert not any(table.columns_gone for table in compared.tables)
    assert steps.make_draft(old, from_raw=True) is None

    steps.run_captures(old, [steps.list_of(date(2026, 10, 5))], is_bare=True)
    assert counts(old)["captures"] == OF_THEN["captures"] + 1
    assert steps.make_draft(old, from_raw=True) is None
    require_sound(old, verify_release(store, every=True))
    require_sound(old, verify_raw(store))
    assert raw_files(old).items() >= {key: sha256 for key, sha256 in raw.items() if "/warc/" in key}.items()
    assert [one.version for one in summaries(store)][-1] == require_latest(store).version
    assert len(summaries(store)) == 4


def test_an_old_lake_is_copied_and_deposited_byte_for_byte(old: str, tmp_path: Path) -> None:
    copy_lake(store := open_lake(old), copied := open_lake(str(tmp_path / "copy")))
    require_sound(copied.url, verify_release(copied, every=True))
    assert {key: copied.read(key) for key in copied.list("log")} == {key: store.read(key) for key in store.list("log")}
    version = require_latest(store).version
    deposit(store, version, tmp_path / "bag.zip", publisher="An archive")
    with ZipFile(tmp_path / "bag.zip") as bag:
        data = bag.read(f"paperlake-{version}/data/{MANIFEST}")
    assert hashlib.sha256(data).hexdigest() == require_latest(store).manifest_sha256


@pytest.mark.slow
@pytest.mark.usefixtures("forks_apart")
def test_every_command_takes_releases_of_then(old: str, tmp_path: Path) -> None:
    """As the only ones, beside one of now, and as the latest again."""
    lake, copied, back = (str(tmp_path / name) for name in ("lake", "copied", "back"))
    copytree(old, lake)
    first, last = (one.version for one in summaries(open_lake(lake)))

    def run(*words: str, at: str = copied) -> str:
        done = CliRunner().invoke(app, [*words, "--lake", at], catch_exceptions=False)
        assert done.exit_code == 0, (words, done.output)
        return done.stdout

    run("diff", first, last, "--why", at=lake)
    run("deposit", first, "--output", str(tmp_path / "bag.zip"), at=lake)
    run("evidence", "row", "papers", "paper_id=2609.01719", "--output", str(tmp_path / "row.wacz"), at=lake)
    run("sql", "SELECT count(*) FROM papers", "--cite", at=lake)
    [cited] = (Path(lake) / "citations").glob("*.json")
    steps.run_captures(lake, [steps.list_of(date(2026, 10, 5))], is_bare=True)
    newest = require_latest(open_lake(lake)).version
    for source, target in ((lake, copied), (copied, back)):
        assert CliRunner().invoke(app, ["copy", source, target]).exit_code == 0
    run("verify", "--all", at=back)
    run("diff", first, newest, "--why")
    run("cite-verify", cited.stem)
    run("export", "delta", str(tmp_path / "delta"), "--history")
    run("rollback", first)
    run("keep", first, "--why", "our figures are of it")
    person = str(steps.table(copied, "daily_listings")["submitter_login"].max())
    run("erase", person, "--why", "GDPR art. 17", "--really")
    held = pl.read_parquet(Path(copied, "releases", first, "data/captures.parquet"))
    pages = {(one.capture_id, one.payload_sha256) for one in Archive(open_lake(copied)).index()}
    assert set(held.select("capture_id", "payload_sha256").iter_rows()) <= pages
    run("rollback", newest)
    run("retract", newest, "--why", "wrong")
    run("retract", newest, "--why", "right", "--undo")
    run("rollback", newest)
    run("retain", "--keep-last", "1", "--apply")
    run("verify", "--all")
    run("verify", "--raw")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("show paper 2609.01719", "older than paper_systems"),
        ("show paper 2604.03759", "no paper of the latest release"),
        ("panel 2026-10-01 7d", "older than panel"),
        ("evidence claim 2609.01719 1", "older than paper_claims"),
        ("evidence row papers paper_id=2609.01719 --column standing", "older than standing"),
    ],
)
def test_what_an_old_release_has_not_is_said_in_words(old: str, words: str, said: str) -> None:
    with pytest.raises(NothingThere, match=said):
        CliRunner().invoke(app, [*words.split(), "--lake", old], catch_exceptions=False)


@pytest.mark.parametrize("kind", ["query", "authors", "organizations", "keywords"])
def test_filters_of_the_digest_are_asked_of_an_old_release(old: str, kind: Kind) -> None:
    """A query finds nothing there, since there is no index."""
    named = {"query": "looms", "authors": "Juno Kral", "organizations": "Harbour Lab", "keywords": "field guides"}
    with opened(open_database(old)) as database:
        found = Matcher(database, [date(2026, 10, 2)]).papers_of(Filter(kind, named[kind]))
    assert bool(found) == (kind != "query")
    assert "field guides" in following(partial(latest_database, old), Wishes()).names["keywords"]


def test_a_lake_of_a_later_format_is_left_alone(published_copy: str) -> None:
    store = open_lake(published_copy)
    named = json.loads(store.read(LATEST)) | {
        "lake_format": LAKE_FORMAT + 1,
        "code_version": "7.1.0",
        "manifest_sha256": None,
    }
    store.put(LATEST, json.dumps(named).encode())
    before = store.list()
    for words in (
        ["status"],
        ["sql", "SELECT 1"],
        ["verify"],
        ["releases"],
        ["copy", published_copy, f"{published_copy}2"],
    ):
        done = CliRunner().invoke(app, [*words, *(["--lake", published_copy] if words[0] != "copy" else [])])
        assert isinstance(done.exception, NewerLake), (words, done.output)
        assert f"is of format {LAKE_FORMAT + 1}, of paperlake 7.1.0; this is paperlake" in str(done.exception)
        assert done.exception.exit_code == 14
    with pytest.raises(NewerLake):
        steps.land(published_copy, [])
    with pytest.raises(NewerLake):
        steps.make_draft(published_copy)
    assert store.list() == before


def test_an_older_paperlake_builds_no_tables_over_newer_ones(old: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flows.steps.make_draft, "changed_tables", lambda _: {"papers"})
    monkeypatch.setattr(flows.steps.make_draft, "version", lambda _: "0.0.9")
    manifest = latest_manifest(open_lake(old))
    with pytest.raises(NewerLake, match=rf"is of paperlake {manifest.code_version}, .* this paperlake 0\.0\.9"):
        steps.make_draft(old)


def test_a_draft_that_waited_while_paperlake_was_upgraded_is_to_be_built_again(old: str) -> None:
    store = open_lake(old)
    was, named = latest_manifest(store), require_latest(store)
    kept = tuple(file.key for table in was.tables for file in table.files)
    of_pages = was.capture_count, was.captures_sha256
    of_parent = was.schema_version, was.code_version, Parent(named.version, named.manifest_sha256)
    name_current(store, Draft(f"{was.version}-0", *of_parent, *of_pages, was.tables, kept), b'{"results":[]}')
    there = store.list()
    with pytest.raises(Superseded, match=rf'of paperlake {was.code_version}, .*; run "paperlake build" again'):
        steps.write(old)
    assert store.list() == there
