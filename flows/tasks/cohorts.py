"""Tasks `describe cohorts` and `derive cohorts`: the sightings of whole cohorts become their rows of every table.

All pages that state an arXiv id are of its cohort, so that the records of its papers follow from the cohort alone.
Which records are one paper is resolved of those of all cohorts: hashes, no texts. On top of a release only papers that
something new was seen of are made anew, and the release's files of other cohorts are not opened. Task `write files`
makes these rows files of the release, as the rule of places has them.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

import polars as pl
from msgspec import Struct
from msgspec.structs import replace

from flows.runtime.lake import open_lake
from flows.tasks.read_chunk import UNNAMED, ChunkRead, table_key
from flows.tasks.scratch_place import ScratchPlace, scratch_place
from flows.tasks.spread import parcels
from transforms.core.attached import organization_parts
from transforms.core.coverage import papers_of_lists
from transforms.core.derive import of_papers
from transforms.core.search import HeldIndex, Texts, cohorts_that_differ, index_cohorts
from transforms.identity.resolve import FETCHED, described
from warehouse.release.draft import held, write_part
from warehouse.release.manifest import File
from warehouse.release.parquet import Part
from warehouse.schema import places
from warehouse.schema.catalog import CORE_TABLES
from warehouse.schema.core.attached import ORGANIZATIONS
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.schema.core.identity import IDENTITY_RECORDS
from warehouse.schema.core.papers import PAPER_TEXTS, PAPERS
from warehouse.schema.core.search import SEARCH_LISTS, SEARCH_TERMS, SEARCH_VECTORS, SEARCH_WORDS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.table import Table
from warehouse.store.local_files import LocalFiles, local_files, scratch

# What tasks find under these keys of the scratch place
NAMED: Final = "named"  # sightings that state no arXiv id, or are of another paper now, with their paper
CHANGED: Final = "changed/papers.parquet"  # every paper that is made anew, by each of its names
MOVED: Final = "changed/moved.parquet"  # the places on pages of sightings that the release has under another paper
AGAIN: Final = "changed/cohorts.parquet"  # cohorts of which a release's sightings are placed anew, as if just read
INDEXED: Final = "changed/indexed.parquet"  # cohorts of which a text came, went or changed
LISTED: Final = "listed"  # how many papers the daily lists show
DECLARED: Final = "declared"  # the corrections that are to be made
READERS: Final = "readers"  # what read each page

OF_A_PAGE: Final = tuple(name for name in FETCHED if name != "paper_id")
OF_COHORTS: Final = (SEARCH_LISTS.name, SEARCH_VECTORS.name)  # rows follow from all papers of a cohort
RowsOf: TypeAlias = dict[str, dict[str, int]]  # by table and place


class CohortRange(Struct, frozen=True):
    """Some cohorts, the chunks that have sightings of them, and the files of the release that may have rows of them.

    What a task makes of them goes under `key` in the scratch place; `release` has keys in the lake, by table.
    """

    lake: str
    scratch: str
    key: str
    cohorts: tuple[str, ...]
    chunks: tuple[str, ...]
    release: dict[str, tuple[str, ...]] = {}


class Derived(Struct, frozen=True):
    """Where the tables of some cohorts are, and how many rows each has of each of their places.

    The cohorts in `indexed` are so anew.
    """

    key: str
    rows: RowsOf
    indexed: tuple[str, ...] = ()


def cut(  # noqa: PLR0913 - what a range is made of
    lake: str, scratch: str, what: str, read: Sequence[ChunkRead], *, most: int, more: Mapping[str, int] | None = None
) -> list[CohortRange]:
    """The ranges of all sightings of these chunks, and of `more` that lie elsewhere."""
    rows = Counter(more or {})
    for chunk in read:
        rows.update(chunk.rows)
    rows.pop(UNNAMED, None)
    found = []
    for number, cohorts in enumerate(parcels(sorted(rows), rows.__getitem__, most)):
        keys = tuple(one.key for one in read if not one.rows.keys().isdisjoint(cohorts))
        found.append(CohortRange(lake, scratch, f"{what}/{number}", cohorts, keys))
    return found


def describe_cohorts(of: CohortRange) -> str:
    """The index of the records of some cohorts that the release lacks; where it is."""
    with scratch_place(of.scratch) as place, local_files(open_lake(of.lake)) as lake:
        index = IDENTITY_RECORDS.empty()
        if of.chunks:
            # Each thing once, as the first page tells it: most of a cohort are seen again and again
            seen = _stated(place, of).select(OF_A_PAGE).unique(OF_A_PAGE[2:], maintain_order=True)
            known = placed(place, rows_held(lake, of, IDENTITY_RECORDS)).collect()
            sightings = placed(place, rows_held(lake, of, SIGHTINGS).select(FETCHED))
            fetch = lambda ids: sightings.filter(pl.col("paper_id").is_in(ids.implode())).collect()  # noqa: E731
            index = described(seen.collect(), known, fetch)
        place.write(at := table_key(of.key, IDENTITY_RECORDS.name), index)
    return at


def derive_cohorts(of: CohortRange) -> Derived:
    """The rows of changed papers in every table cut by paper, and what these give to the tables of all papers.

    The index of search is made for whole cohorts, those in which a text differs.
    """
    with scratch_place(of.scratch) as place, local_files(open_lake(of.lake)) as lake:
        rows, texts, known = _of_papers(place, lake, of)
        indexed = replace(of, cohorts=cohorts_that_differ(texts, known))
        is_near = places.COHORT.is_in(indexed.cohorts)
        titles, abstracts, *before = (one.filter(is_near) for one in (*texts, *known))
        held = (rows_held(lake, indexed, table).collect() for table in (SEARCH_LISTS, SEARCH_VECTORS))
        index = index_cohorts(titles, abstracts, HeldIndex(*before, *held))
        _write(place, of, {SEARCH_WORDS.name: index.words, SEARCH_TERMS.name: index.terms})
        tables = {SEARCH_LISTS.name: index.search_lists, SEARCH_VECTORS.name: index.search_vectors}
        rows |= write_cut(place, of.key, tables)
    return Derived(of.key, rows, indexed.cohorts)


def _of_papers(place: ScratchPlace, lake: LocalFiles, of: CohortRange) -> tuple[RowsOf, Texts, Texts]:
    """The tables of the papers, which have left memory before the titles and the abstracts are indexed."""
    changed = place.scan([CHANGED])
    texts = (rows_held(lake, of, table) for table in (PAPERS, PAPER_TEXTS))
    known = [rows.join(changed, on="paper_id", how="semi").collect() for rows in texts]
    sightings = SIGHTINGS.conform(_sightings(place, lake, of))
    tables = of_papers(sightings, place.read([table_key(DECLARED, CORRECTIONS.name)]))
    listed = papers_of_lists(place.read([table_key(READERS, CAPTURES.name)]), sightings)
    _write(place, of, {ORGANIZATIONS.name: organization_parts(sightings), LISTED: listed})
    rows = write_cut(place, of.key, tables)
    return rows, _indexed_of(tables[PAPERS.name], tables[PAPER_TEXTS.name]), _indexed_of(*known)


def _indexed_of(papers: pl.DataFrame, paper_texts: pl.DataFrame) -> Texts:
    return papers.select("paper_id", "title"), paper_texts.select("paper_id", "abstract")


def _sightings(place: ScratchPlace, lake: LocalFiles, of: CohortRange) -> pl.DataFrame:
    """All sightings of the changed papers of these cohorts, each with its paper: new ones and those of the release."""
    named = place.scan([table_key(NAMED, SIGHTINGS.name)]).filter(places.COHORT.is_in(of.cohorts)).collect()
    parts = [named]
    if of.chunks:
        stated = _stated(place, of).drop("cohort").with_columns(paper_id="arxiv_id")
        parts.append(stated.select(named.columns).collect())
    before = placed(place, rows_held(lake, of, SIGHTINGS)).join(place.scan([CHANGED]), on="paper_id", how="semi")
    stays = before.join(place.scan([MOVED]), on=("capture_id", "position"), how="anti")
    return pl.concat([*parts, stays.select(named.columns).collect()])


def _stated(place: ScratchPlace, of: CohortRange) -> pl.LazyFrame:
    """The new sightings of a range that state their arXiv id, with their `cohort`."""
    keys = [table_key(key, SIGHTINGS.name) for key in of.chunks]
    first, last = pl.lit(min(of.cohorts)), pl.lit(max(of.cohorts))  # by which row groups are passed over
    return place.scan(keys).filter(pl.col("cohort").is_between(first, last), pl.col("cohort").is_in(of.cohorts))


def rows_held(lake: LocalFiles, of: CohortRange, table: Table) -> pl.LazyFrame:
    """The release's rows of these cohorts."""
    keys = of.release.get(table.name, ())
    if not (keys and of.cohorts):
        return table.empty().lazy()
    rows = pl.scan_parquet([lake.path(key) for key in keys], glob=False)
    cohort = places.COHORT if "paper_id" in table.column_names else pl.col("cohort")
    return rows.filter(cohort.is_in(of.cohorts))


