"""What `capture` asks of the sources beside the Hub that are set. Of arXiv it is first what changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Final

from flows.hub import Clock
from flows.hub.paced import PacedSource
from flows.plan.arxiv_due import arxiv_past, changes_due, moments, papers_at_arxiv, past_of, records_due
from flows.plan.due import Due
from flows.plan.others_due import DUE_OF
from flows.plan.past_calls import PastCalls
from flows.runtime.progress import log, track
from flows.sources import Arxiv
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture, Failed, Outcome, Refused
from warehouse.archive.index import IndexEntry
from warehouse.archive.journal import Journal

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
