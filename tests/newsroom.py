"""A release as the digest reads it: coverage, lists and keywords of a few invented rows."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import duckdb
import polars as pl

from warehouse.release.query import Database, opened

MADE = """
CREATE SCHEMA core; CREATE SCHEMA mart;
CREATE TABLE core.coverage (listed_on DATE, source VARCHAR, state VARCHAR, reason VARCHAR, is_expected BOOLEAN);
CREATE TABLE mart.daily_papers (listed_on DATE, rank INTEGER, paper_id VARCHAR, title VARCHAR, authors VARCHAR[],
    author_count INTEGER, organization_name VARCHAR, organization_login VARCHAR, upvote_count INTEGER,
    arxiv_id VARCHAR, github_url VARCHAR, github_star_count INTEGER, list_state VARCHAR);
CREATE TABLE core.paper_authors (paper_id VARCHAR, name VARCHAR);
CREATE TABLE core.sightings (paper_id VARCHAR, observed_at TIMESTAMP, ai_summary VARCHAR);
CREATE TABLE core.paper_texts (paper_id VARCHAR, abstract VARCHAR);
CREATE TABLE mart.paper_status (paper_id VARCHAR, status VARCHAR, is_newest BOOLEAN, is_undone BOOLEAN,
    withdrawn_on DATE, superseded_by VARCHAR);
CREATE MACRO mart.paper_status_as_of(ts) AS TABLE FROM mart.paper_status;
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
    code_url: str | None = None
    star_count: int | None = None
    ai_summary: str | None = None
    abstract: str | None = None
    superseded_by: str | None = None  # then it is withdrawn, too


class Day(NamedTuple):
    """A list day, with its list or without."""

    listed_on: date
    papers: Sequence[Row] = ()
    state: str = "complete"
    reason: str | None = None


def rows_of(days: Sequence[Day]) -> dict[str, list[tuple[object, ...]]]:
    """What each table has of these lists."""
    shown = [(day, rank, row) for day in days for rank, row in enumerate(day.papers, 1)]
    return {
        "core.coverage": [(day.listed_on, "api", day.state, day.reason, True) for day in days],
        "mart.daily_papers": [
            (
                *(day.listed_on, rank, row.paper_id, row.title, list(row.authors), len(row.authors), row.organization),
                *(row.organization and row.organization.lower(), 100 - rank),
                *(row.paper_id if row.paper_id[:4].isdigit() else None, row.code_url, row.star_count, day.state),
            )
            for day, rank, row in shown
        ],
        "core.daily_listings": [(day.listed_on, row.paper_id) for day, _, row in shown],
        "core.paper_authors": [(row.paper_id, name) for _, _, row in shown for name in row.authors],
        "core.sightings": [(row.paper_id, None, row.ai_summary) for _, _, row in shown if row.ai_summary],
        "core.paper_texts": [(row.paper_id, row.abstract) for _, _, row in shown if row.abstract],
        "mart.paper_status": [
            (row.paper_id, "withdrawn", True, False, day.listed_on, row.superseded_by)
            for day, _, row in shown
            if row.superseded_by
        ],
        "core.paper_keywords": [(row.paper_id, row.keyword, row.keyword.lower()) for _, _, row in shown if row.keyword],
    }


@contextmanager
def released(folder: Path, *days: Day, trends: Sequence[str] | None = None) -> Iterator[Database]:
    """A database with these lists."""
    path = folder / "release.duckdb"
    path.unlink(missing_ok=True)
    known = tuple(day._replace(papers=tuple(day.papers)) for day in days)
    path.write_bytes(_made(known, None if trends is None else tuple(trends)))
    with opened(path) as database:
        yield database


@cache
def _made(days: tuple[Day, ...], trends: tuple[str, ...] | None) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "release.duckdb"
        with duckdb.connect(str(path)) as made:
            made.begin()  # each statement on its own would wait for the disk
            made.execute(MADE)
            for table, rows in rows_of(days).items():
                frame = pl.DataFrame(rows, made.sql(f"FROM {table}").pl().schema, orient="row")
                made.from_arrow(frame.to_arrow()).insert_into(table)
            if trends is not None:
                made.execute(
                    "CREATE TABLE mart.trending_papers AS SELECT days.listed_on AS trending_on, max(papers.listed_on) AS "
                    "listed_on, paper_id, list_position($1, paper_id) AS rank, 50 AS upvote_count, 8 AS "
                    "previous_upvote_count, TIMESTAMP '2026-10-02' AS previous_observed_at, TIMESTAMP '2026-10-03' AS "
                    "observed_at FROM (SELECT DISTINCT listed_on FROM core.daily_listings) AS days JOIN core.daily_listings "
                    "AS papers ON papers.listed_on <= days.listed_on WHERE paper_id IN (SELECT unnest($1)) GROUP BY ALL",
                    [list(trends)],
                )
            made.commit()
        return path.read_bytes()
