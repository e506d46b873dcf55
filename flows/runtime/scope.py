"""The scope of a run: what it fetches from the Hub, and how often; the operator's choice."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, TypeAlias

from warehouse.schema.daily_lists import FIRST_DAY, day_open_at

Ages: TypeAlias = tuple[timedelta, ...]

HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
# A list grows all day, and upvotes move for weeks (docs/source.md §6)
REFETCH_AFTER: Final[Ages] = (HOUR, 6 * HOUR, DAY, 2 * DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY)
DETAILS_AFTER: Final[Ages] = (DAY, 7 * DAY, 30 * DAY)
DAYS_BACK: Final = 31 * DAY  # one day more than the last age: after a month without a run nothing is lost
DAYS_AHEAD: Final = 4 * DAY  # over a weekend to the next list, which may be what is due next


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What a run fetches; with `since` or `until` only the lists of those days, and `with_details` their papers too.

    `refetch_after` has the ages at which a day's list is fetched again, counted from when it opened; `details_after`
    those of a paper's details, counted from when its last list opened. Both increase. Each of `searches` is a query
    that is sent once a day. Who builds on each paper is asked for `adoption_every` so long, if that is
    set, `arxiv` for what it says of each, `crossref` and `openalex` for the works that they are published as, and
    `github` for the stars of their code.
    """

    since: date | None = None
    until: date | None = None
    with_details: bool = False
    refetch_after: Ages = REFETCH_AFTER
    details_after: Ages = DETAILS_AFTER
    searches: tuple[str, ...] = ()
    adoption_every: timedelta | None = None
    arxiv: bool = False
    crossref: bool = False
    openalex: bool = False
    github: bool = False

    @property
    def is_backfill(self) -> bool:
        return self.since is not None or self.until is not None

    def list_range(self, now: datetime, ages: Ages) -> tuple[date, date]:
        """The first and the last list day to look at, including days that open soon."""
        today = day_open_at(now)
        oldest = max(DAYS_BACK, *(age + DAY for age in ages))
        if not self.is_backfill:
            return today - oldest, today + DAYS_AHEAD
        first = (self.until or today) - oldest if self.since is None else self.since
        return max(first, FIRST_DAY), min(self.until or today, today + DAYS_AHEAD)
