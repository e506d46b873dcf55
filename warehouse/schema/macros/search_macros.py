"""What a query finds, how it is ranked, and similar papers, in plain SQL, for any client of the database."""

from collections.abc import Mapping
from typing import Final

import polars as pl

from warehouse.schema import columns as c
from warehouse.schema import search_rules as rules
from warehouse.schema.core.search import SIMILAR_PAPERS
from warehouse.schema.macros import query_macros
from warehouse.schema.macros.query_macros import RULES, TERM, TERMS
from warehouse.schema.mart import Macro, sql_of
from warehouse.schema.provenance import HUB
from warehouse.schema.shared import OUTCOME

RANK: Final = SIMILAR_PAPERS.column("rank")
SCORE: Final = c.real.but(
    name="score",
    meaning="Share of the best BM25, and a part of that of the best cosine; 1 more for a title, .3 for a part of one.",
    minimum=0,
)
SHARE: Final = SCORE.but(meaning="A share of the best.")
FOUND_TERMS: Final = c.text.but(
    name="terms",
    whose="prose",
    meaning="The terms of the query that the paper has, what counts most first.",
    source="search_lists",
)


TERM_POINTS = Macro(
    name="term_points",
    parameters={"terms": TERMS},
    answers="The papers that have terms, or what stands for them (`term_forms`), with what each counts: the BM25 of a "
    "query is the sum.",
    grain="One term of one paper.",
    columns=(
        TERM,
        c.paper_id,
        c.total.but(name="rarity", meaning="Rarity of the term.", source="search_rarities"),
        c.total.but(name="whole", meaning="Rarities of all these terms together.", source="search_rarities"),
        c.total.but(
            name="points",
            meaning="Rarity of the term times its weight in the paper.",
            source="search_lists, search_rarities, search_vectors",
        ),
    ),
    parts=RULES,
)

# What of a ranking is for a language model
MODEL: Final = {
    "is_embedded": "embedding IS NOT NULL",
    "model_nearness": "greatest(list_dot_product(embedded.vector::FLOAT[], embedding::FLOAT[]), 0)::DOUBLE\n"
    "                / sqrt(greatest(embedded.square, 1)::DOUBLE) AS model_nearness,",
    "embedded": "LEFT JOIN core.search_embeddings AS embedded USING (paper_id)",
    "model_share": "model_nearness / nullif(max(model_nearness) OVER (), 0) AS model_share,",
    "of_model": "model_share",
}
NO_MODEL: Final = {
    "is_embedded": "false",
    "model_nearness": "",
    "embedded": "",
    "model_share": "",
    "of_model": "0",
}
# The papers that are ranked: those that are kept, or any that has one of the words
KEPT: Final = {
    "kept": "kept.*",
    "among": "kept LEFT JOIN weighed USING (paper_id)\n    WHERE points IS NOT NULL OR term_total IS NULL",
}
ANY: Final = {
    "kept": "paper_id, is_sentence, letters",
    "among": "weighed, (SELECT is_sentence, letters FROM wanted)",
}


def scored(of: Mapping[str, str]) -> str:
    """SQL for what papers score, as `titled`."""
    parts = {"by_model": RULES["embedded"], "title_letters": rules.letters("title")}
    return sql_of("macros", "rank_scored", {**RULES, **parts, **of}).rstrip()


RANK_PAPERS = Macro(
    name="rank_papers",
    parameters={
        "terms": f"{TERMS}; NULL: every paper, each with a score of 0",
        "is_sentence": "whether it has a function word: then meaning counts more, and having all terms does not",
        "letters": "letters and digits of the query, to find a title by; NULL: of no title",
        "among": "the ids of the papers to look among; NULL: all",
        "embedding": "what a language model makes of the query, as 384 integers; NULL: rank without one",
    },
    answers="What a paper scores for a query that was read already, and what of it is for words and for meaning: what "
    "`search_papers` and `paperlake search` rank by.",
    grain="One paper that has one of the terms.",
    columns=(
        c.paper_id,
        SCORE,
        SHARE.but(
            name="matching",
            meaning="BM25 as a share of the best of all papers; without a function word, more for all words.",
        ),
        SHARE.but(name="meaning", meaning="The part of the score for the cosines, each a share of the query's best."),
        FOUND_TERMS.but(dtype=pl.List(c.TEXT)),
        TERM_POINTS.columns[-1].but(dtype=pl.List(pl.Int64()), meaning="What each term counts.", minimum=None),
    ),
    parts={"scored": scored(MODEL | KEPT)},
)

LIKE_PAPERS = Macro(
    name="like_papers",
    parameters={
        "liked": "ids of papers",
        "unlike": "ids of papers that count half as much, to be less like",
    },
    answers="How much papers are like one, or like several together, by their vectors and rare words. Those that were "
    "given are among them.",
    grain="One paper.",
    columns=(
        c.paper_id,
        SIMILAR_PAPERS.column("score").but(
            meaning="As `similar_papers` has it of one paper; of several, of the sum of their vectors, and the mean "
            "for their words. 0 below its least.",
            minimum=0,
        ),
        SHARE.but(name="likeness", meaning="The score as a share of the best."),
    ),
    parts=RULES | {"meaning_tenths": str(10 - rules.SHARED_TENTHS)},
)


