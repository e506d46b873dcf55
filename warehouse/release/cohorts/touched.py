"""The rows of marts that may have changed: those of papers and list days of which a core table has other rows now.

A mart with a `cut` (warehouse/schema/mart.py) is made anew for these alone: its query runs in a catalog of its own,
`near`, in which the tables that it reads have no others.
"""

from __future__ import annotations

from typing import Final

import duckdb
import polars as pl

from warehouse.schema.core.coverage import COVERAGE
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.schema.ddl import qualified, quoted, type_of
from warehouse.schema.mart import OF_PAPER, Cut, Mart, Since
from warehouse.schema.table import Table
from warehouse.schema.tables import ALL_TABLES, MART_TABLES

_NAMED: Final = {name for mart in MART_TABLES if isinstance(mart.cut, Cut) for name in mart.cut.reads}
READ: Final = tuple(table for table in ALL_TABLES if table.name in _NAMED)
LOOKS: Final = tuple(look for mart in MART_TABLES if isinstance(mart.cut, Since) for look in mart.cut.looks.items())


class Touched:
    """Follows which rows of a database are replaced: `note` each core table, then ask for the `rows` of the marts.

    Create it before the transaction begins, since one transaction may write to one database only.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection, self._run = connection, connection.execute
        [(self._lake,)] = connection.execute("SELECT current_database()").fetchall()
        self._run("CREATE TEMP TABLE _papers (paper_id VARCHAR)")
        # whether a month is over follows from the last day of all
        self._run("CREATE TEMP TABLE _days AS SELECT max(listed_on) AS listed_on FROM core.coverage")
        self._run("CREATE TEMP TABLE _listings AS FROM core.daily_listings LIMIT 0")
        self._run("CREATE TEMP TABLE _looks (looked_on DATE)")
        self._run("CREATE TEMP TABLE _near (paper_id VARCHAR)")
        self._run("CREATE TEMP TABLE _shown AS FROM _listings")
        self._run("ATTACH ':memory:' AS near")
        self._run("CREATE SCHEMA near.core")
        self._run("CREATE SCHEMA near.mart")
        for table in READ:
            rows = "temp.main._shown" if table == DAILY_LISTINGS else f"{quoted(self._lake)}.{qualified(table)}"
            near = "WHERE paper_id IN (FROM temp.main._near)" if "paper_id" in table.column_names else ""
            self._run(f"CREATE VIEW near.{qualified(table)} AS FROM {rows} {near}")

    def note(self, table: Table) -> None:
        """Note that the rows of `_gone` were removed from a core table, and those of `_new` inserted."""
        if table in READ and "paper_id" in table.column_names:
            self._run("INSERT INTO _papers SELECT paper_id FROM _gone UNION SELECT paper_id FROM _new")
        if table == DAILY_LISTINGS:
            self._run("INSERT INTO _listings FROM _gone")
        if table == COVERAGE:
            self._run("INSERT INTO _days SELECT listed_on FROM _gone UNION SELECT listed_on FROM _new")
            self._run("INSERT INTO _days SELECT max(listed_on) FROM core.coverage")
        for name, (columns, days) in LOOKS:
            if name == table.name:
                gone, new = (f"SELECT {columns} FROM {rows}" for rows in ("_gone", "_new"))  # noqa: S608
                unlike = f"({gone} EXCEPT {new}) UNION ALL ({new} EXCEPT {gone})"
                self._run(f"CREATE OR REPLACE TEMP TABLE _unlike AS {unlike}")
                self._run(f"INSERT INTO _looks {days}")

    def noted_all(self) -> None:
        """Complete the papers and days that were touched, once all tables are noted."""
        of_these = "paper_id IN (FROM _papers) OR listed_on IN (FROM _days)"
        self._run(f"INSERT INTO _listings FROM core.daily_listings WHERE {of_these}")
        self._run("INSERT INTO _papers SELECT DISTINCT paper_id FROM _listings")
        # a list day ends at 24:00
        self._run("SET VARIABLE since = (SELECT coalesce(min(looked_on) - 1, 'infinity') FROM _looks)")

    def rows(self, mart: Mart) -> tuple[pl.DataFrame, pl.DataFrame]:
        """The rows of a mart that may have changed, as the database has them, and those in their place."""
        typed = ", ".join(f"{quoted(one.name)}::{type_of(one.dtype)} AS {quoted(one.name)}" for one in mart.columns)
        held, made = f"FROM {qualified(mart)}", f"SELECT {typed} FROM ({mart.sql}\n)"  # noqa: S608
        lead = quoted(mart.key[0])
        if mart.cut is None:
            return self._asked(held), self._asked(made)
        if isinstance(mart.cut, Since):
            return self._asked(f"{held} WHERE {lead} >= getvariable('since')"), self._asked(made)
        self._draw_near(mart.cut.by)
        of = OF_PAPER if mart.cut.by == OF_PAPER else lead
        before = self._asked(f"{held} WHERE {of} IN (FROM _cuts)")
        self._run("USE near")
        after = self._asked(made)
        self._run(f"USE {quoted(self._lake)}")
        return before, after

    def _draw_near(self, by: str) -> None:
        """Restrict `near` to the listings and papers that were touched, by paper or by the mart's own cut."""
        of = "_papers" if by == OF_PAPER else "_listings"
        self._run(f"CREATE OR REPLACE TEMP TABLE _cuts AS SELECT DISTINCT {by} FROM {of}")  # noqa: S608
        self._run(f"CREATE OR REPLACE TEMP TABLE _shown AS FROM core.daily_listings WHERE {by} IN (FROM _cuts)")
        papers = "FROM _cuts" if by == OF_PAPER else "SELECT DISTINCT paper_id FROM _shown"
        self._run(f"CREATE OR REPLACE TEMP TABLE _near AS {papers}")

    def _asked(self, sql: str) -> pl.DataFrame:
        frame: pl.DataFrame = self._connection.sql(sql).pl()
        return frame
