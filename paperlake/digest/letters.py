"""Letters: plain text and HTML of the same words, with the headers for unsubscribing by one click.

Whatever a title holds, it is one line of text in a body; no header repeats the source's words as they are.
"""

import textwrap
from collections.abc import Sequence
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple
from unicodedata import bidirectional
from urllib.parse import quote

import css_inline
import dkim
from jinja2 import Environment
from markupsafe import Markup, escape

from flows.documents.page.page import EXPLORED
from flows.documents.rendering import day_in_words, environment
from flows.running.mail import DigestConfig
from paperlake.digest.letter_papers import Filter, NewsPaper
from paperlake.digest.news import PATIENCE, News, NewsList, Newsroom, newest_list
from paperlake.digest.subscribers import Purpose, Wishes
from warehouse.errors import NothingThere
from warehouse.printable import counted, printable
from warehouse.release.query import Database
from warehouse.schema.daily_lists import closes_at
from warehouse.tex import untexed

MOST_PAPERS: Final = 60  # in a letter; over 100 KB some readers cut it off, and a paper takes about 1 KB
FEWEST_OF_A_LIST: Final = 10
LIST_PAGE: Final = "https://huggingface.co/papers/date/{}"
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


def isolated(name: str) -> str:
    r"""A name as one line; one that is written from right to left turns nothing around beside it.

    >>> ascii(isolated("Ada")), ascii(isolated("\u0645\u0639"))
    ("'Ada'", "'\\u2068\\u0645\\u0639\\u2069'")
    """
    line = one_line(name)
    return f"\u2068{line}\u2069" if {"R", "AL"} & set(map(bidirectional, line)) else line


def who(paper: NewsPaper) -> str:
    """Authors, organization and upvotes of a paper, in a line."""
    names = [isolated(name) for name in paper.authors or []]
    rest = (paper.author_count or 0) - len(names)
    authors = ", ".join(names) + (f" and {rest} more" if names and rest > 0 else "")
    votes = (
        "" if paper.upvote_count is None else counted(paper.upvote_count, "upvote").replace(" ", "\N{NO-BREAK SPACE}")
    )
    return " · ".join(part for part in (authors, isolated(paper.organization or ""), votes) if part)


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
    """The line for a filter that found nothing."""
    return f"{KINDS[one.kind]} \N{LEFT DOUBLE QUOTATION MARK}{isolated(one.value)}\N{RIGHT DOUBLE QUOTATION MARK}"


def wrapped(text: str, before: str = "") -> Markup:
    """A text of the letter's text part in lines, behind what the first one begins with."""
    lines = textwrap.wrap(text, WIDTH, initial_indent=before, subsequent_indent=" " * len(before))
    return Markup("\n".join(lines))  # noqa: S704 - as it is: this part has no markup


HERE: Final = Path(__file__).parent
SUBJECT: Final = 120
UNSUBSCRIBE: Final = ("list-unsubscribe", "list-unsubscribe-post")
SIGNED: Final = ("from", "to", "subject", "date", "message-id", "mime-version", "content-type", *UNSUBSCRIBE)
ONCE: Final = ("from", "subject", *UNSUBSCRIBE)  # signed twice: a second one added on the way breaks the signature


class Envelope(NamedTuple):
    """To whom a letter goes, its Message-ID and time, and the link in it.

    Of an edition it is the one to unsubscribe, and there is one to the preferences too.
    """

    address: str
    message_id: str
    at: datetime
    link: str
    choose: str = ""


