"""Facts that evidence is made of: a row of a release by its key, with the columns that are to be shown.

A paper on a list day, its counts at a moment and the sentence of a claim are rows too, with the columns they need.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from difflib import get_close_matches
from typing import Any, Final

import polars as pl

from paperlake.answers.one_paper import paper_named
from paperlake.reading.moments import instant
from warehouse.archive.warc_write import utc_text
from warehouse.errors import NothingThere, UsageError
from warehouse.release.query import Database
from warehouse.schema.catalog.tables import CORE_TABLES
from warehouse.schema.core.claims import PAPER_CLAIMS
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.schema.core.papers import PAPER_OBSERVATIONS, PAPER_TEXTS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.ddl import qualified, quoted
from warehouse.schema.table import Table

SHOWN_THEN: Final = f"""
SELECT upvote_count, observed_at FROM {qualified(SIGHTINGS)} WHERE capture_id = $1 AND paper_id = $2
ORDER BY position LIMIT 1
"""  # noqa: S608 - a declared name
LAST_BY: Final = f"""
SELECT max(observed_at) FROM {qualified(PAPER_OBSERVATIONS)}
WHERE paper_id = $1 AND observed_at <= $2 AND upvote_count IS NOT NULL
"""  # noqa: S608 - a declared name
ABSTRACT: Final = f"SELECT abstract FROM {qualified(PAPER_TEXTS)} WHERE paper_id = $1"  # noqa: S608 - a declared name
TABLES: Final = {table.name: table for table in CORE_TABLES if "capture_id" in table.column_names}


@dataclass(frozen=True, slots=True)
class Fact:
    """A row of a table, by its key, and the values of it that are the fact; `capture_id` is the row's page.

    `kind` is what is said of it in words; `spans` has the place in the abstract of each value that is a part of it;
    `tables` are those that the values are in.
    """

    kind: str
    table: Table
    key: Mapping[str, Any]
    values: Mapping[str, Any]
    capture_id: str
    spans: Mapping[str, tuple[int, int]]
    tables: Sequence[Table]

    @property
    def paper_id(self) -> str | None:
        """The paper that it is about; None for a fact about a page or a day."""
        found = (self.values | self.key).get("paper_id")  # type: ignore[operator]
        return str(found) if found is not None else None


def row_fact(database: Database, name: str, key: Mapping[str, str], columns: Sequence[str] = ()) -> Fact:
    """A row of any table that names the page of a row; all its columns where none is chosen.

    UsageError where there is no such table or column, NothingThere where there is no such row.
    """
    table = TABLES.get(name)
    if table is None:
        near = get_close_matches(name, TABLES) or sorted(TABLES)
        raise UsageError(f"{name!r} is no table whose rows name the page behind them; such are {', '.join(near)}")
    if set(key) != set(table.key):
        raise UsageError(f"a row of {name} is named by {' '.join(f'{one}=…' for one in table.key)}")
    if unknown := set(columns) - set(table.column_names):
        raise UsageError(f"{name} has no column {min(unknown)!r}; it has {', '.join(table.column_names)}")
    given = {one: _typed(table, one, key[one]) for one in table.key}
    row = _row(database, table, given)
    if row["capture_id"] is None:
        raise NothingThere(f"no page is behind this row of {name}: nothing came that could be read")
    chosen = [one for one in table.column_names if one in columns or (not columns and one != "capture_id")]
    return Fact("row", table, given, {one: row[one] for one in chosen}, row["capture_id"], {}, (table,))


def listing_fact(database: Database, paper: str, day: str) -> Fact:
    """A paper on the list of a day: its place, and the upvotes that the same page showed."""
    listed_on = _typed(DAILY_LISTINGS, "listed_on", day)
    key = {"listed_on": listed_on, "paper_id": paper_named(database, paper)}
    row = _row(database, DAILY_LISTINGS, key)
    shown = next(database.rows(SHOWN_THEN, [row["capture_id"], key["paper_id"]]).rows, (None, None))
    values = {"listed_on": listed_on, "rank": row["rank"], "upvote_count": shown[0], "observed_at": shown[1]}
    return Fact("listing", DAILY_LISTINGS, key, values, row["capture_id"], {}, (DAILY_LISTINGS, SIGHTINGS))


def count_fact(database: Database, paper: str, moment: str) -> Fact:
    """The upvotes of a paper as it was last seen by a moment."""
    paper_id = paper_named(database, paper)
    [(at,)] = database.rows(LAST_BY, [paper_id, instant(moment)]).rows
    if at is None:
        raise NothingThere(f"no page that was fetched by {moment} UTC shows upvotes of {paper_id}")
    key = {"paper_id": paper_id, "observed_at": at.isoformat()}
    made = row_fact(database, PAPER_OBSERVATIONS.name, key, ("observed_at", "upvote_count"))
    return replace(made, kind="count")


def claim_fact(database: Database, paper: str, position: int) -> Fact:
    """A claim of a paper: its sentence, word by word, and the number in it."""
    key = {"paper_id": paper_named(database, paper), "position": position}
    row = _row(database, PAPER_CLAIMS, key)
    [(abstract,)] = database.rows(ABSTRACT, [key["paper_id"]]).rows
    spans = {"sentence": (row["sentence_start"], row["sentence_end"]), "text": (row["span_start"], row["span_end"])}
    values = {name: abstract[start:end] for name, (start, end) in spans.items()} | {"value": row["value"]}
    return Fact("claim", PAPER_CLAIMS, key, values, row["capture_id"], spans, (PAPER_CLAIMS, PAPER_TEXTS))


def plain(value: object) -> Any:  # noqa: ANN401 - of JSON
    """A value of a table as JSON has it: instants with Z, days as text."""
    if isinstance(value, datetime):
        return utc_text(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {name: plain(one) for name, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value


def _row(database: Database, table: Table, key: Mapping[str, Any]) -> dict[str, Any]:
    wanted = " AND ".join(f"{quoted(name)} = ${number}" for number, name in enumerate(key, 1))
    query = f"SELECT * FROM {qualified(table)} WHERE {wanted}"  # noqa: S608 - declared names
    row = next(database.rows(query, list(key.values())).dicts(), None)
    if row is None:
        named = ", ".join(f"{name} {plain(value)}" for name, value in key.items())
        raise NothingThere(f"{table.name} has no row with {named}; \"paperlake sql 'FROM {table.name}'\" shows them")
    return row


def _typed(table: Table, name: str, text: str) -> Any:  # noqa: ANN401 - as the column is declared
    """A part of a key as its column has it; UsageError where the text is none."""
    kind = table.column(name).dtype
    try:
        if kind == pl.Date:
            return date.fromisoformat(text)
        return instant(text) if isinstance(kind, pl.Datetime) else int(text) if kind.is_integer() else text
    except ValueError as error:
        raise UsageError(f"{name}={text}: {table.name} has there a {kind}") from error
