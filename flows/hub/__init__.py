"""The Hub as a source: `Hub` is a polite HTTP client that returns pages byte for byte. No Prefect in it."""

from flows.hub.client import Hub
from flows.hub.patience import Clock, Patience

__all__ = ["Clock", "Hub", "Patience"]
