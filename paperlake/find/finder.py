"""Searches a release: the hits of a query, or the papers most like others, best first.

The macros of the release rank, and read a query: `read_query` alone knows the language. A search without a language
model imports no NumPy.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from paperlake.answers.one_paper import paper_named
from warehouse.errors import NothingThere, QueryFailed, UsageError
from warehouse.schema.search_rules import ARXIV_ID, SCORE_UNIT, SIMILAR_COUNT, TO

if TYPE_CHECKING:
    from transforms.search.embeddings import Encode
    from warehouse.release.query import Database


READ_QUERY_SQL: Final = "SELECT field, value, is_not, words FROM read_query($1)"
REFUSED: Final = "Invalid Input Error: "  # what DuckDB puts before the error of a macro


class QueryItem(NamedTuple):
    """One word, phrase or field of a query. Without `field` it is words; papers with what `is_not` are left out."""

    field: str | None
    value: str
    is_not: bool = False
    words: tuple[str, ...] = ()

    @property
    def ranks(self) -> bool:
        """Whether papers are found by its words."""
        return not self.is_not and self.field in {None, "phrase", "words"}


def parse(database: Database, text: str) -> list[QueryItem]:
    """The items of a query in its order; UsageError where a field has a value that it cannot have."""
    try:
        rows = list(database.rows(READ_QUERY_SQL, [text]).rows)
    except QueryFailed as error:
        if not str(error).startswith(REFUSED):
            raise
        raise UsageError(str(error).removeprefix(REFUSED)) from error
    return [QueryItem(field, value, is_not, tuple(words)) for field, value, is_not, words in rows]


def parse_alone(text: str) -> list[QueryItem]:
    """As `parse`, where there is no lake to ask."""
    from warehouse.release.query import without_lake
    from warehouse.schema.ddl import create_macro
    from warehouse.schema.macros.query_macros import READ_QUERY

    with without_lake(create_macro(READ_QUERY)) as database:
        return parse(database, text)


HAS_EMBEDDINGS: Final = "SELECT count(*) > 0 FROM core.search_embeddings"
NO_MACROS: Final = 'the latest release has no index that this paperlake can ask; "paperlake run" makes one that has'
NOT_READ: Final = (
    'no language model has read the latest release; "paperlake run" with PAPERLAKE_SEMANTIC=1 makes one that it has'
)
READ: Final = "FROM read_words($1)"
FOUND: Final = """
SELECT
    paper_id, score, matching, meaning, terms, points,
    count(*) OVER (), most, count(*) FILTER (len(terms) = most) OVER ()
FROM (SELECT *, max(len(terms)) OVER () AS most FROM find_papers($1, $2)) ORDER BY rank LIMIT $3
"""
ALSO: Final = "FROM term_forms($1) ORDER BY ALL"
NAMED: Final = "SELECT DISTINCT field, value FROM named_papers($1) ORDER BY ALL LIMIT 10"
LIKE_ONE: Final = """
SELECT other_paper_id, score / $3 FROM core.similar_papers WHERE paper_id IN (SELECT unnest($1)) ORDER BY rank LIMIT $2
"""
LIKE_SEVERAL: Final = """
SELECT paper_id, score / $3 FROM like_papers($1, [])
WHERE score > 0 AND paper_id NOT IN (SELECT unnest($1)) ORDER BY score DESC, paper_id LIMIT $2
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


class Also(NamedTuple):
    """Other terms by which a term is found: a paper must have all of them; `says` are their words, if others."""

    term: str
    found_by: list[str]
    says: str | None


class SearchAnswer(NamedTuple):
    """The best hits, how many papers match in all, and how the query was read."""

    hits: list[Hit]
    paper_count: int
    terms: dict[str, str]  # the term of each word that is known, or was corrected
    corrected: dict[str, str]
    unknown: list[str]
    fullest: tuple[int, int] = (0, 0)  # the most terms that a paper has, and how many have so many
    also: tuple[Also, ...] = ()
    named: tuple[tuple[str, str], ...] = ()  # what the words name, as field and value: then they are no words
    items: tuple[QueryItem, ...] = ()


