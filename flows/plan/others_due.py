"""Which calls are due at the sources beside the Hub.

The latest release and the addresses of past calls tell, at all of them.

arXiv is asked what changed since the last whole harvest, and for records of new and changed papers: the archive alone
tells, by the addresses of past calls and by what the pages of past harvests list. Crossref is asked for the works that
arXiv's records name, or that OpenAlex found, and for what came of them; OpenAlex, by filters for many at once, in which
works it holds the lake's papers, and for works whose DOIs are known; GitHub for the stars of repositories that papers
link.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from types import MappingProxyType
from typing import Final

import polars as pl

from flows.plan.due import Due, TargetKind, adoption_wanted, due_now, listed_papers
from flows.plan.past_calls import NEVER, PastCalls
from flows.runtime.scope import DAY, Scope
from transforms.core.harvests import HarvestPages, harvests_of
from transforms.readers.request import DOI_FILTER, PLACE_FILTER
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture
from warehouse.archive.index import IndexEntry
from warehouse.people.person import MASK
from warehouse.release.snapshot import open_latest
from warehouse.schema.core.arxiv_records import ARXIV_RECORDS
from warehouse.schema.core.attached import PAPER_LINKS, STARS
from warehouse.schema.core.papers import PAPERS
from warehouse.schema.core.works import CROSSREF, DOI_IN_TEXT, OF_ARXIV, OPENALEX, PUBLISHED_WORKS, WORK_RELATIONS
from warehouse.store.store import Store

READY_AT: Final = time(5)  # UTC; new metadata come about 22:30 in New York, and from 20:00 on arXiv is busy
LOOK_BACK: Final = 31 * DAY  # pages of harvests that are read; after so long without a run a harvest reaches further
LISTS: Final = "verb=ListIdentifiers"


@dataclass(frozen=True)
class ArxivPast:
    """What the archive has of arXiv: whole and broken harvests in their order, and what they listed.

    By paper the moments at which a harvest listed it, each with the day of the change.
    """

    harvests: list[HarvestPages]
    newest_at: datetime
    listed: dict[str, list[tuple[datetime, date]]]

    def since(self) -> date | None:
        """The day from which on changes are not known: that on which the last whole harvest began."""
        whole = [one.began_at for one in self.harvests if one.is_whole]
        return max(whole).date() if whole else None

    def is_changed(self, paper: str, asked_at: datetime, now: datetime) -> bool:
        """Whether a paper changed on a day that was not over when it was asked for, and is now.

        A day of which another change may come would be asked for twice: what changed is told by days.
        """
        return any(asked_at < datetime.combine(day, READY_AT) + DAY <= now for _, day in self.listed.get(paper, ()))


def arxiv_past(pages: Iterable[Capture]) -> ArxivPast:
    """Read the past from pages of harvests; other pages are passed over."""
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
    """Read the past from the pages of the last month."""
    read = [
        entry
        for entry in entries
        if LISTS in (entry.url or "") and not entry.failure and now - LOOK_BACK < (entry.fetched_at or NEVER) <= now
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
    """The papers whose records are due, in their order.

    First those never asked for, then those that changed since, each once the day of its change is over.
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
    """The calls that the next run would make to arXiv, as far as is known now."""
    papers = papers_at_arxiv(store)
    past = past_of(Archive(store), entries, now)
    harvest = changes_due(past, moments(history, papers), now) if papers else None
    return [*([harvest[0]] if harvest else []), *records_due(past, papers, history, now)]


def moments(history: PastCalls, papers: Iterable[str]) -> list[datetime]:
    """When these papers were last asked for at arXiv."""
    return [at for paper in papers if (at := history.fetched_at("arxiv", paper)) is not None]


AGAIN_AFTER: Final = 30 * DAY  # retractions come months or years after the paper
NAMED: Final = re.compile(DOI_IN_TEXT)
FOLLOWED: Final = ("is-preprint-of", "updated-by")


