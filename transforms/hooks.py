"""Places in texts where patterns may begin: words that are searched for in many texts at once.

A hook is a place in a text where a pattern may begin; patterns are tried only there. All words are searched for in all
texts at once (by Aho and Corasick's algorithm, in Polars): for a text of 1,400 letters that takes two microseconds per
list of words, whatever its length; a pattern of twenty words takes fifty.
"""

import re
from collections.abc import Iterator
from typing import Final

import polars as pl

# Code points of a text that are read: of 8,017 abstracts the longest has 1,923
LONGEST: Final = 10_000
TAIL: Final = 24  # code points: the longest match that `at_end` is used for has 19
HookWords = tuple[str, ...]
WordPlaces = list[int]


def words_of(text: str) -> tuple[str, ...]:
    """The words of a list that is declared as one text."""
    return tuple(text.split())


def hooked(texts: pl.Series, *lists: HookWords) -> Iterator[tuple[str, list[WordPlaces]]]:
    """Each text, cut at LONGEST, with the sorted places where words of each list begin in it, in code points.

    A word inside another word counts; the pattern that is tried there may rule it out.
    """
    read = texts.str.head(LONGEST)
    is_plain = read.str.len_bytes() == read.str.len_chars()
    found = (read.str.find_many(list(words), overlapping=True).to_list() for words in lists)
    for text, is_ascii, *places in zip(read, is_plain, *found, strict=True):
        yield text, [sorted(some if is_ascii else _of_letters(text, some)) for some in places]


def _of_letters(text: str, places: WordPlaces) -> WordPlaces:
    """Places in code points, from places in bytes."""
    data = text.encode()
    return [len(data[:place].decode()) for place in places]


def search_hooked(pattern: re.Pattern[str], hooks: HookWords, text: str) -> re.Match[str] | None:
    """The first match of a pattern of which every match has one of the words: a text without one is not searched."""
    return pattern.search(text) if any(map(text.__contains__, hooks)) else None


def at_end(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The match of a pattern at the end of a text; the pattern ends with `$`, and no match is longer than TAIL."""
    return pattern.search(text, max(len(text) - TAIL, 0))


def last_match(pattern: re.Pattern[str], text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
    """The last match of a pattern between `start` and `end`; None where there is none."""
    last = None
    for found in pattern.finditer(text, start, len(text) if end is None else end):
        last = found
    return last
