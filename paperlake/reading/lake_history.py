"""When which release of a lake was the latest, as a program reads it: by the log of its moves, and its index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from paperlake.reading.moments import Moment, instant
from warehouse.errors import Damaged, NothingThere
from warehouse.release import moves
from warehouse.release.chain import read_chain, walk_chain
from warehouse.release.latest import require_latest
from warehouse.release.manifest import Erratum, Latest, Parent
from warehouse.store.store import Store

if TYPE_CHECKING:
    from flows.documents.release_index import ReleaseSummary


class LakeHistory:
    """The moves of a lake's latest release, looked up each time that something is asked."""

    def __init__(self, store: Store, *, is_on_web: bool) -> None:
        self._store, self._is_on_web = store, is_on_web
        self._known: Sequence[Latest] = ()

    def moves(self) -> Sequence[Latest]:
        """Every move, the first one first; Damaged where the chain of them is broken.

        Over HTTP the log cannot be listed, and so not be looked through for moves later than the newest.
        """
        if not self._known or self._known[-1] != require_latest(self._store):
            chain = walk_chain(self._store) if self._is_on_web else read_chain(self._store)
            if chain.wrong:
                raise Damaged("\n".join(chain.wrong))
            self._known = chain.moves
        return self._known

    def named(self, version: str) -> tuple[Parent, Erratum | None]:
        """A release with the hash of its manifest, and why it was retracted, if it was.

        NothingThere where it never was, or was dropped.
        """
        past = self.moves()
        moves.published(self._store, version, past)
        move = next(move for move in reversed(past) if move.version == version)
        return Parent(version, move.manifest_sha256), past[-1].erratum(version)

    def version_of(self, named: str | Moment) -> str:
        """The version itself, or that of the release that was the latest at a moment; NothingThere before the first."""
        if isinstance(named, str) and named.count(".") == 3:  # noqa: PLR2004 - a version's dots
            return named
        at, past = instant(named), self.moves()
        found = [move.version for move in past if instant(move.moved_at) <= at]
        if not found:
            raise NothingThere(f"nothing was published by {at} UTC; the first release is of {past[0].moved_at}")
        return found[-1]

    def released_at(self, version: str) -> str:
        """When a release was first the latest, an ISO instant."""
        return next(one.published_at for one in self.summaries() if one.version == version)

    def summaries(self) -> Sequence[ReleaseSummary]:
        """All releases, by the index of the lake; where that is not of the newest move, by every manifest."""
        from flows.documents.release_index import release_index, stored_index

        index = stored_index(self._store)
        if index is None or index.move != require_latest(self._store).number:
            index = release_index(self._store, self.moves()[-1], self.moves())
        return index.releases
