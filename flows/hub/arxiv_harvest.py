"""arXiv's client, by OAI-PMH: the record of one paper, or the headers of all that changed since a day.

It is the interface that arXiv offers to programs, under its terms of use; robots.txt, which is for crawlers of pages,
is not asked for. Facts that are known: docs/arxiv.md.
"""

import html
import re
from collections.abc import Iterator
from datetime import date
from http import HTTPStatus
from typing import Final
from urllib.parse import urlencode

from flows.hub.budget import Patience
from flows.hub.paced import Manners, PacedSource
from warehouse.archive.captured import Capture, Failed, Outcome

XML: Final = ("text/xml", "application/xml")
FORMAT: Final = "arXivRaw"
SECONDS: Final = 3.0  # arXiv's terms of use: one request in three seconds, for all its interfaces together
MOST_PAGES: Final = 200  # of changes: a day has one or two, of some 1,300 headers
# A busy arXiv answers 503 after three minutes, with a Retry-After of 0 that does not help
PATIENCE: Final = Patience(
    read_seconds=200, total_seconds=300, tries=2, backoff_seconds=60, longest_backoff_seconds=600
)
NO_ANSWER: Final = "the answer is no OAI-PMH"
MARGIN: Final = 4096
TOKEN: Final = re.compile(rb"<resumptionToken\b[^<>]*>([^<>]{1,4000})</resumptionToken>")
LOST_TOKEN: Final = re.compile(rb"<error\s+code\s*=\s*[\"']badResumptionToken[\"']")


def no_oai(found: Capture) -> str | None:
    """Why an answer is none of OAI-PMH; an error's page is one to keep."""
    is_ok = found.http_status == HTTPStatus.OK
    return NO_ANSWER if is_ok and b"OAI-PMH" not in found.payload[:MARGIN] else None


class Arxiv(PacedSource):
    """arXiv. A Capture is also an answer that is an error, which OAI-PMH sends under 200."""

    manners = Manners(name="arXiv", setting="arxiv", seconds=SECONDS, patience=PATIENCE, types=XML, fault=no_oai)

    def ask(self, subject: str) -> Outcome:
        """The record of one paper, with all its versions."""
        asked = {"verb": "GetRecord", "identifier": f"oai:arXiv.org:{subject}", "metadataPrefix": FORMAT}
        return self.fetch(self._url(asked))

    def changes(self, since: date, token: str | None = None) -> Iterator[Outcome]:
        """The headers of all records that changed since a day, page by page; from `token` on, where one is known.

        A token that arXiv has lost begins the list anew, once.
        """
        first = {"verb": "ListIdentifiers", "metadataPrefix": FORMAT, "from": since.isoformat()}
        asked = self._following(token) if token else first
        may_begin_anew, used = True, {token}
        for _ in range(MOST_PAGES):
            found = self.fetch(self._url(asked))
            yield found
            if not isinstance(found, Capture):
                return
            if LOST_TOKEN.search(found.payload[:MARGIN]) and asked is not first and may_begin_anew:
                asked, may_begin_anew, used = first, False, {None}
                continue
            following = token_of(found.payload)
            if following is None:
                return
            if following in used:
                yield Failed(
                    self._url(self._following(following)), self._clock.now(), "not fetched: its token came before"
                )
                return
            used.add(following)
            asked = self._following(following)
        yield Failed(self._url(asked), self._clock.now(), f"the list goes on after {MOST_PAGES} pages")

    @staticmethod
    def _following(token: str) -> dict[str, str]:
        return {"verb": "ListIdentifiers", "resumptionToken": token}

    def _url(self, asked: dict[str, str]) -> str:
        return f"{self.base}?{urlencode(asked)}"


def token_of(payload: bytes) -> str | None:
    """The token of the page that follows, as an answer ends with it; None where none follows."""
    found = TOKEN.search(payload, max(0, len(payload) - MARGIN))
    return (html.unescape(found[1].decode("utf-8", "replace")).strip() or None) if found else None
