"""Lines of a saved text. Bytes that are no UTF-8 stay visible as surrogates, so that only their paper is rejected."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
SURROGATE = re.compile("[\ud800-\udfff]")
CLOSING = re.compile(r"[,.;:!?)\]}]+(?:\s|$)")
OPENING = ("(", "[", "{")
ANCHOR = re.compile(r'^[ \t]*<a (?:id|name)="[^"<>\n]*"></a>[ \t]*$', re.MULTILINE)  # of an extractor, before headings


def is_markup(payload: bytes) -> bool:
    """Whether a page begins as HTML or XML does."""
    return payload[:64].lstrip(BYTE_ORDER_MARK + b" \t\r\n").startswith(b"<")


def lines_of(payload: bytes) -> list[str]:
    r"""The lines of a page, whatever ends them; those that only name a place of the page are blank.

    >>> lines_of(b"\xef\xbb\xbfone\r\ntwo\xff")
    ['one', 'two\udcff']
    """
    text = payload.removeprefix(BYTE_ORDER_MARK).decode("utf-8", "surrogateescape")
    return ANCHOR.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")


def broken_line(lines: Sequence[str], first: int, last: int) -> int | None:
    """The first line, of those from `first` to `last` (both from 1), that holds bytes that are no UTF-8."""
    for number in range(first, last + 1):
        if SURROGATE.search(lines[number - 1]):
            return number
    return None


def one_paragraph(lines: Iterable[str]) -> str:
    """Hard-wrapped lines as one."""
    return " ".join(line.strip() for line in lines)


def one_sentence(lines: Iterable[str]) -> str:
    """Lines that an extractor broke around links: punctuation goes back to the word it stood at.

    >>> one_sentence(["We train a", "diffusion model", ", then stop ("])
    'We train a diffusion model, then stop ('
    """
    pieces: list[str] = []
    for line in filter(None, map(str.strip, lines)):
        if pieces and not CLOSING.match(line) and not pieces[-1].endswith(OPENING):
            pieces.append(" ")
        pieces.append(line)
    return "".join(pieces)
