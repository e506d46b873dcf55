"""From the readers' rows to one frame: columns are filled from whole lists, never row by row.

Nested values go through Arrow, which builds them 15 times faster than Polars does from Python objects
(`bench/read.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain
from operator import attrgetter
from typing import Any, TypeVar

import polars as pl
import pyarrow as pa

from transforms.collect.cleaning import address, one_line, trimmed
from transforms.readers.reading import Author, Sighting
from warehouse.schema.columns import NAME_LIMIT, TITLE_LIMIT, URL_LIMIT
from warehouse.schema.table import CONTROL_CHARACTERS

NESTED = ("authors", "keywords", "media_urls")
PLAIN = {name: attrgetter(name) for name in Sighting.__struct_fields__ if name not in NESTED}
DAYS = {"published_on"}
NUMBERS = {"position"} | {name for name in PLAIN if name.endswith("_count")}
FLAGS = {"is_author_participating"}

ROWS_AT_A_TIME = 200
TEXT = pl.col("text")
CLEAN = r"^[^\s\p{Cc}]+(?: [^\s\p{Cc}]+)*$"  # words with a space between them: nothing to clean, nothing to find

T = TypeVar("T")
Counts = Sequence[int | None]  # how many items each row's list has; None where the row has no list


class Rows:
    """Rows in the making: sightings are taken apart a few at a time, while the processor's cache still holds them."""

    def __init__(self) -> None:
        self._capture_ids: list[str] = []
        self._waiting: list[Sighting] = []
        self._plain: dict[str, list[Any]] = {name: [] for name in PLAIN}
        self._authors = _Authors()
        self._keywords = _Texts(TITLE_LIMIT, one_line(TEXT))
        self._media = _Texts(URL_LIMIT, address(TEXT))

    def add(self, capture_id: str, sightings: list[Sighting]) -> None:
        self._capture_ids += [capture_id] * len(sightings)
        self._waiting += sightings
        if len(self._waiting) >= ROWS_AT_A_TIME:
            self._take_apart()

    def _take_apart(self) -> None:
        sightings, self._waiting = self._waiting, []
        for name, get in PLAIN.items():
            self._plain[name] += map(get, sightings)
        self._authors.add([sighting.authors for sighting in sightings])
        self._keywords.add([sighting.keywords for sighting in sightings])
        self._media.add([sighting.media_urls for sighting in sightings])

    def frame(self) -> pl.DataFrame:
        """One row a sighting, columns as `Sighting` names them, with `capture_id`; nested text is already clean.

        `has_bad_element` tells the rows in which an author, a keyword or an address of media is missing its text,
        is too long or holds control characters.
        """
        self._take_apart()
        authors, bad_author = self._authors.series()
        keywords, bad_keyword = self._keywords.series()
        media, bad_media = self._media.series()
        return pl.DataFrame(self._plain, schema={name: _dtype(name) for name in PLAIN}).with_columns(
            pl.Series("capture_id", self._capture_ids, pl.String),
            authors.alias("authors"),
            keywords.alias("keywords"),
            media.alias("media_urls"),
            (bad_author | bad_keyword | bad_media).alias("has_bad_element"),
        )


def _dtype(name: str) -> type[pl.DataType]:
    if name in NUMBERS:
        return pl.Int64
    if name in DAYS:
        return pl.Date
    return pl.Boolean if name in FLAGS else pl.String


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
        self._names += [author.name for author in authors]
        self._logins += [_login(author) if author.user else None for author in authors]
        self._statuses += [None if author.is_hidden else author.claim_status for author in authors]
        self._hidden += [author.is_hidden for author in authors]

    def series(self) -> tuple[pl.Series, pl.Series]:
        """Lists of author structs, and which rows have one without a proper name, login or status."""
        names, bad_name = _clean(self._names, NAME_LIMIT, one_line(TEXT))
        logins, bad_login = _clean(self._logins, NAME_LIMIT, trimmed(TEXT))
        statuses, bad_status = _clean(self._statuses, NAME_LIMIT, trimmed(TEXT))
        columns = {
            "name": _arrow(names),
            "login": _arrow(logins),
            "claim_status": _arrow(statuses),
            "is_hidden": pa.array(self._hidden, pa.bool_()),
        }
        structs = pa.StructArray.from_arrays(list(columns.values()), names=list(columns))
        is_bad = names.is_null() | bad_name | bad_login | bad_status
        return _lists(self._counts, structs), _any(self._counts, is_bad)


def _login(author: Author) -> str | None:
    """Whoever hid a paper on their profile did not mean to be linked to it: login and status stay out."""
    if author.user is None or author.is_hidden:
        return None
    return author.user.user or author.user.name


class _Texts:
    """The keywords or the addresses of all rows, end to end."""

    def __init__(self, limit: int, cleaned: pl.Expr) -> None:
        self._limit, self._cleaned = limit, cleaned
        self._counts: list[int | None] = []
        self._texts: list[str] = []

    def add(self, lists: list[list[str] | None]) -> None:
        self._counts += _counts(lists)
        self._texts += _flat(lists)

    def series(self) -> tuple[pl.Series, pl.Series]:
        """Lists of texts, each once, and which rows have one that is too long or holds control characters."""
        clean, is_bad = _clean(self._texts, self._limit, self._cleaned)
        lists = _lists(self._counts, _arrow(clean)).list.drop_nulls().list.unique(maintain_order=True)
        return lists, _any(self._counts, is_bad)


def _clean(texts: Sequence[str | None], limit: int, cleaned: pl.Expr) -> tuple[pl.Series, pl.Series]:
    """Clean texts, and which of them are too long or hold control characters. Only those that need it are cleaned."""
    clean = pl.Series("text", texts, pl.String)
    places = (~clean.str.contains(CLEAN)).arg_true()
    odd = clean.gather(places).to_frame().select(cleaned).to_series()
    clean.scatter(places, odd)
    is_bad = clean.str.len_chars().fill_null(0) > limit
    return clean, is_bad.scatter(places, is_bad.gather(places) | odd.str.contains(CONTROL_CHARACTERS).fill_null(False))


def _counts(lists: Sequence[Sequence[object] | None]) -> list[int | None]:
    return [None if items is None else len(items) for items in lists]


def _flat(lists: Sequence[Sequence[T] | None]) -> list[T]:
    return list(chain.from_iterable(items for items in lists if items))


def _arrow(texts: pl.Series) -> pa.Array:
    column = texts.to_arrow()
    return column.cast(pa.large_string()) if pa.types.is_string_view(column.type) else column


def _lists(counts: Counts, values: pa.Array) -> pl.Series:
    """Cut a flat array into the lists it came from; None stays null."""
    ends = pa.array(accumulate((count or 0 for count in counts), initial=0), pa.int64())
    mask = pa.array([count is None for count in counts], pa.bool_())
    return pl.Series(pl.from_arrow(pa.LargeListArray.from_arrays(ends, values, mask=mask)))


def _any(counts: Counts, flags: pl.Series) -> pl.Series:
    """For each list whether any of its flat flags is set."""
    if not flags.any():
        return pl.repeat(False, len(counts), dtype=pl.Boolean, eager=True)
    return _lists(counts, flags.to_arrow()).list.any().fill_null(False)
