"""The papers that satisfy a condition of a query: one SQL query a field, with the value as a parameter."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from flows.find.language import Condition
from transforms.search.spoken import fold
from warehouse.schema.search_rules import FOLDED, LETTERS, SIGN

if TYPE_CHECKING:
    from warehouse.release.query import Database


SPOKEN: Final = re.compile(f"[{LETTERS}]+")


def _spoken(text: str) -> str:
    """A text as its words with a space around each, in SQL."""
    return f"' ' || trim(regexp_replace({FOLDED.format(text)}, '{SIGN}+', ' ', 'g')) || ' '"


TITLE: Final = f"SELECT paper_id FROM core.papers WHERE contains({_spoken('title')}, {_spoken('$1')})"  # noqa: S608
IN_ABSTRACT: Final = (
    f"SELECT paper_id FROM core.paper_texts WHERE contains({FOLDED.format('abstract')}, $2) "  # noqa: S608
    f"AND contains({_spoken('abstract')}, {_spoken('$1')})"
)
DAY: Final = "SELECT DISTINCT paper_id FROM core.daily_listings WHERE listed_on"
SQL: Final = {
    "title": TITLE,
    "phrase": f"{TITLE} UNION {IN_ABSTRACT}",
    "author": f"SELECT DISTINCT paper_id FROM core.paper_authors WHERE contains({_spoken('name')}, {_spoken('$1')}) "  # noqa: S608
    "OR lower(login) = lower($1)",
    "org": "SELECT paper_id FROM core.papers WHERE lower(organization_login) = lower($1) "  # noqa: S608
    f"OR contains({_spoken('organization_name')}, {_spoken('$1')})",
    "keyword": "SELECT DISTINCT paper_id FROM core.paper_keywords "  # noqa: S608
    f"WHERE contains({_spoken('keyword')}, {_spoken('$1')})",
    "code": "SELECT DISTINCT paper_id FROM core.paper_links WHERE kind = 'github'",
    "project": "SELECT DISTINCT paper_id FROM core.paper_links WHERE kind = 'project'",
    "models": "SELECT DISTINCT paper_id FROM core.paper_observations WHERE model_count > 0",
    "id": "SELECT paper_id FROM core.paper_aliases WHERE alias = $1 "
    "UNION SELECT paper_id FROM core.papers WHERE paper_id = $1",
    "since": f"{DAY} >= CAST($1 AS DATE)",
    "until": f"{DAY} <= CAST($1 AS DATE)",
    "list": f"{DAY} = CAST($1 AS DATE)",
}


def papers_with(database: Database, condition: Condition) -> set[str]:
    """The papers that satisfy a condition, whether it keeps them or leaves them out."""
    name = condition.value if condition.field == "has" else condition.field
    parameters = [] if condition.field == "has" else [condition.value]
    if name == "phrase":
        # its longest word, for a quick test of every abstract before signs are removed from it
        parameters.append(max(SPOKEN.findall(fold(condition.value)), key=len))
    return {paper_id for (paper_id,) in database.rows(SQL[name], parameters).rows}
