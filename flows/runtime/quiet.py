"""Prefect without a line on stderr, which is for paperlake's own. It is called before anything imports Prefect."""

from __future__ import annotations

import os
import sys
import threading
import traceback
import warnings
from types import TracebackType
from typing import Final

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
    threading.excepthook = _thread_failed
    sys.unraisablehook = _not_raised


def _thread_failed(args: threading.ExceptHookArgs) -> None:
    if not _is_theirs(args.exc_traceback):
        threading.__excepthook__(args)


def _not_raised(args: sys.UnraisableHookArgs) -> None:
    if not _is_theirs(args.exc_traceback):
        sys.__unraisablehook__(args)


def _is_theirs(trace: TracebackType | None) -> bool:
    modules = (frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(trace))
    return any(module.partition(".")[0] in THEIRS for module in modules)
