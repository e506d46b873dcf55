"""Errors of the source are corrected by a declaration: in tables and what is made of them, never in raw."""

import os
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from shutil import copytree

import polars as pl
import pytest

import paperlake
from flows.people.erase import Machine, Wish, erase
from flows.steps.copy_lake import copy_lake
from flows.steps.corrections_file import corrections_of
from flows.steps.read_back import verify_release
from flows.steps.what_is_new import is_released
from tests.flows import steps
from tests.processes import paperlake as command
from tests.pushed import go_to
from tests.scanner import places_of
from warehouse.archive.archive import Archive
from warehouse.errors import Damaged, GateClosed, UsageError
from warehouse.release.latest import DATABASE, latest_manifest, release_key
from warehouse.release.manifest import Draft, Manifest
from warehouse.release.snapshot import open_snapshot
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.schema.core.papers import PAPERS
from warehouse.store.local_files import local_files
from warehouse.store.opening import open_store

DAY, NEXT = date(2026, 10, 1), date(2026, 10, 2)
TITLE = "OarNet: Rowing Without Oars"
Correct = Callable[..., Path]


@pytest.fixture
def lake(one_release: Path, tmp_path: Path) -> str:
    return str(copytree(one_release, tmp_path / "lake"))


@pytest.fixture(scope="module")
def paper(one_release: Path) -> dict[str, str]:
    row = steps.table(str(one_release), "papers").sort("paper_id").row(0, named=True)
    return {"paper_id": row["paper_id"], "title": row["title"]}


