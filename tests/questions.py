"""Queries of analysts on a remote release, and how many bytes each may move: the promise of the layout."""

from typing import Final, NamedTuple

MONTH: Final = "listed_on BETWEEN DATE '2026-07-01' AND DATE '2026-07-31'"
ATTACH: Final = "ATTACH '@/paperlake.duckdb' AS lake (READ_ONLY)"
REQUESTS: Final = 10
# Where rows lie in the file differs from one that is made to the next, by the order in which threads write: of one paper
# by id 2,252 to 2,508 KiB were seen of the same rows. A block of 64 KiB is slack
DATABASE_KIB: Final = 2572


class Question(NamedTuple):
    """`@` in the SQL stands for the address of the release."""

    name: str
    sql: str
    kib: int


PARQUET: Final = (
    Question("row count of a table", "SELECT count(*) FROM '@/data/papers/2025.parquet'", 32),
    Question("one paper by id", "FROM '@/data/papers/2026-Q2.parquet' WHERE paper_id = '2604.07429'", 64),
    Question("one of the newest", "FROM '@/data/papers/2026-Q3.parquet' WHERE paper_id = '2607.28627'", 64),
    Question(
        "a month's top 20",
        f"FROM '@/marts/daily_papers/2026-Q3.parquet' WHERE {MONTH} ORDER BY upvote_count DESC LIMIT 20",
        512,
    ),
    Question("papers per month", "SELECT month_on, paper_count FROM '@/marts/papers_by_month.parquet'", 64),
    Question(
        "papers per month, counted",
        "SELECT date_trunc('month', listed_on), count(DISTINCT paper_id) FROM '@/data/daily_listings/2026.parquet' GROUP BY 1",
        64,
    ),
)
DATABASE: Final = (
    Question("row count of a table", "SELECT count(*) FROM lake.papers", DATABASE_KIB),
    Question(
        "one paper by id",
        "SELECT title, author_count, organization_name, first_listed_on, upvote_count "
        "FROM lake.papers WHERE paper_id = '2604.07429'",
        DATABASE_KIB,
    ),
    Question(
        "a month's top 20",
        "SELECT listed_on, rank, title, organization_name, author_count, upvote_count, comment_count "
        f"FROM lake.daily_papers WHERE {MONTH} ORDER BY upvote_count DESC LIMIT 20",
        DATABASE_KIB,
    ),
    Question("papers per month", "SELECT month_on, paper_count FROM lake.papers_by_month", DATABASE_KIB),
)
