"""What a person sees of long work: a bar where somebody watches, plain lines otherwise, nothing with --quiet."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

T = TypeVar("T")

log: Final = logging.getLogger("paperlake")


def configure(*, quiet: bool) -> None:
    """Send paperlake's own lines to stderr; with `quiet` only warnings."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Plain())
    log.handlers[:] = [handler]
    log.setLevel(logging.WARNING if quiet else logging.INFO)
    log.propagate = False


class _Plain(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        prefix = "warning: " if record.levelno >= logging.WARNING else ""
        return prefix + record.getMessage()


def track(items: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """The items, with a bar on stderr while they are worked on, if it is a terminal and nobody asked for quiet."""
    if not (sys.stderr.isatty() and log.isEnabledFor(logging.INFO)):
        yield from items
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        yield from bars.track(items, total=total, description=what)
