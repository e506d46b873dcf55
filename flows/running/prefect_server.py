"""Prefect for one command: its own chatter off, and where it has no server one on loopback, as long as it lasts.

The server ends with the process that started it, even where that is killed. Prefect is imported once its variables are
set.
"""

import asyncio
import logging
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx
from pydantic import ValidationError

from flows.running.guarded_prefect import AUTH, STOP_SECONDS
from flows.runtime.environment import SERVER, passed_on, reach_this_machine_directly, take_secret
from flows.runtime.progress import configure, log
from warehouse.errors import StoreFailed, UsageError
from warehouse.store.temporary import temporary_place, writing

ASKS_FOR_LOG: Final = ("PREFECT_LOGGING_LEVEL", "PREFECT_SERVER_LOGGING_LEVEL", "PREFECT_INTERNAL_LOGGING_LEVEL")
# paperlake logs for itself, and Prefect would add tracebacks. It writes to stderr by two handlers, and logs nothing as
# critical; one of its services has a logger with a level of its own.
QUIET: Final = {
    "PREFECT_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_HANDLERS_DEBUG_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW": "ignore",  # a line of a thread that is no flow's
}
FAILED: Final = (
    "Prefect's server {}; look at PREFECT_API_URL, PREFECT_API_AUTH_STRING and the room in PREFECT_HOME, then give the "
    "same command, which resumes"
)
WRONG_SETTING: Final = "a setting of Prefect (PREFECT_…, or its profile) is wrong"
NEEDED_BYTES: Final = 1 << 20  # of Prefect's database, as it is made on the first run


@contextmanager
def prefect_session(*imports: str, quiet: bool, is_served: bool = True) -> Iterator[None]:
    """Prefect with its own chatter off, unless the environment asks for it; with a server, if it has none.

    The modules that the command needs are imported while that server starts. Where the server fails in the block, that
    is said in words.
    """
    configure(quiet=quiet)
    if not any(name in os.environ for name in ASKS_FOR_LOG):
        os.environ.update(QUIET)
        logging.raiseExceptions = False  # where its log cannot be sent, Prefect would write so to stderr
    take_secret("PREFECT_API_AUTH_STRING")
    reach_this_machine_directly()
    from prefect.settings import PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings

    require_room()
    settings: dict[Any, object] = {
        PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None
    }  # each run would wait a second for the first
    with ExitStack() as stack:
        if is_served and not named_server():
            settings |= stack.enter_context(prefect_server(*imports, is_of_one_run=True)).settings
        stack.enter_context(temporary_settings(settings))
        try:
            yield
        except httpx.HTTPStatusError as error:
            answered = f"answered {error.response.status_code} {error.response.reason_phrase}"
            raise (UsageError if error.response.is_client_error else StoreFailed)(FAILED.format(answered)) from error
        except httpx.HTTPError as error:  # sources and webhooks say of their own in words
            raise StoreFailed(FAILED.format("does not answer any more")) from error


def named_server() -> str | None:
    """The server that PREFECT_API_URL names, if it names one; UsageError where none answers there."""
    url: str | None = prefect_setting("API_URL")
    if url and not is_up(url):
        whose = "" if "PREFECT_API_URL" in os.environ else ", as Prefect's profile has it"
        raise UsageError(
            f"no Prefect server answers at PREFECT_API_URL{whose}; start it, or unset it to have one started"
        )
    return url


def prefect_setting(name: str) -> Any:  # noqa: ANN401 - each is of its own type
    """A setting of Prefect; UsageError where it cannot read its settings."""
    from prefect import settings

    try:
        return getattr(settings, f"PREFECT_{name}").value()
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        raise UsageError(f"{WRONG_SETTING}, {error.title}: {wrong}") from error
    except ValueError as error:  # of the file of its profiles
        raise UsageError(f"{WRONG_SETTING}: {error}") from error


def require_room() -> None:
    """Raise StoreFailed, which names PREFECT_HOME or TMPDIR, where Prefect cannot write what it must."""
    temporary_place()
    home: Path = prefect_setting("HOME")
    with writing("Prefect's database", home, "set PREFECT_HOME to a place with room"):
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home) as file:
            file.write(bytes(NEEDED_BYTES))


EVENTS_SECONDS: Final = 30.0  # for the last events of a run: they take a second, but many on a busy machine
STATES_SECONDS: Final = 3.0  # for what the server was told last
START_SECONDS: Final = 120.0  # a first start makes the tables of its database: 5 s, but 30 s on a busy machine
PROGRAM: Final = (sys.executable, "-m", "flows.running.guarded_prefect")


