"""Keeps Prefect off stderr, which is for paperlake's own lines. To be called before anything imports Prefect."""

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

ASKS_FOR_LOG: Final = ("PREFECT_LOGGING_LEVEL", "PREFECT_SERVER_LOGGING_LEVEL", "PREFECT_INTERNAL_LOGGING_LEVEL")
# Prefect logs nothing as critical, and writes to stderr by these two handlers alone, whatever its loggers' levels:
# "Service 'EventsWorker' failed with 4 pending items" came from one with a level and a handler of its own.
LEVELS: Final = {
    "PREFECT_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_HANDLERS_DEBUG_LEVEL": "CRITICAL",
}
PREFECT_MODULES: Final = {"prefect", "asyncio"}  # no thread of ours has an event loop


def keep_prefect_quiet() -> None:
    """Keep Prefect's log, warnings and errors of its threads off stderr, unless the environment asks for its log.

    What the main thread raises is shown as ever, and so is the error of a thread that is not Prefect's.
    """
    if any(name in os.environ for name in ASKS_FOR_LOG):
        return
    os.environ.update(LEVELS)
    if not sys.warnoptions:
        warnings.simplefilter("ignore")
    threading.excepthook = _without_prefect(threading.__excepthook__)
    sys.unraisablehook = _without_prefect(sys.unraisablehook)  # ours, which does not lose Ctrl-C


def _without_prefect(show: Callable[[A], Any]) -> Callable[[A], Any]:
    """The hook `show`, but for errors that passed through PREFECT_MODULES; Ctrl-C is always shown."""

    def hook(args: A) -> None:
        modules = (frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(args.exc_traceback))
        if issubclass(args.exc_type, KeyboardInterrupt) or all(
            module.partition(".")[0] not in PREFECT_MODULES for module in modules
        ):
            show(args)

    return hook
