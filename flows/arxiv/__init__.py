"""arXiv as a source: `Arxiv` is a polite client of its OAI-PMH interface, with one budget for all processes here."""

from flows.arxiv.oai_client import Arxiv

__all__ = ["Arxiv"]
