"""Vectors of texts by a language model, rounded to small integers. The model itself is an argument: `Encode`.

Its floats depend on the type of processor, by some 1e-6 of their size: of ten thousand rounded values one may differ
by one. So each text is encoded alone and once: the vectors of a release are taken over by the text's hash.

The model reads a text as WordPiece tokens, uncased, as those of the BERT family do. The vocabulary, `wordpieces.txt`,
is that of bert-base-uncased (Google; Apache License 2.0). Text that looks like a special token of the model, such as
`[CLS]`, is read as plain letters.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import islice
from typing import Final, TypeAlias
from unicodedata import category, normalize

import numpy as np
import numpy.typing as npt

from warehouse.schema.search_rules import QUERY_MOST

Encode: TypeAlias = Callable[[Sequence[str]], npt.NDArray[np.float32]]  # texts → one row each


def rounded(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.int8]:
    """Each row times QUERY_MOST over its largest magnitude, as integers."""
    largest = np.maximum(np.abs(rows).max(axis=-1, keepdims=True), 1e-9)
    return np.asarray(np.rint(rows / largest * QUERY_MOST), np.int8)


MOST_PIECES: Final = 256  # of a text, with the special tokens at its ends: what all-MiniLM-L6-v2 was made to read
LONGEST_WORD: Final = 100  # characters; a longer word is the unknown piece
UNKNOWN, FIRST, LAST = "[UNK]", "[CLS]", "[SEP]"
CHINESE: Final = (("\u3400", "\u4dbf"), ("\u4e00", "\u9fff"), ("\uf900", "\ufaff"), ("\U00020000", "\U0002fa1f"))


@cache
def vocabulary() -> dict[str, int]:
    """The number of every piece; one that continues a word begins with `##`."""
    text = (files("transforms.search") / "wordpieces.txt").read_text("utf-8")
    return {piece: number for number, piece in enumerate(text.split("\n"))}


def pieces_of(text: str) -> list[int]:
    """The numbers of a text's first pieces, between the special tokens for its beginning and end."""
    known = vocabulary()
    found = (number for word in words_of(text) for number in pieces(word))
    return [known[FIRST], *islice(found, MOST_PIECES - 2), known[LAST]]


def words_of(text: str) -> Iterator[str]:
    """The words of a text in lower case without accents; each sign, and each Chinese character, is a word."""
    for part in normalize("NFD", text).split():
        yield from "".join(map(spaced, part)).split()


@lru_cache(maxsize=2**12)
def spaced(one: str) -> str:
    """A character in lower case, empty for a control or an accent; a sign with spaces around it."""
    kind = category(one)
    if kind == "Mn" or kind.startswith("C") or one == "\ufffd":
        return ""
    is_sign = kind.startswith("P") or (one.isascii() and not one.isalnum())
    return f" {one} " if is_sign or any(first <= one <= last for first, last in CHINESE) else one.lower()


@lru_cache(maxsize=2**16)
def pieces(word: str) -> tuple[int, ...]:
    """The pieces of a word: the longest known one that it begins with, and so on with the rest."""
    known, found, start = vocabulary(), list[int](), 0
    while start < len(word) <= LONGEST_WORD:
        before = "##" if start else ""
        ends = (end for end in range(len(word), start, -1) if before + word[start:end] in known)
        if (end := next(ends, None)) is None:
            break
        found.append(known[before + word[start:end]])
        start = end
    return tuple(found) if start == len(word) else (known[UNKNOWN],)
