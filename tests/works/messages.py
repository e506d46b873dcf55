"""Answers of an invented Crossref, in the shapes of the real one, and the stand-in that gives them on loopback."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final
from urllib.parse import quote, unquote

from tests.hub.paced import PacedStandIn
from tests.hub.site import Page

BASE: Final = "https://api.crossref.org"
NO_SUCH: Final = b"Resource not found."
JSON: Final = "application/json"


def work_url(doi: str, base: str = BASE) -> str:
    return f"{base}/works/{quote(doi, safe='')}"


def dated(day: date | None) -> dict[str, Any]:
    parts = [day.year, day.month, day.day] if day else [None]
    return {"date-parts": [parts], "date-time": f"{day}T00:00:00Z", "timestamp": 0}


@dataclass(frozen=True)
class Update:
    """An update as a record lists it, in `update-to` or `updated-by`."""

    doi: str
    type: str = "retraction"
    source: str = "publisher"
    on: date | None = date(2026, 5, 9)

    @property
    def listed(self) -> dict[str, Any]:
        label = self.type.capitalize()
        stated = {"DOI": self.doi, "type": self.type, "label": label, "source": self.source, "updated": dated(self.on)}
        return stated | ({"record-id": "20946"} if self.source == "retraction-watch" else {})


@dataclass(frozen=True)
class Message:
    """A work's record; `preprints` and `preprint_of` are pairs of an id's type and an id."""

    doi: str
    type: str = "journal-article"
    title: str = "Woven Looms"
    venue: str | None = "Journal of <i>Looms</i> & Tides"
    published: Sequence[int | None] = (2026, 3)
    preprints: Sequence[tuple[str, str]] = ()
    preprint_of: Sequence[tuple[str, str]] = ()
    update_to: Sequence[Update] = ()
    updated_by: Sequence[Update] = ()
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def answer(self) -> bytes:
        related = {"has-preprint": self.preprints, "is-preprint-of": self.preprint_of}
        message = {
            "DOI": self.doi.upper(),
            "type": self.type,
            "title": [self.title],
            "container-title": [self.venue] if self.venue else [],
            "publisher": "Tide Press",
            "published": {"date-parts": [list(self.published)]},
            "volume": "3",
            "page": "7-19",
            "author": [
                {"ORCID": "https://orcid.org/0000-0001", "given": "Ada", "family": "Weaver", "sequence": "first"},
                {"given": "Lin", "family": "Tide", "sequence": "additional", "affiliation": [{"name": "Looms"}]},
                {"name": "Weaver Collaboration", "sequence": "additional"},
            ],
            "relation": {
                name: [{"id-type": kind, "id": one, "asserted-by": "subject"} for kind, one in ids]
                for name, ids in related.items()
                if ids
            },
            "reference": [{"key": "1", "author": "Weaver", "article-title": "Old Looms", "year": "2019"}],
        }
        message |= {"update-to": [one.listed for one in self.update_to]} if self.update_to else {}
        message |= {"updated-by": [one.listed for one in self.updated_by]} if self.updated_by else {}
        answer = {"status": "ok", "message-type": "work", "message-version": "1.0.0", "message": message | self.more}
        return json.dumps(answer).encode()


class CrossrefStandIn(PacedStandIn):
    """A Crossref, which wants a second between requests, or the seconds that it states. DOIs of DataCite, such as
    arXiv's, it has not.
    """

    kind = "works"

    def begin(self) -> None:
        self.works: dict[str, Message] = {}

    def page(self, target: str) -> Page:
        limits = {"X-Rate-Limit-Limit": "1", "X-Rate-Limit-Interval": f"{self.seconds:.0f}s"}
        doi = unquote(target.removeprefix("/works/")).lower()
        if doi not in self.works:
            return Page(NO_SUCH, 404, "text/plain", limits)
        return Page(self.works[doi].answer, 200, JSON, limits)

    @property
    def asked(self) -> list[str]:
        """The DOIs that were asked for, in order."""
        return [unquote(call.target.removeprefix("/works/")) for call in self.calls]
