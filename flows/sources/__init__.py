"""The sources beside the Hub, each a polite client with one budget for all processes here."""

from typing import Final

from flows.hub.paced import PacedSource
from flows.sources.source_clients import Arxiv, Crossref, GitHub, OpenAlex

SOURCES: Final[tuple[type[PacedSource], ...]] = (Arxiv, Crossref, OpenAlex, GitHub)  # in which order they are asked

__all__ = ["SOURCES", "Arxiv", "Crossref", "GitHub", "OpenAlex"]
