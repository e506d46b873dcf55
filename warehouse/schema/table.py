"""Declarations of tables, from which types, SQL, checks and documents are rendered.

`Column` says what a value is, `Rule` what must hold across columns of one row, `Table` the grain, the key and
the columns. `Table.conform` makes a frame fit, `Table.split` parts the good rows from those that break a rule.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Final, Literal, NamedTuple, Self

import polars as pl

from warehouse.schema.provenance import Origin

# How text of the source is cleaned: `line`, every run of whitespace becomes one space; `trim`, no whitespace at the
# ends; `url`, as a browser cleans an address
Cleaning = Literal["line", "trim", "url"]

# Whose a text is, from which follows what becomes of it when a person is erased (warehouse/people): `account`, a login,
# the name or an address of an account; `matched`, the account of a printed author and what is said of it; `author`, a
# printed name; `organization`; `prose`, text of a paper and what rules made of it; `citation`, an entry for BibTeX;
# `cell`, a value of the column that its row names; `any`, one of any column; `none`
Whose = Literal["account", "matched", "author", "organization", "prose", "citation", "cell", "any", "none"]

# Levels of zstd, measured on all real captures (bench/RESULTS.md). Of what pages said 10 takes 0.8 of the time for
# 0.9 % more bytes, 12 a tenth more for 0.3 % fewer; above that zstd changes its strategy: 17 takes 8 times the time
# for 7 % fewer bytes. Marts and the index of search take half of the time at 7, for 2 % more bytes
ZSTD_LEVEL: Final = 11
ZSTD_LEVEL_OF_MADE: Final = 7

# Unicode's Cc category, line ends and tabs included: every text of a table is on one line
CONTROL_CHARACTERS = r"[\x00-\x1f\x7f-\x9f]"


class Check(NamedTuple):
    """One thing that must hold of every row: `holds` is False where it does not (null counts as holding)."""

    name: str
    holds: pl.Expr
    detail: str


# How long a column stays after the release of paperlake that deprecates it
LEAVES_AFTER: Final = timedelta(days=180)


class Deprecation(NamedTuple):
    """The announced end of a column: since which paperlake, the first day without it, what to use instead."""

    deprecated_in: str
    leaves_on: date
    instead: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: its type, unit and meaning, and what its values must satisfy.

    `null` says what a missing value means; a column without it is never null. `sources` are what gives
    the value: paths in the source's pages, or columns of other tables (`papers.title`); `source` says more in words, or
    how it is made. `since` is the first day the source has it (docs/source.md §2 to §4, §9). `origin` says
    whose the value is, and under which licence; where values of several origins meet, the one that allows least.
    `cleaning` applies where a reader gives the value; `is_tracked` gives every content that a text of `sightings` had
    a row of `paper_versions`. An `is_bookkeeping` column says when, where or how often something was seen, not what it
    is: it changes with every capture, and comparisons of releases leave it out. An `is_past` column describes the past:
    another value on a later page is no news, but a restatement by the source. A column is removed only after it was
    `deprecated` for a time (docs/promises.md), which every document says. `whose` a text is every column of text says;
    of a struct, each field. `named_by` is the column with the login of whom this one has the name. `refers_to` is the
    `table.column` that must hold the values.
    """

    name: str
    dtype: pl.DataType
    meaning: str
    origin: Origin
    source: str = ""
    sources: tuple[str, ...] = ()
    unit: str = ""
    null: str = ""
    since: date | None = None
    minimum: int | None = None
    maximum: int | None = None
    pattern: str | None = None
    allowed: tuple[str, ...] = ()
    max_length: int | None = None
    whose: Whose | Mapping[str, Whose] | None = field(default=None, hash=False)
    named_by: str = ""
    cleaning: Cleaning = "line"
    is_tracked: bool = False
    is_bookkeeping: bool = False
    is_past: bool = False
    refers_to: str = ""
    deprecated: Deprecation | None = None

    @property
    def description(self) -> str:
        """What a value means, and whether the column is deprecated."""
        if self.deprecated is None:
            return self.meaning
        since, leaves_on, instead = self.deprecated
        return f"{self.meaning} Deprecated in {since}, leaves on {leaves_on} or later: {instead}."

    @property
    def source_in_words(self) -> str:
        """Where the value comes from, for documents."""
        return self.source or ", ".join(self.sources)

    @property
    def is_nullable(self) -> bool:
        return bool(self.null)

    @property
    def is_free_text(self) -> bool:
        """Whether the values are text of the source, not one of a few words that paperlake chooses."""
        return self.dtype == pl.String and not self.allowed

    @property
    def demands(self) -> tuple[object, ...]:
        """All constraints on a value, by which two declarations are compared."""
        limits = (self.minimum, self.maximum, self.pattern, self.allowed, self.max_length)
        return (self.name, str(self.dtype), self.is_nullable, *limits)

    def but(self, **changes: object) -> Self:
        """A copy of the column with some attributes changed; another `source` has none of the `sources` of this one."""
        resourced = {"source": "", "sources": ()} if changes.keys() & {"source", "sources"} else {}
        return replace(self, **resourced | changes)  # type: ignore[arg-type]

    def checks(self) -> Iterator[Check]:
        """The rules this column's declaration implies, for values that are not null."""
        value = pl.col(self.name)
        if not self.is_nullable:
            yield Check(f"{self.name}_not_null", value.is_not_null(), f"{self.name} is missing")
        if self.minimum is not None:
            yield Check(f"{self.name}_minimum", value >= self.minimum, f"{self.name} is under {self.minimum}")
        if self.maximum is not None:
            yield Check(f"{self.name}_maximum", value <= self.maximum, f"{self.name} is over {self.maximum}")
        if self.pattern is not None:
            yield Check(f"{self.name}_pattern", value.str.contains(self.pattern), f"{self.name} is malformed")
        if self.allowed:
            yield Check(f"{self.name}_allowed", value.is_in(self.allowed), f"{self.name} is an unknown value")
        if self.max_length is not None:
            fits = value.str.len_chars() <= self.max_length
            yield Check(f"{self.name}_length", fits, f"{self.name} is longer than {self.max_length} characters")
            clean = ~value.str.contains(CONTROL_CHARACTERS)
            yield Check(f"{self.name}_control_characters", clean, f"{self.name} holds control characters")


