"""A process that has imported what flow runs need, and forks one for each: `python -m flows.running.warm FD NAME…`.

A NAME is a module, or a function of one that is called. It listens on the socket FD, and ends when its standard input
does. Whoever asks (flows/runtime/forked.py) names a module to run as a program, and gives its environment, working
folder and streams. Between this process and each fork stands one that passes signals on and tells how the run ended.
Nothing is at work here when it forks, no thread either. Where a file that was imported has changed since, as by an
upgrade, a fork is not what a start would be: it starts the program anew.
"""

import atexit
import gc
import os
import random
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import chdir, contextmanager, suppress
from pkgutil import resolve_name
from typing import Final, NoReturn

import msgspec
from msgspec import Struct

from flows.runtime.forked import FOLDER, SIZE_BYTES, SOCKET, STREAMS
from warehouse.limits import NEW_OBJECTS
from warehouse.store.temporary import temporary_folder

# What runs flows, their tasks, which import the third at their first call, and the gate
WANTED: Final = ("prefect.flow_engine", "prefect.task_engine", "prefect.utilities.visualization", "expectations.runner")


@contextmanager
def warm_process(names: Iterable[str], environment: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Such a process as long as the block lasts; gives the variables by which it is found.

    Its socket is in a folder that is its owner's alone.

    Whoever asks before it has imported everything waits in line. `environment` is its own, and holds no secret: a run
    brings those that it needs, and the gate none. Elsewhere than on Linux there is none: macOS ends what is forked from
    a process that has used some of its libraries.
    """
    if sys.platform != "linux":
        yield {}
        return
    with temporary_folder() as folder, socket.socket(socket.AF_UNIX) as listening:
        with chdir(folder):
            listening.bind(SOCKET)
        listening.listen()
        command = [sys.executable, "-m", __name__, str(listening.fileno()), *names]
        process = subprocess.Popen(  # noqa: S603 - our own program
            command,
            env=dict(environment),
            pass_fds=[listening.fileno()],
            stdin=subprocess.PIPE,  # it ends when the pipe does, and that when we end
            stdout=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for us, and for the runs by us
        )
        try:
            yield {FOLDER: str(folder)}
        finally:
            process.terminate()  # it has nothing to tidy up, and may still be importing
            process.communicate()


class Program(Struct, frozen=True):
    """A module that is to run as a program, and where."""

    module: str
    folder: str
    environment: dict[str, str]


class Ending:
    """The end of a fork: at once, after all that is to be done at its exit.

    What Python would take apart then is shared with the warm process, and would have to be copied first: a fifth of a
    second, and a second of a long run.
    """

    def __init__(self) -> None:
        self.code = 1  # unless it is known better: an error that nobody caught
        atexit.register(self.leave)  # before anything else has, so that it comes last

    def leave(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            if not stream.closed:
                stream.flush()
        os._exit(self.code)


def main() -> None:
    """Import and prepare, then fork for each that asks. What follows is in the fork."""
    gc.set_threshold(NEW_OBJECTS)  # of the forks, too
    ending, (_, listening, *names) = Ending(), sys.argv
    for name in names:
        if callable(found := resolve_name(name)):
            found()
    imported = stamps(getattr(module, "__file__", None) for module in sys.modules.values())
    gc.freeze()  # what is here is shared with each fork for as long as neither touches it
    asked, held = asked_of(socket.socket(fileno=int(listening)))
    if stamps(imported) != imported:
        start(asked, held)
    ending.code = run(asked)


def stamps(paths: Iterable[str | None]) -> dict[str, tuple[int, ...]]:
    """What tells each file that is there from another that takes its place."""
    found: dict[str, tuple[int, ...]] = {}
    for path in filter(None, paths):
        with suppress(OSError):
            status = os.stat(path)  # noqa: PTH116 - of thousands of files: Path takes three times as long
            found[path] = status.st_ino, status.st_size, status.st_mtime_ns
    return found


def start(asked: Program, held: int) -> NoReturn:
    """Turn into the program, with nothing of what was imported before."""
    os.set_inheritable(held, True)
    os.chdir(asked.folder)
    os.execve(sys.executable, [sys.executable, "-m", asked.module], asked.environment)  # noqa: S606 - this Python


def run(asked: Program) -> int:
    """Run the module as `python -m` would, in the environment and the folder of whoever asked; its exit code."""
    from prefect.context import refresh_global_settings_context

    os.environ.clear()
    os.environ.update(asked.environment)
    os.chdir(asked.folder)
    tempfile.tempdir = None  # what TMPDIR was before is kept there
    random.seed()
    refresh_global_settings_context()
    sys.argv = [asked.module]
    warnings.filterwarnings("ignore", "(?s).* found in sys.modules", RuntimeWarning)  # that is what it is here for
    try:
        runpy.run_module(asked.module, run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    return 0


def asked_of(listening: socket.socket) -> tuple[Program, int]:
    """Wait for those who ask.

    It returns in a process that was forked for one of them, and never in this one; with the pipe that tells of its end.
    """
    with selectors.DefaultSelector() as waiting:
        waiting.register(listening, selectors.EVENT_READ)
        waiting.register(0, selectors.EVENT_READ)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the small ones
        while True:
            if any(key.fileobj == 0 for key, _ in waiting.select()):
                os._exit(0)
            connection, _ = listening.accept()
            if os.fork() == 0:
                break
            connection.close()
    listening.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    return forked_for(connection)


def forked_for(connection: socket.socket) -> tuple[Program, int]:
    """Fork the run that is asked for, and stand by it until it ends. It returns in the run."""
    size, streams, _, _ = socket.recv_fds(connection, SIZE_BYTES, len(STREAMS))
    with connection.makefile("rb") as said:
        asked = msgspec.json.decode(said.read(int.from_bytes(size, "big")), type=Program)
    ended, held = os.pipe()  # its end is seen as that of the pipe that it holds
    if (pid := os.fork()) != 0:
        os.close(held)
        for stream in (*streams, *STREAMS):
            os.close(stream)
        stand_by(pid, ended, connection)
    os.close(ended)
    connection.close()
    for stream, number in zip(streams, STREAMS, strict=True):
        os.dup2(stream, number)
        os.close(stream)
    return asked, held


def stand_by(pid: int, ended: int, connection: socket.socket) -> NoReturn:
    """Pass on the signals that come, until the run has ended; one whose caller is gone is killed."""
    with selectors.DefaultSelector() as waiting:
        waiting.register(ended, selectors.EVENT_READ)
        waiting.register(connection, selectors.EVENT_READ)
        while not any(key.fileobj == ended for key, _ in waiting.select()):
            numbers = connection.recv(1) or bytes([signal.SIGKILL])
            os.kill(pid, numbers[0])
            if numbers[0] == signal.SIGKILL:
                break
    _, status = os.waitpid(pid, 0)
    with suppress(BrokenPipeError):
        connection.sendall(str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


if __name__ == "__main__":
    main()
