"""Searches a release: the hits of a query, or the papers most like others, best first.

The macros of the release rank; here a query is read, and what its conditions keep. One without a language model imports
no NumPy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from paperlake.find.language import SPOKEN, Query, Sort, kept_papers, parse
from transforms.search.spoken import fold
from warehouse.errors import NothingThere, UsageError
from warehouse.schema.search_rules import LIKENESS_TENTHS, SCORE_UNIT

if TYPE_CHECKING:
    from transforms.search.embeddings import Encode
    from warehouse.release.query import Database


HAS_MACROS: Final = """
SELECT count(*) FROM duckdb_functions()
WHERE schema_name = 'mart' AND function_name = 'rank_papers' AND len(parameters) = 5 AND NOT internal
"""
HAS_EMBEDDINGS: Final = "SELECT count(*) > 0 FROM core.search_embeddings"
NO_MACROS: Final = 'the latest release has no index that this paperlake can ask; "paperlake run" makes one that has'
NOT_READ: Final = (
    'no language model has read the latest release; "paperlake run" with PAPERLAKE_SEMANTIC=1 makes one that it has'
)
READ: Final = "FROM read_words($1)"
RANKED: Final = "SELECT paper_id, score, matching, meaning, terms, points FROM rank_papers($1, $2, $3, $4, $5)"
# $8: whether papers must be like these, $9: how much that counts, $10: papers that are left out
LIKED: Final = f"""
WITH ranked AS MATERIALIZED ({RANKED})
SELECT
    paper_id, matching + (meaning + $9 * likeness) AS score, matching, meaning + $9 * likeness AS meaning, terms, points