@dataclass(frozen=True, slots=True)
class Rule:
    """A condition across the columns of one row, in SQL that both Polars and DuckDB read."""

    name: str
    sql: str
    meaning: str

    def check(self) -> Check:
        return Check(self.name, pl.sql_expr(self.sql), self.meaning)


class Cut(NamedTuple):
    """How a table's Parquet is cut by cohort, or by month (warehouse/schema/places.py).

    The most rows of a file, of one in the `newest` year, and of the newest `month`, which is cut into thirds if it has
    more.
    """

    most: int
    newest: int | None = None
    month: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table: what a row is (`grain`), what it answers, its key, columns and rules.

    Rows are sorted by `order` in Parquet, by `key` where no order is given; an order must be as unique as the key.
    In the database, rows that a release replaced in a copy of the previous one are at the end. In a table with a
    `cut` each row has one `paper_id` or one `cohort`, or it is a mart keyed by days. `group_rows` are the fewest
    rows of a row group, where clients look up few rows by key; any other table is one row group. `page_rows` are
    the most rows of a page, for clients, such as the explorer, that use the page index. `zstd_level` is how hard
    its Parquet is compressed; texts of the columns `alike`, as of the first of the order, are written without the
    beginning that the row before has too. `widens` names the table with which `main` shows this one's columns: long
    texts are stored apart, and queried like the rest. A mart is stored, in the database and as Parquet, unless it
    `is_view`. One `of_search` is of the index of search: of a row that is gone no text says whose word it was.
    `measured` says how often rows that rules make of a text are right, and how that was found. `revision` counts up
    when the same pages give other rows or other files: those of an older one are made anew.
    """

    name: str
    layer: Literal["core", "mart", "about"] = "core"
    grain: str
    answers: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    rules: tuple[Rule, ...] = ()
    order: tuple[str, ...] = ()
    cut: Cut | None = None
    group_rows: int | None = None
    page_rows: int | None = None
    zstd_level: int = ZSTD_LEVEL
    alike: tuple[str, ...] = ()
    widens: str | None = None
    is_view: bool = False
    of_search: bool = False
    revision: int = 1
    measured: str = ""

    @property
    def schema(self) -> pl.Schema:
        return pl.Schema({column.name: column.dtype for column in self.columns})

    @property
    def column_names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def references(self) -> dict[str, str]:
        """The columns of a core table that refer to another one, each with the `table.column` that it refers to."""
        refer = (one for one in self.columns if one.refers_to and self.layer == "core")
        return {one.name: one.refers_to for one in refer if one.refers_to != f"{self.name}.{one.name}"}

    @property
    def cohort_rows(self) -> int | None:
        """The most rows of a file; None where the table is not cut by cohort."""
        return self.cut.most if self.cut else None

    def in_smaller_files(self, share: int) -> Self:
        """A copy of the table in files of `share` times fewer rows, if it is cut by cohort."""
        if self.cut is None:
            return self
        most, *others = self.cut
        return replace(self, cut=Cut(most // share, *(rows and rows // share for rows in others)))

    def column(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(f"{self.name} declares no column {name!r}")

    def empty(self) -> pl.DataFrame:
        return self.schema.to_frame()

    def conform(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The frame with exactly the declared columns, cast strictly, sorted, in one chunk."""
        schema = self.schema
        if frame.schema != schema:
            frame = frame.select(pl.col(name).cast(dtype) for name, dtype in schema.items())
        if frame.height > 1:  # most frames of a day have no rows, and to sort those takes as long as a few
            frame = frame.sort(self.order or self.key, nulls_last=False)
        return frame.rechunk()

    def checks(self) -> list[Check]:
        """Every row-wise rule: the columns' own, then those across columns."""
        implied = [check for column in self.columns for check in column.checks()]
        return implied + [rule.check() for rule in self.rules]

    def split(self, frame: pl.DataFrame, *more: Check) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Separate the rows that keep every rule, and `more` checks, from those that do not.

        Only checks whose columns the frame has are made; ValueError where there is none. The second frame has two
        columns more: `rule`, the first rule broken, and `detail`, every broken rule in words, `; ` between them.
        """
        every, names = (*self.checks(), *more), set(frame.columns)
        checks = [check for check in every if names.issuperset(check.holds.meta.root_names())]
        if not checks:
            raise ValueError(f"no rule of {self.name} can be checked on the columns {frame.columns}")
        broken = frame.select((~check.holds.fill_null(True)).alias(check.name) for check in checks)
        is_rejected = broken.select(pl.any_horizontal(pl.all())).to_series()
        rejected = frame.filter(is_rejected).with_columns(_reasons(broken.filter(is_rejected), checks))
        return frame.filter(~is_rejected), rejected


def _reasons(broken: pl.DataFrame, checks: list[Check]) -> pl.DataFrame:
    """Columns `rule` and `detail` for rows of booleans, True for the checks that broke."""
    broke = [check for check in checks if broken[check.name].any()] or checks[:1]  # without rows any will do
    rules = [pl.when(check.name).then(pl.lit(check.name)) for check in broke]
    details = [pl.when(check.name).then(pl.lit(check.detail)) for check in broke]
    return broken.select(
        pl.coalesce(rules).alias("rule"),
        pl.concat_str(details, separator="; ", ignore_nulls=True).alias("detail"),
    )
