"""Cohorts that a task takes together: some that follow each other, with few enough rows for its memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import polars as pl
from msgspec import Struct

from flows.tasks.read_chunk import UNNAMED, ChunkRead, table_key
from flows.tasks.scratch_place import ScratchPlace
from warehouse.schema.core.sightings import SIGHTINGS

# Sightings of a range, by what is made of them: some seconds, and some 250 MiB; one cohort of more is a range of its
# own. A task opens all chunks that have one of its own, as nearly all have where old papers trend again; of what is
# described only what differs is kept, so that more of them fit
ROWS: Final = {"described": 60_000, "derived": 4_000}
NAMED: Final = "named"  # where the sightings are that state no arXiv id, with the paper that they are of


class CohortRange(Struct, frozen=True):
    """Whole cohorts, from the first to the last by name, and the chunks that have sightings of them.

    What a task makes of them goes under `key` in the scratch place.
    """

    lake: str
    scratch: str
    key: str
    first: str
    last: str
    chunks: tuple[str, ...]


def ranges(rows: Mapping[str, int], most: int) -> list[tuple[str, str]]:
    """The first and the last cohort of each range, given how many sightings each cohort has.

    >>> ranges({"2025-01": 2_500, "2025-02": 1_000, "2025-04": 2_000, "titles-a": 30_000}, 4_000)
    [('2025-01', '2025-02'), ('2025-04', '2025-04'), ('titles-a', 'titles-a')]
    """
    found: list[list[str]] = []
    size = 0
    for cohort in sorted(rows):
        if not found or size + rows[cohort] > most:
            found.append([])
            size = 0
        found[-1].append(cohort)
        size += rows[cohort]
    return [(cohorts[0], cohorts[-1]) for cohorts in found]


def cut(
    lake: str, scratch: str, what: str, read: Sequence[ChunkRead], more: Mapping[str, int] | None = None
) -> list[CohortRange]:
    """The ranges of all sightings of these chunks, and of `more` that lie elsewhere."""
    rows = Counter(more or {})
    for chunk in read:
        rows.update(chunk.rows)
    rows.pop(UNNAMED, None)
    found = []
    for number, (first, last) in enumerate(ranges(rows, ROWS[what]) or [("", "")]):
        keys = tuple(one.key for one in read if any(first <= cohort <= last for cohort in one.rows))
        found.append(CohortRange(lake, scratch, f"{what}/{number}", first, last, keys))
    return found


def seen_in(place: ScratchPlace, of: CohortRange) -> pl.LazyFrame:
    """The sightings of a range that state their arXiv id, with their `cohort`."""
    keys = [table_key(key, SIGHTINGS.name) for key in of.chunks]
    states_id = pl.col("cohort") != UNNAMED  # which the only range begins with, where no page states one
    return place.scan(keys).filter(states_id, pl.col("cohort").is_between(pl.lit(of.first), pl.lit(of.last)))
