"""Which papers were listed lately, by the latest release: those whose details may be due."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

import polars as pl

from flows.plan.scope import Scope
from warehouse.release.snapshot import open_latest
from warehouse.schema.columns import ARXIV_ID
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.store.store import Store

ON_AN_ARXIV_ID: Final = pl.col("paper_id").str.contains(ARXIV_ID)  # ids were scraped: no other text becomes an address


def listed(store: Store, scope: Scope, now: datetime) -> dict[str, date]:
    """The last list day of each paper whose details a run may ask for: arXiv ids of the lists of the last 31 days.

    In a backfill, those that were listed in its days, and only where details are asked for.
    """
    if not scope.details_after or (scope.is_backfill and not scope.with_details):
        return {}
    with open_latest(store) as release:
        if release is None:
            return {}
        listings = release.read(DAILY_LISTINGS)
    since, until = scope.list_range(now, scope.details_after)
    listings = listings.filter(ON_AN_ARXIV_ID)
    papers = listings.group_by("paper_id").agg(
        pl.col("listed_on").max(), pl.col("listed_on").is_between(since, until).any().alias("is_wanted")
    )
    return dict(papers.filter("is_wanted").select("paper_id", "listed_on").iter_rows())
