"""Processes of a drill: forked, so that they are at work at once."""

import os
import sys
import traceback
from collections.abc import Callable


def forked(job: Callable[[], object]) -> int:
    """A process that does the job and ends with 0, or with 1 and a traceback."""
    sys.stdout.flush()
    if pid := os.fork():
        return pid
    code = 1
    try:
        job()
        code = 0
    finally:
        if code:
            traceback.print_exc()
        sys.stderr.flush()
        os._exit(code)


def ended(pid: int) -> int:
    """Its exit code, when it has ended; minus the signal that ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
