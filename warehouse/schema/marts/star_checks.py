"""`star_checks`: whether the stars that the Hub showed of a paper's code grew as GitHub's own history says."""

from __future__ import annotations

from typing import Final

from warehouse.schema import columns as c
from warehouse.schema.core.links import STAR_WEEKS, WEEK_DAYS
from warehouse.schema.mart import Mart
from warehouse.schema.shared import COHORT_PAPERS

TOLERATED: Final = 10  # stars: the Hub's number may be some days old
SHARE: Final = 0.05  # of the later number, where that is more
_OBSERVED: Final = "paper_observations.github_star_count"
_stars: Final = c.count.but(unit="stars", source=_OBSERVED)
_moment: Final = c.instant.but(source="paper_observations.observed_at")

STAR_CHECKS = Mart(
    name="star_checks",
    grain="One answer of GitHub on the repository of a paper, whose stars the Hub had shown twice in the weeks of it.",
    answers="Whether two series of a repository's stars agree: the Hub's counts, and GitHub's gains of stars still "
    "held. Less by the Hub's are stars that were taken back, or an old count; more are stars that came and went, or a "
    "count of another repository. A paper that had shown two repositories by then is left out.",
    key=("paper_id", "observed_at", "capture_id"),
    cohort_rows=COHORT_PAPERS,
    columns=(
        c.paper_id,
        STAR_WEEKS.column("repository"),
        STAR_WEEKS.column("observed_at").but(null="", meaning="When GitHub was asked."),
        _moment.but(name="from_at", meaning="When the Hub's first count was seen, of those in the answer's weeks."),
        _moment.but(name="until_at", meaning="When the last was seen, before GitHub was asked."),
        _stars.but(name="from_count", meaning="The Hub's count then."),
        _stars.but(name="until_count", meaning="The Hub's last count."),
        c.integer.but(
            name="shown_gain",
            unit="stars",
            meaning="What the Hub's count grew by; below 0 where it fell.",
            source=_OBSERVED,
        ),
        _stars.but(
            name="least_gain",
            meaning="GitHub's gains of the weeks that lie whole between the two moments.",
            source="star_weeks.gained_count",
        ),
        _stars.but(
            name="most_gain",
            meaning="The same with the weeks that begin or end between them.",
            source="star_weeks.gained_count",
        ),
        c.integer.but(
            name="difference",
            unit="stars",
            meaning="`shown_gain` without the nearest that GitHub's gains allow; 0 where it is between the two.",
        ),
        c.flag.but(
            name="is_disputed",
            meaning=f"Whether the difference is of more than {TOLERATED} stars, and of more than {SHARE:.0%} of the "
            "Hub's last count.",
        ),
        c.capture_id.but(meaning="The answer of GitHub."),
    ),
    parts={"days": f"INTERVAL {WEEK_DAYS} DAY", "tolerated": str(TOLERATED), "share": str(SHARE)},
)