def edition(config: DigestConfig, news: News, envelope: Envelope) -> bytes:
    """The letter with the news, signed where there is a key."""
    subject = "A filter of yours found nothing in 30 days"
    if news.lists:
        first = news.lists[0]
        subject = f"Papers of {day_in_words(first.listed_on)}: {shown(first.papers[0].title)}"
    letter = _letter(config.sender, envelope, subject[:SUBJECT])
    letter["List-Id"] = f"<daily-papers.{config.sender.domain}>"
    letter["List-Unsubscribe"] = f"<{envelope.link}>"
    letter["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    text, html = parts(news, Links(config.url, envelope.link, envelope.choose, config.lake_url))
    letter.set_content(text, cte="quoted-printable")
    letter.add_alternative(html, subtype="html", cte="quoted-printable")
    return dkim_signed(config, letter.as_bytes())


def note(config: DigestConfig, purpose: Purpose, envelope: Envelope) -> bytes:
    """The letter that somebody asked for: with a link to confirm the address, or to the preferences."""
    is_new = purpose is Purpose.CONFIRM
    subject = "Please confirm: daily papers by mail" if is_new else "Your preferences for daily papers by mail"
    asked = "to get the daily papers by mail" if is_new else "for the preferences of your daily papers"
    text = (
        f"Somebody, hopefully you, asked {asked}.\n\n"
        f"{'Confirm' if is_new else 'Change them'} here, within {'two days' if is_new else '30 days'}:\n\n"
        f"{envelope.link}\n\n"
        "If it was not you, ignore this letter: nothing will happen.\n"
    )
    letter = _letter(config.sender, envelope, subject)
    letter.set_content(text, cte="quoted-printable")
    return dkim_signed(config, letter.as_bytes())


def parts(news: News, links: Links) -> tuple[str, str]:
    """The news as text and as HTML, whose style stands at each element: some readers know no style sheets."""
    lists = shown_lists(news.lists)
    gaps = [(day_in_words(one.listed_on), one_line(one.reason)) for one in news.gaps]
    words = {"lists": lists, "gaps": gaps, "trending": news.trending, "silent": news.silent, "is_whole": news.is_whole}
    words |= links._asdict()
    text, html = (_environment().get_template(f"letter.{kind}.j2").render(words) for kind in ("txt", "html"))
    inliner = css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)
    return text, inliner.inline(html)


def web_page(words: dict[str, object]) -> str:
    """The HTML of a page of the digest."""
    return _environment().get_template("page.html.j2").render(words)


def dkim_signed(config: DigestConfig, letter: bytes) -> bytes:
    """The letter with a DKIM signature over its body and its headers to unsubscribe; unchanged without a key."""
    if config.dkim is None:
        return letter
    signature = dkim.DKIM(letter).sign(
        config.dkim.selector.encode(),
        config.dkim.domain.encode(),
        config.dkim.key,
        canonicalize=(b"relaxed", b"relaxed"),
        include_headers=[*SIGNED, *ONCE],
    )
    return bytes(signature) + letter


def _letter(sender: Address, envelope: Envelope, subject: str) -> EmailMessage:
    letter = EmailMessage(policy=SMTP.clone(cte_type="7bit"))
    letter["From"], letter["To"] = sender, Address(addr_spec=envelope.address)
    letter["Subject"] = subject.replace("=?", "= ?")  # an encoded word would be decoded, line ends and all
    letter["Date"] = envelope.at.replace(tzinfo=UTC)
    letter["Message-ID"] = envelope.message_id
    letter["Auto-Submitted"] = "auto-generated"
    return letter


@cache
def _environment() -> Environment:
    made = environment(HERE)
    made.globals |= {"indent": INDENT, "who": who, "silence": silence}
    made.filters |= {one.__name__: one for one in (one_line, shown, why, stars, page_of, wrapped)}
    # Markup keeps the signs of direction, which are ours here: in other texts they are spelled out
    made.filters |= {"who": lambda paper: escape(who(paper)), "silence": lambda one: escape(silence(one))}
    return made


SITE: Final = "https://digest.example"


def preview_text(database: Database, wishes: Wishes, *, is_html: bool) -> str:
    """The text or the HTML of the letter; NothingThere where no paper of the newest list matches the wishes."""
    newest = newest_list(database)
    if newest is None:
        raise NothingThere("the latest release has no daily list with papers yet")
    news = Newsroom(database, closes_at(newest) + PATIENCE).news(wishes, [newest])
    if news is None:
        raise NothingThere(f"no paper of the list of {newest} matches")
    return parts(news, Links(SITE, f"{SITE}/unsubscribe/…", f"{SITE}/preferences/…"))[is_html]
