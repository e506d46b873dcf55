"""Processes of their own that work on a lake, for races and kills."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
import time
from collections.abc import Callable
from multiprocessing.context import ForkServerProcess
from pathlib import Path

ROOT = Path(__file__).parents[1]
PRELOADED = ["flows.steps.capture_due", "expectations.runner", "warehouse.store.s3", "tests.flows.steps"]
START = """
import sys, time
from flows.runtime.lake import open_lake
lake, moment = sys.argv[1], float(sys.argv[2])
store = open_lake(lake)
def wait():
    store.exists("warm-up")  # a first request takes longer than all that follow
    time.sleep(max(moment - time.time(), 0))
"""


def python(script: str, lake: str, *arguments: object, moment: float = 0) -> subprocess.Popen[str]:
    """A process that has `store` open on the lake, and that `wait()` holds until the moment."""
    return subprocess.Popen(
        [sys.executable, "-c", START + script, lake, str(moment), *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def forked(job: Callable[..., object], *arguments: object) -> ForkServerProcess:
    """A process at work on a job, which is a function of a module: its start costs nothing.

    It is forked from one without threads that has imported what most need, in the environment of the first of them.
    """
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(PRELOADED)
    process = server.Process(target=job, args=arguments)
    process.start()
    return process


def race(script: str, lake: str, names: str, *, seconds: float = 3) -> list[list[str]]:
    """What each of several processes said that were let go at one moment; their names are `sys.argv[3]`."""
    moment = time.time() + seconds
    racers = [python(script, lake, name, moment=moment) for name in names]
    said = [racer.communicate(timeout=120)[0].splitlines() for racer in racers]
    assert [racer.returncode for racer in racers] == [0] * len(names), said
    return said


def peak_mib() -> int:
    """The most memory that this process has used: `ru_maxrss` begins with what the process had that started it."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024
