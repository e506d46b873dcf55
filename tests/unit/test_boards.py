"""Boards: what papers claim on a benchmark over time, what is compared and what stands apart, and never a look ahead."""

from __future__ import annotations

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from paperlake.answers.one_board import board_text, one_board
from tests.builders import TIDES, WOVEN, sighting
from tests.little_lake import made, made_once, of_sightings
from transforms.claims.measures import METRIC
from warehouse.errors import NothingThere
from warehouse.release.query import Database, QueryLimits
from warehouse.schema.benchmarks import AT_K, NAMED_METRICS, declared_benchmarks
from warehouse.schema.core.conflicts import CORRECTIONS

MARCH, MAY, JULY = datetime(2025, 3, 3), datetime(2025, 5, 5), datetime(2025, 7, 7)
LATER, OTHERS, UNDATED = "2505.00001", "2505.00002", "2505.00003"


def seen(capture: str, at: datetime | None, paper_id: str, abstract: str, title: str | None = None) -> dict[str, Any]:
    return sighting(capture * 20, at, paper_id, title=title or f"Of {paper_id}", abstract=abstract)


SIGHTINGS = (
    seen("a", MARCH, WOVEN, "We introduce WovenNet. It reaches 81.3% on GSM8K."),
    seen("b", MAY, WOVEN, "We introduce WovenNet. It reaches 81.3% on GSM8K. Now it reaches 92.5% on AIME 2024."),
    seen("b", MAY, TIDES, "Our loom reaches 79.0% on GSM8K, and an accuracy of 0.79 on GSM8K."),
    seen("c", JULY, TIDES, "Our loom reaches 79.0% on GSM8K, and an accuracy of 0.79 on GSM8K.", "Hindsight: Looms"),
    seen(
        "c",
        JULY,
        LATER,
        "Our loom reaches 85.0% on GSM8K, 41.0% on SWE-bench Lite and 44.0% on SWE-bench Verified. "
        "It outperforms others with 38.0% on KernelBench.",
    ),
    seen(
        "c",
        JULY,
        OTHERS,
        "We raise GSM8K from 61.0% to 84.0%. We gain up to 3 points on GSM8K. We reach over 95% on GSM8K. "
        "We obtain an FID of 2.5 on ImageNet 256x256, and an FID of 3.5 on ImageNet 256x256.",
    ),
    seen("e", JULY, WOVEN, "We introduce WovenNet. It reaches 81.3% on GSM8K. Now it reaches 92.5% on AIME 2024."),
    seen("d", None, UNDATED, "Our loom reaches 99.0% on GSM8K."),
)


database = made_once(lambda: of_sightings(*SIGHTINGS))


def board(database: duckdb.DuckDBPyConnection, benchmark: str, *columns: str, where: str = "true") -> list[Any]:
    named = ", ".join(columns)
    query = f"SELECT {named} FROM mart.boards WHERE benchmark = $1 AND {where} ORDER BY first_seen_at, value, {named}"
    return database.sql(query, params=[benchmark]).fetchall()


def test_the_best_is_told_by_what_was_seen_until_then(database: duckdb.DuckDBPyConnection) -> None:
    compared = board(
        database, "GSM8K", "value", "is_best", "best_before", where="scale = 'percent' AND apart_because IS NULL"
    )
    assert compared == [
        (81.3, True, None),
        (79.0, False, 81.3),
        (84.0, False, 81.3),  # of one instant the better one alone
        (85.0, True, 81.3),
    ]


def test_what_cannot_be_compared_stands_apart_with_the_reason(database: duckdb.DuckDBPyConnection) -> None:
    apart = board(database, "GSM8K", "apart_because", "value", where="apart_because IS NOT NULL AND is_best IS NULL")
    assert sorted(apart) == [("a change", 3.0), ("bounded", 95.0), ("not dated", 99.0), ("other work", 61.0)]


def test_a_number_without_a_metric_stands_apart(database: duckdb.DuckDBPyConnection) -> None:
    """Neither the sentence nor the benchmark says it, though the kind of what is measured is known."""
    assert board(database, "KernelBench", "metric", "apart_because", "is_best") == [(None, "no metric", None)]


def test_splits_metrics_and_scales_are_never_merged(database: duckdb.DuckDBPyConnection) -> None:
    assert board(database, "SWE-bench", "split", "value", "is_best") == [("Lite", 41.0, True), ("Verified", 44.0, True)]
    assert board(database, "GSM8K", "scale", "is_best", where="scale <> 'percent'") == [("fraction", True)]


