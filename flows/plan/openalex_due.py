"""What is to be asked of OpenAlex: in which works it holds the lake's papers, and the works of DOIs that are known.

Many are asked for at once, by one filter. It is told by the latest release, and by the addresses of past calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Final

import polars as pl

from flows.plan.arxiv_due import papers_at_arxiv
from flows.plan.due import Due
from flows.plan.past_calls import NEVER, PastCalls
from flows.plan.works_due import AGAIN_AFTER, works_wanted
from transforms.readers.request import DOI_FILTER, PLACE_FILTER
from warehouse.release.snapshot import open_latest
from warehouse.schema.core.works import OF_ARXIV, OPENALEX, PUBLISHED_WORKS
from warehouse.store.store import Store

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
    """The lists that are due, each with its filter for a subject: of papers, then of DOIs; of both first those never
    asked for in their order, then those not told of in a month, the oldest first. What failed last is asked for last,
    so that one list that OpenAlex refuses holds none up.
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


def lists_wanted(store: Store, history: PastCalls, now: datetime) -> list[Due]:
    """The lists that are due of a lake."""
    return due_lists(papers_at_arxiv(store), works_wanted(store), history, last_told(store), now)


def last_told(store: Store) -> dict[str, datetime]:
    """When OpenAlex last told of each work that it has, also where it was asked for another."""
    with open_latest(store) as release:
        if release is None or PUBLISHED_WORKS.name not in release.tables:
            return {}
        rows = release.select(PUBLISHED_WORKS, ["registry", "doi", "answer", "observed_at"])
    known = rows.filter(registry=OPENALEX, answer="known").drop_nulls("observed_at")
    return dict(known.group_by("doi").agg(pl.col("observed_at").max()).iter_rows())
