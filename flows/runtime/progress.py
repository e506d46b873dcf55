"""Progress of long work: a bar on a terminal, a line now and then elsewhere, nothing with --quiet."""

import json
import logging
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final, TypeVar

from warehouse.printable import on_screen

T = TypeVar("T")

LINE_SECONDS: Final = 30.0  # between two lines on the same work

log: Final = logging.getLogger("paperlake")


def configure(*, quiet: bool) -> None:
    """Send paperlake's own lines to stderr; with `quiet` only warnings. PAPERLAKE_LOG_FORMAT says in which form."""
    from flows.runtime.settings import load

    handler = _StderrHandler()
    handler.setFormatter(JsonLines() if load().log_format == "json" else _Plain())
    log.handlers[:] = [handler]
    log.setLevel(logging.WARNING if quiet else logging.INFO)
    log.propagate = False


class _StderrHandler(logging.Handler):
    """Writes to the current `sys.stderr`, which rich replaces while a bar is drawn: lines go above it."""

    def emit(self, record: logging.LogRecord) -> None:
        text = f"{self.format(record)}\n"
        write_error(text if isinstance(self.formatter, JsonLines) else on_screen(text, sys.stderr))


class _Plain(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        prefix = "warning: " if record.levelno >= logging.WARNING else ""
        return prefix + record.getMessage()


class JsonLines(logging.Formatter):
    """A JSON object a line, for whoever collects logs; `at` is in UTC."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return json.dumps({"at": at, "level": record.levelname.lower(), "message": record.getMessage()})


def say_error(error: object) -> None:
    """Write the error that ends a command to stderr: a line, or a JSON object where the log is JSON."""
    if any(isinstance(handler.formatter, JsonLines) for handler in log.handlers):
        log.error("%s", error)
    else:
        write_error(on_screen(f"error: {error}\n", sys.stderr))


def write_error(text: str) -> None:
    """Write to stderr; where its reader has gone, the work goes on, and ends as it would."""
    with suppress(BrokenPipeError):
        sys.stderr.write(text)


def track(items: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """Yield items, reporting progress: with a bar on a terminal, else in a line now and then."""
    if total == 0 or not log.isEnabledFor(logging.INFO):
        yield from items
    elif sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
            yield from bars.track(items, total=total, description=what)
    else:
        start = reported = time.monotonic()
        for done, item in enumerate(items):
            now = time.monotonic()
            if now - reported >= LINE_SECONDS:
                reported = now
                log.info("%s: %s", what, time_left(done, total, now - start))
            yield item


def time_left(done: int, total: int | None, seconds: float) -> str:
    """How much is done, and the time left at this pace.

    >>> time_left(120, 596, 240)
    '120 of 596, 0:15:52 left'
    """
    if total is None or done == 0:
        return f"{done:,} done"
    return f"{done:,} of {total:,}, {timedelta(seconds=round(seconds / done * (total - done)))} left"
