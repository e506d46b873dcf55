"""The tables behind search and similar papers: words, terms, vectors, neighbours. Integers and words, no floats.

And `paper_acronyms`: what the acronyms stand for that a paper explains.
"""

from typing import Final

import polars as pl

from warehouse.schema import columns as c
from warehouse.schema import search_rules as rules
from warehouse.schema.shared import COHORT_PAPERS, MONTH_PAPERS, NEWEST_PAPERS
from warehouse.schema.table import ZSTD_LEVEL_OF_MADE, Cut, Table

SMALL: Final = pl.List(pl.Int8())

TERM: Final = c.prose.but(
    name="term",
    meaning="What all forms of a word share: American spelling, then the stem that Snowball gives for English.",
    source="computed from the words of titles and abstracts",
    max_length=rules.LONGEST_WORD,
)
KNOWN_TERM: Final = TERM.but(refers_to="search_terms.term")
PAPER_COUNT: Final = c.count.but(name="paper_count", unit="papers", meaning="Number of papers that have it.", minimum=1)
COHORT: Final = c.text.but(
    name="cohort",
    meaning="Month of the paper's arXiv id; of a paper without one `titles-` and the first digit of its id's hash.",
    source="computed from the paper's id",
)
PLACE: Final = c.count.but(
    name="place",
    unit="place, from 0",
    meaning="Place of the paper among all papers of its cohort in the order of their ids: `search_lists` names papers "
    "by cohort and place.",
)
SQUARE: Final = c.integer.but(
    name="square",
    meaning="Sum of the squares of the vector's values; 0 where no term of the paper has a meaning.",
    minimum=0,
)

HASH: Final = c.text.but(
    name="text_sha256",
    meaning=f"First {rules.HASH_DIGITS} digits of the SHA-256 of the title, a line feed and the abstract, in "
    "UTF-8; of the title alone where there is no abstract. For a text that a release has already nothing "
    "is computed again.",
    source="computed from the text",
    pattern=f"^[0-9a-f]{{{rules.HASH_DIGITS}}}$",
)
MODEL_COLUMN: Final = c.text.but(
    name="model",
    meaning="Version of the rules and of the basis, the same in all rows of a release.",
    source="paperlake",
    pattern=r"^[a-z0-9]+\.[0-9]+$",
)

vector: Final = c.integer.but(name="vector", dtype=SMALL, source="computed from the text")

SEARCH_WORDS = Table(
    name="search_words",
    grain="One word of a title or an abstract.",
    answers="Which term stands for which word: in lower case, without accents; of a hyphenated word its parts and all "
    f"of them joined. Words of more than {rules.LONGEST_WORD} characters are left out.",
    key=("word",),
    revision=3,  # terms are written without what they share with the one before; in pages
    page_rows=1024,
    alike=("term",),
    zstd_level=ZSTD_LEVEL_OF_MADE,
    of_search=True,
    columns=(
        TERM.but(name="word", meaning="The word."),
        KNOWN_TERM.but(null="a function word, which every text has: nothing is found by it"),
        PAPER_COUNT,
    ),
)

SEARCH_TERMS = Table(
    name="search_terms",
    grain="One term.",
    answers="In how many papers a term is. Which ones is in `search_lists`, how rare that makes it in "
    "`search_rarities`; `search_postings` has its weights, one row per paper.",
    key=("term",),
    revision=3,  # the papers that have a term are in lists by cohort; written in one page
    zstd_level=ZSTD_LEVEL_OF_MADE,
    of_search=True,
    columns=(TERM, PAPER_COUNT),
)

SEARCH_RARITIES = Table(
    name="search_rarities",
    grain="One number of papers that a term is in.",
    answers="How rare a term is: BM25 of a paper is the sum of rarity times weight over the terms of a query.",
    key=("paper_count",),
    of_search=True,
    columns=(
        PAPER_COUNT,
        c.integer.but(
            name="rarity",
            unit=f"1/{rules.RARITY_UNIT}",
            meaning="Inverse document frequency: ln(1 + (N - n + 1/2) / (n + 1/2)) of N papers, n of which have it.",
            minimum=0,
        ),
    ),
)

SEARCH_LISTS = Table(
    name="search_lists",
    grain="One term in the papers of one cohort.",
    answers="Which papers have a term, and how often. What is new changes the lists of its own cohorts alone.",
    key=("cohort", "term"),
    order=("term", "cohort"),
    cut=Cut(150 * COHORT_PAPERS, 12 * NEWEST_PAPERS),  # a closed year is one file: a day reads all of them
    revision=3,  # written in groups of rows; a closed year in one file
    group_rows=512,
    zstd_level=ZSTD_LEVEL_OF_MADE,
    of_search=True,
    columns=(
        COHORT,
        KNOWN_TERM,
        PLACE.but(
            name="places",
            dtype=pl.List(c.COUNT),
            unit="",
            meaning="The papers that have it, by their places in the cohort, in order.",
            minimum=None,
        ),
        vector.but(
            name="counts",
            meaning=f"How often each of them has it, its title's words twice; {rules.COUNT_MOST} at most.",
            source="counted",
        ),
    ),
)

