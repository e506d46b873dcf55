"""`upvote_curves`: when a paper had half and nine tenths of its upvotes."""

from __future__ import annotations

from warehouse.schema import columns as c
from warehouse.schema import mart_columns as m
from warehouse.schema.mart import OF_PAPER, Cut, Mart
from warehouse.schema.rules import COHORT_PAPERS

_CENSORED = (
    "Hours from 00:00 UTC of the first list day. Seen only when a page was fetched: the true time is between _after_ "
    "and _by_, and later upvotes would move it."
)
_UNKNOWN = "fewer than two observations, no upvotes, or never on a daily list"
UPVOTE_CURVES = Mart(
    name="upvote_curves",
    folder="marts/upvotes",
    grain="One paper whose upvotes were seen.",
    answers="When a paper had half and nine tenths of its last known upvotes. The end of a curve is the last fetch, "
    "not the end of upvoting: compare papers with like last_observed_hours only.",
    key=("paper_id",),
    cut=Cut(OF_PAPER, ("paper_observations", "papers")),
    cohort_rows=COHORT_PAPERS,
    columns=(
        c.paper_id,
        c.listed_on.but(name="first_listed_on", meaning="First day on a daily list.", null="never seen on one"),
        m.PAPER_COUNT.but(name="observation_count", unit="observations", meaning="Fetch times with upvotes."),
        c.upvote_count.but(name="first_upvote_count", meaning="Upvotes at the first observation.", null=""),
        c.upvote_count.but(name="last_upvote_count", meaning="Upvotes at the last observation.", null=""),
        m.HOURS.but(
            name="first_observed_hours",
            meaning="Hours from 00:00 UTC of the first list day to the first observation.",
            null="never on a daily list",
        ),
        m.LAST_OBSERVED.but(null="never on a daily list"),
        *(
            m.HOURS.but(name=name, meaning=f"{meaning} {_CENSORED}", null=null)
            for name, meaning, null in (
                ("half_after_hours", "Last observation with fewer than half.", f"{_UNKNOWN}; or the first had half"),
                ("half_by_hours", "First observation with at least half.", _UNKNOWN),
                ("most_after_hours", "Last with fewer than 90 %.", f"{_UNKNOWN}; or the first had 90 %"),
                ("most_by_hours", "First observation with at least 90 %.", _UNKNOWN),
            )
        ),
    ),
)
