"""`trending_papers`: what trended on each list day."""

from __future__ import annotations

from warehouse.schema import columns as c
from warehouse.schema.ddl import quoted
from warehouse.schema.macros import trending_rules as rules
from warehouse.schema.mart import SINCE, Mart, Since
from warehouse.schema.rules import COHORT_PAPERS, NEWEST_PAPERS

_DAYS = (
    "SELECT DISTINCT listings.listed_on + INTERVAL 1 DAY AS at_moment, "  # noqa: S608 - a number that is declared
    f"listings.listed_on - unnest(range({rules.MART_DAYS}))::INTEGER AS listed_on "
    f"FROM core.daily_listings AS listings WHERE {SINCE}"
)
_KNOWN = (rules.RANK.but(maximum=rules.MART_PAPERS), c.paper_id, c.title, *rules.TERMS)
_LOOKS = {
    "papers": ("paper_id, title", "SELECT listed_on FROM core.daily_listings JOIN _unlike USING (paper_id)"),
    "paper_observations": ("observed_at, paper_id, upvote_count", "SELECT observed_at FROM _unlike"),
    "daily_listings": (
        "paper_id, listed_on, first_seen_at",
        "SELECT unnest([listed_on, first_seen_at]) FROM _unlike",
    ),
}
TRENDING_PAPERS = Mart(
    name="trending_papers",
    folder="marts/upvotes",
    grain="One of the papers that trended most at the end of one list day.",
    answers=f"The {rules.MART_PAPERS} papers of a week's lists whose upvotes surprise most for their age, with every "
    "term of the score: what `trending_as_of` says of 24:00 UTC of the list day. With one look a paper it is no more "
    "than upvotes held against those of others at that age, and says so (`basis`).",
    key=("trending_on", "paper_id"),
    cut=Since(_LOOKS),
    cohort_rows=3 * COHORT_PAPERS,
    newest_rows=3 * NEWEST_PAPERS,
    order=("trending_on", "rank"),
    columns=(c.listed_on.but(name="trending_on", meaning="The list day at whose end it is.", null=""), *_KNOWN),
    parts={
        "scored": rules.scored(_DAYS),
        "columns": ",\n    ".join(quoted(column.name) for column in _KNOWN),
        "most": str(rules.MART_PAPERS),
    },
)
