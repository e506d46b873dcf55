"""`upvote_growth`: each observation of a paper's upvotes, and the upvotes gained since the previous one."""

from __future__ import annotations

from warehouse.schema import columns as c
from warehouse.schema import mart_columns as m
from warehouse.schema.core.observations import PAPER_OBSERVATIONS
from warehouse.schema.mart import OF_PAPER, Cut, Mart
from warehouse.schema.rules import COHORT_PAPERS

_FIRST = "the first look at the paper"
UPVOTE_GROWTH = Mart(
    name="upvote_growth",
    folder="marts/upvotes",
    grain="One look at one paper's upvotes.",
    answers="How upvotes grew between looks, and how often each paper was looked at. What happened between two looks "
    "is not known; a paper with one look has no growth here, which is not growth of 0.",
    key=("paper_id", "observed_at"),
    cut=Cut(OF_PAPER, ("paper_observations", "papers")),
    cohort_rows=3 * COHORT_PAPERS,
    columns=(
        c.paper_id,
        PAPER_OBSERVATIONS.column("observed_at"),
        c.listed_on.but(name="first_listed_on", meaning="First day on a daily list.", null="never seen on one"),
        m.PAPER_COUNT.but(
            name="observation_number", unit="place, from 1", meaning="Which look at the paper it is.", source="computed"
        ),
        m.PAPER_COUNT.but(
            name="observation_count", unit="observations", meaning="How often the paper was looked at in all."
        ),
        m.HOURS.but(
            name="observed_hours",
            meaning="Hours from 00:00 UTC of the first list day to the look.",
            null="never on a daily list",
        ),
        c.upvote_count.but(null=""),
        m.UPVOTES.but(
            name="gained_upvote_count",
            meaning="Upvotes more than at the look before; fewer, where some were taken back.",
            null=_FIRST,
            source="computed",
        ),
        m.HOURS.but(name="since_last_hours", meaning="Hours since the look before.", null=_FIRST),
        m.HOURS.but(
            name="gained_per_day",
            unit="upvotes a day",
            meaning="gained_upvote_count for each 24 hours since the look before.",
            null=_FIRST,
        ),
    ),
)
