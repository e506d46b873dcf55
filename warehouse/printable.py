"""Text that others wrote, made safe for a terminal or a page."""

from __future__ import annotations

from typing import Final
from unicodedata import category

STEERS: Final = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}  # controls of terminals, of directions, of lines; private letters
JOINERS: Final = "\u200c\u200d"  # controls too, of letters and emoji only: they steer nothing


def printable(text: str, keep: str = "") -> str:
    r"""A text safe to print: characters that steer a terminal, or reverse the direction of text, are escaped.

    JSON stays JSON of the same values. The characters to `keep` stay as they are, such as the ends of lines.

    >>> printable("a\x1b[2J\u202e")
    'a\\u001b[2J\\u202e'
    """
    if text.isprintable():
        return text
    harmless = keep + JOINERS
    return "".join(_escaped(one) if category(one) in STEERS and one not in harmless else one for one in text)


def _escaped(character: str) -> str:
    """A character as JSON escapes it."""
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[place] << 8 | units[place + 1]:04x}" for place in range(0, len(units), 2))
