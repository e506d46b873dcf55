"""The database of an older release: it is not kept, and whoever asks for it has it made again."""

import shutil
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from zipfile import ZipFile

import duckdb
import pytest

from flows.documents.edition import LICENCES
from flows.documents.release_index import pages_instead
from flows.people.erase import Machine, Wish, erase
from flows.runtime.lake import open_lake
from flows.steps.copy_lake import copy_lake
from paperlake.cli.main import main
from paperlake.reading.lakes import Lake
from tests.flows import steps
from warehouse.errors import Damaged, NothingThere
from warehouse.inventory.owners import Owner, inventory
from warehouse.inventory.pool_files import GRACE, pool_all
from warehouse.release import moves
from warehouse.release.latest import DATABASE
from warehouse.release.made_again import SCRIPT, make_database, write_database
from warehouse.release.write import faults
from warehouse.schema.catalog import FILE

pytestmark = [pytest.mark.usefixtures("forks_apart"), pytest.mark.slow]

OLD, MIDDLE, NEW = (f"2026.11.21.{number}" for number in (1, 2, 3))
DECLARED = """
SELECT schema_name, table_name, column_name, data_type, comment FROM duckdb_columns() WHERE NOT internal
UNION ALL BY NAME SELECT schema_name, view_name AS table_name, sql AS data_type, comment
    FROM duckdb_views() WHERE NOT internal
UNION ALL BY NAME SELECT schema_name, table_name, sql AS data_type, comment FROM duckdb_tables()
UNION ALL BY NAME SELECT schema_name, function_name AS table_name, macro_definition AS data_type, comment
    FROM duckdb_functions() WHERE NOT internal
ORDER BY ALL
"""


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake with three releases, of which the first has no database any more; tests only read it."""
    lake = tmp_path_factory.mktemp("three") / "lake"
    with steps.bare_releases(with_causes=True, more=lambda given: {**steps.script(given), LICENCES: b"MIT"}):
        for number in range(3):
            steps.run_captures(str(lake), [steps.list_of(date(2026, 9, 30) + timedelta(number))])
    return lake


@pytest.fixture
def lake(three: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PAPERLAKE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PAPERLAKE_LAKE", str(tmp_path / "lake"))
    return str(shutil.copytree(three, tmp_path / "lake"))


@pytest.fixture
def paperlake(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def run(*words: str) -> str:
        monkeypatch.setattr("sys.argv", ["paperlake", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        told = capsys.readouterr()
        assert ended.value.code == 0, told.err
        return told.out

    return run


def add_days(lake: str, *days: int) -> None:
    """A release of the list of each of these days of October."""
    with steps.bare_releases(more=steps.script):
        for day in days:
            assert steps.run_captures(lake, [steps.list_of(date(2026, 10, day))]) is not None


def kept(lake: str) -> list[str]:
    return sorted(path.parent.name for path in Path(lake, "releases").glob(f"*/{DATABASE}"))


def require_sound(lake: str) -> None:
    store = open_lake(lake)
    past = moves.moves(store)
    found = {move.version for move in past if moves.dropped(store, move.version, past) is None}
    assert {one: faults(store, moves.published(store, one, past)) for one in found} == {one: [] for one in found}
    assert {item.owner for item in inventory(store)}.isdisjoint({Owner.LEFT, Owner.NOBODY})


def content(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """All that a database has: declarations, and the rows of each table, those of `core` in their order."""
    with duckdb.connect(path, read_only=True) as connection:
        tables = connection.sql("SELECT schema_name, table_name FROM duckdb_tables() ORDER BY ALL").fetchall()
        rows = {}
        for schema, name in tables:
            order = "" if schema == "core" else " ORDER BY ALL"
            rows[f"{schema}.{name}"] = connection.sql(f'FROM "{schema}"."{name}"{order}').fetchall()
        return rows | {"declared": connection.sql(DECLARED).fetchall()}


def test_what_is_made_again_is_what_was_published(lake: str, tmp_path: Path) -> None:
    store = open_lake(lake)
    make_database(store, moves.published(store, NEW), tmp_path / DATABASE)
    made, published = content(tmp_path / DATABASE), content(Path(lake, "releases", NEW, DATABASE))
    assert made.pop(f"about.{FILE.name}") == [], "of another file nothing is known"
    assert published.pop(f"about.{FILE.name}") != []
    assert made == published
    assert len(made) > 60


def test_an_older_release_is_asked_as_any_other(lake: str, tmp_path: Path, paperlake: Callable[..., str]) -> None:
    assert kept(lake) == [MIDDLE, NEW]
    require_sound(lake)
    with Lake.at(lake)[OLD] as old:
        assert old.sql("SELECT max(listed_on) AS day FROM daily_papers")["day"].item() == date(2026, 9, 30)
        assert old.sql("FROM _releases")["version"].to_list() == [OLD]
        assert old.sql("FROM search_papers('mara')").columns
    assert len(list(tmp_path.glob("cache/*.duckdb"))) == 1
    Path(lake, "releases", OLD, SCRIPT).unlink()
    assert Lake.at(lake)[OLD].sql("FROM papers").height == 3, "it is in the cache"
    assert paperlake("materialize", MIDDLE, "-o", str(tmp_path / "kept.duckdb")).endswith(" MB\n")
    assert (tmp_path / "kept.duckdb").read_bytes() == Path(lake, "releases", MIDDLE, DATABASE).read_bytes()


def test_going_back_puts_the_database_in_its_place(lake: str, tmp_path: Path, paperlake: Callable[..., str]) -> None:
    paperlake("rollback", OLD)
    assert kept(lake) == [OLD, MIDDLE, NEW]
    require_sound(lake)
    paperlake("copy", lake, str(tmp_path / "copy"))
    require_sound(str(tmp_path / "copy"))
    with Lake.at(lake, verify=True).latest() as latest:
        assert latest.version == OLD
        assert latest.sql("FROM papers").height == 3
    paperlake("materialize", OLD, "-o", str(tmp_path / "old.duckdb"))
    assert "sound" in paperlake("verify")
    paperlake("rollback", NEW)
    paperlake("retain", "--keep-last", "9", "--apply")
    assert kept(lake) == [MIDDLE, NEW]
    paperlake("rollback", OLD)

    add_days(lake, 5)
    require_sound(lake)
    paperlake("rollback", NEW)
    add_days(lake, 6, 7)
    require_sound(lake)
    assert kept(lake) == [f"2026.11.21.{number}" for number in (4, 5, 6)], (
        "4 is aside the line, until a rule is applied"
    )
    paperlake("retain", "--keep-last", "9", "--apply")
    assert kept(lake) == ["2026.11.21.6"]
    require_sound(lake)


def test_a_deposit_without_the_database_says_so(lake: str, tmp_path: Path, paperlake: Callable[..., str]) -> None:
    for version, has_database in ((OLD, False), (NEW, True)):
        paperlake("deposit", version, "-o", str(tmp_path / "bag.zip"))
        with ZipFile(tmp_path / "bag.zip") as bag:
            root = f"paperlake-{version}"
            assert (f"{root}/data/{DATABASE}" in bag.namelist()) is has_database
            assert (f"are in `data/{DATABASE}`" in bag.read(f"{root}/README.md").decode()) is has_database
            sums = bag.read(f"{root}/manifest-sha256.txt").decode().splitlines()
            assert {line.split("  ")[1] for line in sums} == {
                name.removeprefix(f"{root}/") for name in bag.namelist() if name.startswith(f"{root}/data/")
            }


def test_a_cited_release_keeps_its_database(lake: str, paperlake: Callable[..., str]) -> None:
    paperlake("sql", "SELECT count(*) FROM papers", "--cite")
    paperlake("keep", MIDDLE, "--why", "our figures are of it")
    add_days(lake, 5, 6)
    assert kept(lake) == [MIDDLE, NEW, "2026.11.21.4", "2026.11.21.5"]
    require_sound(lake)


def require_copied(lake: str, copy: str) -> None:
    """A copy lacks the databases that the lake lacks."""
    copy_lake(open_lake(lake), open_lake(copy))
    assert kept(copy) == kept(lake)
    require_sound(copy)


def test_one_kept_without_its_database_is_copied_so(lake: str, tmp_path: Path, paperlake: Callable[..., str]) -> None:
    pool_all(open_lake(lake), pages_instead, at=steps.NOW + GRACE)
    paperlake("keep", OLD, "--why", "our figures are of it")
    require_sound(lake)
    require_copied(lake, str(tmp_path / "copy"))


def erase_one(lake: str, folder: Path) -> None:
    """Erase a submitter, who is then in no database, nor in any that is made again."""
    store = open_lake(lake)
    login = steps.table(lake, "daily_listings")["submitter_login"].max()
    write_database(store, moves.published(store, OLD), folder / "before.duckdb")
    assert login in str(content(folder / "before.duckdb"))
    erase(store, Wish(login, "GDPR art. 17"), Machine(cache=folder / "cache"))
    require_sound(lake)
    assert kept(lake) == [MIDDLE, NEW]
    for version in (OLD, MIDDLE, NEW):
        write_database(store, moves.published(store, version), folder / f"{version}.duckdb")
        assert login.encode() not in (folder / f"{version}.duckdb").read_bytes()
    for path in Path(lake).rglob("*.parquet"):
        assert login not in str(duckdb.read_parquet(str(path)).fetchall()), path
    assert content(folder / f"{NEW}.duckdb")["about._columns"]


def test_who_is_erased_is_in_no_database_made_again(lake: str, tmp_path: Path, paperlake: Callable[..., str]) -> None:
    erase_one(lake, tmp_path)
    pool_all(open_lake(lake), pages_instead, at=steps.NOW + GRACE)
    require_sound(lake)
    require_copied(lake, str(tmp_path / "copy"))
    paperlake("rollback", OLD, "--why", "wrong stars")
    require_sound(lake)
    require_copied(lake, str(tmp_path / "gone back"))


def test_what_other_code_made_is_masked_in_place(lake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This code would not make it to the byte."""
    monkeypatch.setattr("flows.people.rewriter.version", lambda _: "9.9.9")
    erase_one(lake, tmp_path)


def test_what_cannot_be_made_is_named(lake: str, tmp_path: Path) -> None:
    store, to = open_lake(lake), tmp_path / "made.duckdb"
    old = moves.published(store, OLD)
    table = next(Path(lake, "releases", OLD).glob("data/papers/*"))
    whole = table.read_bytes()
    table.unlink()
    table.write_bytes(whole[:-1] + b"?")
    with pytest.raises(Damaged, match=r"data/papers/.* is not what was written"):
        write_database(store, old, to)
    table.unlink()
    with pytest.raises(NothingThere, match="data/papers/"):
        write_database(store, old, to)
    table.write_bytes(whole)
    assert write_database(store, old, to) == to.stat().st_size
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lake", "made.duckdb"]
