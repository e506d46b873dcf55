"""Places of a text where a pattern may begin, found by plain search: patterns are tried there and nowhere else.

All words are looked for in all texts at once (Aho and Corasick's way, in Polars): of a text of 1,400 letters that takes
two microseconds a list, however long the list; a pattern of twenty words takes fifty.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import polars as pl

# Code points: what is longer is no abstract (of 8,017 the longest has 1,923), and is read so far
LONGEST: Final = 10_000
TAIL: Final = 24  # code points: the longest that `at_end` is asked for has 19
Words = tuple[str, ...]
Places = list[int]


def words_of(text: str) -> tuple[str, ...]:
    """The words of a declared list, written as one text."""
    return tuple(text.split())


def hooked(texts: pl.Series, *lists: Words) -> Iterator[tuple[str, list[Places]]]:
    """Each text, as far as it is read, and where the words of each list begin in it, in order.

    A word within a word counts, and may be ruled out by what is tried.
    """
    read = texts.str.head(LONGEST)
    is_plain = read.str.len_bytes() == read.str.len_chars()
    found = (read.str.find_many(list(words), overlapping=True).to_list() for words in lists)
    for text, is_ascii, *places in zip(read, is_plain, *found, strict=True):
        yield text, [sorted(some if is_ascii else _of_letters(text, some)) for some in places]


def _of_letters(text: str, places: Places) -> Places:
    """Places in code points of those in bytes."""
    data = text.encode()
    return [len(data[:place].decode()) for place in places]


def at_end(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Where a pattern fits that ends with the text, and is never longer than TAIL."""
    return pattern.search(text, max(len(text) - TAIL, 0))


def last_match(pattern: re.Pattern[str], text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
    """The last place between `start` and `end` where a pattern fits."""
    last = None
    for found in pattern.finditer(text, start, len(text) if end is None else end):
        last = found
    return last
