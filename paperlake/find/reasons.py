"""Why a paper was found: which terms, in which fields, with which share of its score; the sentence with most of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import fsum
from typing import TYPE_CHECKING, Any, Final

from paperlake.find.finder import Hit, SearchAnswer
from transforms.search.spoken import Token, fold, tokens_of
from warehouse.schema.search_rules import RARE

if TYPE_CHECKING:
    from warehouse.release.query import Database

TEXTS: Final = """
SELECT paper_id, title, abstract, coalesce(first_listed_on, published_on) AS day, upvote_count
FROM core.papers LEFT JOIN core.paper_texts USING (paper_id) WHERE paper_id IN (SELECT unnest($1))
"""
WORDS: Final = "SELECT word, term FROM core.search_words WHERE term IN (SELECT unnest($1))"
SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z$\\])")
SAME: Final = """
SELECT theirs.paper_id, list(DISTINCT theirs.{value} ORDER BY theirs.{value})
FROM core.{table} AS theirs JOIN core.{table} AS ours ON ours.{key} = theirs.{key}
WHERE ours.paper_id IN (SELECT unnest($1)) AND theirs.paper_id IN (SELECT unnest($2)) {rest} GROUP BY theirs.paper_id
"""
FEW: Final = f"""
AND theirs.keyword IN (SELECT keyword FROM core.paper_keywords GROUP BY keyword HAVING count(*) <= {RARE})
"""  # noqa: S608
IN_COMMON: Final = {
    "keywords": SAME.format(table="paper_keywords", key="keyword", value="keyword", rest=FEW),
    "authors": SAME.format(table="paper_authors", key="name", value="name", rest=""),
    "organization": SAME.format(table="papers", key="organization_login", value="organization_name", rest=""),
    "repository": SAME.format(table="paper_links", key="repository", value="repository", rest=""),
}
FIELDS: Final = ("title", "abstract")

Row = dict[str, Any]


def rows_of(database: Database, hits: list[Hit]) -> list[Row]:
    """Each hit as a row: its rank, id and score, and the columns that a list of papers shows."""
    found = database.rows(TEXTS, [[hit.paper_id for hit in hits]]).dicts()
    rows = {row["paper_id"]: row for row in found}
    return [
        {"rank": rank, "paper_id": hit.paper_id, "score": round(hit.score, 4)} | rows[hit.paper_id]
        for rank, hit in enumerate(hits, 1)
    ]


def explained(database: Database, found: SearchAnswer, rows: list[Row]) -> Iterator[Row]:
    """What the score of each hit is made of, and the sentence with most of it, its words marked by their places."""
    words = dict(database.rows(WORDS, [list(found.terms.values())]).rows)
    for hit, row in zip(found.hits, rows, strict=True):
        shares = dict(shares_of(hit))
        spans = {field: list(spans_of(words, row[field] or "", set(shares))) for field in FIELDS}
        fields = {term: [field for field in FIELDS if any(term in here for _, here in spans[field])] for term in shares}
        terms = [{"term": term, "share": share, "fields": fields[term]} for term, share in shares.items()]
        about = round(hit.meaning / hit.score, 3) if hit.score else 0.0
        sentence = sentence_with(row["abstract"] or "", spans["abstract"], shares)
        yield {"terms": terms, "meaning_share": about, **sentence}


def shares_of(hit: Hit) -> Iterator[tuple[str, float]]:
    """The terms of the query that the paper has, with their share of its score, the largest first."""
    whole = sum(points for _, points in hit.points) * (hit.score or 1.0)
    for term, points in hit.points:
        yield term, round(points * hit.matching / whole, 3)


def spans_of(words: dict[str, str], text: str, terms: set[str]) -> Iterator[tuple[Token, set[str]]]:
    """Where a text has terms that are asked for, by their words; nothing where folding moved its letters."""
    folded = fold(text)
    for token in tokens_of(folded) if len(folded) == len(text) else ():
        if here := terms & {words[word] for word in token.words if word in words}:
            yield token, here


def sentence_with(abstract: str, spans: list[tuple[Token, set[str]]], shares: dict[str, float]) -> Row:
    """The sentence whose terms have the largest share, the first of equals, and where the words stand in it."""
    starts = [0, *(found.end() for found in SENTENCE.finditer(abstract))]
    ends = [*(found.start() for found in SENTENCE.finditer(abstract)), len(abstract)]
    sentences = list(zip(starts, ends, strict=True))
    within = {(start, end): [one for one in spans if start <= one[0].start < end] for start, end in sentences}
    terms = {at: set[str]().union(*(here for _, here in found)) for at, found in within.items()}
    best = max(sentences, key=lambda at: fsum(shares[term] for term in terms[at]))
    if not within[best]:
        return {"sentence": None, "marks": []}
    marks = [[token.start - best[0], token.end - best[0]] for token, _ in within[best]]
    return {"sentence": abstract[slice(*best)], "marks": marks}


def in_common(database: Database, paper_ids: list[str], hits: list[Hit]) -> dict[str, Row]:
    """What each hit shares with any of the papers: keywords that few have, authors, organization, repository."""
    parameters = [paper_ids, [hit.paper_id for hit in hits]]
    shared: dict[str, Row] = {}
    for name, sql in IN_COMMON.items():
        for paper_id, values in database.rows(sql, parameters).rows:
            shared.setdefault(paper_id, {})[name] = values
    return shared