ASKED: Final = "coalesce(query::VARCHAR, '')"
# What is nothing but an id, as far as the text alone tells: it names a paper, so that no word of it is looked up
IS_ID: Final = f"""length(query::VARCHAR) <= {rules.LONGEST_NAMED}
                AND NOT regexp_matches(query::VARCHAR, '"|words:| -')
                AND regexp_matches({rules.FOLDED.format("query::VARCHAR")}, '{rules.ADDRESS}')"""
GIVEN: Final = "trim(regexp_replace(asked, '[ \\t\\r\\n]+', ' ', 'g'))"
HAS_DIGIT: Final = "regexp_matches(query::VARCHAR, '[0-9]')"
OF_NAMED: Final = {"day": rules.DAY, "by_name": "by_name"}


FIND_ANY = Macro(
    name="find_any",
    parameters={
        "query": "what somebody typed, in the language of docs/search.md",
        "embedding": RANK_PAPERS.parameters["embedding"],
    },
    answers="What `find_papers` finds, whatever is asked: also for each of many queries, given by a column.",
    grain="One paper that matches.",
    columns=(RANK.but(maximum=None), *RANK_PAPERS.columns),
    parts=RULES
    | {
        "conditions": query_macros.spaced((*rules.CONDITIONS, "phrase")),
        "names_in": query_macros.names_in("(SELECT name AS given FROM typed)", with_digits=True),
        "scored": scored(MODEL | KEPT),
        "is_id": IS_ID,
        "sought_value": rules.sought("value"),
        "spoken_title": rules.spoken("title"),
        "spoken_abstract": rules.spoken("abstract"),
        "spoken_name": rules.spoken("authors.name"),
        "spoken_organization": rules.spoken("organization_name"),
        "spoken_keyword": rules.spoken("keyword"),
        "folded_abstract": rules.FOLDED.format("abstract"),
        "value_letters": rules.letters("value"),
        "unlike": f"{-rules.LIKENESS_TENTHS / 10}",
    },
)

FIND_ID = Macro(
    name="find_id",
    parameters={"query": "an id of arXiv or an address with one, and nothing else"},
    answers="What `find_papers` finds for an id.",
    grain=FIND_ANY.grain,
    columns=FIND_ANY.columns,
    parts={
        "names_ids": query_macros.names_ids(
            f"(SELECT trim({rules.FOLDED.format(GIVEN)}) AS folded FROM (SELECT unnest([query::VARCHAR]) AS asked))"  # noqa: S608 - ours
        ),
        "found_named": sql_of("macros", "found_named", OF_NAMED | {"by_name": "(FROM named WHERE kind = 1)"}),
    },
)

FIND_WORDS = Macro(
    name="find_words",
    parameters={"query": "words, without any field, quotation mark or sign of the language"},
    answers="What `find_papers` finds for words.",
    grain=FIND_ANY.grain,
    columns=FIND_ANY.columns,
    parts=RULES
    | {
        "given": GIVEN,
        "given_text": GIVEN.replace("asked", ASKED),
        "letters": rules.letters("asked"),
        "stems": query_macros.stems("asked"),
        "said": query_macros.SAID,
        "has_digit": HAS_DIGIT,
        "scored": scored(NO_MODEL | ANY),
        "found_named": sql_of("macros", "found_named", OF_NAMED),
    },
)

FIND_PAPERS = Macro(
    name="find_papers",
    parameters=FIND_ANY.parameters,
    answers="Papers that match a query, in its order: what `search_papers` and `paperlake search` show. The query is a "
    "value or a parameter of the statement; for one that a column gives there is `find_any`.",
    grain=FIND_ANY.grain,
    columns=FIND_ANY.columns,
    parts=RULES | {"asked": ASKED, "is_id": IS_ID},
)

SEARCH_PAPERS = Macro(
    name="search_papers",
    parameters={"query": "words, fields and names, in the language of docs/search.md; a pasted abstract too"},
    answers="Papers that match a query, the best first: by words of title and abstract, and in part by meaning. "
    "Typing errors, British spelling, hyphens and endings of words do not matter.",
    grain=f"One paper that matches, of at most {rules.MOST_HITS}.",
    columns=(
        RANK.but(maximum=rules.MOST_HITS),
        c.paper_id,
        c.title,
        SCORE,
        FOUND_TERMS,
        OUTCOME,
    ),
    parts=RULES,
)

SIMILAR_TO = Macro(
    name="similar_to",
    parameters={"of_paper": "the paper's id"},
    answers="The papers most like one, by their vectors and rare words, with what else they share.",
    grain="One paper; never the one that was asked for.",
    columns=(
        RANK,
        c.paper_id,
        c.title,
        SIMILAR_PAPERS.column("score"),
        c.text.but(
            name="reasons",
            whose="prose",
            meaning="Keywords that both have and few others, authors, organization, repository. They explain, and do "
            "not rank.",
            null="they share none of these",
            source="paper_keywords, paper_authors, papers, paper_links",
            origin=HUB,
        ),
    ),
    parts=RULES,
)

SEARCH_MACROS: Final = (
    query_macros.READ_QUERY,
    query_macros.NAMED_BY_WORDS,
    query_macros.NAMED_PAPERS,
    query_macros.READ_WORDS,
    query_macros.TERM_FORMS,
    TERM_POINTS,
    RANK_PAPERS,
    LIKE_PAPERS,
    FIND_ANY,
    FIND_ID,
    FIND_WORDS,
    FIND_PAPERS,
    SEARCH_PAPERS,
    SIMILAR_TO,
)
