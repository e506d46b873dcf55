"""One release as a program reads it: its tables, queries, and the basis of its answers."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from difflib import get_close_matches
from functools import cached_property
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from paperlake.answers.newest_page import newest_page
from paperlake.answers.one_paper import one_paper, paper_named, require_there
from paperlake.reading.lake_files import LakeFiles, database_at
from paperlake.reading.moments import Moment, hours_of, instant
from paperlake.reading.release_values import Basis, Evidence, Paper, basis_of, causes_since, evidence_of, rows_since
from warehouse.errors import NothingThere, QueryFailed, StoreFailed, UsageError
from warehouse.release.latest import manifest_of
from warehouse.release.manifest import Erratum, Manifest, Parent
from warehouse.release.query import Database
from warehouse.store.local_files import local_files

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from paperlake.answers.citations import Style
    from warehouse.changes.step_chain import TableChanges


DAY: Final = "FROM listing_as_of($1, $2) ORDER BY rank"
COVERAGE: Final = "FROM core.coverage WHERE listed_on BETWEEN $1 AND $2 ORDER BY listed_on, source"
PANEL: Final = "FROM panel($1, $2)"
CHANGES: Final = "SELECT table_name, change, column_name, cause, cell_count FROM about._changes ORDER BY ALL"
RECORDED: Final = "changes/index.json"  # releases of an older paperlake lack it


class RetractedWarning(UserWarning):
    """A release that is opened was retracted: its publisher says that it is wrong, and why."""


class Release:
    """One release, which never changes. A context manager: at its end, or when it is forgotten, its database is closed.

    Moments are UTC where they say no zone. Errors are those of `paperlake.PaperlakeError`: QueryFailed where DuckDB
    refuses SQL, NothingThere for what is not there, UsageError for an argument that is none.
    """

    def __init__(self, files: LakeFiles, named: Parent, erratum: Erratum | None = None) -> None:
        self._files, self._named, self.erratum = files, named, erratum
        self._held: Database | None = None  # for as long as it is wanted
        if erratum:
            words = f"release {named.version} was retracted {erratum.retracted_at}: {erratum.why}"
            warnings.warn(words, RetractedWarning, stacklevel=3)  # where a release is asked for

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database, which is opened again where something more is asked; who asks it now goes on."""
        self._held = None

    @property
    def version(self) -> str:
        """Its day, and its number on that day."""
        return self._named.version

    @cached_property
    def manifest(self) -> Manifest:
        """The manifest: inputs, and every file with its hash; checked against the hash that the lake names."""
        return manifest_of(self._files.store, self._named)

    @property
    def database(self) -> Database:
        """Its DuckDB database, opened read-only: no query of it reaches a file, a network or a setting."""
        path = self._files.database(self.version, lambda: self.manifest)
        self._held = database = database_at(path, self._files.limits)
        return database

    @cached_property
    def basis(self) -> Basis:
        """The basis of every answer of this release."""
        return basis_of(
            self.database, self._named, self._files.released_at(self.version), is_retracted=bool(self.erratum)
        )

    @property
    def tables(self) -> list[str]:
        """The names of the tables and marts that it has as Parquet."""
        return [table.name for table in (*self.manifest.tables, *self.manifest.marts)]

    def table(self, name: str) -> pl.LazyFrame:
        """A table or mart, read when it is collected; over HTTP only the columns and row groups that are needed.

        UsageError with the nearest names where there is none. What goes wrong when it is collected is Polars' error.
        """
        import polars as pl

        found = next((one for one in (*self.manifest.tables, *self.manifest.marts) if one.name == name), None)
        if found is None:
            near = " or ".join(get_close_matches(name, self.tables)) or "one of " + ", ".join(self.tables)
            raise UsageError(f"release {self.version} has no table {name!r}; did you mean {near}?")
        return pl.scan_parquet([str(self._files.place(self.version, file)) for file in found.files], glob=False)

    def arrow(self, name: str) -> pa.Table:
        """A table or mart as Arrow's table."""
        return self._collected(name).to_arrow()

    def pandas(self, name: str) -> pd.DataFrame:
        """A table or mart as a frame of pandas, with Arrow's types: what is missing stays missing."""
        return self._collected(name).to_pandas(use_pyarrow_extension_array=True)

    def _collected(self, name: str) -> pl.DataFrame:
        import polars as pl

        try:
            return self.table(name).collect()
        except (OSError, pl.exceptions.PolarsError) as error:
            step = "paperlake.open(…, verify=True) takes each file whole, and checks it"
            raise StoreFailed(f"{name} of release {self.version} cannot be read: {error}; {step}") from error

    def sql(self, query: str, params: Sequence[object] | Mapping[str, object] = ()) -> pl.DataFrame:
        """The rows of one query, with `$1` or `$name` for `params`. Tables of core and mart need no schema name."""
        import polars as pl

        found = self.database.arrow(self.database.query(query), params)
        try:
            return pl.DataFrame(found)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            step = "give each column a name of its own, and CAST a type that it names to VARCHAR"
            raise QueryFailed(f"Polars cannot hold these rows: {error}; {step}") from error

    def search(self, text: str, *, limit: int = 10, explain: bool = False, semantic: bool = False) -> pl.DataFrame:
        """The papers that a query finds, the best first; with `explain`, why. docs/search.md has the query language."""
        from paperlake.find.finder import Finder
        from paperlake.find.reasons import found_rows

        encode = None
        if semantic:
            from flows.runtime.encoder import encoder

            encode = encoder()
        found = Finder(self.database, encode).search(text, limit)
        return _hits(found_rows(self.database, found, explain=explain))

    def similar(self, paper_ids: str | Sequence[str], *, limit: int = 10) -> pl.DataFrame:
        """The papers most like one, or like several together, with what they share."""
        from paperlake.find.reasons import similar_rows

        asked = [paper_ids] if isinstance(paper_ids, str) else paper_ids
        return _hits(similar_rows(self.database, [paper_named(self.database, one) for one in asked], limit))

    def trending(self, at: Moment | None = None, *, days: int = 7, limit: int = 10) -> pl.DataFrame:
        """What trended at a moment, by default that of the newest page, with every term of the formula."""
        from paperlake.answers.user_query import TRENDING

        require_there(self.database.names, "trending_as_of")
        return self.sql(TRENDING, [self.moment(at), days, limit])

    def board(self, benchmark: str, at: Moment | None = None) -> pl.DataFrame:
        """The claims of papers on a benchmark, the best of each split, metric and scale first, each with its sentence.

        `GPQA Diamond` is one split of a benchmark. With `at`, what was known at a moment. NothingThere names the
        nearest where there is no such benchmark.
        """
        from paperlake.answers.one_board import BOARD, benchmark_named

        named, split = benchmark_named(self.database, benchmark)
        return self.sql(BOARD, [named, None if at is None else instant(at), split])

    def paper(self, asked: str) -> Paper:
        """All that the release has of one paper, by an id, an address or a title; NothingThere names the nearest."""
        return Paper(one_paper(self.database, asked))

    def day(self, day: str | date, *, as_of: Moment | None = None) -> pl.DataFrame:
        """The daily list of a day as its last capture by a moment showed it, by default the last one of all."""
        return self.sql(DAY, [_day(day), self.moment(as_of)])

    def coverage(self, since: str | date = date.min, until: str | date = date.max) -> pl.DataFrame:
        """Which daily lists the release has, which it lacks, and why."""
        return self.sql(COVERAGE, [_day(since), _day(until)])

    def panel(self, cutoff: Moment, horizon: str | timedelta) -> pl.DataFrame:
        """What was known of each paper at a cutoff, and what came of it within hours or days (`7d`, `30h`).

        No feature looks ahead.
        """
        require_there(self.database.names, "panel")
        return self.sql(PANEL, [self.moment(cutoff), f"{hours_of(horizon)} hours"])

    def changes(self, since: str | Moment, *, whole: bool = False) -> dict[str, TableChanges]:
        """What to delete from each table of an older release, and what to insert, to have the rows of this one exactly.

        Tables that no name stands for are as they were. An older release is named by its version, which need not be
        kept any more, or by a moment. StepsMissing where a release between the two was dropped: `whole` gives each
        table that differs whole.
        """
        version = self._files.version_of(since)
        return rows_since(self._files.store, self._named, version, self._files.moves(), whole=whole)

    def follow(self, copy: str | PathLike[str], *, whole: bool = False) -> list[str]:
        """Bring the tables of a DuckDB file to this release; returns the releases that it went through.

        The file is made where there is none. Each step is one transaction, so that a copy is always at one release, and
        a killed run is gone on with. StepsMissing where no steps lead here: `whole` takes the tables that differ whole.
        """
        from warehouse.changes.step_chain import follow

        with local_files(self._files.store) as files:
            return follow(files, Path(copy), self._named, whole=whole)

    def why(self, since: str | Moment | None = None) -> pl.DataFrame:
        """How many cells and rows changed since an older release, or the one of a moment, each with its cause.

        By default since the one before, which the release itself records; any other is compared file by file.
        """
        if since is None and any(file.key == RECORDED for file in self.manifest.files):
            return self.sql(CHANGES)
        if since is None:
            if self.manifest.parent is None:
                raise NothingThere(f"release {self.version} is the first: there is none before it to compare it with")
            since = self.manifest.parent.version
        older = Release(self._files, *self._files.named(self._files.version_of(since)))
        return causes_since(self._files.store, older.manifest, self.manifest)

    def cite(self, paper_ids: str | Sequence[str] | None = None, *, style: Style = "bibtex") -> str:
        """Citations of papers, in the order given; without any, that of the release in BibTeX."""
        if paper_ids is None:
            from flows.documents.citation_record import misc_entry
            from flows.documents.edition import TITLE

            note = f"Manifest SHA-256 {self._named.manifest_sha256}"
            return misc_entry(self.version, title=TITLE, year=self.version[:4], version=self.version, note=note)
        from paperlake.answers.citations import citations

        asked = [paper_ids] if isinstance(paper_ids, str) else paper_ids
        return citations(self.database, list(dict.fromkeys(paper_named(self.database, one) for one in asked)), style)

    def evidence(self, row: str | Mapping[str, Any]) -> Evidence:
        """The captured page behind a row that has a `capture_id`, or of a `capture_id`.

        NothingThere where there is none. The archive cannot be searched over HTTP: open the folder or the bucket.
        """
        capture_id = row if isinstance(row, str) else row.get("capture_id")
        if not isinstance(capture_id, str):
            raise UsageError("the row has no capture_id; daily_listings, sightings, papers and others have")
        return evidence_of(self._files.store, capture_id)

    def moment(self, moment: Moment | None) -> datetime:
        """A moment as the tables have it; without one, that of the newest page."""
        return newest_page(self.database) if moment is None else instant(moment)

    def __repr__(self) -> str:
        return f"<Release {self.version} of {self._files.store.url}>"

    def _repr_html_(self) -> str:
        basis = self.basis
        days = basis.coverage
        facts = {
            "published": basis.released_at,
            "newest page": basis.newest_page_at,
            "daily lists": f"{days.first_on} to {days.last_on}: {days.complete} whole, {days.partial} in part, "
            f"{days.missing} missing",
            "retracted": self.erratum.why if self.erratum else "no",
            "cite": basis.cite,
        }
        rows = "".join(f"<tr><th>{name}</th><td>{escape(str(fact))}</td></tr>" for name, fact in facts.items())
        return f"<table><caption>release {escape(self.version)}</caption>{rows}</table>"


def _day(day: str | date) -> date:
    return instant(day).date()


def _hits(rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Found papers as a frame, whose columns have their types where none is found, too."""
    import polars as pl

    found = list(rows)
    kinds: dict[str, Any] = {"rank": pl.Int32, "paper_id": pl.String, "score": pl.Float64, "title": pl.String}
    kinds |= {"day": pl.Date, "upvote_count": pl.Int32, "status": pl.String}
    frame = pl.DataFrame([{name: row.get(name) for name in kinds} for row in found], schema=kinds)
    if found and "reasons" in found[0]:
        reasons = [{"reasons": row["reasons"]} for row in found]
        return frame.hstack(pl.DataFrame(reasons, infer_schema_length=None))
    return frame
