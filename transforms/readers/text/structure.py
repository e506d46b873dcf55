"""Lines that are neither title nor abstract, recognised by their form: votes, authors, dates, the site's own words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from transforms.readers.text.dates import Day, date_line
from transforms.readers.text.header import AUTHORS
from transforms.readers.text.item import STAR_COUNT, Item, Kind, count_of
from transforms.readers.text.marks import Link

LONGEST = 300  # characters of a line that is neither title nor abstract
BULLET = re.compile(r"\s*[•*+-]\s*")
NUMBER = re.compile(r"\d{1,9}|\d{1,3}(?:,\d{3}){1,2}|-")
BUTTON = (
    rf"(?:(?:LINK: )?GitHub(?: {STAR_COUNT})?(?: auto)?|(?:View )?arXiv page|View PDF|Project page|Add to collection)"
)
BUTTONS = re.compile(rf"{BUTTON}(?: {BUTTON})*", re.IGNORECASE)
STARS = re.compile(rf"(?:GitHub|[⭐★]) ?({STAR_COUNT})")
UPVOTES = re.compile(r"Upvotes? (\d{1,9}|-)")
PUBLISHED = "Published on "
SUBMITTED = "Submitted by"
SUMMARY = "AI-generated summary"
LABELS = {SUBMITTED, "Upvote", "GitHub"}


class Row(NamedTuple):
    """A line: as it stands, its words, its number from 1, its links, and how it was written."""

    bare: str
    text: str
    number: int
    links: tuple[Link, ...] = ()
    is_marked: bool = False
    is_bulleted: bool = False


def structure(row: Row) -> Iterator[Item]:
    """The items of a short line that is neither title nor abstract; none where it may be one."""
    if len(row.text) > LONGEST:
        return
    if found := date_line(row.bare) or date_line(row.text):
        yield _dated(Kind.DATE, found, row, is_sure=row.bare.startswith(PUBLISHED))
    elif authors := AUTHORS.fullmatch(_unbulleted(row.text)):
        yield Item(Kind.AUTHORS, row.number, row.text, int(authors[1]), is_sure=row.is_bulleted)
    elif NUMBER.fullmatch(row.text):
        yield Item(Kind.NUMBER, row.number, row.text, count_of(row.text), links=row.links, is_sure=False)
    elif row.text == "·":
        yield Item(Kind.DOT, row.number)
    elif "·" in row.bare:
        yield from _footer(row)
    else:
        yield from _site_words(row)


def _unbulleted(text: str) -> str:
    return text[match.end() :].strip() if (match := BULLET.match(text)) else text


def _dated(kind: Kind, found: tuple[Day, int | None], row: Row, *, is_sure: bool) -> Item:
    day, comments = found
    return Item(kind, row.number, row.bare, comments, day, is_sure=is_sure)


def _footer(row: Row) -> Iterator[Item]:
    """A footer on one line: `8 authors · Oct 6, 2022 3`, `AI at Meta · Published on Sep 23, 2025`."""
    left, right = row.text.rpartition("·")[0].strip(), row.bare.rpartition("·")[2].strip()
    found, counted = date_line(right), AUTHORS.fullmatch(_unbulleted(left) or right)
    if counted and (found or not left):
        yield Item(Kind.AUTHORS, row.number, row.text, int(counted[1]))
    elif found and left:
        named = _dated(Kind.ORGANIZATION, found, row, is_sure=row.is_marked)
        yield named._replace(links=row.links, text=row.text if row.is_marked else row.bare)
        return
    if found or (counted and not left):
        yield Item(Kind.DOT, row.number)
    if found:
        yield _dated(Kind.DATE, found, row, is_sure=True)


def _site_words(row: Row) -> Iterator[Item]:
    """Words of the site with their value, or with the value on the next line."""
    text, number, links = row.text, row.number, row.links
    if text in LABELS:
        yield Item(Kind.LABEL, number, text, links=links)
    elif text.startswith(f"{SUBMITTED} ") and " " not in text.removeprefix(f"{SUBMITTED} "):
        yield Item(Kind.SUBMITTER, number, text.removeprefix(f"{SUBMITTED} "), links=links)
    elif votes := UPVOTES.fullmatch(text):
        yield Item(Kind.VOTES, number, text, count_of(votes[1]), links=links)
    elif text == SUMMARY:
        yield Item(Kind.SUMMARY, number)
    elif BUTTONS.fullmatch(text) or STARS.fullmatch(text):
        stars = STARS.search(text)
        yield Item(Kind.STARS, number, text, count_of(stars[1]) if stars else None, links=links)