FROM ranked JOIN like_papers($6, $7, (SELECT list(paper_id) FROM ranked)) USING (paper_id)
WHERE paper_id NOT IN (SELECT unnest($10)) AND (likeness > 0 OR NOT $8)
"""  # noqa: S608
SORTED_BY: Final[dict[Sort, str]] = {
    "relevance": "",
    "date": "coalesce(first_listed_on, published_on, CAST(submitted_at AS DATE)) DESC NULLS LAST, ",
    "upvotes": "upvote_count DESC NULLS LAST, ",
}
LIKE_SEVERAL: Final = """
SELECT paper_id, likeness FROM like_papers($1, [], NULL)
WHERE likeness > 0 AND paper_id NOT IN (SELECT unnest($1)) ORDER BY likeness DESC, paper_id LIMIT $2
"""
# As `similar_papers` has it, which keeps the first ones only
LIKE_ONE: Final = """
WITH spaces AS (
    SELECT 1 AS space, paper_id, square::BIGINT AS square, vector::FLOAT[] AS vector FROM core.search_vectors
    UNION ALL
    SELECT 2 AS space, paper_id, square::BIGINT AS square, vector::FLOAT[] AS vector FROM core.search_embeddings
),
alike AS (
    SELECT
        theirs.paper_id,
        floor(
            list_dot_product(theirs.vector, ours.vector)::DOUBLE * $3
                / sqrt(greatest(theirs.square * ours.square, 1)::DOUBLE)
        )::BIGINT AS cosine
    FROM spaces AS theirs JOIN (FROM spaces WHERE paper_id = $1) AS ours USING (space)
    WHERE theirs.paper_id <> $1
)
SELECT paper_id, (sum(cosine) // count(*)) / $3 AS score FROM alike
GROUP BY paper_id HAVING sum(cosine) // count(*) > 0 ORDER BY score DESC, paper_id LIMIT $2
"""
MISSING: Final = """
SELECT asked FROM (SELECT unnest($1) AS asked, generate_subscripts($1, 1) AS place)
WHERE asked NOT IN (SELECT paper_id FROM core.search_vectors) ORDER BY place LIMIT 1
"""


class Hit(NamedTuple):
    """A paper that was found, and what its score is made of: `matching` and `meaning` are shares of the best.

    `points` are what each term counts, the most first.
    """

    paper_id: str
    score: float
    matching: float = 0.0
    meaning: float = 0.0
    points: tuple[tuple[str, int], ...] = ()


class SearchAnswer(NamedTuple):
    """The best hits, how many papers match in all, and how each word of the query was read."""

    hits: list[Hit]
    paper_count: int
    terms: dict[str, str]  # the term of each word that is known, or was corrected
    corrected: dict[str, str]
    unknown: list[str]
    is_sentence: bool = False  # it has a function word


class Finder:
    """Searches one release, with a language model too if one is given."""

    def __init__(self, database: Database, encode: Encode | None = None) -> None:
        """Raise NothingThere where the release has no index to ask, or none of a language model."""
        self.database, self.encode = database, encode
        if not _is_true(database, HAS_MACROS):
            raise NothingThere(NO_MACROS)
        if encode and not _is_true(database, HAS_EMBEDDINGS):
            raise NothingThere(NOT_READ)

    def search(self, text: str, limit: int) -> SearchAnswer:
        """The hits of a query; UsageError where it cannot be parsed, NothingThere for `like:` an unknown paper."""
        query = parse(text)
        read = self._read_words(query.words)
        self._require_papers([*query.like, *query.unlike])
        if query.unlike and not (query.like or query.words):
            raise UsageError("-like: only leaves papers out; give words or like: too")
        if not (query.words or query.conditions or query.like):
            return read
        sql, parameters = RANKED, self._parameters(query, read)
        if query.like or query.unlike:
            sql, parameters = LIKED, [*parameters, *_liking(query)]
        order = f"ORDER BY {SORTED_BY[query.sort]}score DESC, paper_id LIMIT {int(limit)}"
        ranked = f"SELECT ranked.*, count(*) OVER () FROM ({sql}) AS ranked JOIN core.papers USING (paper_id) {order}"  # noqa: S608
        rows = list(self.database.rows(ranked, parameters).rows)
        hits = [
            Hit(paper_id, score, matching, meaning, tuple(zip(terms, points, strict=True)))
            for paper_id, score, matching, meaning, terms, points, _ in rows
        ]
        return read._replace(hits=hits, paper_count=rows[0][-1] if rows else 0)

    def similar(self, paper_ids: Iterable[str], limit: int) -> list[Hit]:
        """The papers most like one, or like several together; never one of these. NothingThere where one is unknown."""
        asked = list(paper_ids)
        self._require_papers(asked)
        if len(asked) == 1:
            found = self.database.rows(LIKE_ONE, [*asked, limit, SCORE_UNIT])
        else:
            found = self.database.rows(LIKE_SEVERAL, [asked, limit])
        return [Hit(paper_id, score) for paper_id, score in found.rows]

    def _read_words(self, words: tuple[str, ...]) -> SearchAnswer:
        """How words are read, without any hit."""
        read = SearchAnswer([], 0, {}, {}, [])
        for word, known, term in self.database.rows(READ, [words]).rows if words else ():
            if known is None:
                read.unknown.append(word)
            elif term is not None:
                read.terms[word] = term
                read.corrected.update({word: known} if known != word else {})
            else:
                read = read._replace(is_sentence=True)
        return read

    def _parameters(self, query: Query, read: SearchAnswer) -> list[object]:
        """What `rank_papers` is asked with."""
        terms = list(dict.fromkeys(read.terms.values())) if query.words else None
        letters = "".join(SPOKEN.findall(fold(query.text))) if query.is_plain else None
        embedding = self._embedding(query) if terms else None
        return [terms, read.is_sentence, letters, kept_papers(self.database, query), embedding]

    def _embedding(self, query: Query) -> list[int] | None:
        """What the language model makes of the words of a query."""
        if self.encode is None:
            return None
        from transforms.search.embeddings import rounded

        [vector] = rounded(self.encode([query.text if query.is_plain else " ".join(query.words)]))
        return [int(value) for value in vector]

    def _require_papers(self, paper_ids: list[str]) -> None:
        for (paper_id,) in self.database.rows(MISSING, [paper_ids]).rows if paper_ids else ():
            raise NothingThere(f"no paper of the latest release has the id {paper_id[:60]!r}")


def _liking(query: Query) -> list[object]:
    """What `LIKED` is asked with. Without `like:`, papers are ranked by words, and less where they are like these."""
    liked, unlike = list(query.like), list(query.unlike)
    if liked:
        return [liked, unlike, not query.words, 1.0, [*liked, *unlike]]
    return [unlike, [], False, -LIKENESS_TENTHS / 10, unlike]


def _is_true(database: Database, sql: str) -> bool:
    [(value,)] = database.rows(sql).rows
    return bool(value)


class Asked(msgspec.Struct):
    """One line: a search by `text`, or the papers like `paper_id`."""

    query_id: str | int
    text: str | None = None
    paper_id: str | None = None
    limit: int = 10


def answers(finder: Finder, lines: Iterable[bytes]) -> Iterator[bytes]:
    """The answer to each line; one that cannot be answered has no papers, and an `error` that says why."""
    decode, encode = msgspec.json.Decoder(Asked).decode, msgspec.json.Encoder().encode
    for line in filter(bytes.strip, lines):
        answer: dict[str, object] = {"query_id": None, "paper_ids": []}
        try:
            asked = decode(line)
            answer["query_id"] = asked.query_id
            answer["paper_ids"] = [hit.paper_id for hit in hits_of(finder, asked)]
        except (msgspec.DecodeError, UsageError, NothingThere) as error:
            answer["error"] = str(error)
        yield encode(answer)


def hits_of(finder: Finder, asked: Asked) -> list[Hit]:
    """The hits for one line; UsageError where it asks for nothing, or for two things."""
    if asked.limit >= 1 and asked.text is not None and asked.paper_id is None:
        return finder.search(asked.text, asked.limit).hits
    if asked.limit >= 1 and asked.text is None and asked.paper_id is not None:
        return finder.similar([asked.paper_id], asked.limit)
    raise UsageError("give text or paper_id, one of them, and a limit of 1 or more")
