"""Runs a module as a program, forked from the warm process of `serve` where there is one.

It is called as `python -m flows.runtime.forked MODULE`.

This program stands for the run: it has its streams, takes its signals, and ends as it does. It imports next to nothing.
Without a warm process it turns into the run itself.
"""

import json
import os
import signal
import socket
import sys
from contextlib import chdir
from pathlib import Path

FOLDER = "_PAPERLAKE_WARM"  # the variable that names the folder with the warm process's socket
SOCKET = "warm"
SIZE_BYTES = 4  # of the request that follows
TAKEN = (signal.SIGINT, signal.SIGTERM)
STREAMS = (0, 1, 2)


def main() -> None:
    """Run the module that is named, and end as it does."""
    [_, module] = sys.argv
    with socket.socket(socket.AF_UNIX) as warm:
        try:
            with chdir(os.environ[FOLDER]):  # the whole path may be longer than a socket's can be
                warm.connect(SOCKET)
        except (KeyError, OSError):
            os.execv(sys.executable, [sys.executable, "-m", module])  # noqa: S606 - this Python
        ended_by = followed(warm, module)
    for number in TAKEN:
        signal.signal(number, signal.SIG_DFL)
    if ended_by < 0:
        os.kill(os.getpid(), -ended_by)
    sys.exit(ended_by)


def followed(warm: socket.socket, module: str) -> int:
    """Ask for the run and follow it to its end: its exit code, negative for the signal that ended it."""
    asked = {"module": module, "folder": str(Path.cwd()), "environment": dict(os.environ)}
    line = json.dumps(asked).encode()
    socket.send_fds(warm, [len(line).to_bytes(SIZE_BYTES, "big")], STREAMS)
    warm.sendall(line)
    for number in TAKEN:
        signal.signal(number, lambda number, _: warm.sendall(bytes([number])))
    return int(warm.recv(8) or -signal.SIGKILL)


if __name__ == "__main__":
    main()
