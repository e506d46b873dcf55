"""A letter as lines of text, and the words of its papers, which its HTML has too.

Whatever a title holds, it is one line.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple
from urllib.parse import quote

from flows.documents.page.page import EXPLORED
from flows.documents.rendering import day_in_words
from paperlake.digest.letter_papers import Filter, NewsPaper
from paperlake.digest.news import News, NewsList
from warehouse.printable import counted, printable
from warehouse.tex import untexed

MOST_PAPERS: Final = 60  # in a letter; over 100 KB some readers cut it off, and a paper takes about 1 KB
FEWEST_OF_A_LIST: Final = 10
LIST_PAGE: Final = "https://huggingface.co/papers/date/{}"
WHOLE: Final = "The whole list, since you have no filter."
GENERATED: Final = "AI summary: "
KINDS: Final = MappingProxyType(
    {"query": "the query", "authors": "the author", "organizations": "the organization", "keywords": "the keyword"}
)
WIDTH: Final = 78
INDENT: Final = " " * 4


class Shown(NamedTuple):
    """A list as a letter shows it: its first papers, and how many more the list has."""

    day: str
    reason: str
    papers: Sequence[NewsPaper]
    more_count: int
    url: str


class Links(NamedTuple):
    """Where the links of a letter lead: to the pages, to unsubscribe, to the preferences, to the lake."""

    home: str
    leave: str
    choose: str
    lake: str = ""


def shown_lists(lists: Sequence[NewsList]) -> list[Shown]:
    """The first papers of each list, so many that the letter is not too long."""
    most = max(FEWEST_OF_A_LIST, MOST_PAPERS // max(len(lists), 1))
    return [
        Shown(
            day_in_words(one.listed_on),
            one_line(one.reason),
            one.papers[:most],
            max(len(one.papers) - most, 0),
            LIST_PAGE.format(one.listed_on),
        )
        for one in lists
    ]


def one_line(text: str) -> str:
    r"""A text of the source as one line, with control characters spelled out.

    >>> one_line("A title\r\nBcc: all\x1b[2J")
    'A title Bcc: all\\u001b[2J'
    """
    return printable(" ".join(text.split()))


def who(paper: NewsPaper) -> str:
    """Authors, organization and upvotes of a paper, in a line."""
    names = [one_line(name) for name in paper.authors or []]
    rest = (paper.author_count or 0) - len(names)
    authors = ", ".join(names) + (f" and {rest} more" if names and rest > 0 else "")
    votes = (
        "" if paper.upvote_count is None else counted(paper.upvote_count, "upvote").replace(" ", "\N{NO-BREAK SPACE}")
    )
    return " · ".join(part for part in (authors, one_line(paper.organization or ""), votes) if part)


def shown(text: str) -> str:
    """A text of a paper as one line without TeX."""
    return one_line(untexed(text))


def why(paper: NewsPaper) -> str:
    """Why a paper is in the letter, as a sentence; empty of a whole list, whose heading says it."""
    words = one_line("; ".join(paper.why))
    return words[:1].upper() + words[1:]


def page_of(paper: NewsPaper, lake: str) -> str:
    """The page of a paper that outlives releases: in the explorer of the newest, else at the Hub; empty for none."""
    if not lake:
        return paper.links.get("Hugging Face", "")
    return f"{lake}/releases/latest/{EXPLORED.format(quote(paper.paper_id, safe=''))}"


def stars(paper: NewsPaper) -> str:
    """How many stars its code has."""
    return "" if paper.star_count is None else counted(paper.star_count, "star")


def silence(one: Filter) -> str:
    """That a filter found nothing."""
    return f"{KINDS[one.kind]} \N{LEFT DOUBLE QUOTATION MARK}{one_line(one.value)}\N{RIGHT DOUBLE QUOTATION MARK}"


def letter_text(lists: Sequence[Shown], news: News, gaps: Sequence[tuple[str, str]], links: Links) -> str:
    """The whole text part."""
    lines = [line for one in lists for line in _list(one, links, is_whole=news.is_whole)]
    lines += ["Trending", "--------", "", *_papers(news.trending, links)] if news.trending else []
    if news.silent:
        lines += ["Filters without a paper in 30 days", "-" * 34, *map(silence, news.silent), ""]
    if gaps:
        lines += [
            "Days without a list",
            "-------------------",
            *(line for day, reason in gaps for line in _wrapped(f"{day}: {reason}", "")),
            "",
        ]
    lines += ["-" * 3, "Filters, hour, how often:", links.choose]
    lines += ["You subscribed at", links.home, "To unsubscribe:", links.leave]
    return "\n".join(lines) + "\n"


def _list(one: Shown, links: Links, *, is_whole: bool) -> Iterator[str]:
    heading = f"Papers of {one.day}"
    yield from (heading, "=" * len(heading), "")
    if one.reason:
        yield from (*_wrapped(f"Papers may be missing: {one.reason}", ""), "")
    yield from (WHOLE, "") if is_whole else ()
    yield from _papers(one.papers, links)
    if one.more_count:
        yield from (f"and {one.more_count} more:", one.url, "")


def _papers(papers: Sequence[NewsPaper], links: Links) -> Iterator[str]:
    for place, paper in enumerate(papers, 1):
        yield from _wrapped(shown(paper.title), f"{place:2}. ")
        yield from _wrapped(f"({paper.status})" if paper.status else "", INDENT)
        yield from _wrapped(f"{GENERATED if paper.is_generated else ''}{shown(paper.summary)}", INDENT)
        yield from _wrapped(who(paper), INDENT)
        yield from _wrapped(why(paper), INDENT)
        addresses = dict.fromkeys([page_of(paper, links.lake), *reversed(paper.links.values())])
        yield from (INDENT + address for address in addresses if address)
        if paper.code:
            yield INDENT + " ".join(filter(None, (one_line(paper.code), stars(paper) and f"({stars(paper)})")))
        yield ""


def _wrapped(text: str, before: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=before, subsequent_indent=" " * len(before))
