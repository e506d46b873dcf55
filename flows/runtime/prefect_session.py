"""Prefect for one command: its own chatter off, and a server for as long as the command lasts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

PREFECT_DEFAULTS: Final = {
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",  # else a server's first start looks up an outside host
    "DO_NOT_TRACK": "1",  # else its first import on a terminal prints a notice, and calls an outside host
    "PREFECT_LOGGING_LEVEL": "CRITICAL",  # paperlake logs for itself; Prefect would add tracebacks
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",  # its 20 s are too few for a machine that is busy
}


@contextmanager
def prefect_session(*imports: str, quiet: bool, is_served: bool = True) -> Iterator[None]:
    """Prefect with its own chatter off, unless the environment asks for it; with a server, if it has none.

    The modules that the command needs are imported while that server starts.
    """
    from flows.runtime.progress import configure
    from flows.runtime.quiet import keep_prefect_quiet

    configure(quiet=quiet)
    keep_prefect_quiet()
    for name, value in PREFECT_DEFAULTS.items():
        os.environ.setdefault(name, value)
    from prefect.settings import PREFECT_API_URL, PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings

    from flows.runtime.prefect_home import require_room
    from flows.runtime.prefect_server import prefect_server

    require_room()
    with ExitStack() as stack:
        if is_served and not PREFECT_API_URL.value():
            url = stack.enter_context(prefect_server(*imports, is_of_one_run=True))
            stack.enter_context(temporary_settings({PREFECT_API_URL: f"{url}/api"}))
        # each flow run would wait a second for its heart to beat
        stack.enter_context(temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}))
        yield
