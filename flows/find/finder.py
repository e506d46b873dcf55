"""Searches a release: the hits of a query, or the papers most like others, best first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from flows.find.arrays import Numbers, load
from flows.find.conditions import SPOKEN, papers_with
from flows.find.language import Condition, Query, Sort, parse
from flows.find.ranking import (
    BESIDE,
    EMBEDDED,
    MEANING,
    Scores,
    best_first,
    candidates,
    matches,
    nearness,
    query_vector,
    shares,
    similarities,
    terms_for,
)
from transforms.search.embeddings import Encode, rounded
from transforms.search.neighbours import scaled
from transforms.search.spoken import fold
from warehouse.errors import NothingThere, UsageError
from warehouse.schema.search_rules import CANDIDATES, NAMED_TENTHS, QUERY_MOST, SAME_TITLE, SCORE_UNIT

if TYPE_CHECKING:
    from warehouse.release.query import Database

SORTED_BY: Final[dict[Sort, str]] = {
    "date": "SELECT paper_id, coalesce(first_listed_on, published_on, CAST(submitted_at AS DATE)) - DATE '1970-01-01' "
    "FROM core.papers",
    "upvotes": "SELECT paper_id, upvote_count FROM core.papers",
}
NOT_READ: Final = (
    'no language model has read the latest release; "paperlake run" with PAPERLAKE_SEMANTIC=1 makes one that it has'
)
UNKNOWN: Final = -(2**62)  # no day, no upvotes: last


class Hit(NamedTuple):
    """A paper that was found, and what its score is made of: `matching` and `meaning` are shares of the best."""

    paper_id: str
    score: float
    matching: float = 0.0
    meaning: float = 0.0


class Found(NamedTuple):
    """The best hits, how many papers match in all, and how each word of the query was read."""

    hits: list[Hit]
    paper_count: int
    terms: dict[str, str]  # the term of each word that is known, or was corrected
    corrected: dict[str, str]
    unknown: list[str]


class _Read(NamedTuple):
    terms: dict[str, str]
    corrected: dict[str, str]
    unknown: list[str]


class Finder:
    """Searches one release; its index is loaded once."""

    def __init__(self, database: Database, encode: Encode | None = None) -> None:
        """With a language model, queries are ranked by it too; NothingThere where the release was made without it."""
        self.database, self.index, self.encode = database, load(database), encode
        if encode and len(self.index.spaces) == 1:
            raise NothingThere(NOT_READ)
        self._numbers = {paper_id: number for number, paper_id in enumerate(self.index.paper_ids)}

    def search(self, text: str, limit: int) -> Found:
        """The hits of a query; UsageError where it cannot be parsed, NothingThere for `like:` an unknown paper."""
        query = parse(text)
        read = self._read(query.words)
        terms = list(dict.fromkeys(read.terms.values()))
        liked = [self.number(one) for one in query.like], [self.number(one) for one in query.unlike]
        kept = self._kept_papers(query)
        chosen, matching, near = self._scored(query, terms, liked, kept)
        scores = matching + near + self._title_scores(query, matching)
        order = self._in_order(query.sort, scores, chosen)
        parts = (scores.tolist(), matching.tolist(), near.tolist())
        hits = [Hit(self.index.paper_ids[one], *(part[one] for part in parts)) for one in order[:limit]]
        return Found(hits, len(order), *read)

    def similar(self, paper_ids: Iterable[str], limit: int) -> list[Hit]:
        """The papers most like one, or like several together; never one of these. NothingThere where one is unknown."""
        numbers = [self.number(paper_id) for paper_id in paper_ids]
        if len(numbers) == 1:
            scores: Scores = similarities(self.index.spaces, numbers[0]) / SCORE_UNIT
        else:
            scores = self._likeness(numbers, (), np.ones(len(self.index.paper_ids), bool))
        scores[numbers] = 0
        return [Hit(self.index.paper_ids[one], float(scores[one])) for one in best_first(scores, scores > 0)[:limit]]

    def number(self, paper_id: str) -> int:
        """A paper's place in the index."""
        if (number := self._numbers.get(paper_id)) is None:
            raise NothingThere(f"no paper of the latest release has the id {paper_id[:60]!r}")
        return number

    def _read(self, words: Iterable[str], *, put_right: bool = True) -> _Read:
        read = _Read({}, {}, [])
        for word, known, term in terms_for(self.index.words, words):
            if known is None or (known != word and not put_right):
                read.unknown.append(word)
            elif term is not None:
                read.terms[word] = term
                read.corrected.update({word: known} if known != word else {})
        return read

    def _kept_papers(self, query: Query) -> npt.NDArray[np.bool_]:
        """The papers that satisfy every condition, and have no excluded word."""
        excluded = list(dict.fromkeys(self._read(query.excluded, put_right=False).terms.values()))
        kept: npt.NDArray[np.bool_] = matches(self.index, excluded) == 0
        for condition in query.conditions:
            kept &= self._satisfying(condition)
        return kept

    def _scored(
        self, query: Query, terms: list[str], liked: tuple[list[int], list[int]], kept: npt.NDArray[np.bool_]
    ) -> tuple[npt.NDArray[np.bool_], Scores, Scores]:
        """Which of the kept papers match, and both parts of their scores."""
        points = matches(self.index, terms)
        asks = bool(query.words)
        chosen = kept & (points > 0) if asks else kept
        near = self._meaning_scores(query, terms, candidates(points, chosen & (points > 0)))
        if liked[0]:
            near = near + self._likeness(*liked, chosen)
            chosen &= asks | (near > 0)
        elif liked[1] and not asks:
            raise UsageError("-like: only leaves papers out; give words or like: too")
        elif liked[1]:
            near = near - MEANING * self._likeness(liked[1], (), chosen)
        elif not (asks or query.conditions):
            chosen[:] = False
        chosen[liked[0] + liked[1]] = False
        return chosen, shares(points), near

    def _meaning_scores(self, query: Query, terms: list[str], among: npt.NDArray[np.bool_]) -> Scores:
        """The part of each score for the query's meaning: by its terms, and by the model if there is one."""
        by_terms = nearness(self.index.spaces[0], query_vector(self.index.basis, terms), among)
        if self.encode is None or not terms:
            return MEANING * by_terms
        [vector] = rounded(self.encode([query.text if query.is_plain else " ".join(query.words)]))
        return BESIDE * by_terms + EMBEDDED * nearness(self.index.spaces[1], vector.astype(np.int64), among)

    def _likeness(self, liked: Sequence[int], unlike: Sequence[int], among: npt.NDArray[np.bool_]) -> Scores:
        """How near papers are to the sum of the liked papers' vectors, less half the sum of the unliked ones'."""
        found = []
        for space in self.index.spaces:
            near, far = (space.papers[list(some)].sum(axis=0, dtype=np.int64) for some in (liked, unlike))
            found.append(nearness(space, scaled(2 * near - far, QUERY_MOST), among))
        return shares(np.sum(found, axis=0))

    def _title_scores(self, query: Query, matching: Scores) -> Scores:
        """The part of each score for a query that is the paper's title."""
        letters = "".join(SPOKEN.findall(fold(query.text))) if query.is_plain else ""
        named = np.zeros(len(matching))
        for number in best_first(matching, matching >= NAMED_TENTHS / 10)[:CANDIDATES] if letters else ():
            named[number] = SAME_TITLE * (self.index.title_letters[number] == letters)
        return named

    def _satisfying(self, condition: Condition) -> npt.NDArray[np.bool_]:
        found = np.zeros(len(self.index.paper_ids), bool)
        found[[self._numbers[one] for one in papers_with(self.database, condition) if one in self._numbers]] = True
        return ~found if condition.is_not else found

    def _in_order(self, sort: Sort, scores: Scores, chosen: npt.NDArray[np.bool_]) -> Numbers:
        """The chosen papers in the order that was asked for; of equals the better score first, then the lower id."""
        order = best_first(scores, chosen)
        if sort == "relevance":
            return order
        values = {paper_id: value for paper_id, value in self.database.rows(SORTED_BY[sort]).rows if value is not None}
        keys = np.array([values.get(self.index.paper_ids[one], UNKNOWN) for one in order], np.int64)
        return order[np.argsort(-keys, kind="stable")]
