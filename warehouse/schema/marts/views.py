"""Views of core tables with more rows: `text_versions`, `paper_versions` with every text; `search_postings`,
`search_lists` with one row per term and paper.
"""

from __future__ import annotations

from warehouse.schema import columns as c
from warehouse.schema.core.papers import PAPER_VERSIONS
from warehouse.schema.core.search import SEARCH_TERMS
from warehouse.schema.mart import Mart
from warehouse.schema.marts.paper_status import ARXIV_VERSION_ON, DATED_TEXTS
from warehouse.schema.search_rules import WEIGHT_MOST, WEIGHT_UNIT, weight

TEXT_VERSIONS = Mart(
    name="text_versions",
    grain="One content of one text of one paper.",
    answers="`paper_versions` with every text: titles, abstracts and AI summaries, first and last seen.",
    key=PAPER_VERSIONS.key,
    is_view=True,
    columns=(
        *PAPER_VERSIONS.columns[:3],
        PAPER_VERSIONS.column("text").but(null=""),
        c.flag.but(
            name="has_changed", meaning="Whether the paper's text has more than one version.", source="paper_versions"
        ),
        *PAPER_VERSIONS.columns[4:],
        ARXIV_VERSION_ON,
    ),
    parts={"dated": DATED_TEXTS},
)


SEARCH_POSTINGS = Mart(
    name="search_postings",
    grain="One term of one paper.",
    answers="Which terms a paper has, and how much each counts in it: `search_lists` with a row for each paper.",
    key=("term", "paper_id"),
    is_view=True,
    columns=(
        SEARCH_TERMS.column("term"),
        c.paper_id,
        SEARCH_TERMS.column("paper_count").but(
            name="weight",
            unit=f"1/{WEIGHT_UNIT}",
            meaning="How much the term counts in the paper (BM25F), as a function of the paper's text alone.",
            source="computed",
            maximum=WEIGHT_MOST,
        ),
    ),
    parts={"weight": weight("count", "length")},
)
