"""The stand-in Crossref: works by DOI on loopback, which counts the seconds between requests, and misbehaves."""

from typing import Final
from urllib.parse import unquote

from tests.hub.paced import PacedStandIn
from tests.hub.site import Page
from tests.works.messages import NO_SUCH, Message

JSON: Final = "application/json"


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
