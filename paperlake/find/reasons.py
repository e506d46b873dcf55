"""Found papers as rows, and why they were found: terms, fields, shares, the sentence with most of them.

And what they have in common: years, organizations, keywords and code, each with the field that narrows the query by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from math import fsum
from shlex import quote
from typing import TYPE_CHECKING, Any, Final

from paperlake.answers.one_paper import ABSTRACTS, NO_SUMMARY, summaries_of, with_status
from paperlake.find.finder import Finder, Hit, SearchAnswer, parse
from paperlake.sql.drawing import aligned
from warehouse.printable import printable
from warehouse.release.query import Database, QueryResult
from warehouse.schema.ddl import literal
from warehouse.schema.search_rules import DAY, FOLDED, RARE, WORD

if TYPE_CHECKING:
    from transforms.search.spoken import Token


TEXTS: Final = """
SELECT paper_id, title, coalesce(first_listed_on, published_on) AS day, upvote_count
FROM core.papers WHERE paper_id IN (SELECT unnest($1))
"""
WORDS: Final = "SELECT word, term FROM core.search_words WHERE term IN (SELECT unnest($1))"
MOST_WORDS: Final = 3
SHORT: Final = 3  # letters: `via` and `new` tell nothing, `dpo` does, which few papers have
SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z$\\])")
SAME: Final = """
SELECT theirs.paper_id, list(DISTINCT theirs.{value} ORDER BY theirs.{value})
FROM core.{table} AS theirs JOIN core.{table} AS ours ON ours.{key} = theirs.{key}
WHERE ours.paper_id IN (SELECT unnest($1)) AND theirs.paper_id IN (SELECT unnest($2)) {rest} GROUP BY theirs.paper_id
"""
FEW: Final = f"""
AND theirs.keyword IN (SELECT keyword FROM core.paper_keywords GROUP BY keyword HAVING count(*) <= {RARE})
"""  # noqa: S608
# Words that both say, one of them in its title: the rarest three, which tell what both are about
ABOUT: Final = f"""
WITH texts AS (
    SELECT
        paper_id,
        regexp_extract_all({FOLDED.format("title")}, {literal(WORD)}) AS titled,
        regexp_extract_all({FOLDED.format("concat_ws(' ', title, abstract)")}, {literal(WORD)}) AS said
    FROM core.papers LEFT JOIN core.paper_texts USING (paper_id)
    WHERE paper_id IN (SELECT unnest($1)) OR paper_id IN (SELECT unnest($2))
),
alike AS (
    SELECT DISTINCT
        theirs.paper_id,
        unnest(list_intersect(ours.said, theirs.titled) || list_intersect(ours.titled, theirs.said)) AS word
    FROM texts AS ours, texts AS theirs
    WHERE ours.paper_id IN (SELECT unnest($1)) AND theirs.paper_id IN (SELECT unnest($2))
)
SELECT paper_id, list(word ORDER BY paper_count, word)[:{MOST_WORDS}]
FROM alike JOIN core.search_words USING (word)
WHERE term IS NOT NULL AND NOT regexp_full_match(word, '[0-9]+') AND (length(word) > {SHORT} OR paper_count <= {RARE})
GROUP BY paper_id
"""  # noqa: S608
IN_COMMON: Final = {
    "keywords": SAME.format(table="paper_keywords", key="keyword", value="keyword", rest=FEW),
    "authors": SAME.format(table="paper_authors", key="name", value="name", rest=""),
    "organization": SAME.format(table="papers", key="organization_login", value="organization_name", rest=""),
    "repository": SAME.format(table="paper_links", key="repository", value="repository", rest=""),
    "words": ABOUT,
}

Row = dict[str, Any]


def rows_of(database: Database, hits: list[Hit]) -> list[Row]:
    """Each hit as a row: its rank, id and score, and the columns that a list of papers shows."""
    found = database.rows(TEXTS, [[hit.paper_id for hit in hits]]).dicts()
    rows = {row["paper_id"]: row for row in found}
    shown = (
        {"rank": rank, "paper_id": hit.paper_id, "score": round(hit.score, 4)} | rows[hit.paper_id]
        for rank, hit in enumerate(hits, 1)
    )
    return with_status(database, shown)


def summarized(database: Database, rows: list[Row]) -> list[Row]:
    """The rows, each with a `summary` for `found_text`, where the paper has one."""
    summaries = summaries_of(database, [row["paper_id"] for row in rows])
    return [row | {"summary": summaries.get(row["paper_id"], NO_SUMMARY)} for row in rows]


def found_rows(database: Database, found: SearchAnswer, *, explain: bool = False) -> list[Row]:
    """The hits of a search as rows; to `explain` them, each with its reasons."""
    rows = rows_of(database, found.hits)
    if not explain:
        return rows
    return [row | {"reasons": reasons} for row, reasons in zip(rows, explained(database, found, rows), strict=True)]


def similar_rows(database: Database, paper_ids: list[str], limit: int) -> list[Row]:
    """The papers most like one, or like several together, as rows, with what they share as reasons."""
    hits = Finder(database).similar(paper_ids, limit)
    shared = in_common(database, paper_ids, hits)
    return [row | {"reasons": shared.get(row["paper_id"], {})} for row in rows_of(database, hits)]


def explained(database: Database, found: SearchAnswer, rows: list[Row]) -> Iterator[Row]:
    """The parts of each hit's score, and the sentence with most of it, its words marked by their places."""
    words = words_for(database, found)
    abstracts = dict(database.rows(ABSTRACTS, [[hit.paper_id for hit in found.hits]]).rows)
    for hit, row in zip(found.hits, rows, strict=True):
        whole = sum(points for _, points in hit.points) * (hit.score or 1.0)
        shares = {term: round(points * hit.matching / whole, 3) for term, points in hit.points}  # the largest first
        texts = {"title": row["title"], "abstract": abstracts.get(hit.paper_id) or ""}
        spans = {field: list(spans_of(words, text, set(shares))) for field, text in texts.items()}
        fields = {term: [field for field in texts if any(term in here for _, here in spans[field])] for term in shares}
        said = {term: word for word, term in reversed(found.terms.items())}
        also = {one.term: one.says for one in reversed(found.also) if one.says}
        terms = [
            {"term": term, "word": found.corrected.get(said[term], said[term]), "share": share, "fields": fields[term]}
            | ({"also": also[term]} if term in also else {})
            for term, share in shares.items()
        ]
        about = round(hit.meaning / hit.score, 3) if hit.score else 0.0
        sentence = sentence_with(texts["abstract"], spans["abstract"], shares)
        yield {"terms": terms, "meaning_share": about, **sentence}


