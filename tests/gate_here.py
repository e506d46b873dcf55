"""The gate in this process, which then imports Great Expectations once, and not for each build.

That it is a process of its own, and what comes of it where that one ends: tests/flows/test_gate_process.py.
"""

from io import BytesIO
from typing import IO

import msgspec

from expectations.__main__ import answer
from expectations.drafts import GateReply, GateRequest
from expectations.report import Report
from flows.running.gate_process import ERRORS, GateProcess


class GateHere(GateProcess):
    """Requests and replies are encoded as ever."""

    def __init__(self, said: IO[bytes] | None = None) -> None:
        super().__init__(said or BytesIO())

    def start(self) -> None:
        pass

    def check(self, asked: GateRequest) -> Report:
        reply = msgspec.json.decode(msgspec.json.encode(answer(msgspec.json.encode(asked))), type=GateReply)
        if reply.report is None:
            raise ERRORS[reply.error](reply.words)
        return reply.report


class OpenGate(GateHere):
    """It lets every draft pass unread."""

    def check(self, asked: GateRequest) -> Report:
        return Report(())
