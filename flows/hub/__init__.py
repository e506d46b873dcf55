"""The sources: `Hub`, and those beside it, are polite HTTP clients that return pages byte for byte. No Prefect here."""

from flows.hub.budget import Clock, Patience
from flows.hub.client import Hub

__all__ = ["Clock", "Hub", "Patience"]
