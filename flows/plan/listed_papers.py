"""The papers that were listed lately, by the latest release, whose details may be due."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

import polars as pl

from flows.runtime.scope import Scope
from warehouse.release.snapshot import open_latest
from warehouse.schema.columns import ARXIV_ID
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.store.store import Store

ON_AN_ARXIV_ID: Final = pl.col("paper_id").str.contains(
    ARXIV_ID
)  # a scraped id of another form is never put into an address


def listed_papers(store: Store, scope: Scope, now: datetime) -> dict[str, date]:
    """The last list day of each paper on a list of the last 31 days, by arXiv id.

    In a backfill, papers that were listed in its days, and none unless it is to fetch details.
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
