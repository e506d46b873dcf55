"""Papers: what they are, what they went by, and what was counted of them."""

from __future__ import annotations

from warehouse import columns as c
from warehouse.origin import ARXIV, PAPERLAKE
from warehouse.table import Column, Rule, Table
from warehouse.tables.shared import BASIS_RULE, OF_A_PAPER, READ_FROM, SEEN_RULE

PAPERS = Table(
    name="papers",
    grain="One paper.",
    answers="The best current answer per paper, field by field: the last value that the best source told.",
    key=("paper_id",),
    references=READ_FROM,
    columns=(
        c.paper_id,
        c.arxiv_id,
        c.title,
        c.abstract,
        c.published_on,
        c.published_basis,
        c.published_at,
        c.submitted_at.but(meaning="Instant of the first submission to Daily Papers."),
        c.listed_on.but(
            name="first_listed_on", meaning="First day on a daily list.", null="never seen on a daily list"
        ),
        c.listed_on.but(name="last_listed_on", meaning="Last day on a daily list.", null="never seen on a daily list"),
        c.author_count,
        c.organization_login,
        c.organization_name,
        c.upvote_count.but(meaning="Upvotes as last seen."),
        c.comment_count.but(meaning="Comments as last seen."),
        c.github_star_count.but(meaning="Stars of the linked GitHub repository as last seen."),
        *c.SEEN,
        c.capture_id.but(meaning="The last page that showed the paper."),
    ),
    rules=(
        SEEN_RULE,
        BASIS_RULE,
        Rule(
            "named_by_arxiv_id",
            ("paper_id", "arxiv_id"),
            "arxiv_id IS NULL OR paper_id = arxiv_id",
            "a paper with an arXiv id goes by another name",
        ),
        Rule(
            "listed_in_order",
            ("first_listed_on", "last_listed_on"),
            "first_listed_on <= last_listed_on",
            "last listed before first listed",
        ),
    ),
)

PAPER_ALIASES = Table(
    name="paper_aliases",
    grain="One name of one paper.",
    answers="Every arXiv id and title a paper went by, and how the name was matched.",
    key=("kind", "alias", "paper_id"),
    references=OF_A_PAPER,
    columns=(
        Column(
            name="kind",
            dtype=c.TEXT,
            meaning="What the name is.",
            source="computed",
            origin=PAPERLAKE,
            allowed=("arxiv_id", "title"),
        ),
        Column(
            name="alias",
            dtype=c.TEXT,
            meaning="The name: an arXiv id, or a title as it was shown.",
            source="arxiv_id and title of the sightings",
            origin=ARXIV,
            max_length=c.TITLE_LIMIT,
        ),
        c.paper_id,
        Column(
            name="method",
            dtype=c.TEXT,
            meaning="`arxiv_id`: a page gave the name together with the arXiv id; `title`: matched by normalised title "
            "and abstract; `alone`: no arXiv id is known for the paper.",
            source="computed (transforms/identity.py)",
            origin=PAPERLAKE,
            allowed=("arxiv_id", "title", "alone"),
        ),
        *c.SEEN,
        c.capture_id.but(meaning="The last page that showed the name."),
    ),
    rules=(SEEN_RULE,),
)

PAPER_OBSERVATIONS = Table(
    name="paper_observations",
    grain="One paper at one fetch time.",
    answers="Upvotes, comments, stars and linked models, datasets and spaces over time.",
    key=("paper_id", "observed_at"),
    references=OF_A_PAPER,
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
