"""The tasks of a full build: how they are cut, and that their inputs and results can go to another process."""

from __future__ import annotations

import pickle
from datetime import date
from pathlib import Path

import polars as pl

from flows.tasks.base import Base
from flows.tasks.cohorts import AGAIN, Derived, cut, describe_cohorts
from flows.tasks.read_chunk import (
    SIZES,
    UNNAMED,
    ChunkRead,
    TaskSizes,
    chunks,
    keep,
    nothing_read,
    read_chunk,
    table_key,
)
from flows.tasks.scratch_place import new_scratch_place
from flows.tasks.spread import spread
from flows.tasks.write_files import tasks_of
from tests.builders import frame, sighting
from tests.flows import steps
from transforms.collect.collect import Collected
from transforms.collect.source_paths import merged
from warehouse.archive.archive import Archive
from warehouse.schema.core.papers import PAPERS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.store.opening import open_store


def test_captures_are_cut_by_their_bytes(tmp_path: Path) -> None:
    archive = Archive(open_store(str(tmp_path / "lake")))
    archive.write([steps.list_of(date(2026, 10, day)) for day in (1, 2, 5)], now=steps.NOW)
    sizes = [entry.payload_bytes for entry in archive.index()]
    small = TaskSizes(capture_bytes=1, chunk_bytes=sizes[0] + sizes[1])
    found = list(chunks(archive.index(), "lake", "scratch", small))
    assert [[entry.payload_bytes for entry in one.entries] for one in found] == [sizes[:2], sizes[2:]]
    assert [one.key for one in found] == ["chunks/0", "chunks/1"]


def test_a_chunk_is_a_share_of_the_lake_and_read_by_the_piece(tmp_path: Path) -> None:
    lake = open_store(str(tmp_path / "lake"))
    Archive(lake).write([steps.list_of(date(2026, 10, day)) for day in (1, 2, 5, 6)], now=steps.NOW)
    found = []
    with new_scratch_place() as place:
        for sizes in (TaskSizes(piece_bytes=1, chunks=2), TaskSizes()):
            asked = list(chunks(Archive(lake).index(), lake.url, place.url, sizes))
            assert [len(one.entries) for one in asked] == ([2, 2] if sizes.chunks == 2 else [4])
            keys = [read_chunk(one).key for one in asked]
            found.append([place.read([table_key(key, name) for key in keys]) for name in Collected._fields])
    (captures, seen, _, paths), (all_captures, all_seen, _, all_paths) = found
    assert seen.sort("arxiv_id").equals(all_seen.sort("arxiv_id"))
    assert captures.sort("capture_id").equals(all_captures.sort("capture_id"))
    assert merged(paths).equals(merged(all_paths))


def test_a_task_goes_to_another_process_and_back(tmp_path: Path) -> None:
    lake = open_store(str(tmp_path / "lake"))
    Archive(lake).write([steps.list_of(date(2026, 10, 1))], now=steps.NOW)
    with new_scratch_place() as place:
        asked = [pickle.loads(pickle.dumps(one)) for one in chunks(Archive(lake).index(), lake.url, place.url, SIZES)]
        [read] = pickle.loads(pickle.dumps(list(spread(read_chunk, asked))))
        assert read == ChunkRead("chunks/0", {"2026-09": 3})
        assert read_chunk(asked[0]) == read  # done again, it is the same
        assert place.read(["chunks/0/sightings.parquet"])["cohort"].to_list() == ["2026-09"] * 3


def test_sightings_lie_in_the_order_of_the_cohort_that_they_state_and_of_their_papers() -> None:
    rows = [sighting(arxiv_id=one, paper_id=one or "x") for one in ("2505.00002", None, "2401.00001", "2505.00001")]
    seen = SIGHTINGS.conform(pl.concat(frame(row) for row in rows)).drop("paper_id")
    with new_scratch_place() as place:
        read = keep(place, "one", nothing_read()._replace(sightings=seen))
        assert read.rows == {UNNAMED: 1, "2024-01": 1, "2025-05": 2}
        lie = place.read(["one/sightings.parquet"])["arxiv_id"].to_list()
        assert lie == [None, "2401.00001", "2505.00001", "2505.00002"]
    other = ChunkRead("other", {"2025-05": 4_000})
    [first, second] = cut("lake", "scratch", "derived", [read, other], most=4_000, more={"2024-02": 3_998})
    assert (first.cohorts, first.chunks) == (("2024-01", "2024-02"), ("one",))
    assert (second.cohorts, second.chunks) == (("2025-05",), ("one", "other"))


def test_where_no_page_states_an_arxiv_id_no_cohort_is_described() -> None:
    """Their sightings are described together, once: twice in the index, each would match itself."""
    seen = SIGHTINGS.conform(frame(sighting(arxiv_id=None, paper_id="x"))).drop("paper_id")
    with new_scratch_place() as place:
        read = keep(place, "one", nothing_read()._replace(sightings=seen))
        [nothing] = cut(place.url, place.url, "described", [read], most=4_000)
        place.write(AGAIN, pl.DataFrame(schema={"cohort": pl.String}))
        assert place.read([describe_cohorts(nothing)]).is_empty()


def test_files_are_gathered_of_what_all_ranges_gave() -> None:
    derived = [
        Derived("derived/0", {PAPERS.name: {"2024-01": 2, "2025-01": 3_000}}),
        Derived("derived/1", {PAPERS.name: {"2025-02": 900, "2026-01": 100}}),
    ]
    with new_scratch_place() as place:
        base = Base(place, None)
        base.change(pl.Series(["2401.00001"]))
        files, passed = base.files_to_be(PAPERS, derived)
    assert [(one.key, one.parts, one.rows) for one in files] == [
        ("data/papers/2024.parquet", ("derived/0",), 2),
        ("data/papers/2025.parquet", ("derived/0", "derived/1"), 3_900),
        ("data/papers/2026.parquet", ("derived/1",), 100),
    ]
    assert passed == []
    [task] = tasks_of(files, "lake", "scratch", 120_000)
    assert task.files == tuple(files)
