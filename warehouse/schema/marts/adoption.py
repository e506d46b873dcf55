"""`adoption`, `adoption_by_month`: who builds on a paper, by an open formula; `star_checks`: stars by two series."""

from typing import Final

from warehouse.schema import columns as c
from warehouse.schema import shared as m
from warehouse.schema.core.attached import STAR_WEEKS, WEEK_DAYS
from warehouse.schema.core.cited_by import REPOSITORY_KINDS
from warehouse.schema.mart import Mart
from warehouse.schema.shared import COHORT_PAPERS
from warehouse.schema.table import Cut

# The formula: each number n gives weight * log2(1 + n). What is built counts more than who looks at it
WEIGHTS: Final = {
    "model_count": 3,
    "dataset_count": 3,
    "space_count": 2,
    "download_count": 1,
    "like_count": 1,
    "github_star_count": 1,
}
_BUILT: Final = tuple(f"{kind}_count" for kind in REPOSITORY_KINDS)
FORMULA: Final = " + ".join(f"{weight} * log2(1 + {name})" for name, weight in WEIGHTS.items())
SCORE_SQL: Final = "\n        + ".join(
    f"{weight} * log2(1 + {name})" if name in _BUILT else f"coalesce({weight} * log2(1 + {name}), 0)"
    for name, weight in WEIGHTS.items()
)
KINDS_SQL: Final = ", ".join(f"('{kind}')" for kind in REPOSITORY_KINDS)
COUNTS_SQL: Final = ",\n        ".join(
    f"max(known_count) FILTER (kind = '{kind}') AS {kind}_count" for kind in REPOSITORY_KINDS
)
MOST: Final = 100  # papers of a month

_LOOKS: Final = "adoption_looks, paper_repositories"
_built = m.PAPER_COUNT.but(unit="repositories", source=_LOOKS)
_COUNTS: Final = tuple(
    _built.but(
        name=f"{kind}_count",
        unit=f"{kind}s",
        meaning=f"{kind.title()}s that cite the paper: as the newest look states, else as many as a whole list has.",
        null="no look by then says how many",
    )
    for kind in REPOSITORY_KINDS
)

ADOPTION = Mart(
    name="adoption",
    grain="One paper at one moment at which somebody looked who builds on it.",
    answers="Who builds on a paper, over time. Each row stands on what was seen until its moment alone, so that rows "
    f"up to a moment are as they were then. Its score is {FORMULA}; what of the last three is unknown adds nothing.",
    key=("paper_id", "observed_at"),
    cut=Cut(4 * m.COHORT_PAPERS),
    page_rows=1024,
    parts={"kinds": KINDS_SQL, "counts": COUNTS_SQL, "score": SCORE_SQL},
    columns=(
        c.paper_id,
        c.observed_at.but(meaning="Moment of the look.", is_bookkeeping=False, null=""),
        *_COUNTS,
        _built.but(
            name="listed_count",
            meaning="Those of them that were listed one by one; the sums are of these.",
        ),
        c.flag.but(
            name="is_whole",
            meaning="Whether every kind was listed whole; else lists were cut, or were not asked for, and sums are at "
            "least as large.",
            source=_LOOKS,
        ),
        _built.but(
            name="download_count",
            unit="downloads",
            meaning="Sum of the downloads in 30 days of those whose downloads are stated.",
            null="none is stated",
        ),
        _built.but(
            name="uncounted_count",
            meaning="Listed models and datasets without a number of downloads: not counted, or not stated. Not zero.",
        ),
        _built.but(name="like_count", unit="likes", meaning="Sum of their likes.", null="none is stated"),
        c.github_star_count.but(
            meaning="Stars of the linked GitHub repository, as last shown by then.",
            null="no page by then showed any",
            source="paper_observations",
            sources=("paper_observations.github_star_count",),
        ),
        c.real.but(
            name="score",
            meaning="How much is built upon the paper, by the formula of this table.",
            null="of one kind of repositories nobody knows how many there are",
            source="adoption",
            minimum=0,
        ),
    ),
)

ADOPTION_BY_MONTH = Mart(
    name="adoption_by_month",
    grain="One of the most built upon papers at the end of one month.",
    answers=f"The {MOST} papers that most was built upon, as known at the end of each month, and what came in it.",
    key=("month_on", "rank"),
    parts={"most": str(MOST)},
    columns=(
        m.MONTH.but(meaning="Month at whose end it stood so; the last one is as last seen.", source="adoption"),
        c.integer.but(
            name="rank",
            unit="place, from 1",
            meaning="Place by score; of equal ones the smaller paper_id is first.",
            minimum=1,
            maximum=MOST,
        ),
        c.paper_id,
        *(ADOPTION.column(name).but(null="") for name in (*_BUILT, "score")),
        ADOPTION.column("is_whole"),
        _built.but(
            name="gained_count",
            meaning="Repositories that cite it, less those of the end of the month before.",
            null="no look before this month says how many",
            source="adoption",
        ),
        ADOPTION.column("observed_at").but(meaning="Moment of the look that says so."),
    ),
)


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
    cut=Cut(COHORT_PAPERS),
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
