"""GitHub as a source: `GitHub` is a polite client of its REST API, without a token."""

from flows.github.stars_client import GitHub

__all__ = ["GitHub"]