def placed(place: ScratchPlace, rows: pl.LazyFrame) -> pl.LazyFrame:
    """The rows of a release that are in no cohort that is placed anew."""
    keyed = rows.with_columns(_cohort=places.COHORT)
    return keyed.join(place.scan([AGAIN]), left_on="_cohort", right_on="cohort", how="anti").drop("_cohort")


def staying(place: ScratchPlace, table: str, rows: pl.LazyFrame) -> pl.LazyFrame:
    """The rows of a release's table that no range makes anew."""
    if table in OF_COHORTS:
        return rows.join(place.scan([INDEXED]), on="cohort", how="anti")
    return rows.join(place.scan([CHANGED]), on="paper_id", how="anti")


def write_cut(place: ScratchPlace, key: str, tables: Mapping[str, pl.DataFrame]) -> RowsOf:
    """Write tables that are cut by cohort; how many rows each has of each place."""
    found = {}
    for name, frame in tables.items():
        rows = frame.with_columns(_place=places.place_in(frame))
        place.write(table_key(key, name), rows)
        found[name] = dict(rows.group_by("_place").len().sort("_place").iter_rows())
    return found


def _write(place: ScratchPlace, of: CohortRange, tables: Mapping[str, pl.DataFrame]) -> None:
    for name, frame in tables.items():
        place.write(table_key(of.key, name), frame)


