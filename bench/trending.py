"""Does the score find what is upvoted in the end? `python -m bench.trending LAKE`.

For the end of each list day: of the papers of a week, which ten have most upvotes a fortnight after their list day?
nDCG@10 of the order by score (`trending_papers`), against that by upvotes as seen at the same moment, with a paired
bootstrap over the days. A day counts where enough of its papers were looked at again; while there are too few such
days, that is the answer.
"""

from __future__ import annotations

import math
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import NamedTuple

from flows.runtime.lake import open_database
from warehouse.release.query import opened

TOP = 10
LATER_DAYS = 14
LATEST_DAYS = 21
FEWEST_PAPERS = 2 * TOP  # of a day that were looked at again: of ten, any order would find all
FEWEST_DAYS = 20  # with fewer an interval says little
RESAMPLES = 2_000
SEEN_AGAIN = f"""
SELECT trending_on, paper_id, score, trending.upvote_count, arg_min(later.upvote_count, later.observed_at)
FROM mart.trending_papers AS trending
JOIN core.paper_observations AS later USING (paper_id)
WHERE later.observed_at - trending.listed_on BETWEEN INTERVAL {LATER_DAYS} DAY AND INTERVAL {LATEST_DAYS} DAY
    AND later.upvote_count IS NOT NULL
GROUP BY ALL ORDER BY ALL
"""


class Paper(NamedTuple):
    """A paper at the end of a list day: what could be known then, and its upvotes later."""

    paper_id: str
    score: float
    upvotes: int
    later: int


class Compared(NamedTuple):
    """Mean nDCG of both orders, and the middle 95 % of the difference between resamples of the days."""

    by_score: float
    by_upvotes: float
    low: float
    high: float


def ndcg(order: Sequence[Paper]) -> float:
    """nDCG@10 of an order: how far the ten papers that have most upvotes later stand at its top."""
    best = {paper.paper_id for paper in sorted(order, key=lambda one: (-one.later, one.paper_id))[:TOP]}
    gain = sum(1 / math.log2(place + 2) for place, one in enumerate(order[:TOP]) if one.paper_id in best)
    return gain / sum(1 / math.log2(place + 2) for place in range(len(best)))


def compared(days: Iterable[Sequence[Paper]]) -> Compared:
    pairs = [
        (
            ndcg(sorted(papers, key=lambda one: (-one.score, one.paper_id))),
            ndcg(sorted(papers, key=lambda one: (-one.upvotes, one.paper_id))),
        )
        for papers in days
    ]
    dice = random.Random(0)
    gained = [score - upvotes for score, upvotes in pairs]
    means = sorted(fmean(dice.choices(gained, k=len(gained))) for _ in range(RESAMPLES))
    middle = means[RESAMPLES // 40], means[-1 - RESAMPLES // 40]
    return Compared(fmean(score for score, _ in pairs), fmean(upvotes for _, upvotes in pairs), *middle)


def answer(rows: Iterable[tuple[object, str, float, int, int]]) -> str:
    """The result of the comparison, or why there is none yet."""
    days: dict[object, list[Paper]] = defaultdict(list)
    for day, paper_id, score, upvotes, later in rows:
        days[day].append(Paper(paper_id, score, upvotes, later))
    enough = [papers for papers in days.values() if len(papers) >= FEWEST_PAPERS]
    if len(enough) < FEWEST_DAYS:
        return (
            f"not enough days: {len(enough)} of {FEWEST_DAYS} have {FEWEST_PAPERS} papers that were looked at again "
            f"{LATER_DAYS} days after their list day"
        )
    found = compared(enough)
    return (
        f"| days | nDCG@{TOP} by score | by upvotes then | difference, 95 % |\n|---|---|---|---|\n"
        f"| {len(enough)} | {found.by_score:.3f} | {found.by_upvotes:.3f} | {found.low:+.3f} to {found.high:+.3f} |"
    )


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("name a lake: python -m bench.trending ./lake")
    with opened(open_database(sys.argv[1])) as database:
        print(answer(database.rows(SEEN_AGAIN).rows))


if __name__ == "__main__":
    main()
