"""From the readers' rows to one frame: columns are filled from whole lists, never row by row.

Nested values go through Arrow, which builds them 15 times faster than Polars does from Python objects
(`bench/read.py`). Facts around papers become tables of their own, one for each kind of fact.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import reduce
from itertools import chain
from operator import attrgetter, or_
from typing import Any, TypeVar

import polars as pl
import pyarrow as pa

from transforms.collect.cleaning import cleaned
from transforms.readers.reading import Author, PageFact, Sighting, columns_of
from warehouse.people.person import MASK
from warehouse.schema.columns import ARXIV_ID
from warehouse.schema.core import PAGE_TABLES
from warehouse.schema.core.attached import NAME_RULE, PAPER_AUTHORS, PAPER_KEYWORDS, PAPER_LINKS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.table import CONTROL_CHARACTERS, Column

# Instants as the source writes them, which `collect` parses, and the place in the page, which `quarantine` keeps
AS_WRITTEN = ("published", "submitted", "listed", "pointer", "record", "doubts")
# Lists of text, each element of which is what a column of another table declares
TEXT_LISTS = {"keywords": PAPER_KEYWORDS.column("keyword"), "media_urls": PAPER_LINKS.column("url")}
NESTED = ("authors", *TEXT_LISTS)
FIELDS = Sighting.__struct_fields__
PLAIN = tuple(name for name in FIELDS if name not in NESTED)
DECLARED = tuple(SIGHTINGS.column(name) for name in PLAIN if name not in AS_WRITTEN)
SCHEMA = {name: pl.String() if name in AS_WRITTEN else SIGHTINGS.column(name).dtype for name in PLAIN}

TEXT = pl.col("text")
CLEAN = r"^[^\s\p{Cc}]+(?: [^\s\p{Cc}]+)*$"  # words with a space between them: nothing to clean, nothing to find

T = TypeVar("T")
Counts = Sequence[int | None]  # how many items each row's list has; None where the row has no list


class Rows:
    """Rows in the making: sightings are taken apart page by page, while the processor's cache still holds them."""

    def __init__(self) -> None:
        self._capture_ids: list[str] = []
        self._plain: dict[str, list[Any]] = {name: [] for name in PLAIN}
        self._authors = _Authors()
        self._texts = {name: _Texts(element) for name, element in TEXT_LISTS.items()}

    def add(self, capture_id: str, sightings: Sequence[Sighting]) -> None:
        self._capture_ids += [capture_id] * len(sightings)
        columns = dict(zip(FIELDS, columns_of(sightings, len(FIELDS)), strict=True))
        self._authors.add(columns["authors"])
        for name, texts in self._texts.items():
            texts.add(columns[name])
        for name in PLAIN:
            self._plain[name] += columns[name]

    def frame(self) -> pl.DataFrame:
        """One row a sighting, columns as `Sighting` names them, with `capture_id`; nested text is already clean.

        `has_bad_element` marks the rows in which an author, a keyword or an address of media is missing its text,
        is too long or holds control characters.
        """
        nested = {"authors": self._authors.series()} | {name: texts.series() for name, texts in self._texts.items()}
        return pl.DataFrame(self._plain, schema=SCHEMA).with_columns(
            pl.Series("capture_id", self._capture_ids, pl.String),
            *(values.alias(name) for name, (values, _) in nested.items()),
            reduce(or_, (is_bad for _, is_bad in nested.values())).alias("has_bad_element"),
        )


class _Authors:
    """The authors of all rows, end to end, in columns."""

    def __init__(self) -> None:
        self._counts: list[int | None] = []
        self._names: list[str] = []
        self._logins: list[str | None] = []
        self._statuses: list[str | None] = []
        self._hidden: list[bool | None] = []

    def add(self, lists: list[list[Author] | None]) -> None:
        authors = _flat(lists)
        self._counts += _counts(lists)
        self._names += map(attrgetter("name"), authors)
        self._logins += [account and (account.user or account.name) for account in map(attrgetter("user"), authors)]
        self._statuses += map(attrgetter("claim_status"), authors)
        self._hidden += map(attrgetter("is_hidden"), authors)

    def series(self) -> tuple[pl.Series, pl.Series]:
        """Lists of author structs, and which rows have one without a proper name, login or status."""
        hidden = pl.Series(self._hidden, dtype=pl.Boolean)
        # Nor may the mask of an erased person lead from a paper that they submitted to the name on one that they wrote
        is_masked = pl.Series(self._logins, dtype=pl.String).str.contains(f"^{MASK.pattern}$")
        private = hidden.fill_null(value=False) | is_masked.fill_null(value=False)
        names, bad_name = _clean(pl.Series(self._names, dtype=pl.String), PAPER_AUTHORS.column("name"))
        # Whoever hid a paper on their profile did not mean to be linked to it: login and status stay out
        logins, bad_login = _clean(_unless(private, self._logins), PAPER_AUTHORS.column("login"))
        statuses, bad_status = _clean(_unless(private, self._statuses), PAPER_AUTHORS.column("claim_status"))
        columns = {
            "name": _arrow(names),
            "login": _arrow(logins),
            "claim_status": _arrow(statuses),
            "is_hidden": _arrow(hidden),
        }
        structs = pa.StructArray.from_arrays(list(columns.values()), names=list(columns))
        says_nothing = ~names.alias("name").to_frame().select(NAME_RULE.check().holds).to_series()
        is_bad = names.is_null() | bad_name | says_nothing | bad_login | bad_status
        return _lists(self._counts, structs), _any(self._counts, is_bad)


