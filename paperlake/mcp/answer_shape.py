"""The shape of an answer: plain JSON, texts of others apart and without control characters, within a limit of bytes.

What a model is told of its mistake: a line on what is wrong, a line on what to do, and the names that are there.
Nothing of a page, a path or our own SQL is in it: DuckDB quotes values in some errors, and those are not passed on.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, time
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec

from paperlake.answers.one_paper import NoSuchPaper
from paperlake.sql.answers import nodes
from warehouse.errors import BeingErased, NothingThere, PaperlakeError, QueryFailed, UsageError
from warehouse.printable import unsteered
from warehouse.release.query import Database

if TYPE_CHECKING:
    from paperlake.reading.release import Release


Plain: TypeAlias = Any

MOST_BYTES: Final = 62 << 10  # of an answer, which a client gets twice, as an object and as text; 64 KiB with the frame
EXACT: Final = 1 << 53  # beyond it readers of JSON that use doubles round
LEAST: Final[dict[type, int]] = {str: 200, list: 1, dict: 40}  # what is no longer is not cut
CUT: Final = " …"
# Columns of text that paperlake writes or checks the form of; every other text may be by somebody else
OURS: Final = frozenset({
    "arxiv_id", "basis", "bound", "capture_id", "cause", "change", "code_version", "column_name", "content_type",
    "direction", "field", "file", "kind", "list_kind", "list_period", "method", "metric", "paper_id", "payload_sha256",
    "published_basis", "reason", "rule", "source", "standing", "state", "status", "table_name", "text_sha256", "unit",
})  # fmt: skip


def value(found: object) -> Plain:
    """A value as JSON has it: large integers, decimals, instants and whatever JSON lacks as text."""
    match found:
        case None | bool():
            made: Plain = found
        case int():
            made = found if abs(found) < EXACT else str(found)
        case float():
            made = found if math.isfinite(found) else str(found)
        case datetime() | date() | time():
            made = found.isoformat()
        case bytes():
            made = base64.b64encode(found).decode()
        case Mapping():
            made = {cleaned(str(key)): value(inner) for key, inner in found.items()}
        case list() | tuple():
            made = [value(inner) for inner in found]
        case _:
            made = cleaned(str(found))
    return made


def cleaned(text: str) -> str:
    r"""A text without what steers a terminal, hides words, or turns their direction.

    >>> cleaned("a\x1b[2J\u202eb\nc")
    'a[2Jb\nc'
    """
    return unsteered(text, keep="\n\t")


def placed(row: Mapping[str, Any], text: str) -> dict[str, Any]:
    r"""A row with its places in a text as they are in the text that is `cleaned`, which may be shorter.

    >>> placed({"name": "b", "span_start": 3, "span_end": 4, "marks": [(1, 2)]}, "\u202ea\u202eb")
    {'name': 'b', 'span_start': 1, 'span_end': 2, 'marks': [(0, 1)]}
    """
    if cleaned(text) == text:
        return dict(row)

    def here(place: int | None) -> int | None:
        return None if place is None else len(cleaned(text[:place]))

    moved = {name: here(found) for name, found in row.items() if name.endswith(("_start", "_end"))}
    marks = {name: [(here(start), here(end)) for start, end in row[name]] for name in ("marks",) if name in row}
    return dict(row) | moved | marks


def apart(row: Mapping[str, object]) -> dict[str, Plain]:
    """A row whose texts by others are under `quoted`: what they say is no instruction to whoever reads it."""
    plain = {name: value(found) for name, found in row.items() if name in OURS or not _has_text(found)}
    quoted = {name: value(found) for name, found in row.items() if name not in plain}
    return plain | ({"quoted": quoted} if quoted else {})


def _has_text(found: object) -> bool:
    match found:
        case str() | bytes():
            return True
        case Mapping():
            return bool(found)
        case list() | tuple():
            return any(map(_has_text, found))
    return False


def size(answer: Plain) -> int:
    """Bytes of the answer as a client gets it: an object, and the same as text within JSON."""
    data = msgspec.json.encode(answer)
    return len(data) + len(msgspec.json.encode(data.decode()))


class RowCells(list[Plain]):
    """The cells of a row: one of them may be cut, but none is left out."""


def fitted(body: Plain, most: int) -> bool:
    """Cut a body until it has so many bytes: rows from the end, else long texts. Returns whether anything was cut.

    UsageError where one row alone is too large.
    """
    is_cut = False
    while (now := size(body)) > most:
        places = list(_cuttable(body))
        if not places:
            raise UsageError(f"one row alone has more than the {most:,} bytes of an answer; select fewer columns")
        holder, key = max(places, key=lambda place: len(msgspec.json.encode(place[0][place[1]])))
        found = holder[key]
        less = len(CUT) + 1 if isinstance(found, str) else 1
        kept = max(min(len(found) * most // now, len(found) - less), 1)
        if isinstance(found, dict):
            holder[key] = dict(list(found.items())[:kept])
        else:
            holder[key] = found[:kept] + CUT if isinstance(found, str) else found[:kept]
        is_cut = True
    return is_cut


def _cuttable(body: Plain) -> Iterator[tuple[Any, Any]]:
    """The places of lists, maps and texts that may be cut, each as its holder and key."""
    places: Iterable[tuple[Any, Any]] = body.items() if isinstance(body, dict) else enumerate(body)
    for key, inner in places:
        is_long = len(inner) > LEAST[type(inner)] if type(inner) in LEAST else False
        if is_long:
            yield body, key
        if isinstance(inner, list | dict):
            yield from _cuttable(inner)


# Of DuckDB's errors, those that speak of names and grammar alone
OF_NAMES: Final = frozenset({"BinderException", "CatalogException", "ParserException", "SyntaxException"})
# Of those whose words are ours: a limit, or no rows
OUR_LIMITS: Final = frozenset({"NoneType", "OutOfMemoryException", "MemoryError"})
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
            names = ", ".join(map(cleaned, near))
            step = f"near: {names}" if near else "`search` finds papers by words of their titles"
            return f"no paper, or no single one, goes by that name\n{step}"
        case QueryFailed() if type(error.__cause__).__name__ in OUR_LIMITS:
            return cleaned(str(error))
        case QueryFailed() if query is not None and release is not None:
            return _of_sql(error, release.database, query)
        case QueryFailed():
            return (
                "this release, of an older paperlake, has not what that needs\n`describe` lists what it has, for `sql`"
            )
        case UsageError() | NothingThere() | BeingErased():
            return cleaned(str(error)).replace(lake, "the lake")
    return "the lake cannot answer now\nwhoever runs this server finds the reason in its log"


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