def dois_in(text: str | None) -> list[str]:
    """The DOIs that an author's words name, in lower case, without arXiv's own.

    >>> dois_in("10.5555/Loom.7 10.48550/arXiv.2512.00001, see https://doi.org/10.5555/tide.")
    ['10.5555/loom.7', '10.5555/tide']
    """
    return [one for one in NAMED.findall((text or "").lower()) if not one.startswith(OF_ARXIV)]


def works_wanted(store: Store) -> list[str]:
    """The DOIs to ask for, those of the papers listed last first.

    First those that the newest records of the lake's papers name, then those of works that OpenAlex found them in;
    after each what is known to come of it: the work of which it is a preprint, the notices of its updates.
    """
    with open_latest(store) as release:
        if release is None or not {ARXIV_RECORDS.name, WORK_RELATIONS.name} <= {*release.tables}:
            return []
        records = release.select(ARXIV_RECORDS, ["paper_id", "doi", "observed_at", "capture_id"])
        stated = release.select(WORK_RELATIONS, ["registry", "doi", "relation", "other_doi", "arxiv_id"])
    newest = records.sort("observed_at", "capture_id", nulls_last=False).unique("paper_id", keep="last")
    named = dict(newest.drop_nulls("doi").select("paper_id", "doi").iter_rows())
    leads: dict[str, list[str]] = {}
    followed = stated.filter(pl.col("relation").is_in(FOLLOWED)).select("doi", "other_doi")
    held = stated.filter(relation="has-preprint", registry=OPENALEX).select("arxiv_id", "doi")
    for one, other in (*followed.iter_rows(), *held.iter_rows()):
        leads.setdefault(one, []).append(other)
    papers = papers_at_arxiv(store)
    waiting = [doi for paper in papers for doi in (*dois_in(named.get(paper)), *following(leads, paper))][::-1]
    wanted: dict[str, None] = {}
    while waiting:
        doi = waiting.pop()
        if doi not in wanted:
            wanted[doi] = None
            waiting += following(leads, doi)[::-1]
    return list(wanted)


def following(leads: Mapping[str, Iterable[str | None]], one: str) -> list[str]:
    """The DOIs to which a DOI leads, or a paper."""
    return dois_in(" ".join(sorted({*filter(None, leads.get(one, ()))})))


def due_each(kind: TargetKind, subjects: Iterable[str], history: PastCalls, now: datetime) -> list[Due]:
    """The subjects that are due.

    First those never asked for, in their order, then those last asked for over a month ago, the oldest first.
    """
    new, old = list[Due](), list[tuple[datetime, str]]()
    for one in subjects:
        asked_at = history.fetched_at(kind, one) or NEVER
        if asked_at == NEVER:
            new.append(Due(kind, one, now))
        elif now - asked_at >= AGAIN_AFTER:
            old.append((asked_at + AGAIN_AFTER, one))
    return new + [Due(kind, one, at) for at, one in sorted(old)]


def repositories_wanted(store: Store) -> list[str]:
    """The repositories that the papers of the latest release link, each once, those listed last first. No masks."""
    with open_latest(store) as release:
        if release is None:
            return []
        links = release.select(PAPER_LINKS, ["paper_id", "repository"]).drop_nulls("repository")
        listed = release.select(PAPERS, ["paper_id", "last_listed_on"])
    order = ("last_listed_on", "paper_id", "repository")
    named = links.filter(~pl.col("repository").str.contains(MASK.pattern))
    ordered = named.join(listed, on="paper_id").sort(order, descending=True, nulls_last=True)
    return ordered["repository"].unique(maintain_order=True).to_list()


