"""The quick way to look for control characters finds just those that Unicode calls so."""

from __future__ import annotations

import unicodedata

import polars as pl

from warehouse.schema.table import CONTROL_CHARACTERS, has_control_characters


def test_every_control_character_is_found_and_nothing_else() -> None:
    characters = [chr(code) for code in range(0x2100) if not 0xD800 <= code < 0xE000]
    texts = pl.DataFrame({"text": [f"a{character}b" for character in characters]})
    expected = [unicodedata.category(character) == "Cc" for character in characters]
    assert texts.select(has_control_characters(pl.col("text"))).to_series().to_list() == expected
    assert texts["text"].str.contains(CONTROL_CHARACTERS).to_list() == expected


def test_null_stays_null() -> None:
    texts = pl.DataFrame({"text": [None]}, schema={"text": pl.String})
    assert texts.select(has_control_characters(pl.col("text"))).item() is None
