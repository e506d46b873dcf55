"""`claims_by_metric`: the results that a year's papers claim, by what is measured."""

from __future__ import annotations

from warehouse.schema import columns as c
from warehouse.schema import mart_columns as m
from warehouse.schema.core.claims import LABELLED, PAPER_CLAIMS
from warehouse.schema.mart import Mart

MIXED = "the unit has no scale (`s`, `B`, `FLOP/s`, `other`): only the texts give it"

CLAIMS_BY_METRIC = Mart(
    name="claims_by_metric",
    grain="One metric, unit and direction in one year of first list days in which a paper claims it.",
    answers="How many of a year's papers claim what, and how much, as far as rules see it. Compare shares, not counts. "
    "Numbers are of different tasks and baselines: the median shows what is usual to claim, not what is true.",
    measured=f"{LABELLED}: exact spans precision .98, recall .79, so counts are a fifth too low; metric right .95.",
    key=("year_on", "metric", "unit", "direction"),
    columns=(
        m.MONTH.but(
            name="year_on",
            unit="first day of the year",
            meaning="Year of the papers' first list day. Papers that no daily list shows are left out.",
            source="papers.first_listed_on",
        ),
        PAPER_CLAIMS.column("metric").but(null=""),
        PAPER_CLAIMS.column("unit"),
        PAPER_CLAIMS.column("direction").but(null=""),
        m.PAPER_COUNT.but(
            name="abstract_paper_count", meaning="Papers first listed in the year whose abstract was read."
        ),
        m.PAPER_COUNT.but(meaning="Those of them that claim such a thing."),
        m.SHARE.but(meaning="paper_count of abstract_paper_count.", null=""),
        m.PAPER_COUNT.but(name="claim_count", unit="claims", meaning="Such claims."),
        PAPER_CLAIMS.column("value").but(
            name="median_value", meaning="Median of their values, of ranges the first number.", null=MIXED
        ),
        PAPER_CLAIMS.column("value").but(
            name="best_value",
            meaning="The largest gain; of levels the highest where more is better (`quality`, `throughput`, `speedup`, "
            "`utilization`), the lowest where less is. A claim of authors, and the likeliest place for a slip.",
            null=f"{MIXED}; or the change is for the worse, or nobody can say (`other`)",
        ),
        c.paper_id.but(name="best_paper_id", meaning="The paper that claims it.", null="no best_value"),
    ),
)
