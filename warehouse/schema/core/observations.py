"""`paper_observations`: the counts of a paper over time."""

from __future__ import annotations

from warehouse.schema import columns as c
from warehouse.schema.rules import COHORT_PAPERS, OF_A_PAPER
from warehouse.schema.table import Table

PAPER_OBSERVATIONS = Table(
    name="paper_observations",
    grain="One paper at one fetch time.",
    answers="Upvotes, comments, stars and linked models, datasets and spaces over time.",
    key=("paper_id", "observed_at"),
    references=OF_A_PAPER,
    cohort_rows=COHORT_PAPERS,
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
