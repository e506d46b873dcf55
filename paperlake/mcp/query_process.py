"""The process that answers a server's calls: it has the lake open, and is held to its limits by the system.

    python -m paperlake.mcp.query_process

It is a program, not a fork of the server, whose threads it would not have.
"""

import os
import signal
import sys
import tempfile
import warnings
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any, Final

import msgspec
from msgspec import Struct

from flows.runtime.environment import READER, passed_on
from paperlake.mcp import tools
from paperlake.mcp.answer_shape import MOST_BYTES, Plain, explained, fitted, size, value
from paperlake.reading.lakes import Lake
from paperlake.reading.release import RetractedWarning
from paperlake.sql.questions import Question, Reply
from paperlake.sql.worker import Process, Worker, answer_all, send
from warehouse.errors import PaperlakeError, QueryFailed
from warehouse.limits import QueryLimits

NAMED: Final = {tool.__name__: tool for tool in tools.TOOLS}


class Setup(Struct, frozen=True):
    """The first message to a process: the lake, the release if it is one for good, its limits, a folder for spills."""

    lake: str
    version: str | None
    limits: QueryLimits
    folder: str


class Call(Struct, frozen=True):
    """A tool and its arguments."""

    tool: str
    arguments: dict[str, Any]


class QueryProcess(Worker):
    """Asks a query process about a lake; it is started again after it was ended."""

    def __init__(self, lake: str, version: str | None, limits: QueryLimits) -> None:
        super().__init__(Path(), limits)
        self._lake, self._version = lake, version
        self._turn = Lock()
        self._is_given_up = False

    def __exit__(self, *error: object) -> None:
        with self._turn:  # a call that was given up ends its process itself
            super().__exit__(*error)

    def give_up(self) -> None:
        """Let whatever is asked end at once; the next call has a process of its own."""
        self._is_given_up = True
        if process := self._process:
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(process.pid, signal.SIGKILL)

    def call(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """What a tool answers, as JSON, one call at a time; QueryFailed where it took too long or too much memory."""
        with self._turn:
            if self._is_given_up:
                self.stop()
                self._is_given_up = False
            return self.ask(Question("call", msgspec.json.encode(Call(tool, dict(arguments))).decode()))

    def begin(self) -> Process:
        """The process, begun: a program of its own, which is told first what it needs."""
        (read_questions, write_questions), (read_replies, write_replies) = os.pipe(), os.pipe()
        pid = os.posix_spawn(
            sys.executable,
            [sys.executable, "-m", __name__],
            passed_on(READER),
            file_actions=[
                (os.POSIX_SPAWN_DUP2, read_questions, 0),
                (os.POSIX_SPAWN_DUP2, write_replies, 1),
            ],
        )
        os.close(read_questions)
        os.close(write_replies)
        process = Process(pid, os.fdopen(write_questions, "wb"), os.fdopen(read_replies, "rb"))
        setup = Setup(self._lake, self._version, self._limits, str(self.folder))
        process.questions.write(msgspec.json.encode(setup) + b"\n")
        return process


def answered(served: tools.LakeServed, question: Question) -> str:
    """The answer to a call, as JSON. Errors are raised with the words that a model is told."""
    call = msgspec.json.decode(question.text, type=Call)
    try:
        return msgspec.json.encode(shaped(NAMED[call.tool](served, **call.arguments))).decode()
    except PaperlakeError as error:
        said = explained(error, served.asked, call.arguments.get("query"), served.lake.url)
        raise type(error)(said) from error


def shaped(found: tools.Answered) -> dict[str, Plain]:
    """An answer with what it rests on, and whether it was cut, by what, and how much of it is shown."""
    basis = value(msgspec.to_builtins(found.release.basis)) | {"as_of": found.as_of}
    counted = {"by": found.cut_by, "shown": len(found.rows), "total": found.total}
    head = {"basis": basis, "truncated": counted}
    if fitted(found.body, MOST_BYTES - size(head) - 64):
        left = {id(row) for row in _rows_in(found.body)}  # of an answer's rows, those still in its body
        counted |= {"by": "bytes", "shown": sum(id(row) in left for row in found.rows)}
    return head | found.body


def _rows_in(body: Plain) -> list[Plain]:
    inner = body.values() if isinstance(body, dict) else body if isinstance(body, list) else ()
    return [body, *(row for one in inner for row in _rows_in(one))]


def main() -> None:
    """Answer the calls on standard input until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles it, and ends this process
    warnings.simplefilter("ignore", RetractedWarning)  # the basis of each answer says so
    questions, replies = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints is no reply
    setup = msgspec.json.decode(questions.readline(), type=Setup)
    tempfile.tempdir = setup.folder
    try:
        served = tools.LakeServed(Lake.at(setup.lake, limits=setup.limits), setup.version)
        memory = served.release().database.memory_limit()
        answer_all(lambda question: answered(served, question), memory, setup.limits.seconds, questions, replies)
    except PaperlakeError as error:
        send(replies, Reply(error.exit_code, str(error), is_last=True))
    except MemoryError:
        send(replies, Reply(QueryFailed.exit_code, setup.limits.out_of_memory, is_last=True))


if __name__ == "__main__":
    main()
