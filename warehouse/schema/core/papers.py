"""Papers: what they are, what they went by, and what was counted of them."""

from __future__ import annotations

from typing import Final

import polars as pl

from warehouse.schema import columns as c
from warehouse.schema.origin import ARXIV, PAPERLAKE
from warehouse.schema.precedence import BEST, NEWEST, Precedence
from warehouse.schema.shared import BASIS_RULE, OF_A_PAPER, READ_FROM, SEEN_RULE
from warehouse.schema.table import Column, Rule, Table

# Which sighting gives `papers` and `paper_texts` their values; what is not here is computed from all of them
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
    answers="The best current answer per paper, field by field: the last value that the best source told. In DuckDB, "
    "without a schema before its name, with the abstract of `paper_texts`.",
    key=("paper_id",),
    references=READ_FROM,
    group_rows=512,
    columns=(
        c.paper_id,
        c.arxiv_id,
        c.title,
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

PAPER_TEXTS = Table(
    name="paper_texts",
    grain="One paper that a page showed an abstract of.",
    answers="The abstract, apart from `papers` because it is ten times as long as all the rest. In Parquet by the year "
    "that one was first seen in.",
    key=("paper_id",),
    references=OF_A_PAPER,
    year_of="first_seen_at",
    group_rows=768,
    widens="papers",
    columns=(
        c.paper_id,
        c.abstract.but(null=""),
        c.first_seen_at.but(meaning="Fetch time of the first page that showed one."),
        c.capture_id.but(meaning="The page that shows it."),
    ),
)

MATCH_SCORE = Column(
    name="score",
    dtype=pl.Float64(),
    unit="probability, 0 to 1",
    meaning="How likely the two are one paper, by title, abstract, authors and date; from 0.5 on they match.",
    source="computed (transforms/identity/compare.py)",
    origin=PAPERLAKE,
    minimum=0,
    maximum=1,
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
            meaning="`arxiv_id`: a page gave the name together with the arXiv id; `title`: matched by the normalised "
            "title of the arXiv id; `near_title`: by one much like it; `alone`: no arXiv id is known for the paper.",
            source="computed (transforms/identity)",
            origin=PAPERLAKE,
            allowed=("arxiv_id", "title", "near_title", "alone"),
        ),
        MATCH_SCORE.but(
            meaning="How likely the name is this paper's: 1 where a page gave it with the arXiv id, else the best "
            "match of what was seen under the name with what else was seen of the paper.",
            null="nothing else was seen of the paper, or nothing much like it",
        ),
        *c.SEEN,
        c.capture_id.but(meaning="The last page that showed the name."),
    ),
    rules=(SEEN_RULE,),
)

PAPER_CLUSTERS = Table(
    name="paper_clusters",
    grain="One paper in one cluster of papers that could be taken for one another.",
    answers="Which papers are the same work under several arXiv ids, and which share a title and nothing else.",
    key=("kind", "cluster_id", "paper_id"),
    references=OF_A_PAPER | {"cluster_id": "papers.paper_id"},
    columns=(
        Column(
            name="kind",
            dtype=c.TEXT,
            meaning="`same_work`: titles and abstracts agree, the arXiv ids differ: two papers; `twin_title`: "
            "the normalised title is the same, what else is known speaks against one work.",
            source="computed (transforms/identity)",
            origin=PAPERLAKE,
            allowed=("same_work", "twin_title"),
        ),
        c.paper_id.but(name="cluster_id", meaning="The cluster, named by the smallest `paper_id` in it."),
        c.paper_id,
        Column(
            name="method",
            dtype=c.TEXT,
            meaning="`title`: the normalised title is that of another one of the cluster; `near_title`: much like it.",
            source="computed (transforms/identity)",
            origin=PAPERLAKE,
            allowed=("title", "near_title"),
        ),
        MATCH_SCORE.but(
            meaning="The best match with another paper of the cluster; of twins, with one that is another work.",
            null="so many papers share the title that it was compared with others of them only",
        ),
        c.capture_id.but(meaning="The last page that showed the paper."),
    ),
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
