"""Answers of an invented GitHub, in the shape of the real one, and the stand-in that gives them on loopback."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from tests.hub.paced import PacedStandIn
from tests.hub.site import Page

BASE: Final = "https://api.github.com"
JSON: Final = "application/json; charset=utf-8"
AN_HOUR: Final = 60
WEEK: Final = timedelta(days=7)


def week(starts_at: datetime, total: int) -> dict[str, Any]:
    """A week; all its stars came on its second day."""
    return {"week": int(starts_at.replace(tzinfo=UTC).timestamp()), "total": total, "days": [0, total, 0, 0, 0, 0, 0]}


def history(newest: datetime, totals: Sequence[int]) -> list[dict[str, Any]]:
    """Weeks, the newest first."""
    return [week(newest - place * WEEK, total) for place, total in enumerate(totals)]


def stars_url(repository: str, base: str = BASE) -> str:
    return f"{base}/repos/{repository}/stargazers/history?per_page=30"


class GitHubStandIn(PacedStandIn):
    """A GitHub, which answers so many requests an hour to whoever has no token, and 403 to more. Of a repository that is
    renamed it knows the new address.
    """

    kind = "stars"

    def begin(self) -> None:
        self.repositories: dict[str, list[dict[str, Any]]] = {}
        self.renamed: dict[str, str] = {}
        self.quota = AN_HOUR
        self._used, self._hour = 0, self.now().replace(minute=0)

    def page(self, target: str) -> Page:
        repository = _named(target)
        if repository in self.renamed:
            to = {"Location": stars_url(self.renamed[repository], self.url)}
            return Page(b'{"message": "Moved Permanently"}', 301, JSON, self.limits | to)
        if repository not in self.repositories:
            return Page(b'{"message": "Not Found", "status": "404"}', 404, JSON, self.limits)
        return Page(json.dumps(self.repositories[repository]).encode(), 200, JSON, self.limits)

    @property
    def limits(self) -> dict[str, str]:
        """What it says of the hour's requests."""
        ends_at = (self._hour + timedelta(hours=1)).replace(tzinfo=UTC)
        stated = {"Limit": self.quota, "Remaining": self.quota - self._used, "Reset": int(ends_at.timestamp())}
        return {f"X-RateLimit-{name}": str(value) for name, value in stated.items()}

    def refusal(self) -> Page | None:
        hour = self.now().replace(minute=0, second=0, microsecond=0)
        if hour != self._hour:
            self._hour, self._used = hour, 0
        if self._used >= self.quota:
            return Page(b'{"message": "API rate limit exceeded"}', 403, JSON, self.limits)
        self._used += 1
        return None

    @property
    def asked(self) -> list[str]:
        """The repositories that were asked for, in order."""
        return [_named(call.target) for call in self.calls]


def _named(target: str) -> str:
    return urlsplit(target).path.removeprefix("/repos/").removesuffix("/stargazers/history")
