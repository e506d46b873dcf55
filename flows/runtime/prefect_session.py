"""Prefect for one command: its own chatter off, and a server for as long as the command lasts."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
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
# What Prefect imports for deployments alone: the schema and description of their parameters, and notifications
OF_DEPLOYMENTS: Final = r"(jsonschema|referencing|griffe)(\.\w+)*|prefect\.blocks\.(notifications|webhook)"


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Collect no garbage while modules are imported: there is none, and looking for it takes a third of the time.

    `resume_collection` ends that within the block, but for what was imported. At the end of the block that is looked
    at again too: DuckDB complains on stderr of objects that were never collected when a process ends.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.enable()


def resume_collection() -> None:
    """Collect garbage again, but not among the objects that exist by now."""
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
    unused = f"{UNUSED}|{OF_DEPLOYMENTS}" if is_served else UNUSED
    with without_garbage_collection(), stand_ins(re.compile(unused)), ExitStack() as stack:
        from flows.runtime.prefect_home import require_room

        require_room()
        settings, records = recording(stack, imports) if is_served else ({}, nullcontext())
        from prefect.settings import PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings

        for module in imports:
            import_module(module)
        # Each flow run would wait a second for its first heartbeat
        stack.enter_context(temporary_settings({**settings, PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}))
        stack.enter_context(records)
        resume_collection()
        yield


def recording(stack: ExitStack, imports: Sequence[str]) -> tuple[dict[Any, object], AbstractContextManager[None]]:
    """Prefect's settings, and a block to run in, so that the rows of a run are recorded.

    By the server of PREFECT_API_URL; without one by the run itself, if it knows the database; else by a small server.
    """
    from prefect.settings import PREFECT_API_URL, PREFECT_CLIENT_CSRF_SUPPORT_ENABLED

    from flows.runtime.prefect_home import known_database

    if PREFECT_API_URL.value():
        return {}, nullcontext()
    if database := known_database():
        from flows.runtime.recording.recorder import SERVERLESS, recorded

        return SERVERLESS, recorded(database)
    from flows.runtime.prefect_server import prefect_server

    url = stack.enter_context(prefect_server(*imports, is_of_one_run=True))
    return {PREFECT_API_URL: f"{url}/api", PREFECT_CLIENT_CSRF_SUPPORT_ENABLED: False}, nullcontext()
