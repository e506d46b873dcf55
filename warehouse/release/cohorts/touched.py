"""Which rows of marts a day can have changed: those of papers and list days of which core tables have other rows now.

A mart with a `cut` (warehouse/schema/mart.py) is made anew for these alone: its query, asked of their rows.
"""

from __future__ import annotations

import re
from typing import Final

import duckdb

from warehouse.schema.core.coverage import COVERAGE
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.schema.core.observations import PAPER_OBSERVATIONS
from warehouse.schema.core.papers import PAPERS
from warehouse.schema.ddl import qualified, quoted
from warehouse.schema.mart import OF_PAPER, SINCE, Mart
from warehouse.schema.table import Table
from warehouse.schema.tables import ALL_TABLES, MART_TABLES

READ: Final = re.compile(r"\b((?:core|mart)\.(\w+))(\s+AS\b)?")
OF_PAPERS: Final = {table.name for table in ALL_TABLES if "paper_id" in table.column_names}
NOTED: Final = {name for mart in MART_TABLES if mart.cut for _, name, _ in READ.findall(mart.sql)}


class Touched:
    """Of a database in which rows are being replaced: `note` each core table, then ask for the `rows` of the marts."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._run = connection.execute
        self._run("CREATE TEMP TABLE _papers (paper_id VARCHAR)")
        # whether a month is over follows from the last day of all
        self._run("CREATE TEMP TABLE _days AS SELECT max(listed_on) AS listed_on FROM core.coverage")
        self._run("CREATE TEMP TABLE _listings AS FROM core.daily_listings LIMIT 0")
        self._run("CREATE TEMP TABLE _retitled (paper_id VARCHAR)")
        self._run("CREATE TEMP TABLE _looks (looked_on DATE)")

    def note(self, table: Table) -> None:
        """Rows of `_gone` went from a core table, and those of `_new` came."""
        if table.name in NOTED & OF_PAPERS:
            self._run("INSERT INTO _papers SELECT paper_id FROM _gone UNION SELECT paper_id FROM _new")
        if table == PAPERS:
            self._run(f"INSERT INTO _retitled SELECT paper_id FROM {_unlike('paper_id, title')}")  # noqa: S608
        if table == PAPER_OBSERVATIONS:
            self._run(f"INSERT INTO _looks SELECT observed_at FROM {_unlike('observed_at, paper_id, upvote_count')}")  # noqa: S608
        if table == DAILY_LISTINGS:
            self._run("INSERT INTO _listings FROM _gone")
            shown = _unlike("paper_id, listed_on, first_seen_at")
            self._run(f"INSERT INTO _looks SELECT unnest([listed_on, first_seen_at]) FROM {shown}")  # noqa: S608
        if table == COVERAGE:
            self._run("INSERT INTO _days SELECT listed_on FROM _gone UNION SELECT listed_on FROM _new")
            self._run("INSERT INTO _days SELECT max(listed_on) FROM core.coverage")

    def noted_all(self) -> None:
        """From here on what papers and days were touched stands fast."""
        of_these = "paper_id IN (FROM _papers) OR listed_on IN (FROM _days)"
        self._run(f"INSERT INTO _listings FROM core.daily_listings WHERE {of_these}")
        self._run("INSERT INTO _papers SELECT DISTINCT paper_id FROM _listings")
        retitled = "SELECT listed_on FROM core.daily_listings WHERE paper_id IN (FROM _retitled)"
        self._run(f"INSERT INTO _looks {retitled}")
        # a list day ends at 24:00
        self._run("SET VARIABLE since = (SELECT coalesce(min(looked_on) - 1, 'infinity') FROM _looks)")

    def rows(self, mart: Mart) -> tuple[str, str]:
        """Two queries: the rows that the database has of a mart, and those in their place; of all others neither."""
        if mart.cut is None:
            return f"FROM {qualified(mart)}", mart.sql
        if mart.cut == SINCE:
            return f"FROM {qualified(mart)} WHERE {quoted(mart.key[0])} >= getvariable('since')", mart.sql
        if mart.cut == OF_PAPER:
            column, listings = OF_PAPER, qualified(DAILY_LISTINGS)
            self._run("CREATE OR REPLACE TEMP TABLE _cuts AS SELECT DISTINCT paper_id FROM _papers")
            self._run("CREATE OR REPLACE TEMP TABLE _near AS FROM _cuts")
        else:
            column, listings = mart.key[0], f"(FROM core.daily_listings WHERE {mart.cut} IN (FROM _cuts))"
            self._run(f"CREATE OR REPLACE TEMP TABLE _cuts AS SELECT DISTINCT {mart.cut} FROM _listings")  # noqa: S608
            self._run(f"CREATE OR REPLACE TEMP TABLE _near AS SELECT DISTINCT paper_id FROM {listings}")  # noqa: S608
        return f"FROM {qualified(mart)} WHERE {quoted(column)} IN (FROM _cuts)", _near(mart.sql, listings)


def _unlike(columns: str) -> str:
    """What of `_gone` and `_new` is not in both, in these columns."""
    gone, new = (f"SELECT {columns} FROM {name}" for name in ("_gone", "_new"))  # noqa: S608
    return f"(({gone} EXCEPT {new}) UNION ALL ({new} EXCEPT {gone}))"


def _near(sql: str, listings: str) -> str:
    """The query, asked of these listings, and of other tables of papers for what they have of papers in `_near`."""

    def narrowed(read: re.Match[str]) -> str:
        table, name, is_named = read.groups()
        if name not in OF_PAPERS:
            return read[0]
        rows = listings if name == DAILY_LISTINGS.name else table
        return f"(FROM {rows} WHERE paper_id IN (FROM _near)){is_named or f' AS {name}'}"

    return READ.sub(narrowed, sql)
