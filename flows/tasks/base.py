"""The release under a build: what is taken over of it, and which files it has of the cohorts that change."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import Final

import polars as pl
from msgspec.structs import replace

from flows.tasks.cohorts import (
    AGAIN,
    CHANGED,
    INDEXED,
    OF_COHORTS,
    CohortRange,
    Derived,
    FileToBe,
    placed,
    staying,
)
from flows.tasks.scratch_place import ScratchPlace
from transforms.core.claims import EXTRACTOR_VERSION
from transforms.corrections import touched
from transforms.identity.records import Index
from transforms.identity.resolve import FETCHED
from warehouse.release.cohort_files import CUT, is_cut_alike
from warehouse.release.manifest import File, Manifest
from warehouse.release.parquet import cohort_key, place_of
from warehouse.release.snapshot import Snapshot, locate
from warehouse.schema import places
from warehouse.schema.core.claims import PAPER_CLAIMS, PAPER_SYSTEMS
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.schema.core.identity import IDENTITY_PAIRS, IDENTITY_RECORDS
from warehouse.schema.core.papers import PAPER_TEXTS, PAPERS
from warehouse.schema.core.search import (
    SEARCH_EMBEDDINGS,
    SEARCH_LISTS,
    SEARCH_TERMS,
    SEARCH_VECTORS,
    SEARCH_WORDS,
    SIMILAR_PAPERS,
)
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.search_rules import EMBEDDER, MODEL
from warehouse.schema.table import Table

IDENTITY: Final = (IDENTITY_RECORDS, IDENTITY_PAIRS)
INDEX: Final = (SEARCH_WORDS, SEARCH_TERMS, SEARCH_LISTS, SEARCH_VECTORS, SEARCH_EMBEDDINGS, SIMILAR_PAPERS)
# What tasks read of a release: to tell which papers sightings are of, and to make these anew
DESCRIBED_FROM: Final = (SIGHTINGS, IDENTITY_RECORDS)
READ_TEXTS: Final = (PAPERS, PAPER_TEXTS, PAPER_SYSTEMS, PAPER_CLAIMS)  # and what was read in them
DERIVED_FROM: Final = (SIGHTINGS, *READ_TEXTS, SEARCH_LISTS, SEARCH_VECTORS)


def can_follow(before: Snapshot[Manifest], *, semantic: bool) -> bool:
    """Whether rows may be taken over from the release before: this paperlake made them, and they are sound."""
    if before.of.code_version != version("paperlake") or not is_cut_alike(before):
        return False
    if not all(map(before.is_sound, {*CUT, *IDENTITY, *INDEX})):
        return False
    extracted = [before.select(table, ["extractor_version"]) for table in (PAPER_SYSTEMS, PAPER_CLAIMS)]
    indexed, read = (before.select(table, ["model"])["model"] for table in (SEARCH_VECTORS, SEARCH_EMBEDDINGS))
    is_read = read.len() == (indexed.len() if semantic else 0) and set(read) <= {EMBEDDER}
    is_extracted = set(pl.concat(extracted)["extractor_version"].unique()) <= {EXTRACTOR_VERSION}
    return is_extracted and is_read and set(indexed) <= {MODEL}


class Base:
    """The rows that a build takes over from a release; none where there is no release that it can follow.

    The sightings of the cohorts `again` are placed anew: they are among the chunks.
    """

    def __init__(self, place: ScratchPlace, release: Snapshot[Manifest] | None, again: Iterable[str] = ()) -> None:
        self._place, self.release = place, release
        self.again = tuple(sorted(again))
        self._changed: list[str] = []
        self._indexed: list[str] = []

    def begin(self) -> tuple[Index, pl.DataFrame]:
        """The index of identities, and those of its records that are placed anew; tasks find which cohorts are."""
        self._place.write(AGAIN, pl.DataFrame({"cohort": self.again}, {"cohort": pl.String}))
        index = Index(*map(self.read, IDENTITY))
        return index, index.records.select("record", cohort=places.COHORT).filter(pl.col("cohort").is_in(self.again))

    def files(self, table: Table, cohorts: Iterable[str]) -> list[File]:
        """The files that may hold rows of these cohorts."""
        if self.release is None:
            return []
        near = list(cohorts)
        return [file for file in self.release.tables[table.name].files if places.may_hold(place_of(file), near)]

    def ranged(self, of: CohortRange, tables: Sequence[Table]) -> CohortRange:
        """The range with the files of its cohorts."""
        return replace(of, release={table.name: self._keys(self.files(table, of.cohorts)) for table in tables})

    def _keys(self, files: Iterable[File]) -> tuple[str, ...]:
        return tuple(locate(self.release.of, file.key) for file in files) if self.release else ()

    def read(self, table: Table) -> pl.DataFrame:
        return self.release.read(table) if self.release else table.empty()

    def fetch(self, ids: pl.Series) -> pl.DataFrame:
        """The records of these papers, by which a sighting finds its paper."""
        return self.sightings(ids).select(FETCHED).collect()

    def sightings(self, ids: pl.Series) -> pl.LazyFrame:
        """All sightings of these papers but those that are placed anew."""
        near = ids.to_frame("paper_id").select(places.PLACE).to_series().unique()
        rows = self._scan(SIGHTINGS, self.files(SIGHTINGS, near))
        return placed(self._place, rows.filter(pl.col("paper_id").is_in(ids.implode())))

    def _scan(self, table: Table, files: Sequence[File]) -> pl.LazyFrame:
        if self.release is None or not files:
            return table.empty().lazy()
        return pl.scan_parquet([self.release.path(file.key) for file in files], glob=False)

    def changed_by(self, corrections: pl.DataFrame) -> pl.Series:
        """The papers of cohorts that are placed anew, and those of which other corrections are to be made."""
        if self.release is None:
            return pl.Series([], dtype=pl.String)
        rows = self._scan(PAPERS, self.files(PAPERS, self.again)).select("paper_id")
        again = rows.filter(places.COHORT.is_in(self.again)).collect()["paper_id"]
        others = touched(self.read(CORRECTIONS).drop("capture_id"), corrections)
        return pl.concat([again, pl.Series(others, dtype=pl.String)])

    def sighting_counts(self) -> Counter[str]:
        """How many sightings there are of the papers that change, by cohort."""
        seen = self._scan(SIGHTINGS, self.files(SIGHTINGS, self._changed)).select("paper_id")
        rows = seen.join(self._place.scan([CHANGED]), on="paper_id", how="semi")
        return Counter(rows.select(places.COHORT).collect().to_series())

    def staying(self, table: Table, columns: Sequence[str]) -> pl.LazyFrame:
        """These columns of all rows that the build takes over."""
        return staying(self._place, table.name, self.scan(table)).select(columns)

    def scan(self, table: Table) -> pl.LazyFrame:
        """All rows of a table that the release has."""
        return self._scan(table, self.release.tables[table.name].files if self.release else ())

    def change(self, ids: pl.Series) -> None:
        """Note the papers that are made anew, by each of their names, and the cohorts that they are of."""
        frame = pl.DataFrame({"paper_id": ids.unique().sort()}, {"paper_id": pl.String})
        self._place.write(CHANGED, frame)
        self._changed = frame.select(places.COHORT).to_series().unique().sort().to_list()

    def index(self, derived: Iterable[Derived]) -> None:
        """Note the cohorts of which the index of search was made anew."""
        self._indexed = sorted(cohort for one in derived for cohort in one.indexed)
        self._place.write(INDEXED, pl.DataFrame({"cohort": self._indexed}, {"cohort": pl.String}))

    def files_to_be(self, table: Table, derived: Sequence[Derived]) -> tuple[list[FileToBe], list[File]]:
        """The files of a table that is cut by cohort, to be written, and those that are passed on as they are."""
        made = {place: rows for one in derived for place, rows in one.rows[table.name].items()}
        part = {place: one.key for one in derived for place in one.rows[table.name]}
        near, far, counts = self._parted(table, made)
        places_of: dict[str, list[str]] = {} if counts or far else {places.ALL: []}
        for place, file in _gathered(table, counts, far).items():
            if place in counts:
                places_of.setdefault(file, []).append(place)
        found = []
        for file, gathered in sorted(places_of.items()):
            parts = tuple(dict.fromkeys(part[one] for one in gathered if one in part))
            stays = self._keys(one for one in near if places.may_hold(place_of(one), gathered))
            of = parts if parts or stays else (derived[0].key,)
            rows = sum(counts[one] for one in gathered)
            found.append(FileToBe(table.name, cohort_key(table, file), tuple(gathered), of, rows, stays))
        return found, far

    def _parted(self, table: Table, made: Mapping[str, int]) -> tuple[list[File], list[File], Counter[str]]:
        """The files whose rows go into new files, the others, and how many rows there are of each place of the first.

        Where few rows are left, or a year or a month is no longer the newest, a file of other cohorts may go into a
        wider one.
        """
        near = self.files(table, self._indexed if table.name in OF_COHORTS else self._changed)
        far = [file for file in self.release.tables[table.name].files if file not in near] if self.release else []
        while True:
            rows = staying(self._place, table.name, self._scan(table, near))
            found = rows.select(place=places.place_in(table.empty())).collect().to_series()
            counts = Counter(made) + Counter(found)
            gathered = _gathered(table, counts, far)
            merged = [file for file in far if gathered[place_of(file)] != place_of(file)]
            if not merged:
                return near, far, counts
            near, far = near + merged, [file for file in far if file not in merged]


def _gathered(table: Table, counts: Mapping[str, int], far: Iterable[File]) -> dict[str, str]:
    rows = {place_of(file): file.row_count or 0 for file in far} | dict(counts)
    return places.files_of(table, rows)
