"""The declarations of a mart and of a macro: what SQL, in a file next to each, makes of the core tables."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from graphlib import TopologicalSorter
from importlib.resources import files
from string import Template
from typing import Final, Literal

from warehouse.schema.table import ZSTD_LEVEL_OF_MADE, Column, Table


def sql_of(folder: str, name: str, parts: Mapping[str, str]) -> str:
    """The text of `<folder>/<name>.sql` with `parts` in place of `$name`; `$$` stands for a dollar sign.

    KeyError where a part is missing.
    """
    return _template(folder, name).substitute(parts)


@cache
def _template(folder: str, name: str) -> Template:
    return Template((files("warehouse.schema") / folder / f"{name}.sql").read_text("utf-8"))


READ: Final = re.compile(r"\b(?:core|mart|about|main)\.(\w+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mart(Table):
    """One mart. Its query is in `<name>.sql`, next to its declaration.

    `parts` are the parts of the query that are rendered from other declarations, in place of `$name`.

    A mart whose key begins with a day may say `since` which day rows can differ, where rows of the tables that it reads
    do: by table, the column with the first day of which a row tells anything, or, of a table that is joined by its key,
    the one column that is taken from it. The query then leaves out days before the variable `since`, where it is set.

    In one that `is_of_papers` the rows of a paper follow from rows of the same paper, and from what tables without
    papers have of its list days. Only papers of which these differ are computed again.
    """

    layer: Literal["core", "mart", "about"] = "mart"
    zstd_level: int = ZSTD_LEVEL_OF_MADE
    parts: dict[str, str] = field(default_factory=dict, hash=False)
    since: dict[str, str] = field(default_factory=dict, hash=False)
    is_of_papers: bool = False

    @property
    def sql(self) -> str:
        return sql_of("marts", self.name, self.parts)

    @property
    def reads(self) -> frozenset[str]:
        """The tables and marts that the query reads: it gives the same rows as long as these have."""
        return _read_by(self.sql)


@cache
def _read_by(sql: str) -> frozenset[str]:
    return frozenset(READ.findall(sql))


def in_order_of_creation(marts: Iterable[Mart]) -> Iterator[Mart]:
    """Each mart after those that its query reads (`mart.<name>`); CycleError where two read each other."""
    named = {mart.name: mart for mart in marts}
    reads = {name: sorted(named.keys() & mart.reads) for name, mart in named.items()}
    return (named[name] for name in TopologicalSorter(reads).static_order())


@dataclass(frozen=True, slots=True, kw_only=True)
class Macro:
    """One macro: what it answers, its parameters, and what it returns.

    A table macro returns rows of `grain` with these columns; any other a single value, its only column. The SQL is in
    `macros/<name>.sql`; `parts` are the parts of it that are rendered from other declarations, in place of `$name`.
    """

    name: str
    parameters: dict[str, str] = field(hash=False)
    answers: str
    grain: str
    columns: tuple[Column, ...]
    is_table: bool = True
    parts: dict[str, str] = field(default_factory=dict, hash=False)

    @property
    def call(self) -> str:
        return f"{self.name}({', '.join(self.parameters)})"

    @property
    def sql(self) -> str:
        return sql_of("macros", self.name, self.parts)
