"""A mart: a table for analysts that SQL makes of the core tables and of other marts, declared once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from typing import Final, Literal, NamedTuple

from warehouse.schema.sql_file import sql_of
from warehouse.schema.table import Table

MART_READ: Final = re.compile(r"\bmart\.(\w+)")
OF_PAPER: Final = "paper_id"
OF_MONTH: Final = "date_trunc('month', listed_on)::DATE"
OF_WEEK: Final = "date_trunc('week', listed_on)::DATE"
# A query that has this asks only for the list days from `since` on
SINCE: Final = "listings.listed_on >= coalesce(getvariable('since'), listings.listed_on)"


class Cut(NamedTuple):
    """Rows are made of what the tables that the query `reads` have of one paper (`by` is `OF_PAPER`), or of one value
    of an expression over `daily_listings`, which the first key column has, and of the papers of these listings; and of
    `coverage` of their list days, up to the last day of all.
    """

    by: str
    reads: tuple[str, ...]


class Since(NamedTuple):
    """Rows are of one list day, the first key column, and of no later look at a paper; the query has `SINCE`.

    `looks` are the columns of core tables that it reads, and SQL: the first days that rows which are others in these
    columns, `_unlike`, concern.
    """

    looks: dict[str, tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mart(Table):
    """One mart. Its query is in `<name>.sql`, next to its declaration, in `folder`.

    `parts` are the parts of the query that follow from other declarations, by their names in it: `$name`.
    `cut` says what its rows are made of, so that a day makes those anew alone of which something else was seen; a mart
    without one is made of whole tables.
    """

    layer: Literal["core", "mart", "about"] = "mart"
    folder: str = "marts"
    parts: dict[str, str] = field(default_factory=dict, hash=False)
    cut: Cut | Since | None = field(default=None, hash=False)

    @property
    def sql(self) -> str:
        return sql_of(self.folder, self.name, self.parts)


def in_order_of_creation(marts: Iterable[Mart]) -> Iterator[Mart]:
    """Each mart after those that its query reads (`mart.<name>`); CycleError where two read each other."""
    named = {mart.name: mart for mart in marts}
    reads = {name: sorted(named.keys() & set(MART_READ.findall(mart.sql))) for name, mart in named.items()}
    return (named[name] for name in TopologicalSorter(reads).static_order())
