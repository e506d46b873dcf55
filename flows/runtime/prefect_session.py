"""Prefect for one command: its own chatter off, and a server for as long as the command lasts."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any, Final

from warehouse.stand_ins import stand_ins

PREFECT_DEFAULTS: Final = {
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",  # else a server's first start looks up an outside host
    "DO_NOT_TRACK": "1",  # else its first import on a terminal prints a notice, and calls an outside host
    "PREFECT_LOGGING_LEVEL": "CRITICAL",  # paperlake logs for itself; Prefect would add tracebacks
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",  # its 20 s are too few for a machine that is busy
    "PY_KEY_VALUE_DISABLE_BEARTYPE": "true",  # a library of its server's rewrites itself for checks as it is imported
}
UNUSED: Final = r"httpx\._main"  # a command line of its own, which Prefect's client imports with it
# What Prefect has for deployments, whose parameters have a schema and words, and for whom it tells of them
OF_DEPLOYMENTS: Final = r"(jsonschema|referencing|griffe)(\.\w+)*|prefect\.blocks\.(notifications|webhook)"


@contextmanager
def nothing_collected() -> Iterator[None]:
    """While modules are imported, nobody looks for garbage among what they make; nor later among what they made then.

    There is none, and it takes a third of the time. When the block ends, they are looked at as ever: of DuckDB's
    objects that nobody collected, the end of a process would tell on stderr.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.enable()


def all_imported() -> None:
    """Look for garbage again, but not among what there is."""
    gc.freeze()
    gc.enable()


@contextmanager
def prefect_session(*imports: str, quiet: bool, is_served: bool = True) -> Iterator[None]:
    """Prefect with its own chatter off, unless the environment asks for it; with a server, if it has none.

    Where its database is known, the run writes to it what that server would. The modules that the command needs are
    imported here: while the server starts, where there is one to start.
    """
    from flows.runtime.progress import configure
    from flows.runtime.quiet import keep_prefect_quiet

    configure(quiet=quiet)
    keep_prefect_quiet()
    for name, value in PREFECT_DEFAULTS.items():
        os.environ.setdefault(name, value)
    with ExitStack() as stack:
        stack.enter_context(nothing_collected())
        stack.enter_context(stand_ins(re.compile(f"{UNUSED}|{OF_DEPLOYMENTS}" if is_served else UNUSED)))
        from prefect.settings import (
            PREFECT_API_URL,
            PREFECT_CLIENT_CSRF_SUPPORT_ENABLED,
            PREFECT_FLOWS_HEARTBEAT_FREQUENCY,
            temporary_settings,
        )

        from flows.runtime.prefect_home import known_database, require_room

        require_room()
        # Each flow run would wait a second for its heart to beat
        settings: dict[Any, object] = {PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}
        if is_served and not PREFECT_API_URL.value():
            if database := known_database():
                from flows.runtime.recording.recorder import recorded

                stack.enter_context(recorded(database))
            else:
                from flows.runtime.prefect_server import prefect_server

                url = stack.enter_context(prefect_server(*imports, is_of_one_run=True))
                settings |= {PREFECT_API_URL: f"{url}/api", PREFECT_CLIENT_CSRF_SUPPORT_ENABLED: False}
        for module in imports:
            import_module(module)
        stack.enter_context(temporary_settings(settings))
        all_imported()
        yield
