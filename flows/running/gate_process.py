"""The gate's own process: it imports Great Expectations, which takes seconds, while a build reads and derives."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final

import msgspec

import expectations
from expectations.drafts import GateReply, GateRequest
from expectations.report import Report
from flows.runtime import forked
from flows.runtime.environment import GATE, is_warm, passed_on
from warehouse.errors import GateFailed, PaperlakeError

COMMAND: Final = (sys.executable, "-m", expectations.__name__)
FORKED: Final = (sys.executable, "-m", forked.__name__, expectations.__name__)  # from one that has imported it already
ROOT: Final = Path(*expectations.__path__).parent  # where it runs, so that it imports the same `expectations` as this
ERRORS: Final = {error.__name__: error for error in PaperlakeError.__subclasses__()}


class GateProcess:
    """A process that checks drafts. `said` is for what it writes to stderr, which is not for a person."""

    def __init__(self, said: IO[bytes]) -> None:
        self._said = said
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, unless it runs: long before there is a draft, so that nothing waits for its imports."""
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603 - these words alone, and no shell
                FORKED if is_warm() else COMMAND,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
                cwd=ROOT,
                env=passed_on(GATE),
            )

    def check(self, asked: GateRequest) -> Report:
        """The report on a draft. GateFailed where the process ends without one, else the error that it answered."""
        self.start()
        # On one line: what a manifest keeps as it was read (`msgspec.Raw`) has the line ends of its file
        line = self._answer_to(msgspec.json.format(msgspec.json.encode(asked), indent=-1))
        if not line.endswith(b"\n"):
            raise GateFailed(f"{self._how_it_ended()} before it had checked the draft; nothing was published")
        reply = msgspec.json.decode(line, type=GateReply)
        if reply.report is None:
            raise ERRORS[reply.error](reply.words)
        return reply.report

    def _answer_to(self, line: bytes) -> bytes:
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            return b""
        try:
            process.stdin.write(line + b"\n")
            process.stdin.flush()
        except BrokenPipeError:
            return b""
        return process.stdout.readline()

    def _how_it_ended(self) -> str:
        if self._process is not None:
            self._process.wait()  # its output ends a moment before it does
        code = self.stop()
        if code < 0:
            return f"the gate's process was killed by signal {-code} (is there too little memory?)"
        self._said.seek(0)
        last = self._said.read().decode(errors="replace").strip().rpartition("\n")[2]
        return f"the gate's process ended with {code} ({last or 'it said nothing'})"

    def stop(self) -> int:
        """End it, where it runs: it has nothing to tidy up. Its exit code, negative for the signal that ended it."""
        process, self._process = self._process, None
        if process is None:
            return 0
        with suppress(BrokenPipeError), process:  # of a request that was not read
            process.kill()
        return process.returncode


@contextmanager
def gate_process() -> Iterator[GateProcess]:
    """The gate's process, which is not started yet; at the end it is gone."""
    with TemporaryFile() as said:
        gate = GateProcess(said)
        try:
            yield gate
        finally:
            gate.stop()
