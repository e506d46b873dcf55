"""`paper_acronyms`: what the acronyms stand for that a paper explains."""

from __future__ import annotations

from typing import Final

from warehouse.schema import columns as c
from warehouse.schema.core.search import TERM
from warehouse.schema.shared import COHORT_PAPERS, NEWEST_PAPERS
from warehouse.schema.table import Table

READ_IN: Final = ("papers.title", "paper_texts.abstract")

PAPER_ACRONYMS = Table(
    name="paper_acronyms",
    grain="One acronym that a title or an abstract explains, with one meaning.",
    answers="What acronyms stand for, in the words of each paper: `Group Relative Policy Optimization (GRPO)`, `LoRA "
    "(Low-Rank Adaptation)`. Read by a plain rule (Schwartz and Hearst's): the letters of the one stand in order in "
    "the words of the other.",
    key=("paper_id", "term", "form_terms"),
    references={"paper_id": "papers.paper_id"},
    cohort_rows=4 * COHORT_PAPERS,
    newest_rows=2 * NEWEST_PAPERS,
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
