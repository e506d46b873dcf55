"""A lake as a program reads it: its releases, and which of them was the latest when."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, inspect, to_builtins
from msgspec.structs import fields

from flows.runtime.lake import cache_of, open_lake
from paperlake.reading.lake_files import LakeFiles
from paperlake.reading.moments import Moment
from paperlake.reading.release import Release
from warehouse.errors import NothingThere
from warehouse.limits import QueryLimits
from warehouse.release.latest import LATEST, require_latest
from warehouse.release.manifest import Latest, Parent
from warehouse.store.store import Store, read_if_there

if TYPE_CHECKING:
    import polars as pl

LIMITS: Final = QueryLimits()
SHOWN: Final = 10  # releases, in a notebook


class Lake:
    """A lake, read-only: `latest()`, `lake["2026.11.20.1"]` and `as_of(moment)` give its releases.

    What is the latest release is looked up each time; a release that is open stays as it is.
    """

    def __init__(self, files: LakeFiles) -> None:
        self._files, self._store = files, files.store

    @classmethod
    def at(
        cls,
        url: str,
        *,
        cache: str | PathLike[str] | None = None,
        verify: bool = False,
        limits: QueryLimits = LIMITS,
    ) -> Lake:
        """The lake at a path or an address, as `paperlake.open` has it."""
        web = None
        if url.lower().startswith(("http://", "https://")):
            from paperlake.reading.web_store import WebStore

            web = WebStore(url)
        store = Store(web) if web else open_lake(url)
        if web and read_if_there(store, LATEST) is None:
            raise NothingThere(f"no lake is served at {web.url}: it has no {LATEST}")
        require_latest(store)
        where = cache_of if cache is None else Path(cache).expanduser().absolute
        return cls(LakeFiles(store, where, verify, limits, web))

    @property
    def url(self) -> str:
        """Where the lake is; never with a password."""
        return self._store.url

    @property
    def move(self) -> int:
        """How often the lake was moved: published, rolled back, retracted, or somebody erased from it."""
        return require_latest(self._store).number

    def latest(self) -> Release:
        """The latest release. Warns where it was retracted."""
        named = require_latest(self._store)
        hashed = Parent(named.version, named.manifest_sha256)
        return Release(self._files, hashed, named.erratum(named.version))

    def __getitem__(self, version: str) -> Release:
        """A release by its version. Warns where it was retracted; NothingThere where it never was, or was dropped."""
        return Release(self._files, *self._files.named(version))

    def as_of(self, moment: Moment) -> Release:
        """The release that was the latest at a moment, UTC where it says no zone; a day is its first moment.

        NothingThere where nothing was published by then, or that release was dropped since.
        """
        return Release(self._files, *self._files.named(self._files.version_of(moment)))

    def releases(self) -> pl.DataFrame:
        """A row a release, the oldest first: when it was published, what it is and holds, whether it was retracted."""
        import polars as pl

        from flows.documents.release_index import ReleaseSummary

        found = pl.DataFrame([to_builtins(one) for one in self._files.summaries()], _dtypes(ReleaseSummary))
        return found.with_columns(pl.col("published_at").str.to_datetime("%Y-%m-%dT%H:%M:%SZ"))

    def moves(self) -> Sequence[Latest]:
        """Every move of the latest release, the first one first; Damaged where the chain of them is broken.

        Over HTTP the log cannot be listed, and so not be looked through for moves later than the newest.
        """
        return self._files.moves()

    def cited(self, query_id: str) -> dict[str, Any]:
        """A query that `paperlake sql --cite` put on record: its SQL, release, and the hash of its rows.

        NothingThere where there is none.
        """
        from paperlake.answers.user_query import cited_query

        found: dict[str, Any] = to_builtins(cited_query(self._store, query_id))
        return found

    def __repr__(self) -> str:
        return f"<Lake {self.url}, latest release {require_latest(self._store).version}>"

    def _repr_html_(self) -> str:
        there = [one.version for one in self._files.summaries() if one.dropped_at is None]
        rows = "".join(f"<li><code>{escape(version)}</code></li>" for version in there[: -SHOWN - 1 : -1])
        return f"<p><b>Lake</b> <code>{escape(self.url)}</code>, its releases:</p><ul>{rows}</ul>"


def _dtypes(struct: type[Struct]) -> dict[str, pl.DataType]:
    """Polars' type of each field, as it is declared."""
    return {one.name: _dtype(inspect.type_info(one.type)) for one in fields(struct)}


def _dtype(declared: inspect.Type) -> pl.DataType:
    import polars as pl

    match declared:
        case inspect.StructType(cls=struct):
            return pl.Struct(_dtypes(struct))
        case inspect.UnionType(types=types):  # with null
            return next(_dtype(one) for one in types if not isinstance(one, inspect.NoneType))
        case inspect.VarTupleType(item_type=item):
            return pl.List(_dtype(item))
        case inspect.IntType():
            return pl.Int64()
        case inspect.BoolType():
            return pl.Boolean()
    return pl.String()
