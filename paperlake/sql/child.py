"""The query process: forked from the command, held to its limits by the system, ended with its parent."""

from __future__ import annotations

import errno
import os
import signal
import sys
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, NoReturn

import msgspec

from paperlake.sql.memory import limit_memory
from paperlake.sql.messages import Question, Reply
from warehouse.errors import PaperlakeError, StoreFailed, UsageError
from warehouse.limits import QueryLimits

if TYPE_CHECKING:
    from warehouse.release.query import Database

ENDING: Final = (signal.SIGHUP, signal.SIGTERM)
PR_SET_PDEATHSIG: Final = 1  # <sys/prctl.h>


def run(path: Path, limits: QueryLimits, folder: str, questions: BinaryIO, replies: BinaryIO) -> NoReturn:
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


def serve(path: Path, limits: QueryLimits, folder: str, questions: BinaryIO, replies: BinaryIO) -> None:
    """Reply to each question, a line each; to the first with the reason where the database does not open."""
    from warehouse.release.query import opened

    try:
        with opened(path, limits, folder) as database:
            answer_all(partial(_answer, database), database.memory_limit(), limits.seconds, questions, replies)
    except PaperlakeError as error:
        send(replies, Reply(error.exit_code, str(error)))


def answer_all(
    answer: Callable[[Question], str], memory: int, seconds: float | None, questions: BinaryIO, replies: BinaryIO
) -> None:
    """Answer every question with no more memory from now on than `memory` and BESIDE, and within `seconds` each."""
    limit_memory(memory)
    for line in questions:
        send(replies, reply(answer, msgspec.json.decode(line, type=Question), seconds or 0))


def _answer(database: Database, question: Question) -> str:
    from paperlake.sql.answers import answer

    return answer(database, question)


def reply(answer: Callable[[Question], str], question: Question, seconds: float) -> Reply:
    """Answer one question within so many seconds: nothing catches the alarm, which ends the process."""
    signal.setitimer(signal.ITIMER_REAL, seconds)
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
