"""What the stand-in Hub answers when it behaves: the endpoints of docs/source.md §1, in the source's current shape."""

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests import invented
from tests.hub.days import Days
from tests.invented import Paper

JSON = "application/json; charset=utf-8"
HTML = "text/html; charset=utf-8"
DEFAULT_LIMIT = 50
MOST = 100
MOST_CITING = 100  # repositories a page, however many are asked for
CITING = ("/api/models", "/api/datasets", "/api/spaces")
SEARCHED_DAYS = 30
TRENDING_DAYS = 14
NOT_FOUND = {"error": "Sorry, we can't find the page you are looking for."}


@dataclass(frozen=True)
class Page:
    """An answer before it is sent."""

    body: bytes
    status: int = 200
    content_type: str = JSON
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def etag(self) -> str:
        return f'W/"{len(self.body):x}-{hashlib.sha1(self.body, usedforsecurity=False).hexdigest()[:27]}"'


def as_page(value: object, status: int = 200) -> Page:
    return Page(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(), status)


class Site:
    """The pages of an invented Hub at the moment that `now` returns (UTC without zone)."""

    def __init__(self, days: Days, now: Callable[[], datetime]) -> None:
        self.days, self.now = days, now
        self.url = ""
        self.cited: dict[tuple[str, str], int] = {}  # how many repositories of a kind cite a paper, if not a few
        self.most_linked = 10  # that a paper's own answer lists
        self.shift = 0  # by how many places a cursor is late
        self.robots = "User-agent: *\nAllow: /\n"

    def page(self, target: str) -> Page:
        """What stands at a target, which is an address without its host."""
        parts = urlsplit(target)
        asked = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        path = parts.path.rstrip("/")
        if path == "/robots.txt":
            return Page(self.robots.encode(), content_type="text/plain; charset=utf-8")
        asked_of = {
            "/papers": self._list_page,
            "/api/daily_papers": self._daily_papers,
            "/api/papers/search": self._search,
        }
        if path in asked_of:
            return asked_of[path](asked)
        if path.startswith("/api/papers/"):
            return self._paper(path.rpartition("/")[2])
        if path in CITING:
            return self._citing(path.rpartition("/")[2], asked)
        return as_page(NOT_FOUND, 404)

    def _daily_papers(self, asked: dict[str, str]) -> Page:
        try:
            papers = self._asked_for(asked)
            limit, page = int(asked.get("limit", DEFAULT_LIMIT)), int(asked.get("p", 0))
        except ValueError as error:
            return as_page({"error": str(error)}, 400)
        if not 1 <= limit <= MOST or page < 0:
            return as_page({"error": "✖ Invalid input"}, 400)
        return as_page(self._items(papers[page * limit : (page + 1) * limit]))

    def _asked_for(self, asked: dict[str, str]) -> list[Paper]:
        today = self.now().date()
        if "date" in asked:
            day = date.fromisoformat(asked["date"])
            if day > today:
                raise ValueError("the date lies in the future")
            return self._of(day)
        if "week" in asked:
            monday = date.fromisoformat(f"{asked['week']}-1")
            return self._best(monday + timedelta(days) for days in range(7))
        if "month" in asked:
            first = date.fromisoformat(f"{asked['month']}-01")
            days = (first + timedelta(days) for days in range(31))
            return self._best(day for day in days if day.month == first.month)
        if asked.get("sort") == "trending":
            return self._best(today - timedelta(days) for days in range(TRENDING_DAYS))
        lately = (today - timedelta(days) for days in range(SEARCHED_DAYS))
        return [paper for day in lately for paper in reversed(self._of(day))]

    def _of(self, day: date) -> list[Paper]:
        return self.days.papers(day, self.now())

    def _best(self, days: Iterable[date]) -> list[Paper]:
        return sorted((paper for day in days for paper in self._of(day)), key=lambda paper: -paper.upvotes)

    def _items(self, papers: Iterable[Paper]) -> list[dict[str, Any]]:
        return [invented.list_item(paper, self.now()) for paper in papers]

    def _search(self, asked: dict[str, str]) -> Page:
        wanted = asked.get("q", "").lower()
        found = [paper for paper in self._asked_for({}) if wanted in paper.title.lower()]
        items = self._items(found[: int(asked.get("limit", DEFAULT_LIMIT))])
        for item in items:
            item["highlightedTitle"] = [{"type": "text", "text": item["title"]}]
        return as_page(items)

    def _paper(self, arxiv_id: str) -> Page:
        paper = self.days.find(arxiv_id, self.now())
        if paper is None:
            return as_page(NOT_FOUND, 404)
        linked: dict[str, Any] = {}
        for kind, count in self._cited(paper).items():
            shown = range(min(count, self.most_linked))
            linked[f"linked{kind.title()}"] = [_repository(kind.removesuffix("s"), place) for place in shown]
            linked[f"numTotal{kind.title()}"] = count
        return as_page(invented.paper_object(paper, self.now()) | linked)

    def _cited(self, paper: Paper) -> dict[str, int]:
        """How many repositories of each kind cite a paper."""
        found = {kind: len(paper.title) % number for kind, number in (("models", 7), ("datasets", 5), ("spaces", 3))}
        return found | {kind: count for (one, kind), count in self.cited.items() if one == paper.arxiv_id}

    def _citing(self, kind: str, asked: dict[str, str]) -> Page:
        """A page of the repositories that cite a paper, most liked first; the cursor is a place that shifts."""
        paper = self.days.find(asked.get("filter", "").removeprefix("arxiv:"), self.now())
        count = self._cited(paper)[kind] if paper else 0
        size = min(int(asked.get("limit", MOST_CITING)), MOST_CITING)
        start = int(asked.get("cursor", 0))
        first = max(0, start - self.shift)
        body = as_page(
            [_repository(kind.removesuffix("s"), count - 1 - place) for place in range(count)[first:][:size]]
        )
        end = first + size
        link = f"{self.url}/api/{kind}?filter=arxiv%3A{paper.arxiv_id if paper else ''}&limit={size}&cursor={end}"
        return Page(body.body, headers={"Link": f'<{link}>; rel="next"'} if end < count else {})

    def _list_page(self, asked: dict[str, str]) -> Page:
        """A day's list; of a day without one, the list before."""
        try:
            day = date.fromisoformat(asked.get("date", self.now().date().isoformat()))
        except ValueError:
            return Page(b"<!doctype html><title>400</title>", 400, HTML)
        day = min(day, self.now().date())
        while not self.days.has_list(day):
            day -= timedelta(1)
        return Page(invented.list_page(self._of(day), day, self.now()), content_type=HTML)


def _repository(kind: str, place: int) -> dict[str, Any]:
    """As much of a linked repository as the source is known to show (docs/source.md §3)."""
    return {
        "author": "harbourlab",
        "downloads": 10 * place,
        "gated": False,
        "id": f"harbourlab/{kind}-{place}",
        "lastModified": "2026-09-01T10:00:00.000Z",
        "private": False,
        "repoType": kind,
        "likes": place,
        "isLikedByUser": False,
    }
