"""Where the papers of a saved list begin and end: its header, its list date, the site's words below it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum, auto
from typing import NamedTuple

from transforms.readers.text.dates import MONTHS, Day, bare_day
from transforms.readers.text.marks import ADDRESS, ALT, PageMarks, words_of

ZONE = 400  # lines: a page that keeps the site's menu has some eighty of them before the header
LONGEST = 200  # characters of a header line
UNKNOWN = 2  # header lines in a row that may be new or reworded, the words searched for among them

INBOX = re.compile(
    r"(?:new\W{0,3})?(?:\w+ ){1,3}trending papers (?:in|to) your (?:e-?mail )?inbox[\w ]{0,40}\W?", re.IGNORECASE
)
COMMUNITY = re.compile(r"(?:by\W{0,3}AK\b[^.]{0,40}|(?:\W{0,3}AK )?and the research) community\W?", re.IGNORECASE)
MONTH = f"(?:{'|'.join(MONTHS)})[a-z]{{0,6}}"
PERIOD = re.compile(
    rf"Week \d{{1,2}}(?:,? \d{{4}})?|{MONTH} \d{{4}}|{MONTH} \d{{1,2}} ?[-\u2013] ?[\w ]{{1,8}}(?:, \d{{4}})?"
)
SUBSCRIBE = "Subscribe"
HEADER = {"new", "daily papers", "trending papers", "papers", "by", "ak", "daily", "weekly", "monthly", "trending"}
SITE = {
    *("previous", "next", "company", "tos", "privacy", "about", "careers", "jobs", "website", "hugging", "face"),
    *("models", "datasets", "spaces", "pricing", "docs"),
}
SITE_FOOTER = "system theme"  # the first of the words below every page
CLOSINGS = {"trending papers ranked by github stars activity", "no papers found", "no results found"}
NOISE = re.compile(r"[-–•*+\[\]\\`·|\s]*")  # noqa: RUF001
VOTES = re.compile(r"\d[\d,]{0,8}")
AUTHORS = re.compile(r"(\d{1,6}) authors?")


class HeaderLine(Enum):
    """The kind of a line near the header."""

    HEADER = auto()
    FUSED = auto()
    DAY = auto()
    NOISE = auto()
    PAPER = auto()
    OTHER = auto()

    @classmethod
    def of(cls, words: str, *, has_subscribed: bool) -> HeaderLine:
        """`has_subscribed`: the line `Subscribe` stands above."""
        if NOISE.fullmatch(words[:LONGEST]) and words != "·":
            return cls.NOISE
        if words.startswith(SUBSCRIBE) and not has_subscribed:
            # alone, or run into the first title (Layout B); or a title that begins with the word
            rest = words.removeprefix(SUBSCRIBE)
            is_alone = not rest.strip(" !.") or rest.casefold() in HEADER
            is_word = not is_alone and (rest[0].isspace() or rest[0] in ":," or rest.split()[0] in {"d", "r", "rs"})
            return cls.HEADER if is_alone else cls.OTHER if is_word else cls.FUSED
        if len(words) > LONGEST or words == "·" or VOTES.fullmatch(words) or AUTHORS.fullmatch(words):
            return cls.PAPER
        if bare_day(words):
            return cls.DAY
        if is_banner(words) or words.casefold() in HEADER or PERIOD.fullmatch(words):
            return cls.HEADER
        return cls.NOISE if ADDRESS.match(words) else cls.OTHER


class Body(NamedTuple):
    """The lines of the papers, `start` to before `stop`, from 0, and the list's `day`.

    `first` are the words of the first line where a header line runs into them.
    """

    start: int
    stop: int
    first: str | None = None
    day: Day | None = None


def is_banner(text: str) -> bool:
    """Whether a line is one that only the header of a list has."""
    return len(text) <= LONGEST and bool(INBOX.fullmatch(text) or COMMUNITY.fullmatch(text))


def has_banner(lines: Iterable[str], marks: PageMarks) -> bool:
    return any(is_banner(_words(line, marks)) for line in lines)


def body_of(lines: Sequence[str], marks: PageMarks) -> Body:
    """The part of a page that holds papers. A page without a header is all papers."""
    stop = _stop(lines, marks)
    banners = (index for index, line in enumerate(lines[:ZONE]) if is_banner(_words(line, marks)))
    banner = next(banners, None)
    if banner is None:
        return Body(0, stop)
    body = _after(banner, lines[: banner + ZONE], marks)
    return body._replace(start=min(body.start, stop), stop=stop)


def text_below(lines: Sequence[str], body: Body, marks: PageMarks) -> int | None:
    """The first line below the papers, from 1, that the site has not there: of another page, or as long as an abstract.

    None on nearly all pages.
    """
    below = ((number, _words(lines[number - 1], marks)) for number in range(body.stop + 1, len(lines) + 1))
    return next((number for number, words in below if len(words) > LONGEST or is_banner(words)), None)


def _after(banner: int, lines: Sequence[str], marks: PageMarks) -> Body:
    """Walk down from the first header line to the first line that no header has."""
    start, unknown, has_subscribed = banner + 1, 0, False
    for index in range(banner + 1, len(lines)):
        words = _words(lines[index], marks)
        sort = HeaderLine.of(words, has_subscribed=has_subscribed)
        if sort is HeaderLine.FUSED and not unknown:
            return Body(index, 0, first=words.removeprefix(SUBSCRIBE))
        if sort is HeaderLine.DAY:
            return Body(index + 1, 0, day=bare_day(words))
        if sort is HeaderLine.HEADER:
            start, unknown = index + 1, 0
            has_subscribed = has_subscribed or words.startswith(SUBSCRIBE)
        unknown += sort in {HeaderLine.OTHER, HeaderLine.FUSED}
        if sort is HeaderLine.PAPER or unknown > UNKNOWN:
            break
    return Body(start, 0)


def _stop(lines: Sequence[str], marks: PageMarks) -> int:
    """The end of the papers: the site's own words below them are cut, from the last line upwards."""
    stop = len(lines)
    for index in range(max(0, stop - ZONE), stop):
        if _words(lines[index], marks).casefold() == SITE_FOOTER:
            stop = index
            break
    while stop:
        words = _words(lines[stop - 1], marks)
        plain = words.casefold()
        is_empty = not lines[stop - 1].strip() or (NOISE.fullmatch(words[:LONGEST]) and words not in {"-", "·"})
        is_address = marks.is_marked and ADDRESS.match(words)
        is_site = is_empty or plain in CLOSINGS or set(plain.split()) <= SITE or is_address
        if len(words) > LONGEST or not is_site:
            break
        stop -= 1
    return stop


def _words(line: str, marks: PageMarks) -> str:
    """A line without what an extractor puts around it; a long one as it is, for no header has it."""
    bare = line.strip()
    if len(bare) > 5 * LONGEST:
        return bare
    bare = bare.lstrip("#").strip()
    if marks.is_marked:
        bare = words_of(bare, marks).text
        return "" if ALT.match(bare) else bare
    return bare.removeprefix("•").strip() if len(bare) > 1 else bare