SEARCH_BASIS = Table(
    name="search_basis",
    grain="One term that has a meaning.",
    answers=f"What terms mean: {rules.DIMENSIONS} integers each, by latent semantic analysis of titles and abstracts. "
    "The basis is frozen: it comes with paperlake, and is here for the terms of the release.",
    key=("term",),
    revision=2,  # written in groups of rows
    group_rows=64,
    of_search=True,
    columns=(
        KNOWN_TERM,
        c.flag.but(
            name="is_common",
            meaning=f"Whether more than one of {rules.COMMON_SHARE} papers had it when the basis was frozen: it does "
            "not make two papers alike, as any other term does.",
            source=f"the basis of {rules.MODEL}",
        ),
        c.integer.but(
            name="scale",
            meaning="How much the term counts: what the values are to be multiplied by.",
            source=f"the basis of {rules.MODEL}",
            minimum=1,
        ),
        vector.but(
            name="vector",
            meaning=f"{rules.DIMENSIONS} values from -{rules.BASIS_MOST} to {rules.BASIS_MOST}.",
            source=f"the basis of {rules.MODEL}",
        ),
    ),
)

SEARCH_VECTORS = Table(
    name="search_vectors",
    grain="One paper.",
    answers="What a paper is about, as a vector: papers are alike as far as their vectors point the same way.",
    key=("paper_id",),
    revision=2,  # a paper goes by its place in its cohort
    cut=Cut(COHORT_PAPERS, NEWEST_PAPERS, MONTH_PAPERS),
    of_search=True,
    columns=(
        c.paper_id,
        COHORT,
        PLACE,
        HASH,
        MODEL_COLUMN,
        c.count.but(
            name="length",
            unit="words",
            meaning="How many words it has, function words aside; those of the title count twice.",
        ),
        SQUARE,
        vector.but(
            name="vector",
            meaning=f"{rules.DIMENSIONS} values from -{rules.VECTOR_MOST} to {rules.VECTOR_MOST}: the sum over the "
            "paper's terms of their vectors in `search_basis`, by how often each is there.",
        ),
    ),
)

SEARCH_EMBEDDINGS = Table(
    name="search_embeddings",
    grain="One paper, where the lake asks for a language model; else there is none.",
    answers="What a paper is about, as a language model has it. `paperlake search` with the same model ranks by it "
    "too; the macros do without.",
    key=("paper_id",),
    of_search=True,
    columns=(
        c.paper_id,
        HASH,
        MODEL_COLUMN.but(meaning="Name of the model and version of the rules, the same in all rows of a release."),
        SQUARE,
        vector.but(
            name="vector",
            meaning=f"{rules.EMBEDDED_DIMENSIONS} values from -{rules.QUERY_MOST} to {rules.QUERY_MOST}: the mean of "
            "what the model makes of the first pieces of title and abstract, rounded. Its length means nothing.",
            source="computed from the text by all-MiniLM-L6-v2",
        ),
    ),
)

SIMILAR_PAPERS = Table(
    name="similar_papers",
    grain="One paper and one of those most like it.",
    answers=f"The papers most like each, {rules.SIMILAR_COUNT} at most, by their vectors and the rare words that both "
    "have. `similar_to` has them with titles and reasons.",
    key=("paper_id", "rank"),
    page_rows=4096,
    revision=2,  # rare words count too, and there is a floor
    zstd_level=ZSTD_LEVEL_OF_MADE,
    columns=(
        c.paper_id,
        c.integer.but(
            name="rank",
            unit="place, from 1",
            meaning="Place by score; of equal scores the lower id comes first.",
            minimum=1,
            maximum=rules.SIMILAR_COUNT,
        ),
        c.paper_id.but(name="other_paper_id", meaning="The paper that is like it; never the paper itself."),
        c.integer.but(
            name="score",
            unit=f"1/{rules.SCORE_UNIT}",
            meaning=f"{1 - rules.SHARED_TENTHS / 10} of the cosine of the two vectors (of the mean, where each has "
            f"two), and {rules.SHARED_TENTHS / 10} times n / (n + {rules.SHARED_HALF}) for n terms that both have and "
            "`search_basis` does not call common, each rounded down.",
            minimum=rules.SIMILAR_LEAST,
            maximum=rules.SCORE_UNIT,
        ),
    ),
)


READ_IN: Final = ("papers.title", "paper_texts.abstract")

PAPER_ACRONYMS = Table(
    name="paper_acronyms",
    grain="One acronym that a title or an abstract explains, with one meaning.",
    answers="What acronyms stand for, in the words of each paper: `Group Relative Policy Optimization (GRPO)`, `LoRA "
    "(Low-Rank Adaptation)`. Read by a plain rule (Schwartz and Hearst's): the letters of the one stand in order in "
    "the words of the other.",
    key=("paper_id", "term", "form_terms"),
    cut=Cut(4 * COHORT_PAPERS, 2 * NEWEST_PAPERS),
    page_rows=4096,
    columns=(
        c.paper_id,
        c.prose.but(
            name="acronym", meaning="The acronym as the text has it, in the singular.", sources=READ_IN, max_length=10
        ),
        c.prose.but(
            name="long_form",
            meaning="What it stands for, in lower case, without accents.",
            source="computed from the text",
        ),
        TERM.but(meaning="The acronym's term: how a search has it."),
        TERM.but(
            name="form_terms",
            meaning="The terms of the long form in their order, with a space between; function words are left out.",
            max_length=c.TITLE_LIMIT,
        ),
    ),
)
