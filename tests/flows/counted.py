"""A release as a stranger reads it: what is rendered, and what SQL answers."""

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import duckdb

from tests.release_page import Elements

NUMBER = r"([\d,]+)"
OUTCOME = """CASE WHEN NOT is_expected AND state = 'missing' THEN 'no list expected'
    WHEN state = 'missing' AND reason = 'never fetched' THEN 'not fetched'
    WHEN reason = 'fetched before the list was closed' THEN 'fetched on its day'
    WHEN state = 'empty' THEN 'the source gave an empty list' WHEN state = 'complete' THEN 'complete' ELSE reason END"""
COUNTED = {"fetched on its day": "fetched on the day", "the source gave an empty list": "empty"}


def number(shown: str) -> int:
    return int(shown.replace(",", ""))


@dataclass
class Reader:
    """A release as a stranger reads it, and how many numbers of each page were compared."""

    folder: Path
    compared: Counter[str] = field(default_factory=Counter)

    def same(self, where: str, shown: object, true: object) -> None:
        assert shown == true, where
        self.compared[where.partition(" ")[0]] += 1

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        with duckdb.connect(str(self.folder / "paperlake.duckdb"), read_only=True) as connection:
            return connection.sql(sql).fetchall()

    def one(self, sql: str) -> Any:
        [(value,)] = self.ask(sql)
        return value

    def text(self, name: str) -> str:
        return (self.folder / name).read_text("utf-8")

    def words(self, name: str) -> str:
        return Elements((self.folder / name).read_bytes()).words()

    @cached_property
    def counts(self) -> dict[str, int]:
        """Rows of every table that is stored."""
        named = self.ask("SELECT schema_name, table_name FROM duckdb_tables() WHERE schema_name IN ('core', 'mart')")
        return {name: self.one(f"SELECT count(*) FROM {layer}.{name}") for layer, name in named}


def lists(release: Reader, where: str = "true") -> Counter[str]:
    """Expected lists of the API by what became of them, in the words of the pages."""
    sql = f"SELECT {OUTCOME}, count(*) FROM coverage WHERE source = 'api' AND is_expected AND {where} GROUP BY 1"
    return Counter({COUNTED.get(outcome, outcome): count for outcome, count in release.ask(sql)})


def in_words(text: str) -> Counter[str]:
    return Counter({words: number(count) for count, words in re.findall(rf"{NUMBER} ([a-z ]+?)(?:,|\.|$)", text)})
