"""The Hub as a source: `Hub` is a polite HTTP client that returns pages byte for byte. No Prefect in it."""

from flows.hub.budget import Clock, Patience
from flows.hub.client import Hub

__all__ = ["Clock", "Hub", "Patience"]
