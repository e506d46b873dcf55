"""What is to be asked of arXiv: what changed since the last whole harvest, and records of new and changed papers.

It is told by the archive alone: by the addresses of past calls, and by what the pages of past harvests list.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from flows.plan.due import Due
from flows.plan.past_calls import NEVER, PastCalls
from flows.runtime.scope import DAY
from transforms.core.harvests import HarvestPages, harvests_of
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture
from warehouse.archive.index import IndexEntry
from warehouse.release.snapshot import open_latest
from warehouse.schema.core.papers import PAPERS
from warehouse.store.store import Store

READY_AT: Final = time(5)  # UTC; new metadata come about 22:30 in New York, and from 20:00 on arXiv is busy
LOOK_BACK: Final = 31 * DAY  # pages of harvests that are read; after so long without a run a harvest reaches further
LISTS: Final = "verb=ListIdentifiers"


@dataclass(frozen=True)
class ArxivPast:
    """What the archive has of arXiv: whole and broken harvests in their order, and by paper the moments at which a
    harvest listed it, each with the day of the change.
    """

    harvests: list[HarvestPages]
    newest_at: datetime
    listed: dict[str, list[tuple[datetime, date]]]

    def since(self) -> date | None:
        """The day from which on changes are not known: that on which the last whole harvest began."""
        whole = [one.began_at for one in self.harvests if one.is_whole]
        return max(whole).date() if whole else None

    def is_changed(self, paper: str, asked_at: datetime, now: datetime) -> bool:
        """Whether a paper changed on a day that was not over when it was asked for, and is now. A day of which another
        change may come would be asked for twice: what changed is told by days.
        """
        return any(asked_at < over_at(day) <= now for _, day in self.listed.get(paper, ()))


def over_at(day: date) -> datetime:
    """When nothing more can change on a day, by the clocks of New York as well."""
    return datetime.combine(day, READY_AT) + DAY


def arxiv_past(pages: Iterable[Capture]) -> ArxivPast:
    """What pages of harvests say; what is none of them says nothing."""
    # Its readers, and Arrow: a run without arXiv spares them
    from transforms.collect.collect import collect, read_page

    read = [page for page in map(read_page, pages) if page.fetched_at]
    listed: dict[str, list[tuple[datetime, date]]] = {}
    for page in read:
        for paper, day in page.reading.arxiv_changes:
            listed.setdefault(paper, []).append((page.fetched_at or NEVER, day))
    harvests = harvests_of(collect(read).arxiv_looks)
    last = max((at for one in harvests[-1:] for at in one.fetched), default=NEVER)
    return ArxivPast(harvests, last, listed)


def past_of(archive: Archive, entries: Sequence[IndexEntry], now: datetime) -> ArxivPast:
    """What the pages of the last month say."""
    read = [
        entry
        for entry in entries
        if LISTS in (entry.url or "") and not entry.failure and now - (entry.fetched_at or NEVER) < LOOK_BACK
    ]
    return arxiv_past(archive.captures(sorted(read, key=lambda entry: (entry.filename, entry.offset))))


def changes_due(past: ArxivPast, asked: Iterable[datetime], now: datetime) -> tuple[Due, str | None] | None:
    """The harvest that is due, if any, and the token with which one that broke off today goes on.

    `asked` are the moments at which papers were asked for: without a whole harvest it begins with the first of them.
    """
    ready = datetime.combine(now.date(), READY_AT)
    ready -= DAY if ready > now else timedelta()
    since = past.since() or min(asked, default=now).date()
    newest = past.harvests[-1] if past.harvests else None
    if newest is not None and newest.is_whole and past.newest_at >= ready:
        return None
    is_open = newest is not None and newest.next_token is not None and past.newest_at.date() == now.date()
    return Due("changes", since.isoformat(), ready), newest.next_token if is_open and newest else None


def records_due(past: ArxivPast, papers: Iterable[str], history: PastCalls, now: datetime) -> list[Due]:
    """The papers whose records are due, in their order: those never asked for, then those that changed since, each once
    the day of its change is over.
    """
    new, changed = list[Due](), list[Due]()
    for paper in papers:
        asked_at = history.fetched_at("arxiv", paper)
        if asked_at is None:
            new.append(Due("arxiv", paper, now))
        elif past.is_changed(paper, asked_at, now):
            changed.append(Due("arxiv", paper, now))
    return new + changed


def papers_at_arxiv(store: Store) -> list[str]:
    """The arXiv ids of the latest release's papers, those listed last first."""
    with open_latest(store) as release:
        if release is None:
            return []
        found = release.select(PAPERS, ["arxiv_id", "last_listed_on"]).drop_nulls("arxiv_id")
    ordered = found.sort("last_listed_on", "arxiv_id", descending=True, nulls_last=True)
    return ordered["arxiv_id"].to_list()


def arxiv_due(store: Store, entries: Sequence[IndexEntry], history: PastCalls, now: datetime) -> list[Due]:
    """Everything that the next run would ask of arXiv, as far as can be told."""
    papers = papers_at_arxiv(store)
    past = past_of(Archive(store), entries, now)
    harvest = changes_due(past, moments(history, papers), now) if papers else None
    return [*([harvest[0]] if harvest else []), *records_due(past, papers, history, now)]


def moments(history: PastCalls, papers: Iterable[str]) -> list[datetime]:
    """When these papers were last asked for at arXiv."""
    return [at for paper in papers if (at := history.fetched_at("arxiv", paper)) is not None]
