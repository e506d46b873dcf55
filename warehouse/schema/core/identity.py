"""`identity_records` and `identity_pairs`: keys of papers' descriptions, and pairs of descriptions that are alike."""

from __future__ import annotations

from typing import Final

import polars as pl

from warehouse.schema import columns as c
from warehouse.schema.core.aliases import MATCH_SCORE
from warehouse.schema.origin import PAPERLAKE
from warehouse.schema.rules import COHORT_PAPERS
from warehouse.schema.table import Column, Table

COMPUTED: Final = "computed from the pages that show it"
RECORD: Final = Column(
    name="record",
    dtype=pl.Int64(),
    meaning="One description of a paper: a hash of its arXiv id, title, abstract, AI summary, date and authors.",
    source=COMPUTED,
    origin=PAPERLAKE,
)
KEY: Final = RECORD.but(dtype=pl.Int32())
WORDS: Final = KEY.but(dtype=pl.List(pl.Int32()))

IDENTITY_RECORDS = Table(
    name="identity_records",
    grain="One description of a paper: a title and an abstract of an arXiv id, or what one page without ids shows.",
    answers="What the texts of new pages are to be compared with, without reading those of all papers again. Keys are "
    "hashes: texts that share one are compared.",
    key=("record",),
    order=("paper_id", "record"),
    cohort_rows=COHORT_PAPERS,
    references={"paper_id": "papers.paper_id"},
    columns=(
        c.paper_id,
        RECORD,
        Column(
            name="has_arxiv_id",
            dtype=c.FLAG,
            meaning="Whether a page gives the description with its arXiv id.",
            source=COMPUTED,
            origin=PAPERLAKE,
        ),
        Column(
            name="has_usable_abstract",
            dtype=c.FLAG,
            meaning="Whether its abstract has four words or more: fewer identify nothing.",
            source=COMPUTED,
            origin=PAPERLAKE,
        ),
        RECORD.but(name="title_hash", meaning="The letters and digits of the title, in lower case."),
        KEY.but(name="near_hash", meaning="Those of the title without accents and LaTeX, up to its subtitle."),
        WORDS.but(name="title_words", meaning="Its longest words, four at most."),
        WORDS.but(name="abstract_words", meaning="The longest words where its abstract begins, four at most."),
        KEY.but(name="beginning", meaning="The first letters of its abstract.", null="no usable abstract"),
        KEY.but(name="second_sentence", meaning="The first letters of its second sentence.", null="it has none"),
        KEY.but(name="third_sentence", meaning="The first letters of its third sentence.", null="it has none"),
        KEY.but(name="ending", meaning="The last letters of its abstract.", null="no usable abstract"),
        c.title.but(
            name="title_key",
            meaning="The letters and digits of the title: what a paper without an arXiv id is named after.",
            null="a page gives its arXiv id",
            source=COMPUTED,
            max_length=None,  # compatible characters are written out, and may be many
        ),
        Column(
            name="text_digest",
            dtype=c.TEXT,
            meaning="Beginning of the SHA-256 of its abstract, or of what else is known of it: what distinguishes two "
            "papers of one title.",
            null="a page gives its arXiv id",
            source=COMPUTED,
            origin=PAPERLAKE,
            pattern="^[0-9a-f]{8}$",
        ),
    ),
)

IDENTITY_PAIRS = Table(
    name="identity_pairs",
    grain="Two descriptions that are alike, in one respect.",
    answers="Which descriptions of papers were found alike, and how much: what papers and their clusters are made of.",
    key=("kind", "record", "other_record"),
    references={"record": "identity_records.record", "other_record": "identity_records.record"},
    columns=(
        Column(
            name="kind",
            dtype=c.TEXT,
            meaning="`match`: could be one paper, one of them having no arXiv id; `likeness`: have the title or the "
            "beginning of the abstract in common; `repeat`: nearly all of the abstract.",
            source="computed",
            origin=PAPERLAKE,
            allowed=("match", "likeness", "repeat"),
        ),
        RECORD,
        RECORD.but(name="other_record", meaning="The other one, of the higher hash."),
        Column(
            name="is_same_title",
            dtype=c.FLAG,
            meaning="Whether the titles have the same letters and digits.",
            null="titles were not compared: a `repeat`",
            source="computed",
            origin=PAPERLAKE,
        ),
        MATCH_SCORE.but(
            name="title_similarity",
            unit="0 to 1",
            meaning="Share of the letters that both titles have in the same order.",
            null="titles were not compared: a `repeat`",
        ),
        MATCH_SCORE.but(
            name="agreement",
            unit="0 to 1",
            meaning="Share of the shorter abstract's pairs of adjacent words that the other has too.",
            null="one has no usable abstract",
        ),
        MATCH_SCORE.but(null="titles were not compared: a `repeat`"),
    ),
)
