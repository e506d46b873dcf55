"""The tasks of a full build: how they are cut. What they give: tests/laws/test_builds.py, on workers test_cluster.py."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import polars as pl

from flows.tasks.cohorts import AGAIN, cut, describe_cohorts
from flows.tasks.read_chunk import TaskSizes, chunks, keep, nothing_read
from flows.tasks.scratch_place import new_scratch_place
from tests.builders import frame, sighting
from tests.flows import steps
from warehouse.archive.archive import Archive
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


def test_where_no_page_states_an_arxiv_id_no_cohort_is_described() -> None:
    """Their sightings are described together, once: twice in the index, each would match itself."""
    seen = SIGHTINGS.conform(frame(sighting(arxiv_id=None, paper_id="x"))).drop("paper_id")
    with new_scratch_place() as place:
        read = keep(place, "one", nothing_read()._replace(sightings=seen))
        [nothing] = cut(place.url, place.url, "described", [read], most=4_000)
        place.write(AGAIN, pl.DataFrame(schema={"cohort": pl.String}))
        assert place.read([describe_cohorts(nothing)]).is_empty()
