"""What `capture` does: fetch what is due at the Hub and the other sources, and land it in the archive.

Of arXiv it is first what changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import date, timedelta
from typing import Final

from flows.hub import Clock, Hub
from flows.hub.budget import WINDOW_SECONDS
from flows.hub.fetch import CLOCK
from flows.hub.paced import PacedSource
from flows.plan.due import Due, adoption_targets, detail_targets, due, list_targets, page_targets
from flows.plan.listed_papers import adoption_wanted, listed_papers
from flows.plan.others_due import DUE_OF, arxiv_past, changes_due, moments, papers_at_arxiv, past_of, records_due
from flows.plan.past_calls import PastCalls
from flows.running.run_statistics import How, traced
from flows.runtime.lake import journal_folder
from flows.runtime.progress import log, track
from flows.runtime.scope import Scope
from flows.runtime.settings import load
from flows.sources import SOURCES, Arxiv
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture, Failed, Known, Outcome, Refused
from warehouse.archive.index import IndexEntry
from warehouse.archive.journal import Journal
from warehouse.archive.writer import Landed
from warehouse.errors import SourceFailed
from warehouse.release.latest import LATEST, require_known_format
from warehouse.store.store import Store, read_if_there

ADOPTION_WINDOWS: Final = 6  # half an hour, 3,000 calls; of 13,000 papers each weekday's share of a week is 2,600
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
    require_known_format(store.url, read_if_there(store, LATEST))
    archive = Archive(store)
    with Journal(archive, journal_folder(store), now=clock.now) as journal:  # lands what a killed run has left
        now = clock.now()
        entries = archive.index()
        history = PastCalls(entries, now)
        run = _Capturing(archive, hub, journal, history)
        lists = due(list_targets(scope, now), history, now)
        run.ask(lists, "lists", len(lists))
        pages = due(page_targets(scope, history, now), history, now)  # of those lists that turned out to be empty too
        run.ask(pages, "pages", len(pages))
        papers = due(detail_targets(scope, listed_papers(store, scope, now)), history, now)
        run.ask(papers if scope.is_backfill else _while_free(papers, hub, clock), "details", len(papers))
        built = due(adoption_targets(scope, now, adoption_wanted(store, scope)), history, now)
        run.ask(_for_a_while(built, clock), "adoption", len(built))
        for source in others:
            if getattr(scope, source.manners.setting) and not scope.is_backfill:
                run.refused += capture_source(archive, entries, history, source, journal=journal, clock=clock)
    return Landed(refused=tuple(run.refused)) + journal.landed


class _Capturing:
    """One run: makes calls to the Hub, and keeps each answer before the next call."""

    def __init__(self, archive: Archive, hub: Hub, journal: Journal, history: PastCalls) -> None:
        self._archive, self._hub, self._journal, self._history = archive, hub, journal, history
        self._known = history.known()
        if history.latest is not None:
            hub.recall(archive.read(history.latest))
        self._is_ready = False
        self.refused: list[Refused] = []

    def ask(self, due: Iterable[Due], what: str, total: int) -> None:
        """Make the calls that are due, after reading robots.txt: from the archive, where that is not too old."""
        for one in track(due, f"capturing {what}", total):
            if not self._is_ready:
                self._is_ready = True
                robots = self._history.robots(self._hub.robots_url)
                if robots is None:  # none in the archive, or too old
                    self._land(ask() for ask in (self._hub.robots,))  # called in `_land`, which handles its errors
                else:
                    self._hub.obey(self._archive.read(robots))
            self._land(_answers(self._hub, one, self._known))

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
        self._journal.add(reversed(outcomes))  # the first page last: if a kill tears them apart, the list stays due
        for outcome in outcomes:
            self._history.learn(outcome)
        self.refused += [Refused(one.url, one.reason) for one in outcomes if isinstance(one, Failed)]


def require_same_clock(skew: timedelta | None) -> None:
    """SourceFailed where this machine's clock and the Hub's differ: the times of what was fetched would lie."""
    if skew is not None and abs(skew) > MOST_SKEW:
        how = "ahead of" if skew > timedelta() else "behind"
        minutes = abs(skew) / timedelta(minutes=1)
        raise SourceFailed(
            f"this machine's clock is {minutes:,.0f} minutes {how} the Hub's, so the times of what it fetches would be "
            "wrong, and nothing was kept; set the clock (NTP), or look at PAPERLAKE_HUB_URL, and run again"
        )


def _answers(hub: Hub, due: Due, known: Mapping[str, Known]) -> Iterator[Outcome]:
    """The Hub's answers to one call that is due, one a page."""
    match due.kind:
        case "daily":
            yield from hub.daily(date.fromisoformat(due.subject), known)
        case "weekly":
            yield from hub.week(due.subject, known)
        case "monthly":
            yield from hub.month(due.subject, known)
        case "trending":
            yield hub.trending(known)
        case "search":
            yield hub.search(due.subject, known)
        case "page":
            yield hub.list_page(date.fromisoformat(due.subject), known)
        case "paper":
            yield hub.paper(due.subject, known)
        case "models" | "datasets" | "spaces":
            yield from hub.repositories(due.kind, due.subject)


