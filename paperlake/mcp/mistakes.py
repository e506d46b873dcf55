"""What a model is told of its mistake: a line on what is wrong, a line on what to do, and the names that are there.

Nothing of a page, a path or our own SQL is in it: DuckDB quotes values in some errors, and those are not passed on.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from paperlake.answers.one_paper import NoSuchPaper
from paperlake.mcp.answer_shape import cleaned
from paperlake.sql.answers import nodes
from warehouse.errors import NothingThere, PaperlakeError, QueryFailed, UsageError

if TYPE_CHECKING:
    from paperlake.reading.release import Release
    from warehouse.release.query import Database

# Of DuckDB's errors, those that speak of names and grammar alone
OF_NAMES: Final = frozenset({"BinderException", "CatalogException", "ParserException", "SyntaxException"})
# Of those whose words are ours: a limit, or no rows
OURS: Final = frozenset({"NoneType", "OutOfMemoryException", "MemoryError"})
CLOSED: Final = "files, networks, settings and other databases cannot be reached, and nothing is written"
PARSED: Final = "SELECT json_serialize_sql($1)"
KNOWN: Final = """
SELECT table_name AS name, column_name FROM duckdb_columns()
WHERE database_name = current_database() AND schema_name IN ('main', 'core', 'mart')
GROUP BY ALL ORDER BY min(column_index)
"""
MOST_NAMES: Final = 60
SHORT: Final = 4  # letters of a name that says something as a part of another


def explained(error: PaperlakeError, release: Release | None, query: str | None, lake: str) -> str:
    """The error for a model; `query` is the SQL that it sent, if any, to a `release`, and `lake` where that lies."""
    match error:
        case NoSuchPaper(near=near):
            return f"no paper, or no single one, goes by that name\n{_step(near)}"
        case QueryFailed() if type(error.__cause__).__name__ in OURS:
            return cleaned(str(error))
        case QueryFailed() if query is not None and release is not None:
            return _of_sql(error, release.database, query)
        case QueryFailed():
            return (
                "this release, of an older paperlake, has not what that needs\n`describe` lists what it has, for `sql`"
            )
        case UsageError() | NothingThere():
            return cleaned(str(error)).replace(lake, "the lake")
    return "the lake cannot answer now\nwhoever runs this server finds the reason in its log"


def _step(near: Sequence[str]) -> str:
    return f"near: {', '.join(map(cleaned, near))}" if near else "`search` finds papers by words of their titles"


def _of_sql(error: QueryFailed, database: Database, query: str) -> str:
    kind = type(error.__cause__).__name__
    if kind == "PermissionException":
        return f"{CLOSED}\nask about the tables that `describe` lists"
    if kind not in OF_NAMES:
        said = "a value of the rows does not fit what the query does with it"
        return f"{said}\nuse TRY_CAST, or leave such rows out with WHERE"
    first = str(error).partition("\n")[0]
    return "\n".join([cleaned(first), *_names(database, query)])


def _names(database: Database, query: str) -> Iterator[str]:
    """The nearest names to those that the query has wrongly, and the columns of its tables."""
    known: dict[str, list[str]] = {}
    for table, column in database.rows(KNOWN).rows:
        known.setdefault(table, []).append(column)
    parsed = list(nodes(json.loads(next(database.rows(PARSED, [query]).rows)[0])))
    tables = [node["table_name"] for node in parsed if node.get("type") == "BASE_TABLE"]
    for name in (one for one in tables if one not in known):
        yield f"no table {cleaned(name)}; near: {', '.join(nearest(name, known)) or 'none'}"
    there = list(dict.fromkeys(column for name in tables for column in known.get(name, ())))
    asked = [node["column_names"][-1] for node in parsed if node.get("column_names")]
    for name in dict.fromkeys(one for one in asked if there and one not in there):
        if near := nearest(name, there):
            yield f"for {cleaned(name)}, near: {', '.join(near)}"
    for name in dict.fromkeys(one for one in tables if one in known):
        columns = known[name]
        more = f", and {len(columns) - MOST_NAMES} more (describe)" if len(columns) > MOST_NAMES else ""
        yield f"columns of {name}: {', '.join(columns[:MOST_NAMES])}{more}"
    if not tables:
        yield "`describe` lists the tables and macros"


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """The three names that are most like one: those that it holds, or that hold it, before others.

    >>> nearest("paper_state", ["paper_count", "state", "reason"])
    ['state', 'paper_count']
    """
    names = list(known)
    within = [one for one in names if len(one) >= SHORT and (one in name or name in one)]
    return list(dict.fromkeys([*get_close_matches(name, within, 3, 0), *get_close_matches(name, names, 3, 0.4)]))[:3]