class _Texts:
    """The keywords or the addresses of all rows, end to end."""

    def __init__(self, element: Column) -> None:
        self._element = element
        self._counts: list[int | None] = []
        self._texts: list[str] = []

    def add(self, lists: list[list[str] | None]) -> None:
        self._counts += _counts(lists)
        self._texts += _flat(lists)

    def series(self) -> tuple[pl.Series, pl.Series]:
        """Lists of texts, each once, and which rows have one that is too long or holds control characters."""
        clean, is_bad = _clean(pl.Series(self._texts, dtype=pl.String), self._element)
        lists = _lists(self._counts, _arrow(clean)).list.drop_nulls().list.unique(maintain_order=True)
        return lists, _any(self._counts, is_bad)


def _unless(flags: pl.Series, texts: list[str | None]) -> pl.Series:
    """The texts, but for those that are flagged."""
    return pl.Series(texts, dtype=pl.String).set(flags.fill_null(False), None)


def _clean(texts: pl.Series, column: Column) -> tuple[pl.Series, pl.Series]:
    """Clean texts, and which of them are too long or hold control characters. Only those that need it are cleaned."""
    clean = texts.alias("text")
    places = (~clean.str.contains(CLEAN)).arg_true()
    odd = clean.gather(places).to_frame().select(cleaned(column, TEXT)).to_series()
    clean.scatter(places, odd)
    is_bad = clean.str.len_chars().fill_null(0) > column.max_length
    return clean, is_bad.scatter(places, is_bad.gather(places) | odd.str.contains(CONTROL_CHARACTERS).fill_null(False))


def _counts(lists: Sequence[Sequence[object] | None]) -> list[int | None]:
    return [None if items is None else len(items) for items in lists]


def _flat(lists: Sequence[Sequence[T] | None]) -> list[T]:
    return list(chain.from_iterable(items for items in lists if items))


def _arrow(values: pl.Series) -> pa.Array:
    """A flat array of Polars' own form, so that nothing is copied there or back."""
    return values.to_arrow(compat_level=pl.CompatLevel.newest())


def _lists(counts: Counts, values: pa.Array) -> pl.Series:
    """Cut a flat array into the lists it came from; None stays null."""
    held = pl.Series(counts, dtype=pl.Int64)
    ends = pl.concat([pl.Series([0], dtype=pl.Int64), held.fill_null(0).cum_sum()]).to_arrow()
    mask = held.is_null().to_arrow()
    return pl.Series(pl.from_arrow(pa.LargeListArray.from_arrays(ends, values, mask=mask)))


def _any(counts: Counts, flags: pl.Series) -> pl.Series:
    """For each list whether any of its flat flags is set."""
    if not flags.any():
        return pl.repeat(False, len(counts), dtype=pl.Boolean, eager=True)
    return _lists(counts, flags.to_arrow()).list.any().fill_null(False)


class FactRows:
    """The tables in the making, page by page, in the order of `Collected`."""

    def __init__(self) -> None:
        self._rows: dict[str, list[dict[str, Any]]] = {table.name: [] for table in PAGE_TABLES}

    def add(self, facts: Iterable[PageFact], fetched_at: datetime | None, capture_id: str) -> None:
        for fact in facts:
            own: dict[str, Any] = {"capture_id": capture_id}
            if "observed_at" in fact.table.column_names:
                own["observed_at"] = fetched_at
            self._rows[fact.table.name].append(fact.row | own)

    def frames(self) -> Iterator[pl.DataFrame]:
        """The tables; of papers, those by their arXiv id: the sighting of any other id is rejected, with its reason."""
        for table in PAGE_TABLES:
            rows = self._rows[table.name]
            if not rows:
                yield table.empty()
                continue
            if unknown := {name for row in rows for name in row} - {*table.column_names}:
                raise KeyError(f"{table.name} declares no column {min(unknown)!r}")
            columns = {name: [row.get(name) for row in rows] for name in table.column_names}
            found = pl.DataFrame(columns, schema=table.schema)
            if "paper_id" in columns:
                found = found.with_columns(pl.col("paper_id").str.strip_chars())
                found = found.filter(pl.col("paper_id").str.contains(ARXIV_ID).fill_null(True))
            yield table.conform(found)
