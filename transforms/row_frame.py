"""From the readers' rows to one frame: columns are filled from whole lists, never row by row.

Nested values go through Arrow, which builds them 15 times faster than Polars does from Python objects
(`bench/read.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain
from operator import attrgetter
from typing import Any

import polars as pl
import pyarrow as pa

from transforms.cleaning import address, one_line
from transforms.reading import Author, Reading, Sighting
from warehouse.columns import NAME_LIMIT, TITLE_LIMIT, URL_LIMIT
from warehouse.table import CONTROL_CHARACTERS

NESTED = {"authors", "keywords", "media_urls"}
DAYS = {"published_on"}
NUMBERS = {"position"} | {name for name in Sighting.__struct_fields__ if name.endswith("_count")}
FLAGS = {"is_author_participating"}


def row_frame(capture_ids: Sequence[str], readings: Sequence[Reading]) -> pl.DataFrame:
    """One row a sighting, columns as `Sighting` names them, with `capture_id`; nested text is already clean.

    `has_bad_element` tells the rows in which an author, a keyword or an address of media is missing its text, is
    too long or holds control characters.
    """
    rows = list(chain.from_iterable(reading.sightings for reading in readings))
    places = ([capture_id] * len(reading.sightings) for capture_id, reading in zip(capture_ids, readings, strict=True))
    columns = _columns(rows)
    flat = {name: values for name, values in columns.items() if name not in NESTED}
    frame = pl.DataFrame(flat, schema={name: _dtype(name) for name in flat})
    authors, bad_author = _authors(columns["authors"])
    keywords, bad_keyword = _texts(columns["keywords"], TITLE_LIMIT, one_line(pl.col("text")))
    media, bad_media = _texts(columns["media_urls"], URL_LIMIT, address(pl.col("text")))
    return frame.with_columns(
        pl.Series("capture_id", list(chain.from_iterable(places)), pl.String),
        authors.alias("authors"),
        keywords.list.drop_nulls().list.unique(maintain_order=True).alias("keywords"),
        media.list.drop_nulls().list.unique(maintain_order=True).alias("media_urls"),
        (bad_author | bad_keyword | bad_media).alias("has_bad_element"),
    )


def _columns(rows: list[Sighting]) -> dict[str, Sequence[Any]]:
    return {name: list(map(attrgetter(name), rows)) for name in Sighting.__struct_fields__}


def _dtype(name: str) -> type[pl.DataType]:
    if name in NUMBERS:
        return pl.Int64
    if name in DAYS:
        return pl.Date
    return pl.Boolean if name in FLAGS else pl.String


def _authors(lists: Sequence[list[Author] | None]) -> tuple[pl.Series, pl.Series]:
    """Lists of author structs, and which rows have one without a proper name."""
    authors = list(chain.from_iterable(items or () for items in lists))
    written = pl.DataFrame({"text": [author.name for author in authors]}, schema={"text": pl.String})
    names = written.select(one_line(pl.col("text"))).to_series()
    columns = {
        "name": _plain(names.to_arrow()),
        "login": pa.array([_login(author) if author.user else None for author in authors], pa.large_string()),
        "claim_status": pa.array(
            [None if author.is_hidden else author.claim_status for author in authors], pa.large_string()
        ),
        "is_hidden": pa.array([author.is_hidden for author in authors], pa.bool_()),
    }
    structs = pa.StructArray.from_arrays(list(columns.values()), names=list(columns))
    return _lists(lists, structs), _any(lists, _is_bad(names, NAME_LIMIT, allow_null=False))


def _login(author: Author) -> str | None:
    """Whoever hid a paper on their profile did not mean to be linked to it: login and status stay out."""
    if author.user is None or author.is_hidden:
        return None
    return author.user.user or author.user.name


def _texts(lists: Sequence[list[str] | None], limit: int, cleaned: pl.Expr) -> tuple[pl.Series, pl.Series]:
    """Lists of cleaned texts, and which rows have one that is too long or holds control characters."""
    texts = pl.DataFrame({"text": list(chain.from_iterable(items or () for items in lists))}, {"text": pl.String})
    clean = texts.select(cleaned).to_series()
    return _lists(lists, _plain(clean.to_arrow())), _any(lists, _is_bad(clean, limit, allow_null=True))


def _plain(column: pa.Array) -> pa.Array:
    return column.cast(pa.large_string()) if pa.types.is_string_view(column.type) else column


def _lists(lists: Sequence[Sequence[object] | None], values: pa.Array) -> pl.Series:
    """Cut a flat array into the lists it came from; None stays null."""
    ends = list(accumulate((len(items or ()) for items in lists), initial=0))
    mask = pa.array([items is None for items in lists], pa.bool_())
    return pl.Series(pl.from_arrow(pa.LargeListArray.from_arrays(pa.array(ends, pa.int64()), values, mask=mask)))


def _is_bad(texts: pl.Series, limit: int, *, allow_null: bool) -> pl.Series:
    bad = (texts.str.len_chars() > limit) | texts.str.contains(CONTROL_CHARACTERS)
    return bad.fill_null(not allow_null)


def _any(lists: Sequence[Sequence[object] | None], flags: pl.Series) -> pl.Series:
    """For each list whether any of its flat flags is set."""
    if not flags.any():
        return pl.repeat(False, len(lists), dtype=pl.Boolean, eager=True)
    return _lists(lists, flags.to_arrow()).list.any().fill_null(False)
