"""A terminal in which a test types to a command and reads what it shows."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from pathlib import Path
from typing import Self

WAIT = 60.0  # seconds for one answer
CONTROLS = re.compile(r"\x1b\[\??[0-9;]*[a-zA-Z]|\r|\a")  # readline's own


class Terminal:
    """Runs a program in a terminal of so many columns, as a session of its own; a context."""

    def __init__(self, command: list[str | Path], columns: int = 80, **environment: str) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        kept = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        start = ["setsid", "--ctty", "--wait", *map(str, command)]
        whole = {**kept, "TERM": "xterm", **environment}
        self.process = subprocess.Popen(start, stdin=theirs, stdout=theirs, stderr=theirs, env=whole)
        os.close(theirs)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)

    def type(self, keys: str, until: str) -> str:
        """Type the keys; return what is shown up to the text that is waited for."""
        os.write(self._ours, keys.encode())
        return self.see(until)

    def interrupt(self, until: str) -> str:
        """Press Ctrl-C, and again after a moment, as a person does; return what is shown.

        Python looks for signals just before it waits for a key: one that comes between the two waits for the next key.
        """
        end = time.monotonic() + WAIT
        while True:
            os.write(self._ours, b"\x03")
            try:
                return self.see(until, seconds=2)
            except AssertionError:
                if time.monotonic() > end:
                    raise

    def see(self, until: str, *, seconds: float = WAIT) -> str:
        """What is shown up to the text that is waited for, without readline's own controls."""
        seen, end = b"", time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self._ours], [], [], 0.1)[0]:
                try:
                    seen += os.read(self._ours, 65_536)
                except OSError as error:  # Linux's end of a terminal
                    code = self.process.wait(timeout=WAIT)
                    raise AssertionError(f"it ended with {code}, and {until!r} is not in {seen!r}") from error
            if until in (text := CONTROLS.sub("", seen.decode(errors="replace"))):
                return text
        raise AssertionError(f"{until!r} is not in {seen!r}")

    def wait_for(self, *, is_asking: bool) -> None:
        """Wait until readline asks for a line, or stops: Ctrl-C discards what was typed before it asked."""
        end = time.monotonic() + WAIT
        while bool(termios.tcgetattr(self._ours)[3] & termios.ICANON) == is_asking:
            assert time.monotonic() < end, "the terminal did not change its mode"
            time.sleep(0.01)
        time.sleep(0.3)  # readline changes it a moment before it gives the line, or asks

    def rest(self) -> tuple[str, int]:
        """What it shows until it ends, raw, and its exit code."""
        seen = b""
        while True:
            try:
                more = os.read(self._ours, 65_536)
            except OSError:  # Linux's end of a terminal
                break
            if not more:
                break
            seen += more
        return seen.decode().replace("\r\n", "\n"), self.process.wait(timeout=WAIT)