class OwnServer(NamedTuple):
    """The address of a server's pages, and the secret that it asks for."""

    url: str
    secret: str

    @property
    def settings(self) -> dict[Any, object]:
        """Prefect's settings of a client of the server."""
        from prefect import settings

        known = {settings.PREFECT_API_URL: f"{self.url}/api", settings.PREFECT_API_AUTH_STRING: self.secret}
        return {**known, settings.PREFECT_CLIENT_CSRF_SUPPORT_ENABLED: True}


@contextmanager
def prefect_server(*imports: str, is_of_one_run: bool = False) -> Iterator[OwnServer]:
    """A server in the usual PREFECT_HOME for as long as the block lasts, behind a guard and a secret of its own.

    The server of one run has no scheduler and no web pages. Prefect would start one of its own, but open to every page
    of a browser; and leave it running when the run is killed. `imports` are modules to import while it starts.
    """
    with socket.create_server(("127.0.0.1", 0)) as listening:  # whoever asks before it is ready waits in line
        own = OwnServer(f"http://127.0.0.1:{listening.getsockname()[1]}", secrets.token_urlsafe(32))
        began = datetime.now(UTC)
        server = _started(listening, own, is_of_one_run=is_of_one_run)
    try:
        for module in imports:
            import_module(module)
        if not is_up(f"{own.url}/api", START_SECONDS):
            with suppress(subprocess.TimeoutExpired):  # it closes its socket a moment before its end
                server.wait(STOP_SECONDS)
            failed = f"did not start within {START_SECONDS:.0f} s" if server.poll() is None else "ended as it started"
            raise StoreFailed(
                f"Prefect's own server {failed} (PREFECT_SERVER_LOGGING_LEVEL=INFO shows why); set "
                "PREFECT_API_URL to use one that runs, or PREFECT_HOME to an empty folder"
            )
        try:
            yield own
        finally:
            from prefect.events.worker import EventsWorker

            # What the runs have not sent yet; after the server's end Prefect would try for 8 s, and complain
            EventsWorker.drain_all(timeout=EVENTS_SECONDS)
            if is_of_one_run:
                _wait_for_states(own, began)
    finally:
        _stop(server)


def _started(listening: socket.socket, own: OwnServer, *, is_of_one_run: bool) -> subprocess.Popen[bytes]:
    """The server's process, in a session of its own: Ctrl-C is for us, who need it to write down how the runs ended."""
    command = [*PROGRAM, "--fd", str(listening.fileno()), *(["--of-one-run"] if is_of_one_run else [])]
    shown = None if "PREFECT_SERVER_LOGGING_LEVEL" in os.environ else subprocess.DEVNULL
    return subprocess.Popen(  # noqa: S603 - our own program
        command,
        env={**passed_on(SERVER), AUTH: own.secret},
        pass_fds=[listening.fileno()],
        stdin=subprocess.PIPE,  # it ends when the pipe does, and that when we end
        stdout=subprocess.DEVNULL,
        stderr=shown,
        start_new_session=True,
    )


def _wait_for_states(own: OwnServer, began: datetime) -> None:
    """Wait until the server has written how the tasks ended that began since: a moment after it was told."""
    from prefect.client.orchestration import get_client
    from prefect.settings import temporary_settings

    unwritten = {
        "task_runs": {"state": {"type": {"any_": ["PENDING", "RUNNING"]}}},
        "flow_runs": {"start_time": {"after_": began.isoformat()}},
    }
    ends = time.monotonic() + STATES_SECONDS
    with temporary_settings(own.settings), get_client(sync_client=True) as client, suppress(httpx.HTTPError):
        while client.request("POST", "/task_runs/count", json=unwritten).json():
            if time.monotonic() > ends:
                return
            time.sleep(0.1)


def _stop(server: subprocess.Popen[bytes]) -> None:
    """End the server; by force if it takes too long."""
    server.terminate()
    try:
        server.communicate(timeout=STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.communicate()


def is_up(api_url: str, seconds: float = 5.0) -> bool:
    """Whether a Prefect server answers there within so many seconds; it may know no such path, or want a secret."""
    try:
        return not httpx.get(f"{api_url}/health", timeout=seconds).is_server_error
    except (httpx.HTTPError, httpx.InvalidURL):
        return False


LOOK_SECONDS: Final = 30.0  # between two looks at the server
MOST_MISSED: Final = 10  # looks in a row: a server that is started again is back before


async def until_gone(api_url: str, seconds: float = LOOK_SECONDS) -> None:
    """Look at a server, and say when it stops answering and when it is back; StoreFailed where it stays away."""
    missed = 0
    while missed < MOST_MISSED:
        await asyncio.sleep(seconds)
        before, missed = missed, 0 if await asyncio.to_thread(is_up, api_url) else missed + 1
        if missed == 1:
            log.warning("Prefect's server does not answer; nothing runs until it does")
        elif before and not missed:
            log.info("Prefect's server answers again")
    raise StoreFailed(FAILED.format("does not answer any more"))
