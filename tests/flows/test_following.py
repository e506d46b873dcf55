"""Whoever follows a lake step by step has every table and mart of the release, whatever is killed, erased or dropped."""

import json
import os
import random
import re
import shutil
import signal
import tarfile
import time
from collections.abc import Sequence
from pathlib import Path

import duckdb
import msgspec
import polars as pl
import pytest

import paperlake
from flows.documents.release_index import tombstone
from flows.people.erase import Machine, erase
from flows.runtime.lake import open_lake
from tests import processes
from tests.flows import steps
from tests.flows.test_erasure import DAYS, LOGIN, WISH, again, list_of
from tests.ranges import served
from tests.scanner import places_of
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture, Limits
from warehouse.archive.folder_import import captures_from
from warehouse.changes.explain import SinceParent
from warehouse.changes.row_steps import Step, described
from warehouse.changes.step_chain import TableChanges
from warehouse.errors import Damaged, NothingThere, StepsMissing, StoreFailed, UsageError
from warehouse.inventory.retention import finish_drops
from warehouse.release import moves, parquet
from warehouse.release.draft import name_current
from warehouse.release.latest import read_latest
from warehouse.release.manifest import Manifest
from warehouse.release.snapshot import open_snapshot
from warehouse.schema.catalog import ALL_TABLES
from warehouse.schema.core.papers import PAPERS

pytestmark = [pytest.mark.usefixtures("let_go", "forks_apart"), pytest.mark.slow]
DECLARED = {table.name: table for table in ALL_TABLES}
PAGE = (Path(__file__).parents[2] / "docs" / "follow.md").read_text("utf-8")
FIRST, EACH = 14, 4  # pages of the first release, and of each that follows
KILLS = 1
DAY_AFTER = [steps.list_of(DAYS[1].replace(day=number)) for number in (2, 3)]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory, sample: Path) -> str:
    """Four releases of the sample, page by page; one corrects a title, the next does not; tests only read it."""
    folder = tmp_path_factory.mktemp("followed")
    lake, corrected, nothing = str(folder / "lake"), folder / "corrections.yaml", folder / "none.yaml"
    pages = [one for one in captures_from([sample], Limits(), None) if isinstance(one, Capture)]
    pages.sort(key=lambda one: (one.fetched_at is None, one.fetched_at, one.url))
    parts = [pages[:FIRST], *(pages[at : at + EACH] for at in range(FIRST, len(pages), EACH))]
    released(lake, parts[:2])
    paper_id, title = steps.table(lake, "papers").sort("paper_id").select("paper_id", "title").row(0)
    right = {"table": "papers", "key": {"paper_id": paper_id}, "column": "title", "seen": title, "right": "OarNet"}
    corrected.write_text(json.dumps([{**right, "reason": "a test", "source": "https://arxiv.example/abs/1"}]))
    nothing.write_text("[]")
    released(lake, parts[2:3], corrected)
    released(lake, parts[3:], nothing)
    return lake


def released(lake: str, parts: Sequence[Sequence[Capture]], corrections: Path | None = None) -> None:
    with steps.bare_releases(with_causes=True):
        for part in parts:
            Archive(open_lake(lake)).write(part, now=steps.NOW)
            draft = steps.make_draft(lake, corrections=corrections)
            steps.publish(lake, draft=name_current(open_lake(lake), draft, b'{"results":[]}'))


def versions(lake: str) -> list[str]:
    return list(dict.fromkeys(move.version for move in moves.moves(open_lake(lake))))


def manifest_of(lake: str, version: str) -> Manifest:
    return moves.published(open_lake(lake), version)


def copy_at(lake: str, version: str, copy: Path) -> Path:
    with paperlake.open(lake)[version] as release:
        release.follow(copy, whole=True)
    return copy


def followed(lake: str, copy: str) -> None:
    """What is killed."""
    with paperlake.open(lake).latest() as release:
        release.follow(copy)


def state(copy: Path) -> str:
    with duckdb.connect(str(copy)) as connection:
        [(version,)] = connection.execute("SELECT version FROM _followed").fetchall()
    return str(version)


