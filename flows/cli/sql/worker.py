"""A process of its own that asks a release's database, so that limits hold whatever DuckDB is doing.

DuckDB looks at its limits between two pieces of work: one long function is one piece, and what it takes is on no
account. A process has both from the system: an alarm that ends it, and memory that it does not get. It is forked before
anything has imported DuckDB, so that the command starts as fast as without it, and writes its answers itself.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
import traceback
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, Literal, NamedTuple, NoReturn, Self

import msgspec
from msgspec import Struct

from flows.cli.sql.formats import Format
from warehouse.errors import PaperlakeError, QueryFailed, UsageError
from warehouse.release.limits import Limits

if TYPE_CHECKING:
    from warehouse.release.query import Database

# Beyond DuckDB's own account, once it is open: a sort and a join that spilled at 100 MB took 78 and 29 MiB of it
BESIDE: Final = 256 << 20
ENDING: Final = (signal.SIGHUP, signal.SIGTERM)
PR_SET_PDEATHSIG: Final = 1  # <sys/prctl.h>


class Question(Struct, frozen=True):
    """SQL and how its rows are written, or the name of a table, whose columns are; `output` is a path.

    A question that is `in_session` need not give rows.
    """

    task: Literal["sql", "tables", "names"]
    text: str = ""
    output_format: Format = "table"
    output: str | None = None
    in_session: bool = False


class Reply(Struct, frozen=True):
    """The exit code and the message of an error, or 0 and what there is to give back."""

    exit_code: int
    text: str


class Process(NamedTuple):
    """A child that answers, and the pipes to it and from it."""

    pid: int
    questions: BinaryIO
    replies: BinaryIO


class Worker:
    """Asks one question after the other of one process, which is started anew after it was ended.

    A context: at its end, also where a terminal is closed or the command is told to end, there is no process, and
    nothing of it in the temporary folder.
    """

    def __init__(self, path: Path, limits: Limits) -> None:
        self._path, self._limits = path, limits
        self._process: Process | None = None

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(prefix="paperlake-")
        self._handlers = {number: signal.signal(number, leave) for number in ENDING}
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._folder.cleanup()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    @property
    def is_running(self) -> bool:
        return self._process is not None

    def ask(self, question: Question) -> str:
        """What the answer gives back, after it was written; the error that the process met."""
        process = self._process = self._process or self._forked()
        with suppress(BrokenPipeError):  # it has ended: so says the empty reply
            process.questions.write(msgspec.json.encode(question) + b"\n")
            process.questions.flush()
        line = b""
        try:
            line = process.replies.readline()
        finally:  # at Ctrl-C too
            status = None if line else self.stop()
        if status is not None:
            raise self._failure(status)
        reply = msgspec.json.decode(line, type=Reply)
        if reply.exit_code:
            raise {error.exit_code: error for error in PaperlakeError.__subclasses__()}[reply.exit_code](reply.text)
        return reply.text

    def stop(self) -> int | None:
        """End the process, whatever it does; its exit status, if there was one."""
        if self._process is None:
            return None
        pid, *pipes = self._process
        self._process = None
        os.kill(pid, signal.SIGKILL)
        for pipe in pipes:
            with suppress(BrokenPipeError):  # a question that nobody read
                pipe.close()
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    def _failure(self, status: int) -> PaperlakeError:
        if status == -signal.SIGALRM:
            return QueryFailed(self._limits.out_of_time)
        if status < 0:
            name = signal.Signals(-status).name
            return QueryFailed(
                f"DuckDB was ended by {name}, for want of memory most likely: {self._limits.out_of_memory}"
            )
        return PaperlakeError("the process that asks DuckDB has failed: please report it, with what stands above")

    def _forked(self) -> Process:
        (read_questions, write_questions), (read_replies, write_replies) = os.pipe(), os.pipe()
        sys.stdout.flush()
        gc.freeze()  # else the child's collector touches, and so copies, all that the parent has
        parent = os.getpid()
        pid = os.fork()
        if not pid:
            end_with(parent)
            os.close(write_questions)
            os.close(read_replies)
            self._child(open(read_questions, "rb"), open(write_replies, "wb"))  # noqa: PTH123, SIM115
        os.close(read_questions)
        os.close(write_replies)
        return Process(pid, open(write_questions, "wb"), open(read_replies, "rb"))  # noqa: PTH123

    def _child(self, questions: BinaryIO, replies: BinaryIO) -> NoReturn:
        """Ends the process here, without what the parent does at its end."""
        status = 1
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent's, who ends this process
            for number in (signal.SIGALRM, *ENDING):
                signal.signal(number, signal.SIG_DFL)
            self._serve(questions, replies)
            status = 0
        finally:
            if sys.exc_info()[0]:
                traceback.print_exc()
            os._exit(status)

    def _serve(self, questions: BinaryIO, replies: BinaryIO) -> None:
        from warehouse.release.query import opened

        try:
            with opened(self._path, self._limits, self._folder.name) as database:
                hold(database.memory_limit())
                for line in questions:
                    send(replies, self._reply(database, msgspec.json.decode(line, type=Question)))
        except PaperlakeError as error:  # it does not open
            send(replies, Reply(error.exit_code, str(error)))

    def _reply(self, database: Database, question: Question) -> Reply:
        from flows.cli.sql.answers import answer

        signal.setitimer(signal.ITIMER_REAL, self._limits.seconds or 0)
        try:
            return Reply(0, answer(database, question))
        except PaperlakeError as error:
            return Reply(error.exit_code, str(error))
        except BrokenPipeError:  # the reader of the rows has seen enough
            return Reply(0, "")
        except OSError as error:
            where = "--output" if question.output else "standard output"
            return Reply(UsageError.exit_code, f"{where} cannot be written: {error.strerror or error}")
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)


def leave(number: int, _: object) -> NoReturn:
    """As a shell says that a signal ended a program."""
    sys.exit(128 + number)


def send(replies: BinaryIO, reply: Reply) -> None:
    replies.write(msgspec.json.encode(reply) + b"\n")
    replies.flush()


def end_with(parent: int) -> None:
    """End this process when its parent ends, however that does."""
    import ctypes

    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it did before
        os._exit(1)


def hold(memory: int) -> None:
    """Hold this process to so many bytes more than it has."""
    import resource

    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text("ascii").splitlines())
    has = int(status["VmData"].split()[0]) << 10
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    limit = min(has + memory + BESIDE, sys.maxsize if most == resource.RLIM_INFINITY else most)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
