"""What the papers that match a query have in common: their years, organizations, keywords and code, with counts.

Each comes with the field that narrows the query by it.
"""

from __future__ import annotations

from itertools import pairwise
from shlex import quote
from typing import TYPE_CHECKING, Final

from paperlake.find.language import parse
from paperlake.sql.drawing import aligned
from warehouse.printable import printable
from warehouse.schema.macros.query_macros import DAY

if TYPE_CHECKING:
    from warehouse.release.query import Database, QueryResult

MOST: Final = 8  # of each kind
FACETS: Final = f"""
WITH found AS MATERIALIZED (SELECT paper_id FROM find_papers($1, NULL)),
matching AS (FROM core.papers SEMI JOIN found USING (paper_id)),
named AS (
    SELECT 1 AS kind, 'year' AS facet, year({DAY})::VARCHAR AS value, 'year:' || value AS narrow, paper_id FROM matching
    UNION ALL
    SELECT
        2, 'organization', coalesce(organization_name, organization_login),
        'org:"' || replace(coalesce(organization_login, organization_name), '"', '') || '"', paper_id
    FROM matching
    UNION ALL
    SELECT 3, 'keyword', keyword, 'keyword:"' || replace(keyword, '"', '') || '"', paper_id
    FROM core.paper_keywords SEMI JOIN found USING (paper_id)
    UNION ALL
    SELECT 4, 'has', 'code', 'has:code', paper_id
    FROM core.paper_links SEMI JOIN found USING (paper_id) WHERE paper_links.kind = 'github'
)
SELECT facet, value, count(DISTINCT paper_id) AS paper_count, min(narrow) AS narrow FROM named
WHERE value IS NOT NULL GROUP BY kind, facet, value
QUALIFY row_number() OVER (PARTITION BY kind ORDER BY paper_count DESC, value) <= {MOST}
ORDER BY kind, paper_count DESC, value
"""  # noqa: S608 - ours


def facets(database: Database, query: str) -> QueryResult:
    """`facet`, `value`, `paper_count` and what narrows by it, the most papers first, of all papers that match.

    UsageError where the query cannot be parsed.
    """
    parse(database, query)
    return database.rows(FACETS, [query])


def facets_text(query: str, found: QueryResult) -> str:
    """The facets as a table, and a narrower query as an example."""
    rows = [tuple(map(str, row)) for row in found.rows]
    if not rows:
        return "no paper matches\n"
    shown = [
        ("" if before[0] == facet else facet, printable(value), count, printable(narrow))
        for before, (facet, value, count, narrow) in pairwise([("",), *rows])
    ]
    table = aligned([("", "", "papers", "narrow by"), *shown], right=[2])
    return f"{table}for example: paperlake search {quote(printable(f'{query} {rows[0][3]}'))}\n"
