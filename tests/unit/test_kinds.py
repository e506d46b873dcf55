"""The kind of a release, by its manifest and that of the release before, and the chain of releases that it carries; and the
chain of moves: what somebody who may write to a lake makes of it is found, and an honest history never is.
"""

from datetime import date, datetime
from itertools import product
from pathlib import Path

import duckdb
import msgspec
import polars as pl
import pytest
from msgspec.structs import replace

from expectations.report import CheckResult, Report
from tests.drills import histories
from tests.drills.histories import ATTACKS, History
from warehouse.errors import Damaged, UsageError
from warehouse.release import moves
from warehouse.release.about import EXAMPLE, LINEAGE, Followed, about, described_tables, lineage, still_lowest
from warehouse.release.chain import checkpoint_of
from warehouse.release.latest import LATEST, release_key
from warehouse.release.manifest import (
    Draft,
    File,
    Manifest,
    Parent,
    ReleaseKind,
    TableFiles,
    decode,
    digest,
    encode,
    long_term,
)
from warehouse.release.parquet import Differing
from warehouse.release.schema_changes import kind_of
from warehouse.store.store import Store

BEFORE = Manifest("2026.11.20.1", 3, "0.2.0", None, 1, "a" * 64, (TableFiles("corrections", 0, ()),), ())
CORRECTED = (TableFiles("corrections", 1, (File("data/corrections/all.parquet", 9, "b" * 64),)),)


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({}, "data"),
        ({"captures_sha256": "c" * 64}, "data"),
        ({"schema_version": 4, "tables": CORRECTED}, "structure"),
        ({"tables": CORRECTED}, "correction"),
        ({"tables": CORRECTED, "captures_sha256": "c" * 64}, "data"),
        ({"tables": CORRECTED, "code_version": "0.3.0"}, "data"),
    ],
)
def test_each_change_makes_its_kind_of_release(changes: dict[str, object], kind: ReleaseKind) -> None:
    assert kind_of(replace(BEFORE, **changes), BEFORE) == kind


def test_the_first_release_is_data() -> None:
    assert kind_of(BEFORE, None) == "data"


def test_a_manifest_of_an_older_paperlake_is_written_again_as_it_was() -> None:
    """Its signature and its hash are of these bytes."""
    older = encode(replace(BEFORE, marts=CORRECTED))
    assert b"kind" not in older
    assert encode(decode(older, Manifest, "manifest.json")) == older
    assert b'"kind": "data"' in encode(replace(BEFORE, kind="data"))


@pytest.mark.parametrize(
    ("version", "parent", "until"),
    [
        ("2026.11.21.1", None, ""),
        ("2027.01.04.2", "2026.12.31.1", "2032-01-05"),
        ("2027.01.04.2", "2027.01.01.1", ""),
        ("2028.02.29.1", "2027.10.01.1", "2033-03-01"),
    ],
)
def test_the_first_release_of_a_quarter_is_kept_for_five_years(version: str, parent: str | None, until: str) -> None:
    assert long_term(version, parent) == until


TABLES = (
    TableFiles("papers", 7, (File("data/papers.parquet", 100, ""),)),
    TableFiles("daily_listings", 5, (File("data/daily_listings.parquet", 50, ""),), "2026-10-01", "2026-10-02"),
)
LOSS = msgspec.Raw(b'{"results":[{"passed":false}],"accepted_loss":"a bad day"}')
PARENT = Manifest("2026.10.02.1", 2, "0.1.0", None, 3, "", TABLES, (), LOSS)
PARENT_ENTRY = Followed("2026.10.02.1", None, 2, "0.1.0", 3, 7, 12, 150, 1, 1, "2026-10-02", "a bad day")
NEXT = Followed("2026.10.03.1", "2026.10.02.1", 2, "0.1.0", 4, 7, 12, 150, 0, 0, "2026-10-02")
EMPTY = Followed("2026.10.03.1", None, 2, "0.1.0", 4, 0, 0, 0, 0, 0)


def published(store: Store, manifest: Manifest) -> Parent:
    data = encode(manifest)
    store.put(release_key(manifest.version, "manifest.json"), data)
    return Parent(manifest.version, digest(data))


def draft(parent: Parent | None, tables: tuple[TableFiles, ...] = TABLES) -> Draft:
    return Draft("d", 2, "0.1.0", parent, 4, "", tables)


def test_the_first_release_follows_none(store: Store):
    assert lineage(store, draft(None, ()), "2026.10.03.1") == [EMPTY]


def test_a_parent_without_a_chain_is_listed_itself(store: Store):
    assert lineage(store, draft(published(store, PARENT)), "2026.10.03.1") == [PARENT_ENTRY, NEXT]


def test_the_parents_own_chain_goes_on(store: Store):
    older = msgspec.structs.replace(EMPTY, version="2026.10.01.1")
    named = with_chain(store, msgspec.json.encode([older, PARENT_ENTRY]))
    assert lineage(store, draft(named), "2026.10.03.1") == [older, PARENT_ENTRY, NEXT]


@pytest.mark.parametrize("written", [b'[{"version":"2026.10.02.1"}]', b"[]"])
def test_a_chain_of_an_older_kind_begins_with_the_parent(store: Store, written: bytes):
    assert lineage(store, draft(with_chain(store, written)), "2026.10.03.1") == [PARENT_ENTRY, NEXT]


