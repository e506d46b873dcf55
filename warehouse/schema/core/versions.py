"""`paper_versions`: the texts of a paper as they changed."""

from __future__ import annotations

from warehouse.schema import columns as c
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.origin import HUB, PAPERLAKE
from warehouse.schema.rules import COHORT_PAPERS, OF_A_PAPER, SEEN_RULE
from warehouse.schema.table import Column, Table

VERSION_FIELDS = tuple(column.name for column in SIGHTINGS.columns if column.is_tracked)

PAPER_VERSIONS = Table(
    name="paper_versions",
    grain="One content of one text of one paper.",
    answers="Titles, abstracts and AI summaries as their content changed, first and last seen. Wrapping, case, "
    "punctuation, LaTeX markup and the name of the Hub's host are not content. A content that came back is one row, so "
    "spans can overlap. What a copy says is a version only where the Hub's own pages have no such text.",
    key=("paper_id", "field", "version_number"),
    revision=2,  # what mirrors and other archives rewrite is no version
    references=OF_A_PAPER,
    cohort_rows=3 * COHORT_PAPERS,
    page_rows=2048,
    columns=(
        c.paper_id,
        Column(
            name="field",
            dtype=c.TEXT,
            meaning="Which text.",
            source="the column of sightings",
            origin=PAPERLAKE,
            allowed=VERSION_FIELDS,
        ),
        Column(
            name="version_number",
            dtype=c.COUNT,
            unit="place, from 1",
            meaning="Place among the contents of the text by when they were first seen; a content seen only on pages "
            "whose fetch time is unknown comes first. No version number of arXiv.",
            source="computed",
            origin=PAPERLAKE,
            minimum=1,
        ),
        Column(
            name="text",
            dtype=c.TEXT,
            meaning="The text as its most trusted page shows it.",
            null="the text never changed: `papers` has a title, `paper_texts` an abstract, "
            "`sightings` a summary; `text_versions` has them all",
            source="title, abstract and ai_summary of the sightings",
            origin=HUB,
            max_length=c.ABSTRACT_LIMIT,
        ),
        *c.SEEN,
        c.capture_id.but(meaning="The page that shows the text best."),
    ),
    rules=(SEEN_RULE,),
)