def words_for(database: Database, found: SearchAnswer) -> dict[str, set[str]]:
    """Each word by which a term of the query is found, with these terms: forms of it, and of what stands for it."""
    by = {term: {term} for term in found.terms.values()}
    for one in found.also:
        for part in one.found_by:
            by.setdefault(part, set()).add(one.term)
    return {word: by[term] for word, term in database.rows(WORDS, [list(by)]).rows}


def spans_of(words: dict[str, set[str]], text: str, terms: set[str]) -> Iterator[tuple[Token, set[str]]]:
    """Where a text has terms that are asked for, by their words; nothing where folding moved its letters."""
    from transforms.search.spoken import fold, tokens_of  # which takes 10 ms, and only reasons need it

    folded = fold(text)
    for token in tokens_of(folded) if len(folded) == len(text) else ():
        if here := terms & set[str]().union(*(words.get(word, ()) for word in token.words)):
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
    marks = [(token.start - best[0], token.end - best[0]) for token, _ in within[best]]
    return {"sentence": abstract[slice(*best)], "marks": marks}


def in_common(database: Database, paper_ids: list[str], hits: list[Hit]) -> dict[str, Row]:
    """What a hit shares with the papers: keywords that few have, authors, organization, repository, words."""
    parameters = [paper_ids, [hit.paper_id for hit in hits]]
    shared: dict[str, Row] = {}
    for name, sql in IN_COMMON.items():
        for paper_id, values in database.rows(sql, parameters).rows:
            shared.setdefault(paper_id, {})[name] = values
    return shared


MOST: Final = 8  # of each kind
FACETS: Final = f"""
WITH found AS MATERIALIZED (SELECT paper_id FROM find_papers($1, NULL)),
matching AS (FROM core.papers SEMI JOIN found USING (paper_id)),
named AS (
    SELECT 1 AS kind, 'year' AS facet, year({DAY})::VARCHAR AS value, 'year:' || value AS narrow, paper_id FROM matching
    UNION ALL
    SELECT
        2, 'organization', coalesce(organization_name, organization_login),
        'org:"' || replace(coalesce(organization_login, organization_name), '"', ' ') || '"', paper_id
    FROM matching
    UNION ALL
    SELECT 3, 'keyword', keyword, 'keyword:"' || replace(keyword, '"', ' ') || '"', paper_id
    FROM core.paper_keywords SEMI JOIN found USING (paper_id)
    UNION ALL
    SELECT 4, 'has', 'code', 'has:code', paper_id
    FROM core.paper_links SEMI JOIN found USING (paper_id) WHERE paper_links.kind = 'github'
)
SELECT facet, value, count(DISTINCT paper_id) AS paper_count, min(narrow) AS narrow FROM named
WHERE value IS NOT NULL GROUP BY kind, facet, value
QUALIFY row_number() OVER (PARTITION BY kind ORDER BY paper_count DESC, value) <= {MOST}
ORDER BY kind, paper_count DESC, value
"""  # noqa: S608 - ours


def facets(database: Database, query: str) -> QueryResult:
    """`facet`, `value`, `paper_count` and what narrows by it, the most papers first, of all papers that match.

    UsageError where the query cannot be parsed.
    """
    parse(database, query)
    return database.rows(FACETS, [query])


def facets_text(query: str, found: QueryResult, width: int | None = None) -> str:
    """The facets as a table, and a narrower query as an example."""
    rows = [tuple(map(str, row)) for row in found.rows]
    if not rows:
        return "no paper matches\n"
    shown = [
        ("" if before[0] == facet else facet, printable(value), count, printable(narrow))
        for before, (facet, value, count, narrow) in pairwise([("",), *rows])
    ]
    table = aligned([("", "", "papers", "narrow by"), *shown], [2], width)
    return f"{table}for example: paperlake search {quote(printable(f'{rows[0][3]} {query}'))}\n"
