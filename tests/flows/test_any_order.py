"""Tables are a function of the captures: whatever their order, however they are cut into builds, the same bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.landing.inputs import captures_from
from flows.steps.make_draft import INDEXED_RECORDS, READ_RESULTS, READ_TEXTS, joined
from transforms.collect.collect import Collected, collect, read_page
from transforms.core.claims import ReadTexts
from transforms.core.derive import OF_ONE_PAPER, Made, derive
from transforms.identity import Index
from warehouse.archive.captured import Capture, Limits
from warehouse.archive.outcome import Failed, Unchanged
from warehouse.release import parquet
from warehouse.schema.table import Table
from warehouse.schema.tables import CORE_TABLES

COUNT = 26 + 6  # captures of the sample, and those made of them
Builds = list[list[list[int]]]  # which captures each build reads, in the chunks that it reads them in


@pytest.fixture(scope="module")
def captures(sample: Path) -> list[Capture]:
    """The sample; three lists that the Hub called unchanged a day later, and three addresses that gave no page."""
    found = [one for one in captures_from([sample], Limits()) if isinstance(one, Capture)]
    lists = [(one, one.url, one.fetched_at + timedelta(days=1)) for one in found if one.url and one.fetched_at]
    again = [replace(Unchanged(url, at, '"e"').as_capture(), payload=one.payload) for one, url, at in lists[1:4]]
    lost = [Failed(url, at, "HTTP status 500", 500).as_capture() for _, url, at in lists[3:6]]
    return [*found, *again, *lost]


@st.composite
def builds(draw: st.DrawFn) -> Builds:
    """All captures, in any order, cut into builds and these into chunks, anywhere."""
    order = draw(st.permutations(range(COUNT)))
    cuts = sorted(draw(st.sets(st.integers(1, COUNT - 1), max_size=2)))
    chunks = draw(st.integers(1, 9))
    return [_cut(order[start:end], chunks) for start, end in zip([0, *cuts], [*cuts, COUNT], strict=True)]


def _cut(numbers: Sequence[int], size: int) -> list[list[int]]:
    return [list(numbers[start : start + size]) for start in range(0, len(numbers), size)]


def released(captures: list[Capture], builds: Builds, folder: Path) -> dict[str, str]:
    """SHA-256 of each file of the release that the last build makes, each from the files of the one before."""
    known, texts, made, tables = None, None, None, {}
    for chunks in builds:
        parts = [collect(read_page(captures[number]) for number in chunk) for chunk in chunks]
        tables = derive(joined(parts, known), texts, made=made)
        known = Collected(*(_read_back(table, tables[table.name], folder) for table in READ_RESULTS))
        index = Index(*(_read_back(table, tables[table.name], folder) for table in INDEXED_RECORDS))
        papers = {table: _read_back(table, tables[table.name], folder) for table in OF_ONE_PAPER}
        made = Made(known.sightings, index, papers)
        texts = ReadTexts(*(_read_back(table, tables[table.name], folder) for table in READ_TEXTS))
    return {
        key: hashlib.sha256(path.read_bytes()).hexdigest()
        for table in CORE_TABLES
        for key, path in _written(table, tables[table.name], folder).items()
    }


def _written(table: Table, frame: pl.DataFrame, folder: Path) -> dict[str, Path]:
    paths = {}
    for part in parquet.parts(table, frame):
        paths[part.key] = folder / part.key
        paths[part.key].parent.mkdir(parents=True, exist_ok=True)
        part.write(paths[part.key])
    return paths


def _read_back(table: Table, frame: pl.DataFrame, folder: Path) -> pl.DataFrame:
    return parquet.read(table, list(_written(table, frame, folder).values()))


@pytest.fixture(scope="module")
def at_once(captures: list[Capture], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    assert len(captures) == COUNT
    return released(captures, [[list(range(COUNT))]], tmp_path_factory.mktemp("at_once"))


@pytest.mark.slow
@settings(deadline=None, max_examples=8)
@given(builds=builds())
def test_any_order_and_any_cut_give_the_same_bytes(
    builds: Builds, captures: list[Capture], at_once: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert len(at_once) > len(CORE_TABLES)
    assert released(captures, builds, tmp_path_factory.mktemp("builds")) == at_once
