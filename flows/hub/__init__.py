"""The Hub as a source: `Hub` asks it for pages, politely, and hands them over as they came. No Prefect in it."""

from flows.hub.client import Hub
from flows.hub.patience import Clock, Patience

__all__ = ["Clock", "Hub", "Patience"]
