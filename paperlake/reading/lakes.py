"""A lake as a program reads it: its releases, and which of them was the latest when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from flows.runtime.lake import open_lake
from paperlake.reading.lake_files import LakeFiles
from paperlake.reading.release import Release
from paperlake.reading.web_store import WebStore
from warehouse.errors import Damaged, NothingThere, UsageError
from warehouse.limits import QueryLimits
from warehouse.release import moves
from warehouse.release.chain import walk_chain
from warehouse.release.latest import LATEST, require_latest
from warehouse.release.manifest import Latest, Parent
from warehouse.store.store import Store

if TYPE_CHECKING:
    import polars as pl

    from flows.documents.release_index import ReleaseSummary

Moment: TypeAlias = str | date | datetime
LIMITS: Final = QueryLimits()


class Lake:
    """A lake, read-only: `latest()`, `lake["2026.11.20.1"]` and `as_of(moment)` give its releases.

    What is the latest release is looked up each time; a release that is open stays as it is.
    """

    def __init__(self, files: LakeFiles) -> None:
        self._files, self._store = files, files.store
        self._known: tuple[int, Sequence[Latest]] | None = None

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
        from flows.runtime.settings import load

        store: Store
        if url.lower().startswith(("http://", "https://")):
            store = WebStore(url)
            if not store.exists(LATEST):
                raise NothingThere(f"no lake is served at {store.url}: it has no {LATEST}")
        else:
            store = open_lake(url)
        require_latest(store)
        kept = Path(cache) if cache is not None else load().cache
        return cls(LakeFiles(store, kept.expanduser(), verify, limits))

    @property
    def url(self) -> str:
        """Where the lake is; never with a password."""
        return self._store.url

    def latest(self) -> Release:
        """The latest release. Warns where it was retracted."""
        named = require_latest(self._store)
        return self._opened(named, named)

    def __getitem__(self, version: str) -> Release:
        """A release by its version. Warns where it was retracted; NothingThere where it never was, or was dropped."""
        past = self.moves()
        moves.published(self._store, version, past)
        return self._opened(next(move for move in reversed(past) if move.version == version), past[-1])

    def as_of(self, moment: Moment) -> Release:
        """The release that was the latest at a moment, UTC where it says no zone; a day is its first moment.

        NothingThere where nothing was published by then, or that release was dropped since.
        """
        at, past = instant(moment), self.moves()
        named = [move.version for move in past if datetime.fromisoformat(move.moved_at).replace(tzinfo=None) <= at]
        if not named:
            raise NothingThere(f"nothing was published by {at} UTC; the first release is of {past[0].moved_at}")
        return self[named[-1]]

    def releases(self) -> pl.DataFrame:
        """A row a release, the oldest first: when it was published, what it is and holds, whether it was retracted."""
        import polars as pl
        from msgspec import to_builtins

        found = pl.DataFrame([to_builtins(one) for one in self._summaries()], infer_schema_length=None)
        return found.with_columns(pl.col("published_at").str.to_datetime("%Y-%m-%dT%H:%M:%SZ"))

    def moves(self) -> Sequence[Latest]:
        """Every move of the latest release, the first one first; Damaged where the chain of them is broken."""
        head = require_latest(self._store)
        if self._known is None or self._known[0] != head.number or self._known[1][-1] != head:
            chain = walk_chain(self._store)
            if chain.wrong:
                raise Damaged("\n".join(chain.wrong))
            self._known = (chain.moves[-1].number, chain.moves)
        return self._known[1]

    def released_at(self, version: str) -> str:
        """When a release was first the latest, an ISO instant."""
        return next(move.moved_at for move in self.moves() if move.version == version)

    def cited(self, query_id: str) -> dict[str, Any]:
        """A query that `paperlake sql --cite` put on record: its SQL, release, and the hash of its rows.

        NothingThere where there is none.
        """
        from msgspec import to_builtins

        from paperlake.answers.cited_queries import cited_query

        found: dict[str, Any] = to_builtins(cited_query(self._store, query_id))
        return found

    def _opened(self, named: Latest, head: Latest) -> Release:
        return Release(self, self._files, Parent(named.version, named.manifest_sha256), head.erratum(named.version))

    def _summaries(self) -> Sequence[ReleaseSummary]:
        from flows.documents.release_index import release_index

        past = self.moves()
        return release_index(self._store, past[-1], past).releases

    def _versions(self) -> Iterator[str]:
        for version in dict.fromkeys(move.version for move in self.moves()):
            with suppress(NothingThere):
                moves.published(self._store, version, self.moves())
                yield version

    def __repr__(self) -> str:
        return f"<Lake {self.url}, latest release {require_latest(self._store).version}>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<li><code>{escape(version)}</code></li>" for version in list(self._versions())[-10:][::-1])
        return f"<p><b>Lake</b> <code>{escape(self.url)}</code>, its releases:</p><ul>{rows}</ul>"


def instant(moment: Moment) -> datetime:
    """A moment as the tables have it, UTC without zone; UsageError where a text is none.

    >>> instant("2026-11-20T12:00+02:00"), instant(date(2026, 11, 20))
    (datetime.datetime(2026, 11, 20, 10, 0), datetime.datetime(2026, 11, 20, 0, 0))
    """
    try:
        found = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    except ValueError as error:
        raise UsageError(f"{moment!r} is no moment; write 2026-11-20 or 2026-11-20T12:00") from error
    if not isinstance(found, datetime):
        return datetime(found.year, found.month, found.day)
    return found.astimezone(UTC).replace(tzinfo=None) if found.tzinfo else found
