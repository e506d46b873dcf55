"""Letters: plain text and HTML of the same words, with the headers for unsubscribing by one click.

Whatever a title holds, it is one line of text in a body; no header repeats the source's words as they are.
"""

from __future__ import annotations

from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import css_inline
import dkim
from jinja2 import Environment

from flows.documents.rendering import day_in_words, environment
from flows.running.mail_config import DigestConfig
from paperlake.digest import laid_out
from paperlake.digest.news import PATIENCE, News, Newsroom, newest_list
from paperlake.digest.subscribers import Purpose, Wishes
from warehouse.errors import NothingThere, UsageError
from warehouse.release.query import Database
from warehouse.schema.daily_lists import closes_at

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
        subject = f"Papers of {day_in_words(first.listed_on)}: {laid_out.shown(first.papers[0].title)}"
    letter = _letter(config.sender, envelope, subject[:SUBJECT])
    letter["List-Id"] = f"<daily-papers.{config.sender.domain}>"
    letter["List-Unsubscribe"] = f"<{envelope.link}>"
    letter["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    text, html = parts(news, laid_out.Links(config.url, envelope.link, envelope.choose, config.lake_url))
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


def parts(news: News, links: laid_out.Links) -> tuple[str, str]:
    """The news as text and as HTML, whose style stands at each element: some readers know no style sheets."""
    lists = laid_out.shown_lists(news.lists)
    gaps = [(day_in_words(one.listed_on), laid_out.one_line(one.reason)) for one in news.gaps]
    words = {"lists": lists, "gaps": gaps, "trending": news.trending, "silent": news.silent, "is_whole": news.is_whole}
    words |= links._asdict()
    html = _environment().get_template("letter.html.j2").render(words)
    inliner = css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)
    return laid_out.letter_text(lists, news, gaps, links), inliner.inline(html)


def web_page(words: dict[str, object]) -> str:
    """The HTML of a page of the digest."""
    return _environment().get_template("pages/page.html.j2").render(words)


def dkim_signed(config: DigestConfig, letter: bytes) -> bytes:
    """The letter with a DKIM signature over its body and its headers to unsubscribe; unchanged without a key."""
    if config.dkim is None:
        return letter
    try:
        signature = dkim.DKIM(letter).sign(
            config.dkim.selector.encode(),
            config.dkim.domain.encode(),
            config.dkim.key,
            canonicalize=(b"relaxed", b"relaxed"),
            include_headers=[*SIGNED, *ONCE],
        )
    except (dkim.DKIMException, ValueError) as error:
        raise UsageError(f"PAPERLAKE_DIGEST_DKIM_KEY is no RSA key in PEM: {type(error).__name__}") from None
    return bytes(signature) + letter


def _letter(sender: Address, envelope: Envelope, subject: str) -> EmailMessage:
    letter = EmailMessage(policy=SMTP.clone(cte_type="7bit"))
    letter["From"], letter["To"] = sender, Address(addr_spec=envelope.address)
    letter["Subject"] = subject
    letter["Date"] = envelope.at.replace(tzinfo=UTC)
    letter["Message-ID"] = envelope.message_id
    letter["Auto-Submitted"] = "auto-generated"
    return letter


@cache
def _environment() -> Environment:
    made = environment(HERE)
    made.globals |= {"WHOLE": laid_out.WHOLE}
    made.filters |= {
        "one_line": laid_out.one_line,
        "shown": laid_out.shown,
        "who": laid_out.who,
        "why": laid_out.why,
        "stars": laid_out.stars,
        "page_of": laid_out.page_of,
        "silence": laid_out.silence,
    }
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
    return parts(news, laid_out.Links(SITE, f"{SITE}/unsubscribe/…", f"{SITE}/preferences/…"))[is_html]
