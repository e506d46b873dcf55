"""The papers that a user's own query returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from warehouse.errors import NothingThere, UsageError

if TYPE_CHECKING:
    from warehouse.release.query import Database

HAS_MACRO: Final = (
    "SELECT count(*) FROM duckdb_functions() WHERE schema_name = 'mart' AND function_name = $1 AND NOT internal"
)
UNKNOWN: Final = """
SELECT asked FROM (SELECT unnest($1) AS asked) WHERE asked IS NULL OR asked NOT IN (SELECT paper_id FROM core.papers)
ORDER BY asked LIMIT 3
"""


def require_macro(database: Database, name: str) -> None:
    """Raise NothingThere where the release is older than the macro."""
    [(count,)] = database.rows(HAS_MACRO, [name]).rows
    if not count:
        raise NothingThere(f"the latest release is older than the macro {name}; the next release will have it")


def rows_of(database: Database, sql: str) -> list[dict[str, Any]]:
    """The first row that a query gives for each paper; UsageError where it gives no `paper_id`, or an unknown one."""
    answer = database.rows(sql)
    if "paper_id" not in answer.columns:
        raise UsageError(f"the query gives no column paper_id, but {', '.join(answer.columns)}")
    rows: dict[Any, dict[str, Any]] = {}
    for row in answer.dicts():
        rows.setdefault(row["paper_id"], row)
    wrong = [str(one) for (one,) in database.rows(UNKNOWN, [list(rows)]).rows] if rows else []
    if wrong:
        raise UsageError(f"the query gives a paper_id that the latest release does not have: {', '.join(wrong)[:100]}")
    return list(rows.values())
