"""The stand-in arXiv: its OAI-PMH interface on loopback, which counts the seconds between requests, and misbehaves."""

from datetime import date
from typing import Final
from urllib.parse import parse_qs, urlsplit

from tests.arxiv import records
from tests.arxiv.records import Record
from tests.hub.paced import PacedStandIn
from tests.hub.site import Page

XML: Final = "text/xml; charset=UTF-8"


class ArxivStandIn(PacedStandIn):
    """An arXiv, which wants three seconds between requests. Its tokens hold for the day, without a total or a cursor."""

    kind = "oai"
    seconds = 3.0

    def begin(self) -> None:
        self.records: dict[str, Record] = {}
        self.page_size = 3
        self.is_stuck = False  # every page has the same token
        self.tokens: dict[str, tuple[date, list[Record]]] = {}

    def page(self, target: str) -> Page:
        parts = urlsplit(target)
        asked = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/oai2":
            return Page(b"Moved.", 301, "text/html", {"Location": f"{self.url}/oai?{parts.query}"})
        if parts.path != "/oai":
            return Page(b"<html>no such page</html>", 404, "text/html")
        answer = {"GetRecord": self._record, "ListIdentifiers": self._changes}.get(asked.get("verb", ""))
        return Page(answer(asked) if answer else records.error("badVerb", self.now()), content_type=XML)

    def _record(self, asked: dict[str, str]) -> bytes:
        record = self.records.get(asked.get("identifier", "").removeprefix("oai:arXiv.org:"))
        return records.of_paper(record, self.now()) if record else records.error("idDoesNotExist", self.now())

    def _changes(self, asked: dict[str, str]) -> bytes:
        if "resumptionToken" in asked and not self.is_stuck:
            made_on, rest = self.tokens.get(asked["resumptionToken"], (date.min, []))
            if made_on != self.now().date():
                return records.error("badResumptionToken", self.now())
        else:
            since = date.fromisoformat(asked.get("from", "2026-01-01"))
            rest = sorted((one for one in self.records.values() if one.changed >= since), key=lambda one: one.arxiv_id)
        if not rest:
            return records.error("noRecordsMatch", self.now())
        token = "" if "resumptionToken" in asked else None
        if len(rest) > self.page_size:
            token = f"{len(self.tokens) + 1}|{rest[self.page_size].arxiv_id}"
            self.tokens[token] = self.now().date(), rest[self.page_size :]
        return records.of_changes(rest[: self.page_size], "1|stuck" if self.is_stuck else token, self.now())
