"""Queries run in a process of their own, so that limits hold whatever DuckDB is doing.

DuckDB checks its limits between two pieces of work only: one long function is one piece, whose memory is not counted.
A process gets both limits from the system: an alarm that ends it, and memory that is refused. It is forked before
anything has imported DuckDB, so that the command starts as fast as without it, and writes its answers itself.
"""

import errno
import gc
import os
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, NoReturn, Self

import msgspec

from paperlake.sql.questions import Question, Reply
from warehouse.errors import PaperlakeError, QueryFailed, StoreFailed, UsageError
from warehouse.limits import QueryLimits, limit_memory
from warehouse.store.temporary import temporary_folder

ENDING: Final = (signal.SIGHUP, signal.SIGTERM)
LONGEST_SECONDS: Final = 366 * 86_400.0  # an alarm cannot be set to any number
PR_SET_PDEATHSIG: Final = 1  # <sys/prctl.h>


def run(path: Path, limits: QueryLimits, folder: Path, questions: BinaryIO, replies: BinaryIO) -> NoReturn:
    """Answer questions, and then exit: what the parent does at its own end must not run in this process."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles it, and ends this process
        for number in (signal.SIGALRM, *ENDING):
            signal.signal(number, signal.SIG_DFL)
        serve(path, limits, folder, questions, replies)
    finally:
        if sys.exc_info()[0]:
            traceback.print_exc()
        os._exit(1)


def end_with(parent: int) -> None:
    """End this process when its parent ends, however that does."""
    import ctypes

    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it did before
        os._exit(1)


def serve(path: Path, limits: QueryLimits, folder: Path, questions: BinaryIO, replies: BinaryIO) -> None:
    """Reply to each question, a line each; to the first with the reason where the database does not open."""
    from paperlake.sql.answers import answer
    from warehouse.release.query import opened

    try:
        with opened(path, limits, folder) as database:
            answer_all(partial(answer, database), database.memory_limit(), limits.seconds, questions, replies)
    except PaperlakeError as error:
        send(replies, Reply(error.exit_code, str(error), is_last=True))


def answer_all(
    answer: Callable[[Question], str], memory: int, seconds: float | None, questions: BinaryIO, replies: BinaryIO
) -> None:
    """Answer every question with no more memory from now on than `memory` and BESIDE, and within `seconds` each."""
    limit_memory(memory)
    for line in questions:
        send(replies, reply(answer, msgspec.json.decode(line, type=Question), seconds or 0))


def reply(answer: Callable[[Question], str], question: Question, seconds: float) -> Reply:
    """Answer one question within so many seconds: nothing catches the alarm, which ends the process."""
    signal.setitimer(signal.ITIMER_REAL, min(LONGEST_SECONDS, seconds))
    try:
        return Reply(0, answer(question))
    except PaperlakeError as error:
        return Reply(error.exit_code, str(error))
    except BrokenPipeError:  # the reader of the rows has seen enough
        return Reply(0, "")
    except OSError as error:
        is_full = error.errno == errno.ENOSPC
        where = "--output" if question.output else "standard output"
        message = f"{'no space left: ' * is_full}{where} cannot be written: {error.strerror or error}"
        return Reply((StoreFailed if is_full else UsageError).exit_code, message)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def send(replies: BinaryIO, what: Reply) -> None:
    replies.write(msgspec.json.encode(what) + b"\n")
    replies.flush()


class Process(NamedTuple):
    """A query process, and the pipes to it and from it."""

    pid: int
    questions: BinaryIO
    replies: BinaryIO


class Worker:
    """Sends questions to one query process, which is started again after it was ended.

    A context manager: at its end there is no process, and nothing of it in the temporary folder.
    """

    def __init__(self, path: Path, limits: QueryLimits) -> None:
        self._path, self._limits = path, limits
        self._process: Process | None = None

    def __enter__(self) -> Self:
        self._ends = ExitStack()
        self.folder = self._ends.enter_context(temporary_folder())
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._ends.close()

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
        if reply.is_last:
            self.stop()
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
        parent = os.getpid()
        pid = os.fork()
        if not pid:
            gc.freeze()  # else its collector touches, and so copies, all that the parent has
            end_with(parent)
            os.close(write_questions)
            os.close(read_replies)
            asked, answered = os.fdopen(read_questions, "rb"), os.fdopen(write_replies, "wb")
            run(self._path, self._limits, self.folder, asked, answered)
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
