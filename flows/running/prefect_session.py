"""Prefect for one command: its own chatter off, and a server for as long as the command lasts."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final

from flows.runtime.environment import take_secret
from flows.runtime.progress import configure
from warehouse.errors import StoreFailed

ASKS_FOR_LOG: Final = ("PREFECT_LOGGING_LEVEL", "PREFECT_SERVER_LOGGING_LEVEL", "PREFECT_INTERNAL_LOGGING_LEVEL")
# paperlake logs for itself, and Prefect would add tracebacks. It writes to stderr by two handlers, and logs nothing as
# critical; one of its services has a logger with a level of its own.
QUIET: Final = {
    "PREFECT_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_HANDLERS_DEBUG_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW": "ignore",  # a line of a thread that is no flow's
}
NEEDED_BYTES: Final = 1 << 20  # of Prefect's database, as it is made on the first run


@contextmanager
def prefect_session(*imports: str, quiet: bool, is_served: bool = True) -> Iterator[None]:
    """Prefect with its own chatter off, unless the environment asks for it; with a server, if it has none.

    The modules that the command needs are imported while that server starts.
    """
    configure(quiet=quiet)
    if not any(name in os.environ for name in ASKS_FOR_LOG):
        os.environ.update(QUIET)
    take_secret("PREFECT_API_AUTH_STRING")
    from prefect.settings import PREFECT_API_URL, PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings

    require_room()
    settings: dict[Any, object] = {
        PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None
    }  # each run would wait a second for the first
    with ExitStack() as stack:
        if is_served and not PREFECT_API_URL.value():
            from flows.running.prefect_server import prefect_server

            settings |= stack.enter_context(prefect_server(*imports, is_of_one_run=True)).settings
        stack.enter_context(temporary_settings(settings))
        yield


def require_room() -> None:
    """Raise StoreFailed, which names PREFECT_HOME, where Prefect cannot write its database."""
    from prefect.settings import PREFECT_HOME

    home = PREFECT_HOME.value()
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home) as file:
            file.write(bytes(NEEDED_BYTES))
    except OSError as error:
        cause = (error.strerror or str(error)).lower()
        raise StoreFailed(
            f"Prefect cannot write in its folder {home}: {cause}; set PREFECT_HOME to a place with room"
        ) from error
