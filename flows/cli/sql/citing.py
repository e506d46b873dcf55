"""Makes a query citable: its normal form, and a fingerprint of its rows that does not depend on their order."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any, Final

from flows.cli.sql.child import Fingerprint
from flows.cli.sql.drawing import ALL
from flows.cli.sql.formats import json_lines
from warehouse.errors import UsageError
from warehouse.release.query import Database

NORMAL: Final = """
SELECT parsed, CASE WHEN NOT (parsed -> 'error')::BOOLEAN THEN json_deserialize_sql(parsed) END
FROM (SELECT json_serialize_sql($1)::JSON AS parsed)
"""
UNSTEADY: Final = "SELECT function_name FROM duckdb_functions() WHERE stability <> 'CONSISTENT'"


def fingerprint(database: Database, sql: str) -> Fingerprint:
    """The fingerprint of one query; UsageError where it need not give the same rows each time."""
    normal = normalised(database, sql)
    found = _of_rows(database, normal)
    if _of_rows(database, normal) != found:
        raise UsageError("the query gives other rows each time; add ORDER BY within aggregates and before LIMIT")
    return found


def normalised(database: Database, sql: str) -> str:
    """The query without comments, spaces and shorthand; UsageError where the moment or chance decides what it gives."""
    if len(database.statements(sql)) != 1:
        raise UsageError("one query is cited at a time")
    [(parsed, normal)] = database.rows(NORMAL, [sql]).rows
    if normal is None:
        raise UsageError("only a query that begins with SELECT, FROM or WITH can be cited")
    unsteady = {name for (name,) in database.rows(UNSTEADY).rows}
    for node in _nodes(json.loads(parsed)):
        modifiers = {modifier["type"] for modifier in node.get("modifiers") or ()}
        if "LIMIT_MODIFIER" in modifiers and "ORDER_MODIFIER" not in modifiers:
            raise UsageError("LIMIT without ORDER BY leaves open which rows are meant; add ORDER BY to cite the query")
        if node.get("sample"):
            raise UsageError("a sample has other rows each time, and cannot be cited")
        named = node.get("function_name") or "".join(node.get("column_names") or ())
        if named in unsteady:
            raise UsageError(f"{named} gives another value each time; to cite the query, write the value itself")
    return str(normal)


def _nodes(node: object) -> Iterator[dict[str, Any]]:
    """Every object of parsed SQL."""
    if isinstance(node, dict):
        yield node
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _nodes(inner)


def _of_rows(database: Database, sql: str) -> Fingerprint:
    answer = database.rows(sql)
    columns = tuple(zip(answer.columns, answer.types, strict=True))
    rows = sorted(hashlib.sha256(line.encode()).digest() for line in json_lines(answer, ALL))
    return Fingerprint(sql, columns, len(rows), hashlib.sha256(b"".join(rows)).hexdigest())
