"""What a query finds, and similar papers, in plain SQL, for any client of the database."""

from __future__ import annotations

from typing import Final

from warehouse.schema import columns as c
from warehouse.schema import search_rules as rules
from warehouse.schema.core.search import SIMILAR_PAPERS
from warehouse.schema.ddl import literal
from warehouse.schema.macros import query_macros, rank_macros
from warehouse.schema.mart import Macro, sql_of
from warehouse.schema.provenance import HUB
from warehouse.schema.shared import OUTCOME

ASKED: Final = "coalesce(query::VARCHAR, '')"
# What is nothing but an id, as far as the text alone tells: it names a paper, so that no word of it is looked up
IS_ID: Final = f"""length(query::VARCHAR) <= {rules.LONGEST_NAMED}
                AND NOT regexp_matches(query::VARCHAR, '"|words:| -')
                AND regexp_matches({rules.PLAINLY.format("query::VARCHAR")}, '{rules.ADDRESS}')"""
GIVEN: Final = "trim(regexp_replace(asked, '[ \\t\\r\\n]+', ' ', 'g'))"
HAS_DIGIT: Final = "regexp_matches(query::VARCHAR, '[0-9]')"
OF_NAMED: Final = {"day": rules.DAY, "by_name": "by_name"}


FIND_ANY = Macro(
    name="find_any",
    parameters={
        "query": "what somebody typed, in the language of docs/search.md",
        "embedding": rank_macros.RANK_PAPERS.parameters["embedding"],
    },
    answers="What `find_papers` finds, whatever is asked: also for each of many queries, given by a column.",
    grain="One paper that matches.",
    columns=(rank_macros.RANK.but(maximum=None), *rank_macros.RANK_PAPERS.columns),
    parts={
        "conditions": query_macros.spaced((*rules.CONDITIONS, "phrase")),
        "names_in": query_macros.names_in("(SELECT name AS given FROM typed)", with_digits=True),
        "scored": rank_macros.scored(rank_macros.MODEL | rank_macros.KEPT),
        "is_id": IS_ID,
        "day": rules.DAY,
        "arxiv_id": rules.ARXIV_ID,
        "spoken_value": rules.spoken("value"),
        "spoken_title": rules.spoken("title"),
        "spoken_abstract": rules.spoken("abstract"),
        "spoken_name": rules.spoken("authors.name"),
        "spoken_organization": rules.spoken("organization_name"),
        "spoken_keyword": rules.spoken("keyword"),
        "folded_abstract": rules.FOLDED.format("abstract"),
        "value_letters": rules.letters("value"),
        "unlike": f"{-rules.LIKENESS_TENTHS / 10}",
        "floor": f"{rules.FLOOR_TENTHS / 10}",
        "fewest_sorted": str(rules.FEWEST_SORTED),
        "close": f"{rules.CLOSE_TENTHS / 10}",
        "close_sentence": f"{rules.CLOSE_SENTENCE_TENTHS / 10}",
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
    parts={
        "given": GIVEN,
        "given_text": GIVEN.replace("asked", ASKED),
        "letters": rules.letters("asked"),
        "stems": query_macros.stems("asked"),
        "said": query_macros.SAID,
        "has_digit": HAS_DIGIT,
        "scored": rank_macros.scored(rank_macros.NO_MODEL | rank_macros.ANY),
        "floor": f"{rules.FLOOR_TENTHS / 10}",
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
    parts={"asked": ASKED, "is_id": IS_ID, "has_fields": literal(rules.HAS_FIELDS)},
)

SEARCH_PAPERS = Macro(
    name="search_papers",
    parameters={"query": "words, fields and names, in the language of docs/search.md; a pasted abstract too"},
    answers="Papers that match a query, the best first: by words of title and abstract, and in part by meaning. "
    "Typing errors, British spelling, hyphens and endings of words do not matter.",
    grain=f"One paper that matches, of at most {rules.MOST_HITS}.",
    columns=(
        rank_macros.RANK.but(maximum=rules.MOST_HITS),
        c.paper_id,
        c.title,
        rank_macros.SCORE,
        rank_macros.FOUND_TERMS,
        OUTCOME,
    ),
    parts={"most_hits": str(rules.MOST_HITS)},
)

SIMILAR_TO = Macro(
    name="similar_to",
    parameters={"of_paper": "the paper's id"},
    answers="The papers most like one, by their vectors and rare words, with what else they share.",
    grain="One paper; never the one that was asked for.",
    columns=(
        rank_macros.RANK,
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
    parts={"rare": str(rules.RARE)},
)

SEARCH_MACROS: Final = (
    query_macros.READ_QUERY,
    query_macros.NAMED_BY_WORDS,
    query_macros.NAMED_PAPERS,
    query_macros.READ_WORDS,
    query_macros.TERM_FORMS,
    rank_macros.TERM_POINTS,
    rank_macros.RANK_PAPERS,
    rank_macros.LIKE_PAPERS,
    FIND_ANY,
    FIND_ID,
    FIND_WORDS,
    FIND_PAPERS,
    SEARCH_PAPERS,
    SIMILAR_TO,
)
