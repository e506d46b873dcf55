"""Exported tables: a snapshot a release, rows as the release has them, `latest` followed, and nothing half done."""

import gc
import json
from contextlib import nullcontext
from datetime import date, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner
from deltalake import DeltaTable
from msgspec.structs import replace
from pyiceberg.table import Transaction

from flows.documents.release_index import tombstone
from flows.runtime.environment import utc_now
from paperlake.cli.app import app
from paperlake.export import delta_export, iceberg_export
from paperlake.export.iceberg_export import IcebergTable
from tests import exported
from tests.exported import AT, loaded, papers, read
from tests.seaweed import Seaweed
from warehouse.errors import Damaged, NothingThere, StoreFailed, Superseded, UsageError
from warehouse.inventory import retention
from warehouse.release import moves
from warehouse.release.latest import Erasure, RewrittenObject, latest_manifest, record_key, release_key
from warehouse.release.manifest import ErasureNote, Latest, decode, digest, encode
from warehouse.store.objects import S3Options
from warehouse.store.opening import open_store
from warehouse.store.store import Store

FIRST, SECOND, THIRD, FOURTH = (f"{exported.DAY}.{number}" for number in (1, 2, 3, 4))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A lake of three releases: two files of papers, of which each release changes the second; one table that stays."""
    store = open_store(str(tmp_path / "lake"))
    for number in (1, 2, 3):
        tables = {
            "papers": [papers("2609.00001", "2609.00002"), papers(*(f"2610.0000{paper}" for paper in range(number)))],
            "organizations": [pl.DataFrame({"organization_id": ["login:a"]})],
        }
        exported.publish(store, tables)
    return store


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "exported"


def iceberg(store: Store, place: Path | str, *, history: bool = False, s3: S3Options | None = None) -> str:
    state = Path(store.url) / "state"
    with iceberg_export.open_target(str(place), None, "paperlake", s3 or S3Options(), state) as target:
        return iceberg_export.export_iceberg(store, target, history=history)


def delta(store: Store, place: Path, *, history: bool = False) -> str:
    return delta_export.export_delta(store, open_store(str(place)), S3Options(), history=history)


@pytest.mark.parametrize("kind", ["iceberg", "delta"])
def test_no_table_goes_into_a_lake(store: Store, tmp_path: Path, kind: str) -> None:
    """They became files there that nobody owned."""
    (tmp_path / "link").symlink_to(store.url)
    other = open_store(str(tmp_path / "other"))
    exported.publish(other, {"papers": [papers("2609.00001")]})
    before = store.list(), other.list()
    within = (f"{store.url}/tables", str(tmp_path / "link/tables"), f"{other.url}/some/tables")
    for target in (store.url, other.url, *within):
        done = CliRunner().invoke(app, ["export", kind, target, "--lake", store.url])
        assert isinstance(done.exception, UsageError)
        assert "is a lake, or is in one" in str(done.exception)
    assert (store.list(), other.list()) == before


def test_each_release_is_a_snapshot_that_says_so(store: Store, place: Path) -> None:
    told = iceberg(store, place, history=True)
    assert told.startswith(f"release {THIRD} is in {place}: 5 files copied")
    table = loaded(place)
    said = [snapshot.summary.additional_properties for snapshot in table.snapshots()]
    assert [one["paperlake.version"] for one in said] == [FIRST, SECOND, THIRD]
    assert [one["paperlake.parent"] for one in said] == ["", FIRST, SECOND]
    assert said[1]["paperlake.parent-manifest-sha256"] == said[0]["paperlake.manifest-sha256"]
    assert [(one["added-data-files"], one.get("deleted-data-files")) for one in said] == [
        ("2", None),
        ("1", "1"),
        ("1", "1"),
    ]
    assert set(table.refs()) == {"main", FIRST, SECOND, THIRD}
    for version in (FIRST, SECOND, THIRD):
        for name, frame in exported.released(store, version).items():
            assert exported.rows(read(place, name, version)).equals(exported.rows(frame)), (version, name)
    assert len(loaded(place, "organizations").snapshots()) == 3  # any table can be asked as of any release


def test_tables_carry_their_declared_comments_and_units(store: Store, place: Path) -> None:
    iceberg(store, place)
    table = loaded(place)
    assert table.schema().find_field("upvote_count").doc.startswith("Upvotes as last seen.")
    said = table.properties
    assert said["comment"].startswith("One paper.")
    assert (said["paperlake.key"], said["paperlake.layer"]) == ("paper_id", "core")
    assert "paperlake.unit.upvote_count" in said


def test_the_files_are_those_of_the_release(store: Store, place: Path) -> None:
    iceberg(store, place)
    named = {Path(task.file.file_path.removeprefix("file://")) for task in loaded(place).scan().plan_files()}
    manifest = latest_manifest(store)
    hashes = {file.sha256 for part in manifest.tables if part.name == "papers" for file in part.files}
    assert {path.stem for path in named} == hashes == {exported.digest(path.read_bytes()) for path in named}


@pytest.mark.parametrize("export", [iceberg, delta])
def test_the_first_export_has_the_latest_and_later_ones_all_since_once(store: Store, place: Path, export) -> None:
    export(store, place)
    for number in (4, 5):
        exported.publish(store, {"papers": [papers(f"2611.0000{number}")], "organizations": [papers()]})
    export(store, place)
    if export is iceberg:
        assert set(loaded(place).refs()) == {"main", THIRD, FOURTH, f"{exported.DAY}.5"}
    else:
        found = [commit["userMetadata"] for commit in DeltaTable(place / "papers").history()]
        assert found == [f"{exported.DAY}.5", FOURTH, THIRD]
    before = exported.tree(place)
    assert ": 0 files copied (0.0 MB)" in export(store, place)
    assert exported.tree(place) == before


def test_a_rollback_is_followed_without_writing_rows(store: Store, place: Path) -> None:
    iceberg(store, place, history=True)
    before = {name for name in exported.tree(place) if name.endswith((".parquet", ".avro"))}
    moves.go_to(store, FIRST, at=AT, why="stars")
    iceberg(store, place)
    assert read(place, "papers").height == 3
    assert {name for name in exported.tree(place) if name.endswith((".parquet", ".avro"))} == before
    moves.go_to(store, SECOND, at=AT, why="forward")
    iceberg(store, place)
    assert read(place, "papers").height == 4
    exported.publish(store, {"papers": [papers("2611.00001")], "organizations": [papers()]})
    iceberg(store, place)
    table = loaded(place)
    of_second = table.refs()[SECOND].snapshot_id
    assert (table.current_snapshot().parent_snapshot_id, read(place, "papers").height) == (of_second, 1)
    assert read(place, "papers", THIRD).height == 5


@pytest.mark.parametrize("export", [iceberg, delta])
def test_a_table_that_the_latest_release_lacks_has_no_rows(store: Store, place: Path, export) -> None:
    def count() -> int:
        found = read(place, "boards") if export is iceberg else pl.read_delta(str(place / "boards"))
        return found.height

    exported.publish(store, {"papers": [papers()], "organizations": [papers()], "boards": [papers("2611.00001")]})
    export(store, place, history=True)
    moves.go_to(store, THIRD, at=AT, why="of the version before, which had no boards")
    export(store, place)
    assert count() == 0
    before = exported.tree(place)
    export(store, place)
    assert exported.tree(place) == before
    moves.go_to(store, FOURTH, at=AT, why="forward")
    export(store, place)
    assert count() == 1


def test_a_retracted_release_is_marked(store: Store, place: Path) -> None:
    iceberg(store, place, history=True)
    moves.retract(store, THIRD, at=AT, why="wrong stars", affected=["papers:2610.00001"])
    iceberg(store, place)
    said = {"paperlake.retracted." + THIRD: "2026-11-22T09:00:00Z: wrong stars (papers:2610.00001)"}
    assert said.items() <= loaded(place).properties.items()
    assert not said.keys() & loaded(place, "organizations").properties.keys()
    assert read(place, "papers").height == 4
    moves.restore(store, THIRD, at=AT, why="right after all")
    iceberg(store, place)
    assert not said.keys() & loaded(place).properties.keys()


def test_a_dropped_release_goes_with_the_files_that_only_it_had(store: Store, place: Path) -> None:
    iceberg(store, place, history=True)
    before = set(exported.tree(place))
    moves.drop(store, [FIRST], store.read("releases/latest.json"), at=AT, why="old")
    retention.finish_drops(store, tombstone)
    assert "2 snapshots of dropped releases removed" in iceberg(store, place)
    assert set(loaded(place).refs()) == {"main", SECOND, THIRD}
    gone = {name for name in before - set(exported.tree(place)) if name.endswith(".parquet")}
    assert len(gone) == 1
    for version in (SECOND, THIRD):
        assert exported.rows(read(place, "papers", version)).equals(
            exported.rows(exported.released(store, version)["papers"])
        )
    assert ": 0 files copied (0.0 MB), 0 snapshots" in iceberg(store, place)


def frames_of(place: Path, name: str, export: object) -> dict[str, pl.DataFrame]:
    """What an exported table has of each release, where it is there; none has a release twice."""
    if export is iceberg:
        is_there = (place / "catalog.sqlite").exists() and name in exported.tables_in(place)
        return {one: read(place, name, one) for one in set(loaded(place, name).refs()) - {"main"}} if is_there else {}
    begun = (place / name / "_delta_log" / f"{0:020}.json").exists()
    commits = DeltaTable(place / name).history() if begun else []
    found = {one["userMetadata"]: pl.read_delta(str(place / name), version=one["version"]) for one in commits}
    assert len(found) == len(commits)
    return found


@pytest.mark.parametrize("moment", [0, 3])
@pytest.mark.parametrize(
    ("export", "owner", "commit"),
    [(iceberg, Transaction, "commit_transaction"), (delta, delta_export.DeltaTarget, "commit")],
    ids=["iceberg", "delta"],
)
def test_a_killed_export_is_finished_by_the_next(  # noqa: PLR0917
    store: Store, place: Path, monkeypatch: pytest.MonkeyPatch, export, owner: type, commit: str, moment: int
) -> None:
    """Killed before one of its commits: no table has half a release."""
    right, left = getattr(owner, commit), [moment]

    def killed(self: object, *words: object) -> object:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return right(self, *words)

    monkeypatch.setattr(owner, commit, killed)
    with pytest.raises(KeyboardInterrupt):
        export(store, place, history=True)
    monkeypatch.undo()
    for is_done in (False, True):
        if is_done:
            export(store, place, history=True)
        for name in ("papers", "organizations"):
            found = frames_of(place, name, export)
            assert not is_done or found.keys() == {FIRST, SECOND, THIRD}
            for version, frame in found.items():
                assert exported.rows(frame).equals(exported.rows(exported.released(store, version)[name]))


@pytest.mark.parametrize("export", [iceberg, delta])
def test_columns_may_come_and_go_but_not_change_type(store: Store, place: Path, export) -> None:
    export(store, place)
    exported.publish(store, {"papers": [papers("2611.00001", mood=pl.lit("fine"))]})
    export(store, place)
    exported.publish(store, {"papers": [papers("2611.00001").drop("upvote_count")]})
    export(store, place)
    found = read(place, "papers") if export is iceberg else pl.read_delta(str(place / "papers"))
    assert found.to_dicts() == [{"paper_id": "2611.00001", "upvote_count": None, "mood": None}]
    exported.publish(store, {"papers": [papers("2611.00001", upvote_count=pl.lit("many"))]})
    with pytest.raises(UsageError, match=r"papers.* of another type than before .*; export to another place"):
        export(store, place)


def test_every_type_of_the_tables_survives(tmp_path: Path, place: Path) -> None:
    store = open_store(str(tmp_path / "lake"))
    struct = pl.Struct({"name": pl.String, "is_hidden": pl.Boolean})
    values = {
        "text": ("é", pl.String),
        "flag": (False, pl.Boolean),
        "small": (-(2**31), pl.Int32),
        "large": (2**63 - 1, pl.Int64),
        "share": (0.1, pl.Float64),
        "day": (date(2024, 2, 29), pl.Date),
        "instant": (datetime(1969, 12, 31, 23, 59, 59, 999999), pl.Datetime("us")),
        "vector": ([-128, 127], pl.List(pl.Int8)),
        "words": (["a", None], pl.List(pl.String)),
        "people": ([{"name": "Ada", "is_hidden": None}], pl.List(struct)),
    }
    schema = {name: dtype for name, (_, dtype) in values.items()}
    frame = pl.DataFrame([{name: value for name, (value, _) in values.items()}, dict.fromkeys(values)], schema=schema)
    exported.publish(store, {"things": [frame], "none": [frame.clear()]})
    iceberg(store, place / "iceberg")
    delta(store, place / "delta")
    for name, expected in (("things", frame), ("none", frame.clear())):
        assert read(place / "iceberg", name).cast(schema).equals(expected)
        assert pl.read_delta(str(place / "delta" / name)).cast(schema).equals(expected)
    assert read(place / "iceberg", "things").schema["instant"] == pl.Datetime("us")


@pytest.mark.parametrize("export", [iceberg, delta])
def test_nothing_another_lake_and_damage_are_not_exported(store: Store, place: Path, tmp_path: Path, export) -> None:
    with pytest.raises(NothingThere, match="nothing is published in"):
        export(open_store(str(tmp_path / "empty")), place)
    export(store, place)
    other = open_store(str(tmp_path / "other"))
    for _ in range(3):
        exported.publish(other, {"papers": [papers("2611.00009")]})
    with pytest.raises(UsageError, match=f"another release {THIRD} than the lake: it is of another lake"):
        export(other, place)
    exported.publish(store, {"papers": [papers("2611.00001")]})
    store.local_path(release_key(FOURTH, "data/papers/0.parquet")).write_bytes(b"no Parquet")
    with pytest.raises(Damaged, match="is not what was written"):
        export(store, place)


@pytest.mark.parametrize("minutes", [0.5, 2, 600_000])
def test_no_table_is_changed_under_a_clock_that_was_set_back(
    store: Store, place: Path, monkeypatch: pytest.MonkeyPatch, minutes: float
) -> None:
    """Iceberg for Java and for Rust refuses a table whose log goes back by more than a minute, for good."""
    iceberg(store, place)
    exported.publish(store, {"papers": [papers("2611.00001")]})
    monkeypatch.setattr(iceberg_export, "utc_now", lambda: utc_now() - timedelta(minutes=minutes))
    with (
        nullcontext()
        if minutes < 1
        else pytest.raises(UsageError, match=r"paperlake/\w+ was changed at .*, in the future; set")
    ):
        iceberg(store, place)
    assert (FOURTH in loaded(place, "papers").refs()) == (minutes < 1)


@pytest.mark.parametrize("export", [iceberg, delta])
@pytest.mark.parametrize("is_latest", [True, False])
def test_an_export_of_a_rewritten_release_is_refused(store: Store, place: Path, export, is_latest: bool) -> None:
    """After an erasure: what was exported before still holds what was erased, whatever was published since."""
    export(store, place)
    before = store.read(key := release_key(THIRD, "manifest.json"))
    if not is_latest:
        exported.publish(store, {"papers": [papers("2611.00001")]})
    erase_in(store, RewrittenObject(key, digest(before), digest(before + b"\n")))
    store.put(key, before + b"\n")
    if is_latest:
        exported.publish(store, {"papers": [papers("2611.00001")]})
    with pytest.raises(UsageError, match="or from before an erasure; remove it with its catalog"):
        export(store, place)
    export(store, anew := place.with_name("anew"))
    export(store, anew)


@pytest.mark.parametrize(
    ("export", "owner", "commit"),
    [(iceberg, Transaction, "commit_transaction"), (delta, delta_export.DeltaTarget, "commit")],
    ids=["iceberg", "delta"],
)
def test_what_a_killed_export_copied_is_not_gone_on_with_after_an_erasure(  # noqa: PLR0917
    store: Store, place: Path, monkeypatch: pytest.MonkeyPatch, export, owner: type, commit: str
) -> None:
    """No table names these files, which still hold what was erased."""
    monkeypatch.setattr(owner, commit, lambda *_: pytest.exit("killed"))
    with pytest.raises(pytest.exit.Exception):
        export(store, place)
    monkeypatch.undo()
    assert list(place.glob("**/data/*.parquet"))
    before = store.read(key := release_key(THIRD, "manifest.json"))
    exported.publish(store, {"papers": [papers("2611.00001")]})
    erase_in(store, RewrittenObject(key, digest(before), digest(before + b"\n")))
    store.put(key, before + b"\n")
    with pytest.raises(UsageError, match="or from before an erasure; remove it with its catalog"):
        export(store, place)


def erase_in(store: Store, renewed: RewrittenObject) -> None:
    """Announce an erasure that rewrites one object."""
    note = ErasureNote("0123abcd-1", "2026-11-22T09:00:00Z", "asked")
    counts = {"warc_count": 1, "record_count": 1, "file_count": 1}
    when = {"name": note.name, "erased_at": note.erased_at, "why": note.why, "code_version": "0.2.0"}
    record = encode(Erasure(**when, **counts, renewed=(renewed,), cells=()))
    store.put(record_key(note.name), record)
    named = decode(data := store.read("releases/latest.json"), Latest, "latest")
    hashes = {renewed.before: renewed.after}
    made = replace(named, manifest_sha256=hashes.get(named.manifest_sha256, named.manifest_sha256))
    moves.erase(store, data, replace(made, erasures=(replace(note, sha256=digest(record)),)), at=AT)


@pytest.mark.filterwarnings("ignore:unclosed database:ResourceWarning")  # of a catalog that pyiceberg refuses
def test_a_damaged_target_is_named(store: Store, place: Path) -> None:
    iceberg(store, place)
    metadata = Path(loaded(place).metadata_location.removeprefix("file://"))
    for spoil in (lambda: metadata.write_text("{"), metadata.unlink):
        spoil()
        with pytest.raises(Damaged, match=r"is not what an export left there .*; restore it from a copy, or export to"):
            iceberg(store, place)
    (place / "catalog.sqlite").write_text("no catalog")
    with pytest.raises(StoreFailed, match=r"the catalog failed .*file is not a database"):
        iceberg(store, place)
    gc.collect()
    delta(store, place / "delta")
    (place / "delta" / "papers" / "_delta_log" / f"{0:020}.json").write_text("{")
    with pytest.raises(Damaged, match=r"the log of .*papers is not what an export left there"):
        delta(store, place / "delta")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--catalog", "nonsense"], "--catalog: Could not parse SQLAlchemy URL"),
        (["--catalog", "nobodys+driver://x"], "--catalog: Can't load plugin"),
        (["--namespace", "a b/../c"], "--namespace 'a b/../c' is no namespace"),
    ],
)
def test_wrong_options_are_refused(store: Store, place: Path, words: list[str], said: str) -> None:
    asked = CliRunner().invoke(app, ["export", "iceberg", str(place), *words, "--lake", store.url])
    assert isinstance(asked.exception, UsageError)
    assert str(asked.exception).startswith(said)


def test_of_two_exports_one_wins(store: Store, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    iceberg(store, place)
    delta(store, place / "delta")
    exported.publish(store, {"papers": [papers("2611.00001")]})
    for owner, name, export in (
        (IcebergTable, "add", lambda: iceberg(store, place)),
        (delta_export.DeltaTarget, "commit", lambda: delta(store, place / "delta")),
    ):
        right = getattr(owner, name)

        def late(*words: object, right=right, export=export) -> None:
            monkeypatch.undo()
            export()
            right(*words)

        monkeypatch.setattr(owner, name, late)
        with pytest.raises(Superseded, match=r"another export to .* came first; run it again"):
            export()
        assert ": 0 files copied" in export()
    assert read(place, "papers").height == pl.read_delta(str(place / "delta" / "papers")).height == 1


def test_delta_has_a_version_a_release_and_follows_a_rollback(store: Store, place: Path) -> None:
    delta(store, place, history=True)
    moves.retract(store, THIRD, at=AT, why="wrong stars")
    delta(store, place)
    table = DeltaTable(place / "papers")
    commits = [(commit["version"], commit["userMetadata"]) for commit in reversed(table.history())]
    assert commits == [(0, FIRST), (1, SECOND), (2, THIRD), (3, SECOND)]
    for number, version in commits:
        found = pl.read_delta(str(place / "papers"), version=number)
        assert exported.rows(found).equals(exported.rows(exported.released(store, version)["papers"]))
    said = table.metadata()
    assert said.configuration["paperlake.retracted." + THIRD] == "2026-11-22T09:00:00Z: wrong stars (all tables)"
    assert said.description.startswith("One paper.")
    for number in range(4, 14):
        exported.publish(store, {"papers": [papers(f"2611.0000{number}")], "organizations": [papers()]})
        delta(store, place)
    assert json.loads((place / "papers" / "_delta_log" / "_last_checkpoint").read_text("utf-8"))["version"] == 10
    assert pl.read_delta(str(place / "papers"))["paper_id"].to_list() == ["2611.000013"]


def test_a_missing_extra_is_one_line(store: Store, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flows.runtime.environment.find_spec", lambda _: None)
    for extra, package in (("iceberg", "pyiceberg"), ("delta", "deltalake")):
        asked = CliRunner().invoke(app, ["export", extra, str(place), "--lake", store.url])
        assert isinstance(asked.exception, UsageError)
        assert (
            str(asked.exception)
            == f"this export needs {package}, which is not installed: pip install 'paperlake[{extra}]'"
        )


@pytest.mark.slow
def test_tables_are_exported_into_a_bucket(
    seaweed: Seaweed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    for name, value in {**seaweed.environment(), "PAPERLAKE_STATE": str(tmp_path / "state")}.items():
        monkeypatch.setenv(name, value)
    place = seaweed.lake()
    for kind in ("iceberg", "delta"):
        for _ in range(2):
            asked = CliRunner().invoke(
                app, ["export", kind, f"{place}/{kind}", "--lake", store.url], catch_exceptions=False
            )
        assert f"release {THIRD} is in {place}/{kind}: 0 files copied" in asked.stdout
    assert "region" not in caplog.text, "Amazon was asked for the region of a bucket that is elsewhere"
    expected = exported.rows(exported.released(store, THIRD)["papers"])
    with iceberg_export.open_target(
        f"{place}/iceberg", None, "paperlake", seaweed.options, tmp_path / "state"
    ) as target:
        table = target.catalog.load_table(("paperlake", "papers"))
        assert exported.rows(pl.from_arrow(table.scan().to_arrow())).equals(expected)
    options = delta_export.storage_options(seaweed.options)
    assert exported.rows(pl.read_delta(f"{place}/delta/papers", storage_options=options)).equals(expected)