WRITTEN: Final = "written"  # where files are until the draft has them
TABLES: Final = {table.name: table for table in CORE_TABLES}


class FileToBe(Struct, frozen=True):
    """A file of a table: the rows of these places, which lie in these parts, and in files of the release under it.

    Of the release's rows only those are meant that no part has anew.
    """

    table: str
    key: str
    places: tuple[str, ...]
    parts: tuple[str, ...]
    rows: int
    stays: tuple[str, ...] = ()
    held: File | None = None  # what the release before has of this name, and where
    held_at: str = ""


class Files(Struct, frozen=True):
    """Files that one task writes."""

    lake: str
    scratch: str
    files: tuple[FileToBe, ...]


class Written(Struct, frozen=True):
    """A file of the draft, and whether it is the one of the release before."""

    file: File
    is_held: bool


def write_files(some: Files) -> tuple[Written, ...]:
    """Write files whole, but those that the release before has with these rows; what each is."""
    with scratch_place(some.scratch) as place, local_files(open_lake(some.lake)) as lake:
        read = lru_cache(1)(lambda key: place.read([key]))  # files side by side are of the same part
        return tuple(write_file(place, lake, one, _rows(place, lake, one, read)) for one in some.files)


def _rows(place: ScratchPlace, lake: LocalFiles, one: FileToBe, read: Callable[[str], pl.DataFrame]) -> pl.DataFrame:
    table = TABLES[one.table]
    parts = (read(table_key(part, one.table)) for part in one.parts)
    found = [part.filter(pl.col("_place").is_in(one.places)).select(table.column_names) for part in parts]
    if one.stays:
        held = pl.scan_parquet([lake.path(key) for key in one.stays], glob=False)
        here = held.filter(places.place_in(table.empty()).is_in(one.places))
        found.append(staying(place, one.table, here).select(table.column_names).collect())
    return table.conform(pl.concat(found))


def write_file(place: ScratchPlace, lake: LocalFiles, one: FileToBe, rows: pl.DataFrame) -> Written:
    """A file of the release before, or one written into the scratch place."""
    part = Part(TABLES[one.table], one.key, rows)
    if same := held(lake, one.held_at, one.held, part):
        return Written(same, is_held=True)
    with scratch() as folder:
        file = write_part(folder, part)
        place.put_file(f"{WRITTEN}/{part.key}", folder / part.key)
    return Written(file, is_held=False)
