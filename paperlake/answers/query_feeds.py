"""A feed of the papers that a user's own query returns."""

from __future__ import annotations

import hashlib
from datetime import date
from typing import TYPE_CHECKING, Final

from flows.documents.feeds.feed_formats import QUERIES, Feed
from flows.documents.feeds.release_feeds import DAILY, DAILY_DAYS, DAILY_ENTRIES
from paperlake.answers.user_query import rows_of

if TYPE_CHECKING:
    from warehouse.release.query import Database

LISTS: Final = f"""
SELECT paper_id, listed_on FROM core.daily_listings
WHERE listed_on IN (SELECT DISTINCT listed_on FROM core.daily_listings ORDER BY listed_on DESC LIMIT {DAILY_DAYS})
ORDER BY listed_on DESC, first_seen_at DESC NULLS LAST, paper_id LIMIT {DAILY_ENTRIES}
"""  # noqa: S608
# A paper is announced for the list day that the query gives, else for its first one, however often it comes back
ENTRIES: Final = """
SELECT papers.paper_id, title, arxiv_id, coalesce(asked_on, first_listed_on) AS listed_on,
    coalesce(listings.first_seen_at, papers.first_seen_at) AS first_seen_at, names, abstract
FROM (SELECT unnest($1) AS asked, unnest($2::DATE[]) AS asked_on, unnest(range(len($1))) AS place)
JOIN core.papers AS papers ON papers.paper_id = asked
LEFT JOIN core.daily_listings AS listings
    ON listings.paper_id = asked AND listings.listed_on = coalesce(asked_on, first_listed_on)
LEFT JOIN core.paper_texts AS texts ON texts.paper_id = asked
LEFT JOIN (
    SELECT paper_id AS of_paper, list(name ORDER BY position) AS names FROM core.paper_authors GROUP BY paper_id
) ON of_paper = asked
ORDER BY place
"""


def query_feed(database: Database, sql: str | None, title: str | None) -> Feed:
    """The feed of a query, by default of the newest lists. A hash of the query names it, so that it goes on."""
    rows = rows_of(database, sql or LISTS)
    days = [row.get("listed_on") for row in rows]
    asked_on = [day if type(day) is date else None for day in days]
    entries = database.rows(ENTRIES, [[row["paper_id"] for row in rows], asked_on]).dicts()
    if sql is None:
        key, name, description = DAILY
        return Feed.of(key, title or name, description, entries)
    digest = hashlib.sha256(sql.encode()).hexdigest()[:16]
    return Feed.of(QUERIES + digest, title or "Papers of a query", sql, entries)
