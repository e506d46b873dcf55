"""Answers of an invented OpenAlex, in the shapes of the real one, and the stand-in that gives them on loopback."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit
from zlib import crc32

from tests.hub.paced import PacedStandIn
from tests.hub.site import Page

BASE: Final = "https://api.openalex.org"
CREDITS: Final = 1_000
A_PAGE: Final = 100
JSON: Final = "application/json"


def arxiv_location(paper: str, form: str = "id") -> dict[str, Any]:
    """A place at arXiv, told by its id, by its address, or by the DOI that arXiv gives."""
    named = {
        "id": {"id": f"pmh:oai:arXiv.org:{paper}", "landing_page_url": f"http://arxiv.org/abs/{paper}"},
        "address": {"landing_page_url": f"https://arxiv.org/abs/{paper}"},
        "doi": {"id": f"doi:10.48550/arxiv.{paper}", "landing_page_url": f"https://doi.org/10.48550/arxiv.{paper}"},
    }
    source = {"id": f"{BASE}/S4306400194", "display_name": "arXiv (Cornell University)", "type": "repository"}
    return named[form] | {"is_oa": True, "version": "submittedVersion", "source": source}


@dataclass(frozen=True)
class OpenWork:
    """A work as a list has it; `papers` are those at arXiv that it holds, and `venue` is where it was published."""

    doi: str | None
    papers: Sequence[str] = ()
    venue: str | None = "Journal of Looms"
    venue_type: str = "journal"
    type: str = "article"
    title: str | None = "Woven Looms"
    published: str | None = "2026-03-09"
    is_retracted: bool = False
    form: str = "id"
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def item(self) -> dict[str, Any]:
        source = {"id": f"{BASE}/S7", "display_name": self.venue, "host_organization_name": "Tide Press"}
        address = f"https://doi.org/{self.doi}" if self.doi else "https://proceedings.example/7"
        there = {"id": f"doi:{self.doi}", "landing_page_url": address, "version": "publishedVersion"}
        places = [there | {"source": source | {"type": self.venue_type}}] if self.venue else []
        places += [arxiv_location(one, self.form) for one in self.papers]
        return {
            "id": f"https://openalex.org/W{crc32(repr((self.doi, *self.papers)).encode())}",
            "doi": f"https://doi.org/{self.doi}" if self.doi else None,
            "title": self.title,
            "type": self.type,
            "publication_date": self.published,
            "is_retracted": self.is_retracted,
            "biblio": {"volume": "3", "issue": None, "first_page": "7", "last_page": "19"},
            "primary_location": places[0] if places else None,
            "locations": places,
        } | self.more


def listed(works: Iterable[OpenWork], count: int | None = None) -> bytes:
    items = [one.item for one in works]
    meta = {"count": len(items) if count is None else count, "db_response_time_ms": 7, "page": 1, "per_page": A_PAGE}
    return json.dumps({"meta": meta, "results": items, "group_by": []}).encode()


def list_url(named: str, base: str = BASE) -> str:
    return f"{base}/works?{urlencode({'filter': named})}"


class OpenAlexStandIn(PacedStandIn):
    """An OpenAlex, which gives away so many credits a day, one a list, and answers 429 where none is left."""

    kind = "works"

    def begin(self) -> None:
        self.works: list[OpenWork] = []
        self.credits = CREDITS
        self._used, self._day = 0, self.now().date()

    def page(self, target: str) -> Page:
        """The works of a filter, up to a page of them, with what is left of the day's credits."""
        asked = {name: values[-1] for name, values in parse_qs(urlsplit(target).query).items()}
        name, _, values = asked["filter"].partition(":")
        wanted = {one.lower() for one in values.split("|")}
        found = [one for one in self.works if wanted & _named(one, name)]
        return Page(listed(found[:A_PAGE], len(found)), 200, JSON, self.limits)

    @property
    def limits(self) -> dict[str, str]:
        """What it says of the day's credits."""
        midnight = datetime.combine(self.now().date() + timedelta(days=1), datetime.min.time())
        stated = {"Limit": self.credits, "Remaining": max(0, self.credits - self._used), "Credits-Required": 1}
        stated |= {"Reset": int((midnight - self.now()).total_seconds())}
        return {f"X-RateLimit-{name}": str(value) for name, value in stated.items()}

    def refusal(self) -> Page | None:
        if self.now().date() != self._day:
            self._day, self._used = self.now().date(), 0
        if self._used >= self.credits:
            limits = self.limits | {"Retry-After": self.limits["X-RateLimit-Reset"]}
            return Page(b'{"error": "Rate limit exceeded"}', 429, JSON, limits)
        self._used += 1
        return None

    @property
    def filters(self) -> list[str]:
        """The filters that were asked for, in order."""
        return [parse_qs(urlsplit(call.target).query)["filter"][-1] for call in self.calls]

    @property
    def asked(self) -> list[str]:
        """The DOIs and the papers that were asked for, in order, each once a filter."""
        told = ((named.partition(":")[2].split("|"), 1 if named.startswith("doi:") else 3) for named in self.filters)
        return [one.rpartition("/abs/")[2] for values, each in told for one in values[::each]]


def _named(one: OpenWork, name: str) -> set[str]:
    """By what a filter finds a work: its own DOI, or the addresses of its locations as they stand."""
    item = one.item
    if name == "doi":
        return {(one.doi or "").lower()}
    return {(place.get("landing_page_url") or "").lower() for place in item["locations"]}