MOST_VALUES: Final = 48  # of a filter; OpenAlex takes a hundred, of which an address might grow too long
# The addresses by which OpenAlex may know a paper at arXiv
ADDRESSES: Final = ("https://arxiv.org/abs/{}", "http://arxiv.org/abs/{}", f"https://doi.org/{OF_ARXIV}arxiv.{{}}")
FILTERABLE: Final = re.compile(r"[a-z0-9./_()-]+", re.ASCII)  # a comma, a bar or a colon would end the value


def paper_filter(arxiv_ids: Iterable[str]) -> str:
    """The filter for the works that hold one of some papers at arXiv.

    >>> paper_filter(["2512.00001"]).split("|")[::2]
    ['locations.landing_page_url:https://arxiv.org/abs/2512.00001', 'https://doi.org/10.48550/arxiv.2512.00001']
    """
    return PLACE_FILTER + "|".join(address.format(one) for one in arxiv_ids for address in ADDRESSES)


def doi_filter(dois: Iterable[str]) -> str:
    """The filter for the works of some DOIs."""
    return DOI_FILTER + "|".join(dois)


def due_lists(
    papers: Iterable[str], dois: Iterable[str], history: PastCalls, seen: Mapping[str, datetime], now: datetime
) -> list[Due]:
    """The lists that are due, each with its filter for a subject: of papers, then of DOIs.

    Of both come first those never asked for in their order, then those not told of in a month, the oldest first. What
    failed last is asked for last, so that one list that OpenAlex refuses holds none up.
    """
    kinds: tuple[tuple[Iterable[str], int, Callable[[Iterable[str]], str]], ...] = (
        (papers, MOST_VALUES // len(ADDRESSES), paper_filter),
        ((one for one in dois if FILTERABLE.fullmatch(one)), MOST_VALUES, doi_filter),
    )
    found = list[Due]()
    for names, most, filter_of in kinds:
        told = {one: max(history.fetched_at(OPENALEX, one) or NEVER, seen.get(one, NEVER)) for one in names}
        new = sorted((one for one, at in told.items() if at == NEVER), key=lambda one: history.tried_at(OPENALEX, one))
        old = sorted((at, one) for one, at in told.items() if at != NEVER and now - at >= AGAIN_AFTER)
        due = [*new, *(one for _, one in old)]
        found += [Due(OPENALEX, filter_of(due[place : place + most]), now) for place in range(0, len(due), most)]
    return found


def last_answered(store: Store) -> dict[str, datetime]:
    """When OpenAlex last answered with each work that it has, even if another was asked for."""
    with open_latest(store) as release:
        if release is None or PUBLISHED_WORKS.name not in release.tables:
            return {}
        rows = release.select(PUBLISHED_WORKS, ["registry", "doi", "answer", "observed_at"])
    known = rows.filter(registry=OPENALEX, answer="known").drop_nulls("observed_at")
    return dict(known.group_by("doi").agg(pl.col("observed_at").max()).iter_rows())


# Of the sources that are asked each for one thing, by their setting. arXiv is first asked what changed
DUE_OF: Final = MappingProxyType[str, Callable[[Store, PastCalls, datetime], list[Due]]](
    {
        CROSSREF: lambda store, history, now: due_each(CROSSREF, works_wanted(store), history, now),
        OPENALEX: lambda store, history, now: due_lists(
            papers_at_arxiv(store), works_wanted(store), history, last_answered(store), now
        ),
        STARS: lambda store, history, now: due_each(STARS, repositories_wanted(store), history, now),
    }
)


def calls_due(store: Store, scope: Scope, entries: Sequence[IndexEntry], now: datetime) -> Iterator[Due]:
    """The calls that the next run would make, to the Hub and to the sources that are set, as far as is known now."""
    history = PastCalls(entries, now)
    yield from due_now(scope, history, now, listed_papers(store, scope, now), adoption_wanted(store, scope))
    if scope.is_backfill:
        return
    if scope.arxiv:
        yield from arxiv_due(store, entries, history, now)
    for setting, due in DUE_OF.items():
        if getattr(scope, setting):
            yield from due(store, history, now)