def _while_free(due: list[Due], hub: Hub, clock: Clock) -> Iterator[Due]:
    """The calls that the Hub allows without a wait, for as long as one window of its rate limit."""
    end = clock.seconds() + WINDOW_SECONDS
    for number, one in enumerate(due):
        if hub.must_wait() or clock.seconds() > end:
            left = len(due) - number
            log.info("details of %s papers are left for the next run, so that this one need not wait", f"{left:,}")
            return
        yield one


def _for_a_while(due: list[Due], clock: Clock) -> Iterator[Due]:
    """The calls that fit in some windows of the Hub's rate limit; the others are left for the next run."""
    end = clock.seconds() + ADOPTION_WINDOWS * WINDOW_SECONDS
    for number, one in enumerate(due):
        if clock.seconds() >= end:
            log.info("who builds on %s papers is left for the next run", f"{len(due) - number:,}")
            return
        yield one


RUN_SECONDS: Final = 1800.0  # 600 records at most; a first fill of 13,000 papers takes 22 runs
MOST_FAILURES: Final = 2  # one after the other: arXiv is busy, which lasts for hours


def capture_source(  # noqa: PLR0913 - what a run is given
    archive: Archive,
    entries: list[IndexEntry],
    history: PastCalls,
    source: PacedSource,
    *,
    journal: Journal,
    clock: Clock,
) -> list[Refused]:
    """Ask a source for what is due, each answer durable before the next call; what failed.

    A run ends after half an hour, or where the source fails twice, one after the other: the next goes on. Nothing of
    the Hub's waits for it, and where the source is away nothing else fails.
    """
    run = Asking(source.manners.name, history, journal, clock)
    if isinstance(source, Arxiv):
        due = _changed(archive, entries, history, source, run, clock)
    else:
        due = DUE_OF[source.manners.setting](archive.store, history, clock.now())
    run.ask_each(due, source)
    return run.refused


def _changed(  # noqa: PLR0913, PLR0917 - what a run is given
    archive: Archive, entries: list[IndexEntry], history: PastCalls, arxiv: Arxiv, run: Asking, clock: Clock
) -> list[Due]:
    """Ask arXiv what changed; the papers that are new, or did change."""
    papers = papers_at_arxiv(archive.store)
    if not papers:
        return []
    past = past_of(archive, entries, clock.now())
    harvest = changes_due(past, moments(history, papers), clock.now())
    if harvest:
        changes, token = harvest
        pages = list(run.keep(arxiv.changes(date.fromisoformat(changes.subject), token)))
        new = arxiv_past(page for page in pages if isinstance(page, Capture))
        for paper, listed in new.listed.items():
            past.listed.setdefault(paper, []).extend(listed)
    return records_due(past, papers, history, clock.now())


class Asking:
    """Half an hour of asking one source, beside the Hub. Keeps each answer as it comes; `failures` counts those at the
    end that failed one after the other.
    """

    def __init__(self, name: str, history: PastCalls, journal: Journal, clock: Clock) -> None:
        self._history, self._journal, self._clock = history, journal, clock
        self._name = name
        self._end = clock.seconds() + RUN_SECONDS
        self.failures = 0
        self.refused: list[Refused] = []

    def keep(self, answers: Iterator[Outcome]) -> Iterator[Outcome]:
        for outcome in answers:
            self._journal.add([outcome])
            self._history.learn(outcome)
            self.failures = self.failures + 1 if isinstance(outcome, Failed) else 0
            if isinstance(outcome, Failed):
                self.refused.append(Refused(outcome.url, outcome.reason))
            yield outcome

    def ask_each(self, due: Sequence[Due], source: PacedSource) -> None:
        """Ask for each record that is due, until the half hour is over, or the source is busy."""
        if due:
            least = timedelta(seconds=source.manners.seconds) * len(due)
            log.info("asking %s for %s records, which takes %s or more", self._name, f"{len(due):,}", least)
        for number, one in enumerate(track(due, f"capturing {self._name}", len(due))):
            if self._clock.seconds() >= self._end or self.failures >= MOST_FAILURES:
                why = f"{self._name} is busy" if self.failures >= MOST_FAILURES else "half an hour is over"
                log.info("%s: %s records are left for the next run", why, f"{len(due) - number:,}")
                break
            list(self.keep(iter([source.ask(one.subject)])))
