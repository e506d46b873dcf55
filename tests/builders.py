"""Rows for tests of transforms: sightings of two invented papers, on pages A to E, at four moments."""

import random
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

import duckdb
import polars as pl

from flows.documents.edition import ReadTable
from warehouse.schema.catalog import CORE_TABLES
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.ddl import qualified
from warehouse.schema.mart import Mart
from warehouse.schema.table import Table

ONE, TWO, THREE, FOUR = (datetime(2025, 10, day, 8) for day in (1, 2, 3, 4))
A, B, C, D, E = (letter * 20 for letter in "abcde")
WOVEN, TIDES = "2503.01234", "2503.04321"
DAY = date(2025, 10, 1)


def sighting(capture_id: str = A, at: datetime | None = ONE, paper_id: str = WOVEN, **told: Any) -> dict[str, Any]:
    base = dict.fromkeys(SIGHTINGS.column_names) | {
        "capture_id": capture_id,
        "observed_at": at,
        "paper_id": paper_id,
        "arxiv_id": None if paper_id.startswith("title:") else paper_id,
        "title": "Woven Ledgers",
        "position": 1,
        "source": "api",
        "list_kind": "latest",
    }
    assert set(told) <= set(base)
    return base | told


def frame(*rows: dict[str, Any]) -> pl.DataFrame:
    return SIGHTINGS.conform(pl.DataFrame(rows, schema=SIGHTINGS.schema))


def only(table: pl.DataFrame) -> dict[str, Any]:
    (row,) = table.iter_rows(named=True)
    return row


def columns(table: pl.DataFrame, *names: str) -> list[tuple[Any, ...]]:
    return table.select(names).rows()


def everything(dice: random.Random, number: int) -> dict[str, Any]:
    """A sighting with random values in every field."""
    at = dice.choice([ONE, TWO, THREE, None])
    paper = dice.choice([WOVEN, TIDES, "title:" + "0" * 16])
    listed_on = dice.choice([DAY, date(2025, 10, 2)])
    told = {
        "source": dice.choice(["api", "html", "text", "copy"]),
        "list_kind": dice.choice(["daily", "latest", "search"]),
        "listed_on": listed_on,
        "listed_basis": "item",
        "title": dice.choice(["Looms", "looms"]),
        "upvote_count": dice.choice([None, 0, 5]),
        "organization_login": dice.choice([None, "loomworks"]),
        "organization_name": dice.choice([None, "Loomworks"]),
        "keywords": dice.choice([None, [], ["looms", "tides"]]),
        "github_url": dice.choice([None, "https://github.com/a/b"]),
        "media_urls": dice.choice([None, [], ["https://x.example/a.png"]]),
        "authors": dice.choice([None, [{"name": "Ada", "login": None, "claim_status": None, "is_hidden": None}]]),
        "abstract": dice.choice([None, "We weave.", "We  weave!", "We drift."]),
        "ai_summary": dice.choice([None, "Looms.", "Tides."]),
        "author_count": dice.choice([None, 3, 4]),
        "published_on": (published_on := dice.choice([None, date(2025, 9, 29), date(2025, 9, 30)])),
        "published_basis": published_on and dice.choice(["stated", "inferred"]),
        "submitter_login": dice.choice([None, "ada", "rosa"]),
        "outer_title": dice.choice([None, None, "$Looms$", "Reeds"]),
        "outer_submitter_login": dice.choice([None, None, "goran"]),
        "position": number,
    }
    return sighting(f"{number % 7:020x}", at, paper, **told)


def reader(frames: Mapping[str, pl.DataFrame]) -> ReadTable:
    """How documents read the tables of a release, of these by their names."""
    return lambda name, columns: frames[name].lazy().select(columns)


def mart_of(mart: Mart, read: Callable[[Table], pl.DataFrame]) -> pl.DataFrame:
    """A mart that is made of core tables alone, without a database of a release."""
    with duckdb.connect() as connection:
        connection.execute("CREATE SCHEMA core")
        for table in CORE_TABLES:
            if re.search(rf"\bcore\.{table.name}\b", mart.sql):
                connection.from_arrow(read(table).to_arrow()).create(qualified(table))
        return mart.conform(connection.sql(mart.sql).pl())