class Finder:
    """Searches one release, with a language model too if one is given."""

    def __init__(self, database: Database, encode: Encode | None = None) -> None:
        """Raise NothingThere where the release has no index to ask, or none of a language model."""
        self.database, self.encode = database, encode
        if "find_papers" not in database.names:
            raise NothingThere(NO_MACROS)
        if encode and not next(database.rows(HAS_EMBEDDINGS).rows)[0]:
            raise NothingThere(NOT_READ)

    def search(self, text: str, limit: int) -> SearchAnswer:
        """The hits of a query; UsageError where it cannot be parsed, NothingThere for `like:` an unknown paper."""
        items = parse(self.database, text)
        liked = [item for item in items if item.field == "like"]
        self._require_papers([paper_in(one) for item in liked for one in item.value.split(",") if one])
        words = list(dict.fromkeys(word for item in items if item.ranks for word in item.words))
        if not words and liked and all(item.is_not for item in liked):
            raise UsageError("-like: only leaves papers out; give words or like: too")
        said = text if all(item.field is None and item.ranks for item in items) else " ".join(words)
        rows = list(self.database.rows(FOUND, [text, self._embedding(said) if words else None, limit]).rows)
        hits = [
            Hit(paper_id, score, matching, meaning, tuple(zip(terms, points, strict=True)))
            for paper_id, score, matching, meaning, terms, points, *_ in rows
        ]
        if words and not any(hit.points for hit in hits) and (named := self._names(items)):
            others = [value for field, value in named if field == "id" and value.lower() not in text.lower()]
            corrected = {text.strip(): ", ".join(others)} if others else {}
            return SearchAnswer(hits, len(rows) and rows[0][6], {}, corrected, [], named=named, items=tuple(items))
        read = self._read_words(words)._replace(items=tuple(items))
        return read._replace(hits=hits, paper_count=rows[0][6], fullest=rows[0][7:]) if rows else read

    def similar(self, paper_ids: Iterable[str], limit: int) -> list[Hit]:
        """The papers most like one, or like several together; never one of these. NothingThere where one is unknown."""
        asked = list(paper_ids)
        self._require_papers(asked)
        likest = LIKE_ONE if len(asked) == 1 and limit <= SIMILAR_COUNT else LIKE_SEVERAL
        return [Hit(*row) for row in self.database.rows(likest, [asked, limit, SCORE_UNIT]).rows]

    def _read_words(self, words: list[str]) -> SearchAnswer:
        """How words are read, without any hit."""
        read = SearchAnswer([], 0, {}, {}, [])
        for word, known, term in self.database.rows(READ, [words]).rows if words else ():
            if known is None:
                read.unknown.append(word)
            elif term is not None:
                read.terms[word] = term
                read.corrected.update({word: known} if known != word else {})
        read = read._replace(unknown=[word for word in read.unknown if not is_joined(word, words, read.terms)])
        is_asked = read.terms and "term_forms" in self.database.names
        also = self.database.rows(ALSO, [list(read.terms.values())]).rows if is_asked else ()
        return read._replace(also=tuple(Also(*row) for row in also))

    def _names(self, items: list[QueryItem]) -> tuple[tuple[str, str], ...]:
        """The names that the words of a query form together, if nothing tells that they are words."""
        if any(item.is_not if item.field is None else item.field in {"phrase", "words", "like"} for item in items):
            return ()
        named = " ".join(item.value for item in items if item.field is None)
        return tuple((field, value) for field, value in self.database.rows(NAMED, [named]).rows)

    def _embedding(self, text: str) -> list[int] | None:
        """The language model's vector of the words of a query."""
        if self.encode is None:
            return None
        from transforms.search.embeddings import rounded

        [vector] = rounded(self.encode([text]))
        return [int(value) for value in vector]

    def _require_papers(self, paper_ids: list[str]) -> None:
        for (paper_id,) in self.database.rows(MISSING, [paper_ids]).rows if paper_ids else ():
            raise NothingThere(f"no paper of the latest release has the id {paper_id[:60]!r}")


def paper_in(value: str) -> str:
    """The arXiv id in a value of `like:`, which may be an address.

    >>> paper_in("https://arxiv.org/abs/2604.03759v2"), paper_in("arXiv:math.GT/0309136"), paper_in("title:1f")
    ('2604.03759', 'math.GT/0309136', 'title:1f')
    """
    found = re.search(ARXIV_ID, value, re.IGNORECASE)
    return found[1] if found else value


def is_joined(word: str, words: list[str], known: dict[str, str]) -> bool:
    """Whether a word is those before it in a query, joined, or as `ttoi` is to `t2i`, which is known: nobody misses it.

    >>> is_joined("202607", ["2026", "07", "202607"], {}), is_joined("loom", ["a", "loom"], {})
    (True, False)
    >>> is_joined("ttoi", ["t2i", "ttoi"], {"t2i": "t2i"}), is_joined("t2i", ["t2i", "ttoi"], {"ttoi": "ttoi"})
    (True, True)
    """
    in_full, *known_in_full = (re.sub(TO, r"\1to\2", one) for one in (word, *known))
    before, joined, count = words[: words.index(word)], "", 0
    while before and len(joined) < len(word):
        joined, count = before.pop() + joined, count + 1
    return (count > 1 and joined == word) or in_full in known_in_full


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
            asked = decode(line.removeprefix(BOM_UTF8))
            answer["query_id"] = asked.query_id
            answer["paper_ids"] = [hit.paper_id for hit in hits_of(finder, asked)]
        except (msgspec.DecodeError, UnicodeDecodeError, UsageError, NothingThere, QueryFailed) as error:
            answer["error"] = str(error)
        yield encode(answer)


def hits_of(finder: Finder, asked: Asked) -> list[Hit]:
    """The hits for one line; UsageError where it asks for nothing, or for two things."""
    if asked.limit >= 1 and asked.text is not None and asked.paper_id is None:
        return finder.search(asked.text, asked.limit).hits
    if asked.limit >= 1 and asked.text is None and asked.paper_id is not None:
        return finder.similar([paper_named(finder.database, asked.paper_id)], asked.limit)
    raise UsageError("give text or paper_id, one of them, and a limit of 1 or more")
