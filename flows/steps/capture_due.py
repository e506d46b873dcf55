"""The step `capture`: fetch what is due at the Hub and the other sources, and land it in the archive.

Of arXiv it is first what changed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from datetime import date, timedelta
from typing import Final

from flows.hub.arxiv_harvest import Arxiv
from flows.hub.budget import WINDOW_SECONDS, Clock
from flows.hub.client import Hub
from flows.hub.fetch import CLOCK
from flows.hub.other_sources import SOURCES
from flows.hub.paced import PacedSource
from flows.plan.due import (
    Due,
    adoption_targets,
    adoption_wanted,
    detail_targets,
    due,
    list_targets,
    listed_papers,
    page_targets,
)
from flows.plan.others_due import DUE_OF, arxiv_past, changes_due, moments, papers_at_arxiv, past_of, records_due
from flows.plan.past_calls import PastCalls
from flows.running.how import How, traced
from flows.runtime.lake import journal_folder, require_landable
from flows.runtime.progress import log, track
from flows.runtime.scope import Scope
from flows.runtime.settings import load
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture, Failed, Outcome, Refused
from warehouse.archive.index import IndexEntry
from warehouse.archive.journal import Journal
from warehouse.archive.writer import Landed
from warehouse.errors import SourceFailed
from warehouse.store.store import Store

USED_UP: Final = "the calls that the Hub allows without a wait are used up"
# Half an hour: at the Hub 3,000 calls, and of 13,000 papers each weekday's share of a week is 2,600; elsewhere 600
# records at most, and a first fill of 13,000 papers takes 22 runs
RUN_SECONDS: Final = 1800.0
MOST_SKEW: Final = timedelta(minutes=5)  # a clock that is set right is within a second


def capture_in(store: Store, since: date | None, until: date | None, how: How, *, details: bool) -> Landed:
    """Capture what is due, or the daily lists of some days, and say what came of it."""
    settings = load()
    scope = settings.scope(since, until, with_details=details)
    with Hub(settings) as hub, ExitStack() as stack, traced(store, "land") as run:
        set_up = [source for source in SOURCES if getattr(settings, source.manners.setting)]
        others = [stack.enter_context(source(settings)) for source in set_up]
        landed = how.step("capture", capture_due, store, hub, scope, clock=CLOCK, others=others)
        if run:
            run.landed(landed, settings.hub_url)
    log.info(str(landed))
    for refused in landed.refused:
        log.warning("not captured %s: %s", refused.name, refused.reason)
    how.show("paperlake-capture", "What was captured", f"{landed}\n")
    return landed


def capture_due(store: Store, hub: Hub, scope: Scope, *, clock: Clock, others: Sequence[PacedSource] = ()) -> Landed:
    """Fetch and land what is due of the scope at the Hub, and then at `others`.

    Each answer is durable before the next call. A call that failed is landed as a failed attempt, and listed in
    `refused`. SourceFailed, where the Hub cannot be reached, is raised after earlier answers are landed. Memory: one
    file of the archive, and its index.
    """
    require_landable(store)
    archive = Archive(store)
    with Journal(archive, journal_folder(store), now=clock.now) as journal:  # lands what a killed run has left
        now = clock.now()
        entries = archive.index()
        history = PastCalls(entries, now)
        keeper = Keeper(history, journal)
        run = _Capturing(archive, hub, keeper)
        lists = due(list_targets(scope, now), history, now)
        run.ask(lists, "lists", len(lists))
        pages = due(page_targets(scope, history, now), history, now)  # of those lists that turned out to be empty too
        run.ask(pages, "pages", len(pages))
        papers = due(detail_targets(scope, listed_papers(store, scope, now)), history, now)
        run.ask(papers if scope.is_backfill else _while_free(papers, hub, clock), "details", len(papers))
        built = due(adoption_targets(scope, now, adoption_wanted(store, scope)), history, now)
        asked = _until(built, _half_an_hour(clock), "papers to be asked who builds on them")
        run.ask(asked, "adoption", len(built))
        for source in () if scope.is_backfill else others:
            capture_source(archive, entries, source, keeper, clock)
    return Landed(refused=tuple(keeper.refused)) + journal.landed


class Keeper:
    """Keeps answers of all sources; `failures` counts those at the end that failed one after the other."""

    def __init__(self, history: PastCalls, journal: Journal) -> None:
        self.history, self._journal = history, journal
        self.refused: list[Refused] = []
        self.failures = 0

    def keep(self, outcomes: list[Outcome]) -> None:
        """Make answers durable; of those of one list the first page last: if a kill tears them apart it stays due."""
        self._journal.add(reversed(outcomes))
        for outcome in outcomes:
            self.history.learn(outcome)
            self.failures = self.failures + 1 if isinstance(outcome, Failed) else 0
        self.refused += [Refused(one.url, one.reason) for one in outcomes if isinstance(one, Failed)]


class _Capturing:
    """One run: makes calls to the Hub, and has each answer kept before the next call."""

    def __init__(self, archive: Archive, hub: Hub, keeper: Keeper) -> None:
        self._archive, self._hub, self._keeper = archive, hub, keeper
        self._known = keeper.history.known()
        if keeper.history.latest is not None:
            hub.recall(archive.read(keeper.history.latest))
        self._is_ready = False

    def ask(self, due: Iterable[Due], what: str, total: int) -> None:
        """Make the calls that are due, after reading robots.txt: from the archive, where that is not too old."""
        for one in track(due, f"capturing {what}", total):
            if not self._is_ready:
                self._is_ready = True
                robots = self._keeper.history.robots(self._hub.robots_url)
                if robots is None:  # none in the archive, or too old
                    self._land(self._hub.robots() for _ in range(1))  # called in `_land`, which handles its errors
                else:
                    self._hub.obey(self._archive.read(robots))
            self._land(self._hub.answers(one.kind, one.subject, self._known))

    def _land(self, answers: Iterable[Outcome]) -> None:
        """Keep the pages of one list together: it is whole, or the archive names the page that is missing."""
        outcomes: list[Outcome] = []
        try:
            for outcome in answers:
                outcomes.append(outcome)  # noqa: PERF402 - what came before an exception counts
        except SourceFailed as lost:
            if isinstance(lost.attempt, Failed):
                self._keep([*outcomes, lost.attempt])
            raise
        self._keep(outcomes)

    def _keep(self, outcomes: list[Outcome]) -> None:
        require_same_clock(self._hub.clock_skew)
        self._keeper.keep(outcomes)


def require_same_clock(skew: timedelta | None) -> None:
    """SourceFailed where this machine's clock and the Hub's differ: the times of what was fetched would lie."""
    if skew is not None and abs(skew) > MOST_SKEW:
        how = "ahead of" if skew > timedelta() else "behind"
        minutes = abs(skew) / timedelta(minutes=1)
        raise SourceFailed(
            f"this machine's clock is {minutes:,.0f} minutes {how} the Hub's, so the times of what it fetches would be "
            "wrong, and nothing was kept; set the clock (NTP), or look at PAPERLAKE_HUB_URL, and run again"
        )


def _until(due: Sequence[Due], is_over: Callable[[], str], what: str) -> Iterator[Due]:
    """The calls until there is a reason to stop; the others are left for the next run, which the log says."""
    for number, one in enumerate(due):
        if why := is_over():
            log.info("%s: %s %s are left for the next run", why, f"{len(due) - number:,}", what)
            return
        yield one


def _while_free(due: Sequence[Due], hub: Hub, clock: Clock) -> Iterator[Due]:
    """The calls that the Hub allows without a wait, for as long as one window of its rate limit."""
    end = clock.seconds() + WINDOW_SECONDS
    return _until(due, lambda: USED_UP if hub.must_wait() or clock.seconds() > end else "", "details of papers")


def _half_an_hour(clock: Clock) -> Callable[[], str]:
    """Why to stop half an hour from now; empty until then."""
    end = clock.seconds() + RUN_SECONDS
    return lambda: "half an hour is over" if clock.seconds() >= end else ""


MOST_FAILURES: Final = 2  # one after the other: arXiv is busy, which lasts for hours


def capture_source(
    archive: Archive, entries: list[IndexEntry], source: PacedSource, keeper: Keeper, clock: Clock
) -> None:
    """Ask a source for what is due, each answer durable before the next call.

    A run ends after half an hour, or where the source fails twice, one after the other: the next goes on. Nothing of
    the Hub's waits for it, and where the source is away nothing else fails.
    """
    name, is_late = source.manners.name, _half_an_hour(clock)
    keeper.failures = 0

    def is_over() -> str:
        if keeper.failures >= MOST_FAILURES:
            return f"{name} is busy"
        return is_late()

    if isinstance(source, Arxiv):
        asked = _changed(archive, entries, source, keeper, clock)
    else:
        asked = DUE_OF[source.manners.setting](archive.store, keeper.history, clock.now())
    if asked:
        least = timedelta(seconds=source.manners.seconds) * len(asked)
        log.info("asking %s for %s records, which takes %s or more", name, f"{len(asked):,}", least)
    for one in track(_until(asked, is_over, "records"), f"capturing {name}", len(asked)):
        keeper.keep([source.ask(one.subject)])


def _changed(archive: Archive, entries: list[IndexEntry], arxiv: Arxiv, keeper: Keeper, clock: Clock) -> list[Due]:
    """Ask arXiv what changed; the papers that are new, or did change."""
    papers = papers_at_arxiv(archive.store)
    if not papers:
        return []
    past = past_of(archive, entries, clock.now())
    harvest = changes_due(past, moments(keeper.history, papers), clock.now())
    if harvest:
        changes, token = harvest
        pages: list[Capture] = []
        for page in arxiv.changes(date.fromisoformat(changes.subject), token):
            keeper.keep([page])
            pages += [page] if isinstance(page, Capture) else []
        for paper, listed in arxiv_past(pages).listed.items():
            past.listed.setdefault(paper, []).extend(listed)
    return records_due(past, papers, keeper.history, clock.now())