@pytest.fixture(scope="module")
def correct(paper: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Correct:
    """A file with one correction, of the title if nothing else is said."""

    def made(**changes: str) -> Path:
        entry = {
            "table": "papers",
            "key": f"{{paper_id: {paper['paper_id']}}}",
            "column": "title",
            "seen": f'"{paper["title"]}"',
            "right": f'"{TITLE}"',
            "reason": "the Hub has the title of another paper",
            "source": "https://arxiv.example/abs/1",
        }
        lines = [f"{name}: {value}" for name, value in (entry | changes).items()]
        path = tmp_path_factory.mktemp("declared") / "corrections.yaml"
        path.write_text("- " + "\n  ".join(lines) + "\n", "utf-8")
        return path

    return made


def build(lake: str, path: Path | None, *, is_bare: bool = False) -> None:
    assert steps.publish_new(lake, corrections=path, is_bare=is_bare) is not None


@pytest.fixture(scope="module")
def declared(correct: Correct) -> Path:
    return correct(reported_on="2026-11-20", reported_to="the Hub")


@pytest.fixture(scope="module")
def built(one_release: Path, declared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release with the title set right follows the one without."""
    lake = copytree(one_release, tmp_path_factory.mktemp("built") / "lake")
    build(str(lake), declared)
    return lake


@pytest.fixture
def corrected(built: Path, tmp_path: Path) -> str:
    return str(copytree(built, tmp_path / "corrected"))


def test_a_draft_of_a_correction_that_is_taken_back_waits_no_more(lake: str, declared: Path, tmp_path: Path) -> None:
    environment = os.environ | {"PAPERLAKE_LAKE": lake, "PREFECT_HOME": str(tmp_path)}
    stood = latest_manifest(open_store(lake))
    for words, file in ((("build",), str(declared)), (("build",), ""), (("publish",), "")):
        named = {"PAPERLAKE_CORRECTIONS": file} if file else {}
        done = command(*words, environment=environment | named, has_gate=False)
        assert done.returncode == 0, done
    assert "no checked draft is waiting" in done.stdout
    assert latest_manifest(open_store(lake)) == stood


def test_after_a_build_that_is_refused_no_earlier_draft_waits(lake: str, declared: Path, correct: Correct) -> None:
    environment = os.environ | {"PAPERLAKE_LAKE": lake}
    for path, code in ((declared, 0), (correct(**OF_NO_PAPER[0][0]), 4)):
        done = command("build", environment=environment | {"PAPERLAKE_CORRECTIONS": str(path)}, has_gate=False)
        assert done.returncode == code, done
    assert "no checked draft is waiting" in command("publish", environment=environment).stdout


def test_a_cell_is_set_right_and_all_that_is_made_of_it(one_release: Path, built: Path, paper: dict[str, str]) -> None:
    before = {name: steps.table(str(one_release), name) for name in ("papers", "sightings")}
    lake, raw = str(built), Archive(open_store(str(one_release))).index()
    papers, mine = steps.table(lake, "papers"), pl.col("paper_id") == paper["paper_id"]
    wanted = before["papers"].with_columns(title=pl.when(mine).then(pl.lit(TITLE)).otherwise("title"))
    assert papers.sort("paper_id").equals(wanted.sort("paper_id"))
    assert steps.table(lake, "sightings").equals(before["sightings"])
    assert Archive(open_store(lake)).index() == raw
    found = steps.table(lake, "corrections")
    [row] = found.rows(named=True)
    assert (row["value_seen"], row["value_right"]) == (paper["title"], TITLE)
    assert row["reported_on"] == date(2026, 11, 20)
    assert row["capture_id"] == before["sightings"].filter(mine)["capture_id"].item()
    assert row["row_key"] == f'{{"paper_id": "{paper["paper_id"]}"}}'
    system = steps.table(lake, "paper_systems").filter(mine)
    assert system["name"].to_list() == ["OarNet"]
    store = open_store(lake)
    manifest = latest_manifest(store)
    assert manifest.kind == "correction"
    said = f'`papers.title` of `{{"paper_id": "{paper["paper_id"]}"}}` is `{TITLE}`; the source says `{paper["title"]}`'
    assert said in store.read(release_key(manifest.version, "NOTES.md")).decode()
    assert f'<td dir="auto">{TITLE}</td>' in store.read(release_key(manifest.version, "index.html")).decode()
    shown = str(paperlake.open(lake).latest().paper(paper["paper_id"]))
    assert "values corrected where the source is wrong" in shown
    assert verify_release(store)[1] == []


@pytest.mark.slow
def test_the_bytes_are_the_same_whichever_way_it_is_built(corrected: str, declared: Path, tmp_path: Path) -> None:
    """Day by day without the file, as the lake keeps corrections; from raw; and elsewhere at once with the file."""
    lake = corrected
    Archive(open_store(lake)).write([steps.list_of(NEXT)], now=steps.NOW)
    build(lake, None, is_bare=True)
    day_by_day = steps.hashes(lake)
    assert steps.make_draft(lake, from_raw=True) is None  # file by file what the release has
    elsewhere = str(tmp_path / "elsewhere")
    Archive(open_store(elsewhere)).write([steps.list_of(DAY), steps.list_of(NEXT)], now=steps.NOW)
    build(elsewhere, declared, is_bare=True)
    assert steps.hashes(elsewhere) == day_by_day


def test_without_entry_a_cell_is_as_before(one_release: Path, corrected: str, declared: Path, tmp_path: Path) -> None:
    assert of_tables(released(corrected)) != of_tables(released(str(one_release)))
    assert steps.make_draft(corrected, corrections=declared) is None
    (tmp_path / "none.yaml").write_text("[]\n")
    draft = steps.make_draft(corrected, corrections=tmp_path / "none.yaml")
    assert of_tables(draft) == of_tables(released(str(one_release)))


def released(lake: str) -> Manifest:
    return latest_manifest(open_store(lake))


def of_tables(held: Draft | Manifest) -> dict[str, str]:
    """SHA-256 of every file of a table."""
    return {file.key: file.sha256 for table in held.tables for file in table.files}


def test_it_outlives_a_rollback_until_a_file_lacks_it(one_release: Path, corrected: str, tmp_path: Path) -> None:
    before, after = released(str(one_release)), released(corrected)
    (tmp_path / "none.yaml").write_text("[]\n")
    for corrections, wanted in ((None, after), (tmp_path / "none.yaml", before)):
        go_to(corrected, before.version)
        assert not has_nothing_new(corrected, corrections)
        steps.publish_tables(corrected, draft := steps.make_draft(corrected, corrections=corrections))
        assert has_nothing_new(corrected, corrections)
        assert of_tables(draft) == of_tables(wanted)
    assert steps.make_draft(corrected) is None


def has_nothing_new(lake: str, corrections: Path | None) -> bool:
    store = open_store(lake)
    with local_files(store) as files:
        return is_released(files, Archive(store).index(), corrections)


def test_a_changed_file_is_reason_for_a_release(one_release: Path, built: Path, declared: Path, tmp_path: Path) -> None:
    entries = Archive(open_store(str(one_release))).index()
    with local_files(open_store(str(one_release))) as files:
        assert is_released(files, entries)
        assert not is_released(files, entries, declared)
    with local_files(open_store(str(built))) as files:
        assert is_released(files, entries, declared)
        again = tmp_path / "again.yaml"
        again.write_text("# the same\n" + declared.read_text("utf-8"))
        assert is_released(files, entries, again)


INVALID = [
    ({"column": "paper_id"}, "no column of that name can be corrected; title, "),
    ({"table": "sightings"}, "no table of that name can be corrected; papers, "),
    ({"key": "{login: ada}"}, "its key must have paper_id"),
    ({"column": "author_count", "seen": "6", "right": "0"}, "author_count is under 1"),
]
OF_ANOTHER_SOURCE = [({"seen": '"Another title"'}, "the source says .* now, and the entry is for 'Another title'")]
OF_NO_PAPER = [({"key": '{paper_id: "2609.99999"}'}, r'"2609.99999"} title: there is no such paper; remove the entry')]


@pytest.mark.parametrize("entries", [INVALID, OF_ANOTHER_SOURCE, OF_NO_PAPER], ids=["invalid", "source", "paper"])
def test_entries_that_cannot_be_made_end_the_build_and_each_is_named(
    lake: str, correct: Correct, tmp_path: Path, entries: list[tuple[dict[str, str], str]]
) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text("".join(correct(**changes).read_text("utf-8") for changes, _ in entries), "utf-8")
    with pytest.raises(GateClosed) as told:
        steps.make_draft(lake, corrections=path)
    for _, words in entries:
        assert re.search(words, str(told.value))


def test_the_rules_of_the_gate_hold_for_what_is_corrected(lake: str, correct: Correct) -> None:
    draft = steps.make_draft(lake, corrections=correct(column="published_on", seen="2026-09-30", right="null"))
    assert [str(one.rule) for one in steps.check_draft(lake, draft).failed] == ["published_basis_told"]


def test_a_day_and_a_place_are_set_right(lake: str, correct: Correct, paper: dict[str, str], tmp_path: Path) -> None:
    listed = {"table": "daily_listings", "key": f"{{listed_on: {DAY}, paper_id: {paper['paper_id']}}}"}
    entries = (
        correct(column="published_on", seen="2026-09-30", right="2026-09-29"),
        correct(column="submitter_login", seen="priya", right="null", **listed),
        correct(column="submitted_at", seen="null", right="2026-09-30T12:30:00.5", **listed),
        correct(column="submitted_basis", seen="null", right="inferred", **listed),
    )
    (tmp_path / "all.yaml").write_text("".join(path.read_text("utf-8") for path in entries), "utf-8")
    draft = steps.make_draft(lake, corrections=tmp_path / "all.yaml")
    with open_snapshot(open_store(lake), draft) as made:
        papers, listings = (made.read(table).filter(paper_id=paper["paper_id"]) for table in (PAPERS, DAILY_LISTINGS))
    assert papers["published_on"].to_list() == [date(2026, 9, 29)]
    [row] = listings.rows(named=True)
    assert (row["submitter_login"], row["submitted_basis"]) == (None, "inferred")
    assert row["submitted_at"] == datetime(2026, 9, 30, 12, 30, 0, 500000)


@pytest.mark.slow
@pytest.mark.usefixtures("forks_apart")
def test_who_is_named_only_among_the_words_that_are_gone_is_erased_too(lake: str, correct: Correct) -> None:
    """By a correction that another took the place of; and in what the database of a later release left free, whose
    tables and changes name the person no more.
    """
    with steps.bare_releases(with_causes=True):
        build(lake, correct(right='"Rowing with @oarsmith"'))
        build(lake, correct(right='"Rowing with nobody"'))
    build(lake, correct(right='"Rowing on"'), is_bare=True)
    newest = Path(lake) / release_key(latest_manifest(open_store(lake)).version, DATABASE)
    assert b"oarsmith" in newest.read_bytes(), "else nothing is shown"
    erase(open_store(lake), Wish("oarsmith", "GDPR art. 17"), Machine())
    assert places_of(lake, "oarsmith") == []
    assert verify_release(open_store(lake), every=True)[1] == []


@pytest.mark.slow
@pytest.mark.usefixtures("forks_apart")
def test_whose_login_is_corrected_is_erased_without_another_s_name(
    lake: str, correct: Correct, paper: dict[str, str]
) -> None:
    listed = {"table": "daily_listings", "key": f"{{listed_on: {DAY}, paper_id: {paper['paper_id']}}}"}
    build(lake, correct(column="submitter_login", seen="priya", right="oarsmith", **listed), is_bare=True)
    erase(open_store(lake), Wish("oarsmith", "GDPR art. 17"), Machine())
    assert places_of(lake, "oarsmith") == []
    shown = steps.table(lake, "daily_listings").filter(paper_id=paper["paper_id"])
    assert shown["submitter_name"].to_list() == ["Priya"]


@pytest.mark.slow
@pytest.mark.usefixtures("forks_apart")
def test_whose_name_alone_is_corrected_is_erased_where_raw_has_all_pages_one_or_none(
    lake: str, correct: Correct, paper: dict[str, str], tmp_path: Path
) -> None:
    """In a copy of releases alone, too, which may have landed a page; and the release that corrects the name is sound."""
    listed = {"table": "daily_listings", "key": f"{{listed_on: {DAY}, paper_id: {paper['paper_id']}}}"}
    with steps.bare_releases():
        steps.run_captures(lake, [steps.list_of(NEXT)])
        build(lake, correct(column="submitter_name", seen="Priya", right="Oda Smith", **listed))
    for name in ("none", "one"):
        copy_lake(open_store(lake), open_store(str(tmp_path / name)), releases_only=True)
    Archive(open_store(str(tmp_path / "one"))).write([steps.list_of(DAY)], now=steps.NOW)
    for place in (lake, str(tmp_path / "none"), str(tmp_path / "one")):
        erase(open_store(place), Wish("priya", "GDPR art. 17"), Machine())
        assert verify_release(open_store(place), every=True)[1] == []
        assert steps.table(place, "captures").height == 2
    Archive(open_store(place)).write([steps.list_of(DAY, papers=1)], now=steps.NOW)
    assert steps.make_draft(place), "the mask is no correction of the mask"


def test_what_the_source_has_corrected_itself_ends_the_build(corrected: str, paper: dict[str, str]) -> None:
    page = steps.list_of(DAY)
    payload = page.payload.replace(paper["title"].encode(), TITLE.encode())
    later = replace(page, payload=payload, fetched_at=page.fetched_at.replace(hour=23))
    Archive(open_store(corrected)).write([later], now=steps.NOW)
    with pytest.raises(GateClosed, match="the source has made this correction itself; remove the entry"):
        steps.make_draft(corrected)


def test_without_the_file_a_damaged_table_ends_the_build(lake: str, corrected: str, declared: Path) -> None:
    def damage(lake: str) -> None:
        store = open_store(lake)
        manifest = latest_manifest(store)
        [file] = [file for table in manifest.tables if table.name == "corrections" for file in table.files]
        store.put(release_key(manifest.version, file.key), b"")

    damage(lake)  # of none: nothing is lost
    assert steps.make_draft(lake, corrections=declared)
    damage(corrected)
    with pytest.raises(Damaged, match="or name their file: PAPERLAKE_CORRECTIONS"):
        steps.make_draft(corrected)
    assert steps.make_draft(corrected, from_raw=True, corrections=declared)


@pytest.mark.parametrize("text", ["table: papers\n", "- {table: papers}\n", "- [\n", "- {tabel: papers}\n"])
def test_an_invalid_file_is_a_wrong_setting(tmp_path: Path, text: str) -> None:
    path = tmp_path / "corrections.yaml"
    path.write_text(text)
    with pytest.raises(UsageError, match=r"PAPERLAKE_CORRECTIONS: .* is no list of corrections"):
        corrections_of(path, None, open_store(str(tmp_path)))
    with pytest.raises(UsageError, match="cannot read"):
        corrections_of(tmp_path / "none.yaml", None, open_store(str(tmp_path)))
