"""Registries of DOIs as sources: polite clients, `Works` of Crossref, each with one budget for all processes here."""

from flows.works.openalex_client import OpenAlex
from flows.works.works_client import Works

__all__ = ["OpenAlex", "Works"]
