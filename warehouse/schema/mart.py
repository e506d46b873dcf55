"""The declaration of a mart: a table for analysts that SQL makes of the core tables and of other marts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from typing import Final, Literal, NamedTuple

from warehouse.schema.sql_file import sql_of
from warehouse.schema.table import ZSTD_LEVEL_OF_MADE, Table

MART_READ: Final = re.compile(r"\bmart\.(\w+)")
OF_PAPER: Final = "paper_id"
OF_MONTH: Final = "date_trunc('month', listed_on)::DATE"
OF_WEEK: Final = "date_trunc('week', listed_on)::DATE"
# A condition that limits a query to the list days from variable `since` on
SINCE: Final = "listings.listed_on >= coalesce(getvariable('since'), listings.listed_on)"


class Cut(NamedTuple):
    """Each row depends only on one paper's rows in the tables that the query `reads` (`by` is `OF_PAPER`), or on those
    of the listings with one value of an expression `by` over `daily_listings`, the first key column, and their papers;
    and on `coverage` of their list days and of the last day of all.
    """

    by: str
    reads: tuple[str, ...]


class Since(NamedTuple):
    """Each row depends on one list day, the first key column, and on no later observation; the query has `SINCE`.

    `looks` has, for each core table that it reads, the columns, and SQL for the first days that are affected by rows
    of `_unlike`, which differ in these columns.
    """

    looks: dict[str, tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mart(Table):
    """One mart. Its query is in `<name>.sql`, next to its declaration, in `folder`.

    `parts` are the parts of the query that are rendered from other declarations, in place of `$name`. `cut` says what
    each row depends on, so that a day's build makes only rows with something new; a mart without one is made whole.
    """

    layer: Literal["core", "mart", "about"] = "mart"
    zstd_level: int = ZSTD_LEVEL_OF_MADE
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
