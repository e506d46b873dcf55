"""The quick search for control characters finds exactly those of Unicode."""

from __future__ import annotations

import unicodedata

import polars as pl
import pytest

from tests.unit.test_table import column
from warehouse.schema.table import CONTROL_CHARACTERS, has_control_characters


def test_every_control_character_is_found_and_nothing_else() -> None:
    characters = [chr(code) for code in range(0x2100) if not 0xD800 <= code < 0xE000]
    texts = pl.DataFrame({"text": [f"a{character}b" for character in characters]})
    expected = [unicodedata.category(character) == "Cc" for character in characters]
    assert texts.select(has_control_characters(pl.col("text"))).to_series().to_list() == expected
    assert texts["text"].str.contains(CONTROL_CHARACTERS).to_list() == expected


@pytest.mark.parametrize("cleaning", ["line", "long_line", "trim", "url"])
def test_short_and_long_texts_are_looked_through_alike(cleaning: str) -> None:
    texts = [f"a{chr(code)}b" for code in range(0x300)]
    *_, check = column("text", null="none", max_length=9, cleaning=cleaning).checks()
    clean = pl.DataFrame({"text": texts}).select(check.holds).to_series().to_list()
    assert clean == [unicodedata.category(text[1]) != "Cc" for text in texts]


def test_null_stays_null() -> None:
    texts = pl.DataFrame({"text": [None]}, schema={"text": pl.String})
    assert texts.select(has_control_characters(pl.col("text"))).item() is None
