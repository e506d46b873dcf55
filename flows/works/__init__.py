"""Registries of DOIs as sources: `Works` is a polite client of one, with one budget for all processes here."""

from flows.works.works_client import Works

__all__ = ["Works"]
