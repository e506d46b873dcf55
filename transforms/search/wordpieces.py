"""The pieces of words that a language model of the BERT family reads, uncased: its vocabulary is data of this package.

The vocabulary, `wordpieces.txt`, is that of bert-base-uncased (Google; Apache License 2.0).

Text is text: what looks like a sign of the model's own, `[CLS]` say, is read as the letters that it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from itertools import islice
from typing import Final
from unicodedata import category, normalize

MOST_PIECES: Final = 256  # of a text, with the signs at its ends: what all-MiniLM-L6-v2 was made to read
LONGEST_WORD: Final = 100  # characters; a longer one is a piece that nobody knows
UNKNOWN, FIRST, LAST = "[UNK]", "[CLS]", "[SEP]"
CHINESE: Final = (("\u3400", "\u4dbf"), ("\u4e00", "\u9fff"), ("\uf900", "\ufaff"), ("\U00020000", "\U0002fa1f"))


@cache
def vocabulary() -> dict[str, int]:
    """Every piece with its number; one that continues a word begins with `##`."""
    text = (files("transforms.search") / "wordpieces.txt").read_text("utf-8")
    return {piece: number for number, piece in enumerate(text.split("\n"))}


def pieces_of(text: str) -> list[int]:
    """The numbers of a text's first pieces, between those of its beginning and its end."""
    known = vocabulary()
    found = (number for word in words_of(text) for number in pieces(word))
    return [known[FIRST], *islice(found, MOST_PIECES - 2), known[LAST]]


def words_of(text: str) -> Iterator[str]:
    """Its words in lower case without accents; each sign, and each Chinese character, is one."""
    for part in normalize("NFD", text).split():
        yield from "".join(map(spaced, part)).split()


@lru_cache(maxsize=2**12)
def spaced(one: str) -> str:
    """A character as it is read; a sign with spaces around it."""
    kind = category(one)
    if kind == "Mn" or kind.startswith("C") or one == "\ufffd":
        return ""
    is_sign = kind.startswith("P") or (one.isascii() and not one.isalnum())
    return f" {one} " if is_sign or any(first <= one <= last for first, last in CHINESE) else one.lower()


@lru_cache(maxsize=2**16)
def pieces(word: str) -> tuple[int, ...]:
    """The longest known piece that the word begins with, and so on with the rest."""
    known, found, start = vocabulary(), list[int](), 0
    while start < len(word) <= LONGEST_WORD:
        before = "##" if start else ""
        ends = (end for end in range(len(word), start, -1) if before + word[start:end] in known)
        if (end := next(ends, None)) is None:
            break
        found.append(known[before + word[start:end]])
        start = end
    return tuple(found) if start == len(word) else (known[UNKNOWN],)
