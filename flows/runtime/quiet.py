"""Prefect without a line on stderr, which is for paperlake's own. It is called before anything imports Prefect."""

from __future__ import annotations

import os
import sys
import threading
import traceback
import warnings
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, Protocol, TypeVar


class Unhandled(Protocol):
    """What Python gives its hooks for errors that nobody catches."""

    @property
    def exc_type(self) -> type[BaseException]: ...

    @property
    def exc_traceback(self) -> TracebackType | None: ...


A = TypeVar("A", bound=Unhandled)

ASKED: Final = ("PREFECT_LOGGING_LEVEL", "PREFECT_SERVER_LOGGING_LEVEL", "PREFECT_INTERNAL_LOGGING_LEVEL")
# It logs nothing as critical, and writes to stderr by these two handlers alone, whatever the levels of its loggers:
# "Service 'EventsWorker' failed with 4 pending items" came from one with a level and a handler of its own.
LEVELS: Final = {
    "PREFECT_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_HANDLERS_DEBUG_LEVEL": "CRITICAL",
}
THEIRS: Final = {"prefect", "asyncio"}  # no thread of ours has an event loop


def keep_prefect_quiet() -> None:
    """Keep Prefect's log, warnings and errors of its threads off stderr, unless the environment asks for its log.

    What the main thread raises is shown as ever, and so is the error of a thread that is not Prefect's.
    """
    if any(name in os.environ for name in ASKED):
        return
    os.environ.update(LEVELS)
    if not sys.warnoptions:
        warnings.simplefilter("ignore")
    threading.excepthook = _but_theirs(threading.__excepthook__)
    sys.unraisablehook = _but_theirs(sys.unraisablehook)  # which sees to it that Ctrl-C is not lost


def _but_theirs(show: Callable[[A], Any]) -> Callable[[A], Any]:
    """A hook that shows what `show` does, but for errors from their modules; Ctrl-C is none."""

    def hook(args: A) -> None:
        modules = (frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(args.exc_traceback))
        if issubclass(args.exc_type, KeyboardInterrupt) or all(
            module.partition(".")[0] not in THEIRS for module in modules
        ):
            show(args)

    return hook
