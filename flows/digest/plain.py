"""The text part of a letter, for a terminal of 80 columns; only a long address makes a longer line."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from warehouse.printable import printable

if TYPE_CHECKING:
    from flows.digest.letters import Shown
    from flows.digest.news import Paper

WIDTH: Final = 78
INDENT: Final = " " * 4


def one_line(text: str) -> str:
    r"""A text of the source as one line, with control characters spelled out.

    >>> one_line("A title\r\nBcc: all\x1b[2J")
    'A title Bcc: all\\u001b[2J'
    """
    return printable(" ".join(text.split()))


def who(paper: Paper) -> str:
    """Authors, organization and upvotes of a paper, in a line."""
    names = [one_line(name) for name in paper.authors or []]
    rest = (paper.author_count or 0) - len(names)
    authors = ", ".join(names) + (f" and {rest} more" if names and rest > 0 else "")
    votes = (
        ""
        if paper.upvote_count is None
        else f"{paper.upvote_count:,}\N{NO-BREAK SPACE}upvote{'s' * (paper.upvote_count != 1)}"
    )
    return " · ".join(part for part in (authors, one_line(paper.organization or ""), votes) if part)


def letter_text(
    lists: Sequence[Shown], trending: Sequence[Paper], gaps: Sequence[tuple[str, str]], unsubscribe: str, url: str
) -> str:
    """The whole text part."""
    lines = [line for one in lists for line in _list(one)]
    lines += ["Trending", "--------", "", *_papers(trending)] if trending else []
    if gaps:
        lines += [
            "Days without a list",
            "-------------------",
            *(line for day, reason in gaps for line in _wrapped(f"{day}: {reason}", "")),
            "",
        ]
    lines += ["-" * 3, "You subscribed at", url, "To unsubscribe:", unsubscribe]
    return "\n".join(lines) + "\n"


def _list(shown: Shown) -> Iterator[str]:
    heading = f"Papers of {shown.day}"
    yield from (heading, "=" * len(heading), "")
    if shown.reason:
        yield from (*_wrapped(f"Papers may be missing: {shown.reason}", ""), "")
    yield from _papers(shown.papers)
    if shown.more_count:
        yield from (f"and {shown.more_count} more:", shown.url, "")


def _papers(papers: Sequence[Paper]) -> Iterator[str]:
    for place, paper in enumerate(papers, 1):
        yield from _wrapped(one_line(paper.title), f"{place:2}. ")
        yield from _wrapped(who(paper), INDENT)
        yield from (INDENT + address for address in list(paper.links.values())[-1:])
        yield ""


def _wrapped(text: str, before: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=before, subsequent_indent=" " * len(before))
