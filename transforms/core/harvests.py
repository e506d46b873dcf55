"""`coverage` of arXiv: of which days the changes of its records were harvested, and why any were not.

A harvest is the pages that follow each other by their tokens. It begins with what changed on one day and has no end, so
that a whole one covers all days until the one on which it began, which was not over.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

import polars as pl

from transforms.core.list_pages import COMPLETE, IS_EMPTY, MISSING, PARTIAL, STATES
from warehouse.schema.columns import URL_LIMIT
from warehouse.schema.core.listings import COVERAGE

DAY: Final = timedelta(days=1)
BEFORE_END: Final = "harvested before the day was over"
BROKEN_OFF: Final = "the harvest broke off: the page after it is lacking"
NO_CHANGES: Final = "arXiv lists no change of that day"
NOT_HARVESTED: Final = "not harvested"


@dataclass
class HarvestPages:
    """The pages of one harvest that are there; `next_token` of the one that is not, where one is lacking."""

    since: date | None
    began_at: datetime
    next_token: str | None
    pages: list[str] = field(default_factory=list)
    fetched: list[datetime] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        return self.next_token is None

    def add(self, capture_id: str, fetched_at: datetime, next_token: str | None) -> None:
        self.pages.append(capture_id)
        self.fetched.append(fetched_at)
        self.next_token = next_token

    def days(self, counts: Mapping[str, Mapping[date, int]]) -> Iterator[tuple[date, Judged]]:
        """Each day that the harvest was to cover; `counts` are those of each page by day."""
        of_days: dict[date, int] = defaultdict(int)
        for capture_id in self.pages:
            for day, count in counts.get(capture_id, {}).items():
                of_days[day] += count
        last = self.began_at.date()
        first = self.since or min(of_days, default=last)
        for number in range((last - first).days + 1):
            day = first + number * DAY
            count = of_days.get(day, 0)
            faults = [BROKEN_OFF] * (not self.is_whole) + [BEFORE_END] * (day == last)
            rank = PARTIAL if faults else COMPLETE
            if not count:
                rank = MISSING if faults else IS_EMPTY
            reason = "; ".join(faults) or (None if count else NO_CHANGES)
            yield day, Judged(rank, count, self.began_at, reason, self)


class Judged(NamedTuple):
    """A day as one harvest has it; the greatest is the best."""

    rank: int
    record_count: int
    began_at: datetime
    reason: str | None
    harvest: HarvestPages


def harvests_of(looks: pl.DataFrame) -> list[HarvestPages]:
    """The harvests in the order in which they began; a page whose token no earlier page gave belongs to none.

    `looks` has rows of `arxiv_looks`; answers without a fetch time are left out.
    """
    found, by_token = list[HarvestPages](), dict[str, HarvestPages]()
    dated = looks.filter(pl.col("observed_at").is_not_null(), asked="changes").sort("observed_at", "capture_id")
    for row in dated.iter_rows(named=True):
        if row["token"] is None:
            harvest = HarvestPages(row["from_on"], row["responded_at"], None)
            found.append(harvest)
        elif (known := by_token.pop(row["token"], None)) is not None:
            harvest = known
        else:
            continue
        harvest.add(row["capture_id"], row["observed_at"], row["next_token"])
        if row["next_token"] is not None:
            by_token[row["next_token"]] = harvest
    return found


def harvest_coverage(captures: pl.DataFrame, looks: pl.DataFrame, changes: pl.DataFrame, until: date) -> pl.DataFrame:
    """Rows of `coverage`: each day from the first that was asked for to `until`; none where nothing was."""
    counts: dict[str, dict[date, int]] = defaultdict(dict)
    for capture_id, day, count in changes.select("capture_id", "changed_on", "record_count").iter_rows():
        counts[capture_id][day] = count
    judged: dict[date, list[Judged]] = defaultdict(list)
    for harvest in harvests_of(looks):
        for day, one in harvest.days(counts):
            judged[day].append(one)
    failures = _failures(captures, looks)
    first = min([*judged, *failures], default=None)
    if first is None or first > until:
        return COVERAGE.empty()
    days = (first + number * DAY for number in range((until - first).days + 1))
    rows = [_row(day, judged.get(day, []), failures.get(day, [])) for day in days]
    return COVERAGE.conform(pl.DataFrame(rows, schema=COVERAGE.schema))


def _failures(captures: pl.DataFrame, looks: pl.DataFrame) -> dict[date, list[str]]:
    """By the day of the attempt, why pages of harvests gave nothing that could be read, in their order."""
    is_list = pl.col("url").str.contains("verb=List", literal=True).fill_null(False)
    asked = captures.filter(is_list, pl.col("fetched_at").is_not_null(), list_kind="arxiv")
    lost = asked.join(looks, on="capture_id", how="anti").sort("fetched_at", "capture_id")
    found: dict[date, list[str]] = defaultdict(list)
    for fetched_at, reason in lost.select("fetched_at", "reason").iter_rows():
        found[fetched_at.date()].append(f"failed: {reason}")
    return found


def _row(day: date, judged: list[Judged], failures: list[str]) -> dict[str, Any]:
    best = max(judged, key=lambda one: one[:3], default=None)
    row: dict[str, Any] = {"source": "arxiv", "listed_on": day, "is_expected": False, "failure_count": len(failures)}
    if best is None or best.rank == MISSING:
        reasons = [*failures[-1:], *([best.reason] if best and best.reason else []), NOT_HARVESTED]
        return row | {"state": STATES[MISSING], "reason": reasons[0][:URL_LIMIT], "fetch_count": 0}
    there = [one.harvest for one in judged if one.rank != MISSING]
    fetched = [at for one in there for at in one.fetched]
    return row | {
        "state": STATES[best.rank],
        "reason": best.reason,
        "fetch_count": len(fetched),
        "item_count": best.record_count,
        "paper_count": best.record_count,
        "first_fetched_at": min(fetched),
        "last_fetched_at": max(fetched),
        "capture_id": best.harvest.pages[0],
    }
