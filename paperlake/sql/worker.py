"""Queries run in a process of their own, so that limits hold whatever DuckDB is doing.

DuckDB checks its limits between two pieces of work only: one long function is one piece, whose memory is not counted.
A process gets both limits from the system: an alarm that ends it, and memory that is refused. It is forked before
anything has imported DuckDB, so that the command starts as fast as without it, and writes its answers itself.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple, NoReturn, Self

import msgspec

from paperlake.sql import child
from paperlake.sql.child import ENDING
from paperlake.sql.messages import Question, Reply
from warehouse.errors import PaperlakeError, QueryFailed
from warehouse.limits import QueryLimits


class Process(NamedTuple):
    """A query process, and the pipes to it and from it."""

    pid: int
    questions: BinaryIO
    replies: BinaryIO


class Worker:
    """Sends questions to one query process, which is started again after it was ended.

    A context manager: at its end, also where a terminal is closed or the command is killed by SIGTERM, there is no
    process, and nothing of it in the temporary folder.
    """

    def __init__(self, path: Path, limits: QueryLimits) -> None:
        self._path, self._limits = path, limits
        self._process: Process | None = None

    def __enter__(self) -> Self:
        self.folder = tempfile.TemporaryDirectory(prefix="paperlake-")
        self._handlers = {number: signal.signal(number, exit_on_signal) for number in ENDING}
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.folder.cleanup()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    @property
    def is_running(self) -> bool:
        return self._process is not None

    def ask(self, question: Question) -> str:
        """Have a question answered; returns the reply's text, or raises the error that the query process replied."""
        process = self._process or self._start()
        line = b""
        try:
            with suppress(BrokenPipeError):  # it has ended: so says the empty reply
                process.questions.write(msgspec.json.encode(question) + b"\n")
                process.questions.flush()
            line = process.replies.readline()
        finally:  # at Ctrl-C too
            status = None if line else self.stop()
        if status is not None:
            raise failure(status, self._limits)
        reply = msgspec.json.decode(line, type=Reply)
        if reply.exit_code:
            raise {error.exit_code: error for error in PaperlakeError.__subclasses__()}[reply.exit_code](reply.text)
        return reply.text

    def stop(self) -> int | None:
        """End the process, whatever it does; its exit status, if there was one."""
        if self._process is None:
            return None
        pid, *pipes = self._process
        os.kill(pid, signal.SIGKILL)
        self._process = None
        for pipe in pipes:
            with suppress(BrokenPipeError):  # a question that nobody read
                pipe.close()
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    def _start(self) -> Process:
        """Start a process; Ctrl-C waits until it is known, and never reaches it."""
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process = process = self.begin()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        return process

    def begin(self) -> Process:
        """The process, begun: forked from this one."""
        (read_questions, write_questions), (read_replies, write_replies) = os.pipe(), os.pipe()
        sys.stdout.flush()
        gc.freeze()  # else the child's collector touches, and so copies, all that the parent has
        parent = os.getpid()
        pid = os.fork()
        if not pid:
            child.end_with(parent)
            os.close(write_questions)
            os.close(read_replies)
            asked, answered = os.fdopen(read_questions, "rb"), os.fdopen(write_replies, "wb")
            child.run(self._path, self._limits, self.folder.name, asked, answered)
        os.close(read_questions)
        os.close(write_replies)
        return Process(pid, os.fdopen(write_questions, "wb"), os.fdopen(read_replies, "rb"))


def failure(status: int, limits: QueryLimits) -> PaperlakeError:
    """The error of a query process that ended without a reply."""
    if status == -signal.SIGALRM:
        return QueryFailed(limits.out_of_time)
    if status < 0:
        name = signal.Signals(-status).name
        return QueryFailed(f"DuckDB was ended by {name}, for want of memory most likely: {limits.out_of_memory}")
    return PaperlakeError("the query process has failed: please report it, with the traceback above")


def exit_on_signal(number: int, _: object) -> NoReturn:
    """Exit with the code that shells give a program that a signal ended."""
    sys.exit(128 + number)
