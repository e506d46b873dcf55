"""Text of saved pages: its lines, what a line says without Markdown, and where its links lead.

Bytes that are no UTF-8 stay visible as surrogates, so that only their paper is rejected. Extractors write one link in
many ways: `[Title](/papers/2504.12984)`, `[Title][32]` with the address at the end of the page, over several lines with
the bracket on a line of its own, or the address alone on the line below. Every pattern of Markdown here is linear:
nothing that repeats can match in two ways.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from warehouse.schema.columns import ARXIV_ID

SURROGATE = re.compile("[\ud800-\udfff]")
CLOSING = re.compile(r"[,.;:!?)\]}]+(?:\s|$)")
OPENING = ("(", "[", "{")
# Spaces that do not break are spaces; marks that nobody sees, as programs put them around copied words, are nothing
PLAIN = str.maketrans("\u00a0\u202f", "  ", "\u200b\u200e\u200f\u2060\ufeff")
ANCHOR = re.compile(r'^[ \t]*<a (?:id|name)="[^"<>\n]*"></a>[ \t]*$', re.MULTILINE)  # of an extractor, before headings


def is_markup(payload: bytes) -> bool:
    """Whether a page begins as HTML or XML does."""
    return payload[:64].lstrip(BOM_UTF8 + b" \t\r\n").startswith(b"<")


def lines_of(payload: bytes) -> list[str]:
    r"""The lines of a page, whatever ends them; those that only name a place of the page are blank.

    >>> lines_of(b"\xef\xbb\xbfone\r\ntwo\xff")
    ['one', 'two\udcff']
    """
    text = payload.decode("utf-8", "surrogateescape").translate(PLAIN)
    return ANCHOR.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")


def broken_line(lines: Sequence[str], first: int, last: int) -> int | None:
    """The first line, of those from `first` to `last` (both from 1), that holds bytes that are no UTF-8."""
    for number in range(first, last + 1):
        if SURROGATE.search(lines[number - 1]):
            return number
    return None


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


HUB = r"(?:https?://(?:www\.)?(?:huggingface|hf)\.co)"
TARGET = r'\(((?:https?://|[/#])[^()\s]*)(?: "[^"]*")?\)|\[(\d{1,6})\]'
IMAGE = re.compile(r"!\[[^\[\]]*\]\([^()\s]*\)")
LINK = re.compile(rf"\[(?:\[([^\[\]]*)\])?([^\[\]]*)\](?:{TARGET})")
CLOSER = re.compile(rf"\](?:{TARGET})$")
ALT = re.compile(r"\[[^\[\]]*\]$")
DEFINITION = re.compile(r"\[(\d{1,6})\]:? +([!-~]+)$")
BULLET = re.compile(r"(?:(?:[*•+-]|\[[ x-]?\])\s+)+")
ADDRESS = re.compile(rf"{HUB}\S*$")

PAPER = re.compile(rf"{HUB}?/papers/([^?#\s]+)")
LOGIN = re.compile(rf"{HUB}?/login\?next=%2Fpapers%2F([^&#\s]+)")
ARXIV = re.compile(r"https?://(?:www\.)?arxiv\.org/(?:abs|pdf)/([^?#\s]+)")
PROFILE = re.compile(rf"{HUB}?/([A-Za-z0-9][\w.-]*)$")
NO_PROFILE = {"papers", "login", "join", "models", "datasets", "spaces", "docs", "posts", "pricing", "enterprise"}
VERSION = re.compile(r"(?:v\d+)?(?:\.pdf)?$")

MARKED = re.compile(
    rf"^#{{1,6}} \S|\]\({HUB}?/(?:papers|login)[^()\s]*\)\s*$|^\]\[\d+\]$|^{HUB}/(?:papers|login)\S*$", re.MULTILINE
)
MARKED_WITHIN = 65_536  # characters; a page is written by one extractor


class TextLink(NamedTuple):
    """A link: its words, where it leads ("" where the page does not say), the words of a picture before it."""

    text: str
    target: str
    picture: str = ""


class PageMarks(NamedTuple):
    """How a page is written: as Markdown or plain, and the addresses its numbered links stand for."""

    is_marked: bool = False
    addresses: Mapping[str, str] = {}


class PlainLine(NamedTuple):
    """A line without its Markdown. `is_closing`: a link that began on an earlier line ends here."""

    text: str
    links: tuple[TextLink, ...] = ()
    is_closing: bool = False

    @property
    def is_link(self) -> bool:
        """Whether the whole line is one link."""
        return len(self.links) == 1 and self.links[0].text == self.text


def marks_of(lines: list[str]) -> PageMarks:
    if not MARKED.search("\n".join(lines[:2_000])[:MARKED_WITHIN]):
        return PageMarks()
    found = (DEFINITION.match(line.strip()) for line in lines if "]" in line[:12])
    return PageMarks(is_marked=True, addresses={match[1]: match[2] for match in found if match})


def words_of(line: str, marks: PageMarks) -> PlainLine:
    r"""The words and links of a Markdown line.

    >>> words_of("* [Lanterns in\\  Fog](/papers/2504.12984)", PageMarks(is_marked=True)).text
    'Lanterns in Fog'
    """
    links: list[TextLink] = []

    def say(match: re.Match[str]) -> str:
        picture, text, target, number = match.groups()
        links.append(TextLink(_bare(text), target or marks.addresses.get(number, ""), picture or ""))
        return str(text)

    text = LINK.sub(say, IMAGE.sub("", line.strip()))
    # the end of a link that began earlier: on this line, around other brackets, or above
    place = max(text.rfind("]("), text.rfind("]["))
    closer = CLOSER.match(text, place) if place >= 0 else None
    if closer is not None:
        text = text[:place]
        links.append(TextLink(text.strip(), closer[1] or marks.addresses.get(closer[2], "")))
    return PlainLine(_bare(text), tuple(links), is_closing=closer is not None)


def _bare(text: str) -> str:
    text = text.strip().rstrip("\\").replace("\\  ", " ").strip()  # firecrawl's newlines inside a link
    return text[match.end() :] if (match := BULLET.match(text)) else text


def without_opener(text: str, *, is_closed: bool) -> str:
    """The text without the bracket that opens a link around all of it."""
    if text.startswith("[") and (is_closed or "]" not in text):
        return text[1:].strip()
    return text


def paper_id(target: str) -> str | None:
    """The arXiv id in an address of the Hub or of arXiv; None where it leads elsewhere or the id is broken.

    >>> paper_id("/papers/2504.12984#community"), paper_id("/papers/2503.0213")
    ('2504.12984', None)
    """
    match = PAPER.match(target) or LOGIN.match(target) or ARXIV.match(target)
    return arxiv_id(unquote(match[1])) if match else None


def arxiv_id(text: str) -> str | None:
    """An arXiv id without version, or None."""
    bare = VERSION.sub("", text.strip(), count=1)
    return bare if re.fullmatch(ARXIV_ID, bare) else None


def first_id(links: Iterable[TextLink]) -> str | None:
    return next(filter(None, (paper_id(link.target) for link in links)), None)


def profile(links: Iterable[TextLink]) -> str | None:
    """The login of the person or organization a link leads to."""
    found = (PROFILE.match(link.target) for link in links)
    return next((match[1] for match in found if match and match[1] not in NO_PROFILE), None)


def searched(link: TextLink) -> str | None:
    """The words that a link to a search of papers searches for."""
    if not re.match(rf"{HUB}?/papers\?", link.target):
        return None
    return next(iter(parse_qs(urlsplit(link.target).query).get("q", ())), None)
