"""Splits one text, such as a query, into words as `terms` does for many texts; without Polars, to start quickly."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final, NamedTuple

from warehouse.schema.search_rules import JOINER, LONGEST_WORD, PLAIN_LETTERS, POSSESSIVE, RUN, WORD

_WORD: Final = re.compile(WORD)
_RUN: Final = re.compile(RUN)
_JOINER: Final = re.compile(JOINER)
_POSSESSIVE: Final = re.compile(POSSESSIVE)
_PLAIN: Final = str.maketrans(PLAIN_LETTERS)


class Token(NamedTuple):
    """A word, or several joined by hyphens, with its place in a text."""

    start: int
    end: int
    words: tuple[str, ...]


def fold(text: str) -> str:
    """One text in lower case without accents, as `terms.folded` makes it."""
    if not text.isascii():
        decomposed = unicodedata.normalize("NFD", text)
        bare = "".join(one for one in decomposed if not unicodedata.category(one).startswith("M"))
        text = unicodedata.normalize("NFC", bare)
    return text.lower().translate(_PLAIN)


def tokens_of(text: str) -> Iterator[Token]:
    """The tokens of one folded text in order."""
    for found in _WORD.finditer(text):
        bare = _POSSESSIVE.sub("", found[0])
        parts = _JOINER.split(bare)
        words = pairs(bare) if _RUN.match(bare) else (*parts, "".join(parts)) if len(parts) > 1 else (bare,)
        yield Token(found.start(), found.end(), tuple(word for word in words if len(word) <= LONGEST_WORD))


def pairs(run: str) -> list[str]:
    """The words of letters without spaces: each two that follow one another, as nothing tells where a word ends.

    >>> pairs("\u77e5\u8bc6\u84b8\u998f")
    ['\u77e5\u8bc6', '\u8bc6\u84b8', '\u84b8\u998f']
    """
    return [run[at : at + 2] for at in range(max(len(run) - 1, 1))]
