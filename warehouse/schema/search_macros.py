"""Search and similar papers in plain SQL, for any client of the database."""

from __future__ import annotations

from typing import Final

import polars as pl

from warehouse.schema import columns as c
from warehouse.schema import search_rules as rules
from warehouse.schema.core.search import SIMILAR_PAPERS
from warehouse.schema.ddl import literal
from warehouse.schema.macro import Macro
from warehouse.schema.origin import HUB, PAPERLAKE
from warehouse.schema.table import Column

RANK: Final = SIMILAR_PAPERS.column("rank")

SEARCH_PAPERS = Macro(
    name="search_papers",
    parameters={"query": "words; a pasted abstract too"},
    answers="Papers found by words of title and abstract, the best first: by BM25, and half as much by meaning. "
    "Typing errors, British spelling, hyphens and endings of words do not matter.",
    grain=f"One paper that has a word of the query, of at most {rules.MOST_HITS}.",
    columns=(
        RANK.but(maximum=rules.MOST_HITS),
        c.paper_id,
        c.title,
        Column(
            name="score",
            dtype=pl.Float64(),
            meaning="Share of the best BM25, and half the share of the best cosine; 1 more for a title as it is.",
            source="computed",
            origin=PAPERLAKE,
            minimum=0,
        ),
        Column(
            name="terms",
            dtype=c.TEXT,
            meaning="The terms of the query that the paper has, what counts most first.",
            source="search_lists",
            origin=PAPERLAKE,
        ),
    ),
    parts={
        "word": literal(rules.WORD),
        "joiner": literal(rules.JOINER),
        "possessive": literal(rules.POSSESSIVE),
        "plain_word": literal(rules.PLAIN_WORD),
        "weight": rules.weight("count", "length"),
        "folded": rules.FOLDED.format("query"),
        "title_letters": rules.letters("title"),
        "query_letters": f"regexp_replace(folded, '{rules.SIGN}', '', 'g')",
        "longest_word": str(rules.LONGEST_WORD),
        "long_word": str(rules.LONG_WORD),
        "fewest_letters": str(rules.FEWEST_LETTERS),
        "most_corrected": str(rules.MOST_CORRECTED),
        "query_most": str(rules.QUERY_MOST),
        "candidates": str(rules.CANDIDATES),
        "meaning": f"{rules.MEANING_TENTHS / 10}",
        "named": f"{rules.NAMED_TENTHS / 10}",
        "same_title": str(rules.SAME_TITLE),
        "most_hits": str(rules.MOST_HITS),
    },
)

SIMILAR_TO = Macro(
    name="similar_to",
    parameters={"of_paper": "the paper's id"},
    answers="The papers most like one, by their vectors, with what else they share.",
    grain="One paper; never the one that was asked for.",
    columns=(
        RANK,
        c.paper_id,
        c.title,
        SIMILAR_PAPERS.column("score"),
        Column(
            name="reasons",
            dtype=c.TEXT,
            meaning="Keywords that both have and few others, authors, organization, repository. They explain, and do "
            "not rank.",
            null="they share none of these",
            source="paper_keywords, paper_authors, papers, paper_links",
            origin=HUB,
        ),
    ),
    parts={"rare": str(rules.RARE)},
)