def require_equal(lake: str, version: str, copy: Path, scratch: Path) -> None:
    """Each table, written as Parquet, is byte for byte the release's."""
    manifest = manifest_of(lake, version)
    with duckdb.connect(str(copy)) as connection:
        names = {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
        assert names == {"_followed", *described(manifest)}
        for name, held in described(manifest).items():
            table = DECLARED[name]
            frame = table.conform(connection.sql(f'FROM "{name}"').pl())
            for part in parquet.parts(table, frame):
                part.write(scratch)
                [file] = [file for file in held.files if file.key == part.key]
                released = Path(lake) / "releases" / version / file.key
                assert scratch.read_bytes() == released.read_bytes(), (version, part.key)
            assert frame.height == held.row_count, name


def stepped(lake: str, version: str) -> dict[str, Step]:
    data = (Path(lake) / "releases" / version / "changes" / "index.json").read_bytes()
    return {one.name: one for one in msgspec.json.decode(data, type=Step).tables}


def test_the_steps_of_the_sample_have_every_kind_of_change(lake: str) -> None:
    """Else nothing is shown below."""
    found = [one for version in versions(lake)[1:] for one in stepped(lake, version).values()]
    assert {one.holds for one in found} == {"rows", "whole"}
    assert min(sum(getattr(one, kind) for one in found) for kind in ("inserted", "updated", "deleted")) > 0
    assert {one.why_whole for one in found if one.holds == "whole"} == {"most_rows"}
    assert {one.why_whole for one in stepped(lake, versions(lake)[0]).values()} == {"first"}


def test_a_copy_that_was_killed_again_and_again_is_the_release(lake: str, tmp_path: Path) -> None:
    known, dice = versions(lake), random.Random(7)
    start = copy_at(lake, known[0], tmp_path / "start.duckdb")
    began = time.monotonic()
    whole = shutil.copy(start, tmp_path / "whole.duckdb")
    process = processes.forked(followed, lake, str(whole))
    process.join()
    seconds, seen = time.monotonic() - began, set()
    for _ in range(KILLS):
        copy = Path(shutil.copy(start, tmp_path / "copy.duckdb"))
        while state(copy) != known[-1]:
            process = processes.forked(followed, lake, str(copy))
            process.join(dice.uniform(0, seconds))
            process.kill()
            process.join()
            assert process.exitcode in {0, -signal.SIGKILL}
            seen.add(at := state(copy))
            if at != known[0]:
                require_equal(lake, at, copy, tmp_path / "part")
        copy.unlink()
    assert known[-1] in seen


def test_changes_are_exact(lake: str) -> None:
    older, release = (paperlake.open(lake)[versions(lake)[at]] for at in (0, -1))
    found = release.changes(older.version)
    assert found
    for name in release.tables:
        frame = older.table(name).collect()
        made, table = changed(frame, found.get(name), DECLARED[name].key), DECLARED[name]
        assert table.conform(made).equals(table.conform(release.table(name).collect())), name


def changed(frame: pl.DataFrame, change: TableChanges | None, key: Sequence[str]) -> pl.DataFrame:
    """The recipe of docs/changes.md."""
    if change is None:
        return frame
    if change.holds == "whole":
        return change.insert
    return frame.join(change.delete, on=key, how="anti", nulls_equal=True).vstack(change.insert)


def test_a_step_is_small_and_the_same_whoever_makes_it(lake: str) -> None:
    manifest = manifest_of(lake, versions(lake)[-1])
    sizes = {file.key: file.bytes for file in manifest.files if file.key.startswith("changes/rows/")}
    with open_snapshot(open_lake(lake), manifest) as release:
        (why := SinceParent(release.files)).of(manifest)
        stored = {key: release.path(key).read_bytes() for key in sizes}
        assert stored
        assert why.step.files == stored
    whole = sum(file.bytes for table in described(manifest).values() for file in table.files)
    assert sum(sizes.values()) < whole / 2


def dropped(lake: str, version: str) -> None:
    store = open_lake(lake)
    moves.drop(store, [version], read_latest(store), at=steps.NOW, why="a test")
    finish_drops(store, tombstone)


def test_a_dropped_release_is_a_named_error_that_says_what_to_do(lake: str, tmp_path: Path) -> None:
    own = str(shutil.copytree(lake, tmp_path / "lake"))
    known = versions(own)
    before, at_it = (copy_at(own, known[place], tmp_path / f"{place}.duckdb") for place in (-4, -3))
    dropped(own, known[-3])
    with paperlake.open(own).latest() as release:
        with pytest.raises(StepsMissing, match=rf"release {known[-3]}, after .* was dropped: .* --whole"):
            release.follow(before)
        assert state(before) == known[-4]
        with pytest.raises(StepsMissing, match="whole=True"):
            release.changes(known[-4])
        taken = release.changes(known[-4], whole=True)
        assert {one.holds for one in taken.values()} == {"whole"}
        assert len(taken) < len(release.tables)
        assert release.follow(before, whole=True) == [known[-1]]
        assert release.follow(at_it) == known[-2:], "who is at the dropped release itself goes on from it"
        assert "rows" in {one.holds for one in release.changes(known[-3]).values()}
    for copy in (before, at_it):
        require_equal(own, known[-1], copy, tmp_path / "part")


def test_back_and_forth_after_a_rollback(lake: str, tmp_path: Path) -> None:
    own = str(shutil.copytree(lake, tmp_path / "lake"))
    known = versions(own)
    copy = copy_at(own, known[-1], tmp_path / "copy.duckdb")
    moves.go_to(open_lake(own), known[-2], at=steps.NOW, why="a test")
    with paperlake.open(own).latest() as release:
        with pytest.raises(StepsMissing, match=f"{known[-2]} does not follow {known[-1]}"):
            release.follow(copy)
        release.follow(copy, whole=True)
    require_equal(own, known[-2], copy, tmp_path / "part")


def test_a_retracted_release_within_is_gone_through_by_the_command(lake: str, tmp_path: Path) -> None:
    own = str(shutil.copytree(lake, tmp_path / "lake"))
    known = versions(own)
    copy = copy_at(own, known[-4], tmp_path / "copy.duckdb")
    moves.retract(open_lake(own), known[-2], at=steps.NOW, why="a test")
    anew = tmp_path / "anew.duckdb"
    for target, news in ((copy, ", through 3 releases"), (copy, ", already"), (anew, "")):
        done = processes.paperlake("follow", str(target), "--lake", own, environment=dict(os.environ))
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == f"{target} is at release {known[-1]}{news}\n"
    require_equal(own, known[-1], copy, tmp_path / "part")
    moves.retract(open_lake(own), known[-1], at=steps.NOW, why="a test")
    done = processes.paperlake("follow", str(copy), "--lake", own, environment=dict(os.environ))
    assert done.returncode == StepsMissing.exit_code
    assert f"does not follow {known[-1]}" in done.stderr


def test_an_erased_person_leaves_the_steps_and_the_copies(tmp_path: Path) -> None:
    """Also where the release that a step leads from is gone, so that only the step can tell of the person."""
    own, first = str(tmp_path / "lake"), list_of(DAYS[0])
    released(own, [[first, list_of(DAYS[1]), DAY_AFTER[0]], [again(first, 9)], [again(first, 11)]])
    known, places = versions(own), places_of(own, LOGIN)
    for version in known[1:]:
        assert any(f"{version}/changes/rows/" in place for place in places), "else nothing is shown"
    copies = [copy_at(own, version, tmp_path / f"{version}.duckdb") for version in (known[0], known[-1])]
    dropped(own, known[0])
    erase(open_lake(own), WISH, Machine())
    assert places_of(own, LOGIN) == []
    assert "erasure" in {one.why_whole for one in stepped(own, known[-1]).values()}
    assert LOGIN.encode() in copies[-1].read_bytes(), "else nothing is shown"
    followed(own, str(copies[-1]))
    require_equal(own, known[-1], copies[-1], tmp_path / "part")
    assert LOGIN.encode() not in (written := copies[-1].read_bytes()), "nor in blocks that became free"
    followed(own, str(copies[-1]))
    assert copies[-1].read_bytes() == written, "it is written anew once"
    released(own, [[DAY_AFTER[1]]])
    latest = versions(own)[-1]
    for copy in copies:
        followed(own, str(copy))
        require_equal(own, latest, copy, tmp_path / "part")
    late = copy_at(own, known[1], tmp_path / "late.duckdb")
    followed(own, str(late))
    require_equal(own, latest, late, tmp_path / "part")
    with duckdb.connect(str(late)) as connection:
        connection.execute("ALTER TABLE _followed DROP COLUMN erasure_count")  # as an older paperlake left it
    followed(own, str(late))
    require_equal(own, latest, late, tmp_path / "part")


def test_on_the_web_and_from_nothing(lake: str, tmp_path: Path) -> None:
    with served(Path(lake)) as site:
        copy = tmp_path / "copy.duckdb"
        known = versions(lake)
        with paperlake.open(site.url, cache=tmp_path / "cache").latest() as release:
            assert release.follow(copy) == [known[-1]]
            assert release.follow(copy) == []
        copy = copy_at(lake, known[-2], tmp_path / "older.duckdb")
        sent = site.sent
        with paperlake.open(site.url, cache=tmp_path / "cache").latest() as release:
            assert release.follow(copy) == [known[-1]]
        manifest = manifest_of(lake, known[-1])
        whole = sum(file.bytes for table in described(manifest).values() for file in table.files)
        assert site.sent - sent < whole
    require_equal(lake, known[-1], copy, tmp_path / "part")


def snippets(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def test_the_recipe_in_sql(lake: str, tmp_path: Path) -> None:
    known = versions(lake)
    [sql] = snippets("sql")
    sql = sql.replace("https://lake.example", lake).replace("2026.11.21.2", known[-1])
    assert stepped(lake, known[-1])["papers"].holds == "rows"
    with duckdb.connect(str(copy_at(lake, known[-2], tmp_path / "copy.duckdb"))) as connection:
        for _ in range(2):
            connection.execute(sql)
            found = connection.sql("FROM papers").pl()
            assert PAPERS.conform(found).equals(paperlake.open(lake).latest().table("papers").collect())


def test_the_recipes_in_python(lake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known, (by_duckdb, by_paperlake) = versions(lake), snippets("python")
    names: dict = {}
    exec(by_duckdb, names)
    with duckdb.connect(str(copy := copy_at(lake, known[0], tmp_path / "copy.duckdb"))) as connection:
        connection.execute("CREATE TABLE followed AS SELECT version FROM _followed")
        for version in known[1:]:
            names["apply_step"](connection, f"file://{lake}/releases/{version}")
        assert connection.sql("FROM followed").fetchall() == [(known[-1],)]
        connection.execute("DROP TABLE followed")
    require_equal(lake, known[-1], copy, tmp_path / "part")
    monkeypatch.chdir(Path(lake).parent)
    exec(by_paperlake.replace("2026.11.21.1", known[0]), names)
    release = paperlake.open(lake).latest()
    assert set(names["tables"]) == set(release.tables)
    for name, made in names["tables"].items():
        assert DECLARED[name].conform(made).equals(DECLARED[name].conform(release.table(name).collect())), name


def test_what_is_no_copy_is_left_alone(lake: str, tmp_path: Path) -> None:
    other = tmp_path / "other.duckdb"
    with duckdb.connect(str(other)) as connection:
        connection.execute("CREATE TABLE mine AS SELECT 1 AS one")
    with paperlake.open(lake).latest() as release, pytest.raises(UsageError, match="is no file"):
        release.follow(tmp_path)
    with paperlake.open(lake).latest() as release, pytest.raises(UsageError, match="is no copy"):
        release.follow(other)
    (text := tmp_path / "months.csv").write_text("month,papers\n2026-10,14\n")  # which DuckDB opens, as views
    with paperlake.open(lake).latest() as release, pytest.raises(UsageError, match="is no copy"):
        release.follow(text)
    with paperlake.open(lake).latest() as release, pytest.raises(NothingThere, match="no release"):
        release.changes("2020.01.01.1")
    with paperlake.open(lake).latest() as release, pytest.raises(StoreFailed, match=r"could not write .*; free space"):
        release.follow(tmp_path / "none" / "copy.duckdb")


def test_a_damaged_step_is_not_applied(lake: str, tmp_path: Path) -> None:
    own = str(shutil.copytree(lake, tmp_path / "lake"))
    known = versions(own)
    copy = copy_at(own, known[-2], tmp_path / "copy.duckdb")
    path = next((Path(own) / "releases" / known[-1] / "changes" / "rows").iterdir())
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    with paperlake.open(own).latest() as release, pytest.raises(Damaged, match="is not what was written"):
        release.follow(copy)
    require_equal(own, known[-2], copy, tmp_path / "part")


def test_tables_of_an_older_paperlake_have_other_columns(tmp_path: Path) -> None:
    with tarfile.open(Path(__file__).parents[1] / "lakes" / "0.1.0.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    own = str(tmp_path / "lake")
    known = versions(own)
    old, newest = (copy_at(own, known[place], tmp_path / f"{place}.duckdb") for place in (0, -1))
    if len(known) > 1:
        with paperlake.open(own).latest() as release, pytest.raises(StepsMissing, match="older paperlake"):
            release.follow(old)
    released(own, [[steps.list_of(DAYS[0])]])
    latest = versions(own)[-1]
    assert {"added", "columns"} <= {one.why_whole for one in stepped(own, latest).values()}
    with paperlake.open(own).latest() as release:
        assert release.follow(newest) == [latest]
        for name, change in release.changes(known[-1]).items():
            assert change.holds == "whole" or change.delete.height + change.insert.height > 0, name
    require_equal(own, latest, newest, tmp_path / "part")
