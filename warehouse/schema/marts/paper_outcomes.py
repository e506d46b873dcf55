"""`paper_outcomes`: what became of each paper, in a word, by all that were asked."""

from __future__ import annotations

from warehouse.schema import columns as c
from warehouse.schema.ddl import literal
from warehouse.schema.mart import Mart
from warehouse.schema.shared import OUTCOME, OUTCOMES

PAPER_OUTCOMES = Mart(
    name="paper_outcomes",
    grain="One paper of which something is known at arXiv or by a registry.",
    answers="What became of a paper, in a word. What is known of it in all: `paper_status`, `paper_publications`.",
    key=("paper_id",),
    is_view=True,
    columns=(c.paper_id, OUTCOME.but(null="")),
    parts={"order": f"[{', '.join(map(literal, OUTCOMES))}]"},
)
