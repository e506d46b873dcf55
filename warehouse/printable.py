"""Text that others wrote, made safe for a terminal or a page."""

import re
import shutil
import textwrap
from datetime import datetime
from typing import Final, TextIO
from unicodedata import category

STEERS: Final = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}  # controls of terminals, of directions, of lines; private letters
LABELS: Final = re.compile(r" *(?:\d+\.\*? +)?(?:[a-z]+(?: [a-z]+)* {2,}){0,2}")  # what a line of ours begins with
NARROWEST: Final = 40  # a terminal is taken to be no narrower
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


def unsteered(text: str, keep: str = "") -> str:
    r"""A text without the characters that `printable` escapes.

    >>> unsteered("a\x1b[2J\u202e")
    'a[2J'
    """
    kept = keep + JOINERS
    return text if text.isprintable() else "".join(one for one in text if one in kept or category(one) not in STEERS)


def counted(count: int, name: str) -> str:
    """A number of things, in words.

    >>> counted(1, "paper"), counted(1200, "paper")
    ('1 paper', '1,200 papers')
    """
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"


def to_the_second(at: datetime) -> str:
    """A moment in UTC, with or without zone, to the second, as RFC 3339 writes it.

    >>> to_the_second(datetime(2026, 10, 1, 8, 5))
    '2026-10-01T08:05:00Z'
    """
    return f"{at.replace(tzinfo=None).isoformat(timespec='seconds')}Z"


def on_screen(text: str, stream: TextIO) -> str:
    """A text as its stream takes it: on a terminal, lines that are too long for it are broken between words."""
    width = screen_width(stream)
    return text if width is None else broken(text, width)


def screen_width(stream: TextIO) -> int | None:
    """The characters in a line of a terminal, and at least NARROWEST; None where the stream is none."""
    return max(shutil.get_terminal_size().columns, NARROWEST) if stream.isatty() else None


def broken(text: str, width: int) -> str:
    r"""A text whose lines are no longer than the width, but for words that are; what follows a label stays beside it.

    >>> broken("due  29 to fetch now", 14)
    'due  29 to\n     fetch now'
    >>> broken("  2. Kilns of fog", 14)
    '  2. Kilns of\n     fog'
    """
    lines = []
    for line in text.split("\n"):
        if len(line) <= width:
            lines.append(line)
            continue
        found = LABELS.match(line)
        labels = found[0] if found and found.end() <= width // 2 else ""
        rest = textwrap.wrap(line[len(labels) :], width - len(labels), break_long_words=False, break_on_hyphens=False)
        lines.append(labels + f"\n{' ' * len(labels)}".join(rest))
    return "\n".join(lines)


def _escaped(character: str) -> str:
    """A character as JSON escapes it."""
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[place] << 8 | units[place + 1]:04x}" for place in range(0, len(units), 2))
