"""Task `read a chunk`: some captures become rows of the tables that are read of pages.

Sightings are kept in the order of the cohort of the arXiv id that they state, so that those of one cohort can be read
alone. Sightings that state none get their paper later, when all are known.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import polars as pl
from msgspec import Struct

from flows.runtime.lake import open_lake
from flows.tasks.scratch_place import ScratchPlace, scratch_place
from flows.tasks.spread import TaskSizes, parcels
from transforms.collect.collect import Collected, collect, put_aside, read_page
from transforms.readers.reading import Reject
from warehouse.archive.archive import Archive
from warehouse.archive.index import IndexEntry
from warehouse.schema import places
from warehouse.schema.core import PAGE_TABLES
from warehouse.schema.core.captures import CAPTURES, QUARANTINE, SCHEMA_PATHS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.store.local_files import local_files

NOTHING: Final[Mapping[str, Reject]] = MappingProxyType({})
UNNAMED: Final = ""  # the cohort of sightings that state no arXiv id
TABLES: Final = {table.name: table for table in (CAPTURES, SIGHTINGS, QUARANTINE, SCHEMA_PATHS, *PAGE_TABLES)}
SEEN: Final = pl.Schema({name: dtype for name, dtype in SIGHTINGS.schema.items() if name != "paper_id"})


class Chunk(Struct, frozen=True):
    """Some captures, by their entries in the archive's index, and where what they show is to go.

    Of those that are `aside` nothing is taken, for the reason that each of their items gets; of those that are `known`
    no sightings, which are taken over of the release.
    """

    lake: str
    scratch: str
    key: str
    entries: tuple[IndexEntry, ...]
    sizes: TaskSizes
    aside: dict[str, Reject] = {}
    known: tuple[str, ...] = ()


class ChunkRead(Struct, frozen=True):
    """Where the tables of a chunk are, and how many sightings it has of each cohort."""

    key: str
    rows: dict[str, int]


def chunks(  # noqa: PLR0913, PLR0917 - what a chunk is made of
    entries: Sequence[IndexEntry],
    lake: str,
    scratch: str,
    sizes: TaskSizes,
    aside: Mapping[str, Reject] = NOTHING,
    known: Collection[str] = (),
) -> Iterator[Chunk]:
    """The captures of an archive cut by their bytes, into few chunks: each cohort is looked for in nearly all."""
    total = sum(_counted(entry, sizes) for entry in entries)
    most = min(max(sizes.piece_bytes, total // sizes.chunks), sizes.chunk_bytes)
    for number, some in enumerate(pieces(entries, most, sizes)):
        of_some = {one.capture_id: aside[one.capture_id] for one in some if one.capture_id in aside}
        held = tuple(one.capture_id for one in some if one.capture_id in known)
        yield Chunk(lake, scratch, f"chunks/{number}", some, sizes, of_some, held)


def pieces(entries: Sequence[IndexEntry], most: int, sizes: TaskSizes) -> list[tuple[IndexEntry, ...]]:
    """Captures cut by their bytes; one that is larger is a piece of its own."""
    return parcels(entries, lambda entry: _counted(entry, sizes), most)


def _counted(entry: IndexEntry, sizes: TaskSizes) -> int:
    return max(entry.payload_bytes, sizes.capture_bytes)


def read_chunk(chunk: Chunk) -> ChunkRead:
    """Read the captures of a chunk, and keep what they show in the scratch place."""
    archive = Archive(open_lake(chunk.lake))
    some = pieces(chunk.entries, chunk.sizes.piece_bytes, chunk.sizes)
    found = [collect(put_aside(page, chunk.aside) for page in map(read_page, archive.captures(one))) for one in some]
    read = Collected(*map(pl.concat, zip(*found, strict=True)))
    new = read.sightings.filter(~pl.col("capture_id").is_in(chunk.known))
    with scratch_place(chunk.scratch) as place:
        return keep(place, chunk.key, read._replace(sightings=new))


class SeenBefore(Struct, frozen=True):
    """A file of the release before, with sightings of these cohorts, or of all, that are to be placed anew.

    Those of the captures `but` are not wanted: these are read again.
    """

    lake: str
    scratch: str
    key: str
    at: str
    cohorts: tuple[str, ...] | None = None
    but: tuple[str, ...] = ()


def read_seen(kept: SeenBefore) -> ChunkRead:
    """The sightings of a file of a release, as if they had just been read."""
    with local_files(open_lake(kept.lake)) as files, scratch_place(kept.scratch) as place:
        rows = pl.scan_parquet(files.path(kept.at)).filter(~pl.col("capture_id").is_in(kept.but))
        if kept.cohorts is not None:
            rows = rows.filter(places.COHORT.is_in(kept.cohorts))
        return keep(place, kept.key, nothing_read()._replace(sightings=rows.select(SEEN.names()).collect()))


def nothing_read() -> Collected:
    return Collected(CAPTURES.empty(), SEEN.to_frame(), QUARANTINE.empty(), SCHEMA_PATHS.empty())


def keep(place: ScratchPlace, key: str, found: Collected) -> ChunkRead:
    """Keep what some captures show in the scratch place, in the form in which other tasks read it."""
    seen = by_cohort(found.sightings)
    for name, frame in found._replace(sightings=seen)._asdict().items():
        place.write(table_key(key, name), frame if name == SIGHTINGS.name else TABLES[name].conform(frame))
    return ChunkRead(key, dict(seen.group_by("cohort").len().sort("cohort").iter_rows()))


def by_cohort(sightings: pl.DataFrame) -> pl.DataFrame:
    """Sightings without `paper_id`, by the `cohort` of their arXiv id, those of a paper side by side."""
    stated = sightings.select(pl.col(name).cast(dtype) for name, dtype in SEEN.items())
    cohort = stated.select(paper_id="arxiv_id").select(cohort=places.COHORT).to_series()
    unnamed = pl.when(pl.col("arxiv_id").is_not_null()).then(cohort).otherwise(pl.lit(UNNAMED))
    return stated.with_columns(unnamed.alias("cohort")).sort("cohort", "arxiv_id", maintain_order=True)


def table_key(key: str, name: str) -> str:
    """Where a table of a chunk, or of some cohorts, is."""
    return f"{key}/{name}.parquet"
