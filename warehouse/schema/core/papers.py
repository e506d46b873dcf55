"""A paper's values, as they are now and as they changed.

`papers`, `paper_texts` and `paper_citations` have the best current answer and how to cite it, `paper_versions` its
texts as they changed, `paper_observations` its counts over time.
"""

from typing import Final

from warehouse.schema import columns as c
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.provenance import ARXIV, BEST, NEWEST, Precedence
from warehouse.schema.shared import (
    BASIS_RULE,
    COHORT_PAPERS,
    DATE_RULE,
    LISTED_RULE,
    MONTH_PAPERS,
    NEWEST_PAPERS,
    SEEN_RULE,
)
from warehouse.schema.table import ZSTD_LEVEL_OF_MADE, Cut, Rule, Table

# The precedence of sightings for values of `papers` and `paper_texts`; other columns are computed from all sightings
PAPER_FIELDS: Final = (
    Precedence(("arxiv_id",), BEST),
    Precedence(("title",), BEST),
    Precedence(("abstract",), BEST),
    Precedence(("published_on", "published_basis"), ("stated", *BEST)),
    Precedence(("published_at",), BEST),
    Precedence(("author_count",), BEST),
    Precedence(("organization_login", "organization_name"), BEST),
    Precedence(("upvote_count",), NEWEST),
    Precedence(("comment_count",), NEWEST),
    Precedence(("github_star_count",), NEWEST),
)

PAPERS = Table(
    name="papers",
    grain="One paper.",
    answers="The best current answer per paper, field by field: the last value of the best source. In DuckDB, "
    "without a schema before its name, with the abstract of `paper_texts`.",
    key=("paper_id",),
    revision=3,  # of two pages of one instant the more trusted one has the counts
    cut=Cut(COHORT_PAPERS, 2 * NEWEST_PAPERS),
    group_rows=512,
    columns=(
        c.paper_id,
        c.arxiv_id,
        c.title,
        c.published_on,
        c.published_basis,
        SIGHTINGS.column("published_at"),
        c.submitted_at.but(meaning="Instant of the first submission to Daily Papers."),
        c.listed_on.but(
            name="first_listed_on",
            meaning="First day on a daily list.",
            null="never seen on a daily list",
            is_past=True,
        ),
        c.listed_on.but(name="last_listed_on", meaning="Last day on a daily list.", null="never seen on a daily list"),
        c.author_count,
        c.organization_login,
        c.organization_name,
        c.upvote_count.but(meaning="Upvotes as last seen."),
        c.comment_count.but(meaning="Comments as last seen."),
        c.github_star_count.but(meaning="Stars of the linked GitHub repository as last seen."),
        c.choice.but(
            name="standing",
            meaning="Whether the title, the abstract and the authors are `agreed` by two looks at the Hub more than an "
            "hour apart, `provisional` since one look alone shows them, or `disputed` since other looks say otherwise.",
            null="no dated page of the Hub shows the paper",
            allowed=("provisional", "agreed", "disputed"),
        ),
        *c.SEEN,
        c.capture_id.but(meaning="The last page that showed the paper."),
    ),
    rules=(
        SEEN_RULE,
        BASIS_RULE,
        DATE_RULE,
        Rule(
            "named_by_arxiv_id",
            "arxiv_id IS NULL OR paper_id = arxiv_id",
            "a paper with an arXiv id goes by another name",
        ),
        LISTED_RULE,
    ),
)

PAPER_TEXTS = Table(
    name="paper_texts",
    grain="One paper that a page showed an abstract of.",
    answers="The abstract, apart from `papers` because it is ten times as long as all the rest.",
    key=("paper_id",),
    revision=2,  # a page that says the same again is not the one that counts
    cut=Cut(COHORT_PAPERS, NEWEST_PAPERS, MONTH_PAPERS),
    group_rows=768,
    widens="papers",
    page_rows=256,
    columns=(
        c.paper_id,
        c.abstract.but(null=""),
        c.first_seen_at.but(meaning="Fetch time of the first page that showed one."),
        c.capture_id.but(meaning="The first page that shows it so, of the source that counts."),
    ),
)

PAPER_CITATIONS = Table(
    name="paper_citations",
    grain="One paper.",
    answers="The paper as an entry for BibTeX, which `bibtex(paper_id)` gives too. RIS and CSL-JSON are made by "
    "`paperlake cite`.",
    key=("paper_id",),
    revision=2,  # of a day that the arXiv id contradicts, the year and month of the id
    cut=Cut(COHORT_PAPERS, NEWEST_PAPERS, MONTH_PAPERS),
    group_rows=768,
    page_rows=256,
    zstd_level=ZSTD_LEVEL_OF_MADE,
    columns=(
        c.paper_id,
        c.text.but(
            name="bibtex",
            whose="citation",
            meaning="The entry, of several lines, in ASCII: letters are written as in TeX, text between dollar signs "
            "is math only where it is a formula. Its key is surname, year and paper_id, so that no two are alike. What "
            "no page showed is left out, never guessed.",
            source="papers, paper_authors",
            sources=(
                "papers.title",
                "papers.arxiv_id",
                "papers.published_on",
                "papers.author_count",
                "paper_authors.name",
            ),
            origin=ARXIV,
        ),
    ),
)


VERSION_FIELDS = tuple(column.name for column in SIGHTINGS.columns if column.is_tracked)

PAPER_VERSIONS = Table(
    name="paper_versions",
    grain="One content of one text of one paper.",
    answers="Titles, abstracts and AI summaries as their content changed, first and last seen. Wrapping, case, "
    "punctuation, LaTeX markup and the name of the Hub's host are not content. A content that came back is one row, so "
    "spans can overlap. What a copy says is a version only where the Hub's own pages have no such text.",
    key=("paper_id", "field", "version_number"),
    revision=3,  # a page that says the same again is not the one that counts
    cut=Cut(3 * COHORT_PAPERS, 6 * NEWEST_PAPERS),
    page_rows=2048,
    columns=(
        c.paper_id,
        c.choice.but(name="field", meaning="Which text.", source="the column of sightings", allowed=VERSION_FIELDS),
        c.integer.but(
            name="version_number",
            unit="place, from 1",
            meaning="Place among the contents of the text by when they were first seen; a content seen only on pages "
            "whose fetch time is unknown comes first. No version number of arXiv.",
            minimum=1,
        ),
        c.hub_text.but(
            name="text",
            whose="prose",
            meaning="The text as its most trusted page shows it.",
            null="the text never changed: `papers` has a title, `paper_texts` an abstract, "
            "`sightings` a summary; `text_versions` has them all",
            source="title, abstract and ai_summary of the sightings",
            max_length=c.ABSTRACT_LIMIT,
        ),
        *c.SEEN,
        c.capture_id.but(meaning="The first page that shows it so, of the source that counts."),
    ),
    rules=(SEEN_RULE,),
)


PAPER_OBSERVATIONS = Table(
    name="paper_observations",
    grain="One paper at one fetch time.",
    answers="Upvotes, comments, stars and linked models, datasets and spaces over time.",
    key=("paper_id", "observed_at"),
    cut=Cut(COHORT_PAPERS, 2 * NEWEST_PAPERS),
    page_rows=1024,
    columns=(
        c.paper_id,
        c.observed_at,
        c.upvote_count,
        c.comment_count,
        c.github_star_count,
        c.model_count,
        c.dataset_count,
        c.space_count,
        c.capture_id,
    ),
)
