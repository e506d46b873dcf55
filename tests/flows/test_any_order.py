"""Tables are a function of the captures: whatever their order, however they are cut into builds, the same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.landing.inputs import captures_from
from flows.steps.make_draft import next_draft
from flows.tasks import cohort_range
from flows.tasks.full_build import full_build
from flows.tasks.read_chunk import keep, read_back
from flows.tasks.scratch_place import new_scratch_place
from flows.tasks.spread import spread
from flows.tasks.workplace import Workplace
from tests.collected import page
from tests.invented import HUB, daily_answer, paper, text_dump
from transforms.collect.collect import collect, read_page
from warehouse.archive.captured import Capture, Limits
from warehouse.archive.outcome import Failed, Unchanged
from warehouse.release.cohorts import places
from warehouse.release.latest import release_key
from warehouse.release.manifest import Draft, Manifest
from warehouse.release.snapshot import Snapshot, locate
from warehouse.schema.tables import CORE_TABLES
from warehouse.store.local_files import local_files
from warehouse.store.store import open_store

COUNT = 26 + 6 + 2  # captures of the sample, those made of them, and those of papers that change their name
DAY = date(2026, 10, 1)
SMALLER = 400  # times fewer rows a file, so that the sample has files of months, quarters and years
GATHERED = places.gathered
Builds = list[list[list[int]]]  # which captures each build reads, in the chunks that it reads them in


@pytest.fixture(scope="module")
def captures(sample: Path) -> list[Capture]:
    """The sample; three lists that the Hub called unchanged a day later, and three addresses that gave no page; papers
    that a saved list shows without their ids, which a later answer gives.
    """
    found = [one for one in captures_from([sample], Limits()) if isinstance(one, Capture)]
    lists = [(one, one.url, one.fetched_at + timedelta(days=1)) for one in found if one.url and one.fetched_at]
    again = [replace(Unchanged(url, at, '"e"').as_capture(), payload=one.payload) for one, url, at in lists[1:4]]
    lost = [Failed(url, at, "HTTP status 500", 500).as_capture() for _, url, at in lists[3:6]]
    shown, day = [paper(number, DAY) for number in (1, 2, 3)], datetime.combine(DAY, time(20))
    saved = page(text_dump(shown, "Oct 1"), f"{HUB}/papers?date={DAY}", day)
    told = page(daily_answer(shown[:2], day), f"{HUB}/api/daily_papers?date={DAY}", day + timedelta(days=1))
    return [*found, *again, *lost, saved, told]


@st.composite
def builds(draw: st.DrawFn) -> Builds:
    """All captures, in any order, cut into builds and these into chunks, anywhere."""
    order = draw(st.permutations(range(COUNT)))
    cuts = sorted(draw(st.sets(st.integers(1, COUNT - 1), max_size=2)))
    chunks = draw(st.integers(1, 9))
    return [_cut(order[start:end], chunks) for start, end in zip([0, *cuts], [*cuts, COUNT], strict=True)]


def _cut(numbers: Sequence[int], size: int) -> list[list[int]]:
    return [list(numbers[start : start + size]) for start in range(0, len(numbers), size)]


def _smaller(rows: Mapping[str, int], most: int, newest: int | None) -> dict[str, str]:
    return GATHERED(rows, most // SMALLER, newest and newest // SMALLER)


def released(captures: list[Capture], builds: Builds, folder: Path, range_rows: int = 30) -> dict[str, str]:
    """SHA-256 of each file of the release that the last build makes, each on the release of the one before."""
    store, before = open_store(str(folder)), None
    with pytest.MonkeyPatch.context() as small:
        small.setattr(places, "gathered", _smaller)
        small.setattr(cohort_range, "ROWS", {"described": range_rows, "derived": range_rows})
        for number, chunks in enumerate(builds, 1):
            parts = [collect(read_page(captures[one]) for one in chunk) for chunk in chunks]
            with local_files(store) as files, new_scratch_place() as place:
                read = [keep(place, f"chunks/{one}", part) for one, part in enumerate(parts)]
                parent = Snapshot(before, files) if before else None
                draft = (
                    next_draft(parent, read_back(place, read))
                    if parent
                    else full_build(files, Workplace(place, spread), read)
                )
                assert draft is not None
                before = _published(Snapshot(draft, files), f"2026.11.21.{number}")
    assert before is not None
    return {file.key: file.sha256 for file in before.files}


def _published(draft: Snapshot[Draft], version: str) -> Manifest:
    """A release of the Parquet alone."""
    files = tuple(file for table in draft.of.tables for file in table.files)
    for file in files:
        draft.files.store.copy_new(locate(draft.of, file.key), release_key(version, file.key))
    facts = draft.of.schema_version, draft.of.code_version, draft.of.parent, draft.of.capture_count
    return Manifest(version, *facts, draft.of.captures_sha256, draft.of.tables, files)


@pytest.fixture(scope="module")
def at_once(captures: list[Capture], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    assert len(captures) == COUNT
    return released(captures, [[list(range(COUNT))]], tmp_path_factory.mktemp("at_once"), range_rows=10_000)


@pytest.mark.slow
def test_small_chunks_and_cohorts_one_by_one_give_the_same_bytes(
    captures: list[Capture], at_once: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    parts = [_cut(range(COUNT), 3)]
    assert released(captures, parts, tmp_path_factory.mktemp("cut"), range_rows=1) == at_once


@pytest.mark.slow
@settings(deadline=None, max_examples=5)
@given(builds=builds())
def test_any_order_and_any_cut_give_the_same_bytes(
    builds: Builds, captures: list[Capture], at_once: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert len(at_once) > len(CORE_TABLES)
    assert released(captures, builds, tmp_path_factory.mktemp("builds")) == at_once
