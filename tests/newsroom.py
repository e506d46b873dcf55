"""A release as the digest reads it: coverage, lists and keywords of a few invented rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import NamedTuple

import duckdb

from warehouse.release.query import Database, opened

MADE = """
CREATE SCHEMA core; CREATE SCHEMA mart;
CREATE TABLE core.coverage (listed_on DATE, source VARCHAR, state VARCHAR, reason VARCHAR, is_expected BOOLEAN);
CREATE TABLE mart.daily_papers (listed_on DATE, rank INTEGER, paper_id VARCHAR, title VARCHAR, authors VARCHAR[],
    author_count INTEGER, organization_name VARCHAR, organization_login VARCHAR, upvote_count INTEGER,
    arxiv_id VARCHAR, list_state VARCHAR);
CREATE TABLE core.daily_listings (listed_on DATE, paper_id VARCHAR);
CREATE TABLE core.paper_keywords (paper_id VARCHAR, keyword VARCHAR, normal_keyword VARCHAR);
"""


class Row(NamedTuple):
    """A paper of a list."""

    paper_id: str
    title: str = "A title"
    organization: str | None = None
    keyword: str | None = None
    authors: tuple[str, ...] = ("Ada Lund",)


class Day(NamedTuple):
    """A list day, with its list or without."""

    listed_on: date
    papers: Sequence[Row] = ()
    state: str = "complete"
    reason: str | None = None


@contextmanager
def released(folder: Path, *days: Day, trends: Sequence[str] | None = None) -> Iterator[Database]:
    """A database with these lists."""
    path = folder / "release.duckdb"
    path.unlink(missing_ok=True)
    with duckdb.connect(str(path)) as made:
        made.begin()  # each statement on its own would wait for the disk
        made.execute(MADE)
        for day in days:
            made.execute(
                "INSERT INTO core.coverage VALUES (?, 'api', ?, ?, true)", [day.listed_on, day.state, day.reason]
            )
            for rank, row in enumerate(day.papers, 1):
                arxiv_id = row.paper_id if row.paper_id[:4].isdigit() else None
                made.execute(
                    "INSERT INTO mart.daily_papers VALUES (?, ?, ?, ?, ?, ?, ?, lower(?), ?, ?, ?)",
                    [
                        *(day.listed_on, rank, row.paper_id, row.title, list(row.authors), len(row.authors)),
                        *(row.organization, row.organization, 100 - rank, arxiv_id, day.state),
                    ],
                )
                made.execute("INSERT INTO core.daily_listings VALUES (?, ?)", [day.listed_on, row.paper_id])
                if row.keyword:
                    made.execute(
                        "INSERT INTO core.paper_keywords VALUES (?, ?, lower(?))",
                        [row.paper_id, row.keyword, row.keyword],
                    )
        if trends is not None:
            made.execute(
                "CREATE TABLE mart.trending_papers AS SELECT max(listed_on) AS trending_on, max(listed_on) AS listed_on, "
                "paper_id, list_position($1, paper_id) AS rank FROM core.daily_listings WHERE paper_id IN "
                "(SELECT unnest($1)) GROUP BY paper_id",
                [list(trends)],
            )
        made.commit()
    with opened(path) as database:
        yield database