@pytest.mark.parametrize("found", [b"[]\n", None])
def test_a_damaged_chain_begins_with_the_parent(store: Store, found: bytes | None):
    named = with_chain(store, msgspec.json.encode([EMPTY, PARENT_ENTRY]))
    key = release_key(PARENT.version, LINEAGE)
    store.delete(key)
    if found is not None:
        store.put(key, found)
    assert lineage(store, draft(named), "2026.10.03.1") == [PARENT_ENTRY, NEXT]


def with_chain(store: Store, chain: bytes) -> Parent:
    """A published parent with this chain in its `releases.json`."""
    store.put(release_key(PARENT.version, LINEAGE), chain)
    return published(store, msgspec.structs.replace(PARENT, files=(File(LINEAGE, len(chain), digest(chain)),)))


def test_the_tables_on_a_release_without_lists_and_with_a_failed_check():
    failed = CheckResult("papers", "titles_kept", "history", "papers have another title", False, 4, 3, ("paper_id=a",))
    told = about([EMPTY], Report((failed,)).to_frame())
    assert told["_releases"].rows() == [("2026.10.03.1", None, 2, "0.1.0", 4, 0, 0, 0, 0, 0, None, None, None)]
    assert told["_checks"].rows() == [
        ("papers", "titles_kept", "history", "papers have another title", False, 4, 3, ["paper_id=a"])
    ]
    assert Report(()).to_frame().is_empty()


def test_a_table_is_listed_with_its_files_and_a_core_table_with_its_rows():
    files = [File(f"marts/daily_papers/{year}.parquet", 9, "") for year in (2025, 2026)]
    told = described_tables(replace(PARENT, marts=(TableFiles("daily_papers", 7, tuple(files)),)))
    rows = told.filter(pl.col("table_name").is_in(["papers", "daily_papers", "captures"]))
    assert {name: (count, keys) for name, count, keys in rows["table_name", "row_count", "files"].rows()} == {
        "papers": (7, ["data/papers.parquet"]),
        "daily_papers": (None, [file.key for file in files]),
        "captures": (None, None),
    }


@pytest.mark.parametrize("gone", [None, "a", "b", "bc", "é", "b" * 200])
@pytest.mark.parametrize("new", [None, "a", "b", "bb", "c", "b" * 101])
@pytest.mark.parametrize("stay", [(), ("b",), ("b" * 150, "d"), (None,)])
def test_what_is_still_the_lowest_is_found_in_all_rows(stay: tuple[str | None, ...], new: str | None, gone: str | None):
    def lowest(texts: pl.Series) -> str | None:
        found = texts.min()
        return None if found is None else str(found)[:EXAMPLE]

    old, came, rest = (pl.Series("text", texts, pl.String) for texts in ([gone], [new], stay))
    known = {"text": lowest(pl.concat([rest, old])), "of another column": "0"}
    held = still_lowest(known, Differing(old.to_frame(), came.to_frame()))
    assert held in ({}, {"text": lowest(pl.concat([rest, came]))})
    if stay == ("b",) and old[0] != "a" and came[0] != "a":
        assert held or gone == "b" != new


INSTANT = datetime(2026, 7, 31, 9)


@pytest.mark.parametrize(
    "values",
    [
        [date(2026, 7, 31), date(2026, 8, 1), None],
        [False, True, None],
        [INSTANT, INSTANT.replace(microsecond=500_000), INSTANT.replace(microsecond=1), INSTANT.replace(hour=10), None],
    ],
)
def test_the_lowest_day_boolean_and_instant_are_compared_as_duckdb_writes_them(values: list[object]):
    frames = [pl.DataFrame({"value": pl.Series([one], dtype=pl.Series(values).dtype)}) for one in values]
    with duckdb.connect() as connection:

        def lowest(side: pl.DataFrame) -> dict[str, str | None]:
            connection.register("side", side.to_arrow())
            return {"value": connection.execute("SELECT min(value)::VARCHAR FROM side").fetchall()[0][0]}

        found = []
        for old, came, rest in product(frames, repeat=3):
            held = still_lowest(lowest(pl.concat([rest, old])), Differing(old, came))
            assert held in ({}, lowest(pl.concat([rest, came])))
            found.append(bool(held))
    assert sum(found) > len(found) / 3


def test_each_attack_is_found_by_a_checkpoint_and_no_honest_lake_is_accused(tmp_path: Path) -> None:
    assert histories.drill(1, 2 * len(ATTACKS), tmp_path).wrong == []


def test_who_moves_an_older_state_is_stopped_and_keeps_the_evidence(tmp_path: Path) -> None:
    history = History(tmp_path, 1)
    ATTACKS["replay"](history)
    before = {key: history.store.read(key) for key in history.store.list()}
    with pytest.raises(Damaged, match="change nothing, it is the evidence"):
        moves.drop(history.store, ["2026.11.21.1"], history.store.read(LATEST), at=history.when, why="a rule")
    assert {key: history.store.read(key) for key in history.store.list()} == before


def test_a_checkpoint_is_a_number_and_a_hash() -> None:
    assert str(checkpoint_of(f" 7:{'0a' * 32}\n")) == f"7:{'0a' * 32}"
    for text in ("7", f"0:{'0' * 64}", f"7:{'0' * 63}", f"7:{'G' * 64}"):
        with pytest.raises(UsageError, match='is no checkpoint; "paperlake verify" prints one'):
            checkpoint_of(text)