@pytest.mark.parametrize(
    ("asked", "splits"),
    [
        ("SWE-bench", {"Lite", "Verified"}),
        ("swe bench verified", {"Verified"}),
        ("ImageNet 256\u00d7256", {"256x256"}),
        ("GSM-8K", {None}),
    ],
)
def test_a_split_is_asked_for_alone(database: duckdb.DuckDBPyConnection, asked: str, splits: set[str | None]) -> None:
    assert {row["split"] for row in one_board(Database(database, QueryLimits()), asked).dicts()} == splits


def test_a_split_that_is_none_is_an_error_with_those_there_are(database: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(NothingThere, match="did you mean SWE-bench Verified"):
        one_board(Database(database, QueryLimits()), "SWE-bench Verifyd")
    [said] = board_text(list(one_board(Database(database, QueryLimits()), "3DPW").dicts()), 10)
    assert '"FROM benchmarks WHERE paper_count > 0" in SQL lists' in said


def test_less_is_better_where_the_metric_says_so(database: duckdb.DuckDBPyConnection) -> None:
    found = board(database, "ImageNet", "split", "metric", "polarity", "value", "is_best")
    assert found == [("256x256", "FID", "less", 2.5, True), ("256x256", "FID", "less", 3.5, False)]


def test_a_number_of_a_later_version_has_its_day(database: duckdb.DuckDBPyConnection) -> None:
    assert board(database, "AIME 2024", "version_number", "first_seen_at", "is_current") == [(2, MAY, True)]
    assert board(database, "GSM8K", "version_number", "first_seen_at", where=f"paper_id = '{WOVEN}'") == [(1, MARCH)]


def test_the_page_is_the_one_that_showed_the_text_first(database: duckdb.DuckDBPyConnection) -> None:
    """Whether the abstract changed or not: a page that says the same again changes no row."""
    assert board(database, "AIME 2024", "capture_id") == [("b" * 20,)]
    assert board(database, "GSM8K", "capture_id", where=f"paper_id = '{TIDES}'") == [("b" * 20,)] * 2


def test_a_corrected_abstract_is_the_newest_version(tmp_path: Path) -> None:
    wrong, right = (
        str(SIGHTINGS[1]["abstract"]),
        "We introduce WovenNet. It reaches 81.3% on GSM8K. It reaches 29.5% on AIME 2024.",
    )
    told = {
        "table_name": "paper_texts",
        "column_name": "abstract",
        "paper_id": WOVEN,
        "row_key": json.dumps({"paper_id": WOVEN}, separators=(",", ":")),
    }
    entry = told | {"value_seen": wrong, "value_right": right, "reason": "a slip", "evidence": "x"}
    base = dict.fromkeys(CORRECTIONS.column_names)
    entries = pl.DataFrame([base | entry], schema=CORRECTIONS.schema).drop("capture_id")
    with made(tmp_path, of_sightings(*SIGHTINGS[:2]), entries) as database:
        assert board(database, "AIME 2024", "value", "version_number", "is_current") == [(29.5, 2, True)]
        assert board(database, "GSM8K", "value", "version_number", "is_current") == [(81.3, 1, True)]


def test_each_sentence_is_quoted(database: duckdb.DuckDBPyConnection) -> None:
    rows = database.sql("SELECT sentence, text, system FROM mart.boards").fetchall()
    assert all(text in sentence for sentence, text, _ in rows)
    assert not [sentence for sentence, _, _ in rows if ". " in sentence or not sentence.endswith(".")]
    assert {system for _, _, system in rows} == {"WovenNet", "Hindsight", None}


def test_benchmarks_are_counted(database: duckdb.DuckDBPyConnection) -> None:
    found = database.sql(
        "SELECT benchmark, paper_count FROM mart.benchmarks WHERE paper_count > 0 ORDER BY 1"
    ).fetchall()
    assert found == [("AIME 2024", 1), ("GSM8K", 5), ("ImageNet", 1), ("KernelBench", 1), ("SWE-bench", 1)]


def test_declared_benchmarks_are_sound() -> None:
    names = [one.name for one in declared_benchmarks()]
    assert names == sorted(names, key=lambda name: (name.lower(), name))
    assert len(set(names)) == len(names) > 73
    known = {one.name for one in NAMED_METRICS} | {"pass@1"}
    assert {one.metric for one in declared_benchmarks() if one.metric} <= known
    assert re.fullmatch(AT_K, "pass@1")


def test_each_spelling_of_a_metric_is_found() -> None:
    for one in NAMED_METRICS:
        for said in one.spellings:
            found = METRIC.fullmatch(said)
            assert found, said
            assert found.lastgroup == one.kind, said
