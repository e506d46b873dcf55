"""Masking a person in tables, by the kind of column: values of accounts whole, in texts of papers addresses only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import polars as pl

from warehouse.erasing.person import Person

Mask = Callable[[str], str]
# Columns of text by papers, or by the rules that read them; any other column has accounts or addresses
PRINTED: Final = {
    *("title", "abstract", "description", "ai_summary", "outer_title", "outer_abstract", "text", "alias", "path"),
    *("keyword", "keywords", "normal_keyword", "claim", "claim_sentence", "metric", "claim_metric", "best_paper_id"),
    *("organization_name", "group_name", "title_key", "list_query", "meaning", "answers", "grain"),
}
EITHER: Final = {"value", "example", "examples", "detail", "reason"}  # columns with values of both kinds
NAMES: Final = {"name", "authors"}  # printed names, of authors and of systems
BY_LOGIN: Final = ("submitter_login", "submitter_name")  # the login beside it says whose name it is


def masked_frame(person: Person, frame: pl.DataFrame) -> tuple[pl.DataFrame, dict[str, int]]:
    """The frame with the person masked, and the number of changed rows of each column that has any."""
    made, changed = frame, dict[str, int]()
    for name, dtype in frame.schema.items():
        series = frame[name]
        if mapping := _mapping(person, name, series):
            masked = frame.select(_replaced(pl.col(name), dtype, name, mapping))[name]
            if name == BY_LOGIN[1] and BY_LOGIN[0] in frame.columns:
                masked = _of_their_login(person, frame, masked)
            if rows := int(series.ne_missing(masked).sum()):
                made, changed[name] = made.with_columns(masked), rows
    return made, changed


def _of_their_login(person: Person, frame: pl.DataFrame, masked: pl.Series) -> pl.Series:
    """Names masked where the login beside them is theirs, or there is none: others may go by the same name."""
    login, name = BY_LOGIN
    own = pl.col(login).is_null() | pl.col(login).str.to_lowercase().is_in([one.lower() for one in person.logins])
    own |= pl.col(login) == person.mask
    return frame.select(pl.when(own).then(masked).otherwise(pl.col(name)).alias(name)).to_series()


def words_in(person: Person, frame: pl.DataFrame) -> int:
    """How often a login stands in the texts of the frame as a whole word."""
    texts = (
        text
        for column in frame
        for _, series in _leaves_of(column.name, column, column.dtype)
        for text in _hits(person, series)
    )
    return sum(map(person.words_in, texts))


def _leaves_of(name: str, series: pl.Series, dtype: pl.DataType) -> Iterator[tuple[str, pl.Series]]:
    if dtype == pl.String:
        yield name, series
    elif isinstance(dtype, pl.List):
        yield from _leaves_of(name, series.list.explode(), dtype.inner)  # type: ignore[arg-type]
    elif isinstance(dtype, pl.Struct):
        for field in dtype.fields:
            yield from _leaves_of(field.name, series.struct.field(field.name), field.dtype)  # type: ignore[arg-type]


def _hits(person: Person, series: pl.Series) -> list[str]:
    """The distinct values that the coarse pattern matches."""
    return series.filter(series.str.contains(person.either).fill_null(False)).unique().to_list()


def _mapping(person: Person, name: str, series: pl.Series) -> dict[str, dict[str, str]]:
    """The values that change and what they become, by the name of the leaf that holds them."""
    found: dict[str, dict[str, str]] = {}
    for leaf, values in _leaves_of(name, series, series.dtype):
        mask = _mask_of(person, leaf)
        masked = {value: mask(value) for value in _hits(person, values)}
        if news := {value: new for value, new in masked.items() if new != value}:
            found[leaf] = news
    return found


def _mask_of(person: Person, leaf: str) -> Mask:
    if leaf == BY_LOGIN[1]:
        return lambda text: person.mask if person.is_name(text) or person.is_login(text) else person.of_printed(text)
    if leaf in NAMES:
        return lambda text: person.of_author(person.of_printed(text))
    if leaf in EITHER:
        return lambda text: (
            person.of_printed(text) if " " in text and not person.is_name(text) else person.of_value(text)
        )
    return person.of_printed if leaf in PRINTED else person.of_value


def _replaced(column: pl.Expr, dtype: pl.DataType, name: str, mapping: dict[str, dict[str, str]]) -> pl.Expr:
    """The column with values of its leaves replaced."""
    if dtype == pl.String:
        return column.replace(mapping[name]) if name in mapping else column
    if isinstance(dtype, pl.List):
        inner: pl.DataType = dtype.inner  # type: ignore[assignment]
        return column.list.eval(_replaced(pl.element(), inner, name, mapping))
    if isinstance(dtype, pl.Struct):
        fields = [
            _replaced(column.struct.field(one.name), one.dtype, one.name, mapping).alias(one.name)  # type: ignore[arg-type]
            for one in dtype.fields
        ]
        return pl.when(column.is_null()).then(None).otherwise(pl.struct(fields))
    return column
