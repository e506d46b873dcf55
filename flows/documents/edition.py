"""Shared by the documents of a release: names, descriptions, and the tables and marts that it holds."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import Final, NamedTuple

import polars as pl

from warehouse.release.manifest import Draft, TableFiles, released_on
from warehouse.schema.catalog import DECLARED
from warehouse.schema.provenance import ORIGINS, Origin
from warehouse.schema.table import Table

NAME: Final = "paperlake"
TITLE: Final = "paperlake: Hugging Face Daily Papers over time"
DESCRIPTION: Final = (
    "An open data lake of Hugging Face Daily Papers: every page as it was, every number as it changed, every gap with "
    "its reason, and where each row came from."
)
KEYWORDS: Final = ("arXiv", "Hugging Face", "Daily Papers", "machine learning", "bibliometrics", "time series")
SOURCE_URL: Final = "https://huggingface.co/papers"
LICENCES: Final = "LICENSE.md"
DICTIONARY: Final = "DICTIONARY.md"
MEDIA_TYPE: Final = "application/vnd.apache.parquet"


# Reads columns of a table of the release, by the names of both
ReadTable = Callable[[str, Sequence[str]], pl.LazyFrame]


class Edition(NamedTuple):
    """One release: its version, and every declared table and mart that it holds as Parquet, with the files."""

    version: str
    schema_version: int
    tables: tuple[tuple[Table, TableFiles], ...]
    marts: tuple[tuple[Table, TableFiles], ...] = ()

    @property
    def parts(self) -> tuple[tuple[Table, TableFiles], ...]:
        """The core tables, then the marts made of them."""
        return (*self.tables, *self.marts)

    @property
    def released_on(self) -> date:
        """The day in the version; the documents know no other clock."""
        return released_on(self.version)

    @property
    def row_count(self) -> int:
        return sum(files.row_count for _, files in self.tables)

    @property
    def list_days(self) -> tuple[str, str] | None:
        """The first and the last day of the daily lists, ISO; None where there is none."""
        days = [day for _, files in self.tables for day in (files.first_on, files.last_on) if day]
        return (min(days), max(days)) if days else None


def edition_of(draft: Draft, version: str, marts: Iterable[TableFiles]) -> Edition:
    """The release that a draft becomes, with the marts made of its tables."""
    return Edition(version, draft.schema_version, declared(draft.tables), declared(marts))


def declared(parts: Iterable[TableFiles]) -> tuple[tuple[Table, TableFiles], ...]:
    """Every table that has files, with its declaration."""
    return tuple((DECLARED[files.name], files) for files in parts if files.files)


def pattern_of(files: TableFiles) -> str:
    """The file of a table, or, of one that is cut, the pattern that all its files match and no other file does."""
    first, *more = (file.key for file in files.files)
    return f"{first.rpartition('/')[0]}/*.parquet" if more else first


def origins(tables: Iterable[Table]) -> Iterator[Origin]:
    """The origins that columns of the tables name, each once, in the order of their declaration."""
    named = {column.origin for table in tables for column in table.columns}
    return (origin for origin in ORIGINS if origin in named)


def as_json(document: object) -> bytes:
    """JSON without spaces: a release has its own of each such document, and spaces would be a third of it."""
    return (json.dumps(document, separators=(",", ":"), ensure_ascii=False) + "\n").encode()
