"""What `capture` asks of arXiv, where that is set: what changed, then the records of new and of changed papers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from flows.arxiv import Arxiv
from flows.arxiv.oai_client import SECONDS
from flows.hub import Clock
from flows.plan.arxiv_due import arxiv_past, changes_due, moments, papers_at_arxiv, past_of, records_due
from flows.plan.past_calls import PastCalls
from flows.runtime.progress import log, track
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture, Failed, Outcome, Refused
from warehouse.archive.index import IndexEntry
from warehouse.archive.journal import Journal

RUN_SECONDS: Final = 1800.0  # 600 records at most; a first fill of 13,000 papers takes 22 runs
MOST_FAILURES: Final = 2  # one after the other: arXiv is busy, which lasts for hours


def capture_arxiv(  # noqa: PLR0913 - what a run is given
    archive: Archive,
    entries: list[IndexEntry],
    history: PastCalls,
    arxiv: Arxiv,
    *,
    journal: Journal,
    clock: Clock,
) -> list[Refused]:
    """Ask arXiv for what is due, each answer durable before the next call; what failed.

    A run ends after half an hour, or where arXiv fails twice, one after the other: the next goes on. Nothing of the
    Hub's waits for it, and where arXiv is away nothing else fails.
    """
    run = _Asking(history, journal)
    papers, end = papers_at_arxiv(archive.store), clock.seconds() + RUN_SECONDS
    if not papers:
        return []
    past = past_of(archive, entries, clock.now())
    harvest = changes_due(past, moments(history, papers), clock.now())
    if harvest:
        due, token = harvest
        pages = list(run.keep(arxiv.changes(date.fromisoformat(due.subject), token)))
        new = arxiv_past(page for page in pages if isinstance(page, Capture))
        for paper, listed in new.listed.items():
            past.listed.setdefault(paper, []).extend(listed)
    due_records = records_due(past, papers, history, clock.now())
    if due_records:
        least = timedelta(seconds=SECONDS) * len(due_records)
        log.info("asking arXiv for %s records, which takes %s or more", f"{len(due_records):,}", least)
    for number, one in enumerate(track(due_records, "capturing arXiv", len(due_records))):
        if clock.seconds() >= end or run.failures >= MOST_FAILURES:
            why = "arXiv is busy" if run.failures >= MOST_FAILURES else "half an hour is over"
            log.info("%s: records of %s papers are left for the next run", why, f"{len(due_records) - number:,}")
            break
        list(run.keep(iter([arxiv.paper(one.subject)])))
    return run.refused


class _Asking:
    """Keeps each answer as it comes; `failures` counts those at the end that failed one after the other."""

    def __init__(self, history: PastCalls, journal: Journal) -> None:
        self._history, self._journal = history, journal
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
