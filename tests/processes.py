"""Processes of their own that work on a lake, for races and kills."""

import atexit
import ctypes
import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.context import ForkProcess, ForkServerProcess
from pathlib import Path
from typing import Any, TypeVar

Made = TypeVar("Made")
ROOT = Path(__file__).parents[1]
PAPERLAKE = Path(sys.executable).with_name("paperlake")  # the program, as its users start it
# Starts a program that SIGHUP ends, also where these tests run behind `nohup`
HEARING = (
    *(sys.executable, "-c"),
    "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])",
)
START = """
import sys, time
from flows.runtime.lake import open_lake
lake = sys.argv[1]
store = open_lake(lake)
def wait():
    store.exists("warm-up")  # a first request takes longer than all that follow
    print("ready", file=sys.stderr, flush=True)
    sys.stdin.read()
"""


def finished(*command: object, **how: Any) -> subprocess.CompletedProcess[str]:
    """A program, run to its end, with what it printed."""
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, **how)


def python(script: str, lake: str, *arguments: object, **streams: int) -> subprocess.Popen[str]:
    """A process that has `store` open on the lake, and that `wait()` holds until its stdin ends."""
    command = [sys.executable, "-c", START + script, lake, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, **streams)


def forked(job: Callable[..., object], *arguments: object) -> ForkServerProcess:
    """A process at work on a job, which is a function of a module: its start costs nothing.

    It is forked from one without threads that has imported what most need, in the environment of the first of them.
    """
    process = get_context("forkserver").Process(target=job, args=arguments)
    process.start()
    return process


def fork(job: Callable[..., object], *arguments: object) -> ForkProcess:
    """A process at work on any job, forked from this one, which has no threads."""
    process = get_context("fork").Process(target=job, args=arguments)
    process.start()
    return process


def ended(process: ForkProcess) -> int:
    """Its exit code, once it has ended; minus the signal that ended it."""
    process.join()
    return process.exitcode


def preload(*, builds: bool) -> None:
    """Have processes forked from one that has imported what most commands need, and read nothing; for drills also what
    a build needs: Great Expectations and Dask, as much again.
    """
    wanted = ["tests.preloaded", "tests.preloaded_builds"] if builds else ["tests.preloaded"]
    get_context("forkserver").set_forkserver_preload(wanted)


def _fork_apart() -> None:
    """Fork now what an erasure starts anew to write databases apart, which imports for two seconds: nothing is read yet."""
    apart = ProcessPoolExecutor(1, get_context("fork"))
    apart.submit(int).result()
    import_module("flows.people.erase").ProcessPoolExecutor = lambda *_: apart  # type: ignore[attr-defined]


def paperlake(
    *words: str,
    environment: Mapping[str, str],
    within: int | None = None,
    is_bare: bool = False,
    has_gate: bool = True,
    started: Callable[[int], object] = lambda _: None,
) -> subprocess.CompletedProcess[str]:
    """Run a command of paperlake, forked, to its end; the imports, two seconds, are made once for all.

    `within` is a process in whose user and mount namespace it is; `started` is told its own id. Where it `is_bare`, a
    release that it makes has few documents (`tests.flows.steps.bare_releases`); unless it `has_gate`, any draft passes.
    """
    with tempfile.TemporaryDirectory(prefix="said-") as folder:
        process = forked(_paperlake, words, dict(environment), Path(folder), within, is_bare, has_gate)
        assert process.pid
        started(process.pid)
        process.join(240)
        assert process.exitcode is not None, f"paperlake {words} does not end"
        out, err = ((Path(folder) / name).read_text() for name in ("out", "err"))
    return subprocess.CompletedProcess(words, process.exitcode, out, err)


def _paperlake(  # noqa: PLR0917 - as it is forked
    words: Sequence[str], environment: dict[str, str], folder: Path, within: int | None, is_bare: bool, has_gate: bool
) -> None:
    from prefect.context import refresh_global_settings_context

    from flows import NO_TELEMETRY, ONE_THREAD
    from flows.running.prefect_server import QUIET
    from paperlake.cli.main import main
    from tests.flows.steps import bare_releases
    from tests.gate_here import OpenGate

    gc.freeze()  # what was imported before the fork is not looked through, and so copied, again and again
    for number, name in enumerate(("out", "err"), 1):
        os.dup2(os.open(folder / name, os.O_CREAT | os.O_WRONLY), number)
    if within is not None:
        for kind in ("user", "mnt"):
            with Path(f"/proc/{within}/ns/{kind}").open() as namespace:
                assert ctypes.CDLL(None).setns(namespace.fileno(), 0) == 0, kind
    os.environ.clear()
    os.environ.update({**NO_TELEMETRY, **ONE_THREAD, **QUIET, **environment})
    tempfile.tempdir = None  # what TMPDIR was before is kept there
    refresh_global_settings_context()
    sys.argv = ["paperlake", *words]
    if words[0] == "erase":
        _fork_apart()
    if not has_gate:
        import_module("flows.running.gate_process").GateProcess = OpenGate  # type: ignore[attr-defined]
    try:
        with bare_releases(with_gate=True) if is_bare else nullcontext():
            main()
    finally:
        atexit._run_exitfuncs()


def erased(lake: str, login: str) -> None:
    """Erase a person in a process of its own, as the command does, but for Prefect's history: its server takes 10 s."""
    process = forked(_erased, lake, login)
    process.join(120)
    assert process.exitcode == 0


def _erased(lake: str, login: str) -> None:
    from flows.people.erase import Machine, Wish, erase
    from flows.runtime.lake import open_lake

    _fork_apart()
    erase(open_lake(lake), Wish(login, "GDPR"), Machine())


def race(script: str, lake: str, names: str) -> list[list[str]]:
    """Start several processes at one moment, when all are ready, and return what each printed; their names are
    `sys.argv[2]`.
    """
    held, gate = os.pipe()
    with os.fdopen(held), os.fdopen(gate, "w"):
        racers = [python(script, lake, name, stdin=held, stderr=subprocess.PIPE) for name in names]
        ready = [racer.stderr.readline() for racer in racers if racer.stderr]
    said = [racer.communicate(timeout=120) for racer in racers]
    assert ready == ["ready\n"] * len(names), said
    assert [racer.returncode for racer in racers] == [0] * len(names), said
    return [told.splitlines() for told, _ in said]


def grown(job: Callable[..., Made], *arguments: object) -> tuple[Made, int]:
    """What a job of a module says in a process of its own, and by how many MiB the process grew for it."""
    with get_context("forkserver").Pool(1) as pool:
        return pool.apply_async(_grown, (job, arguments)).get(timeout=60)


def _grown(job: Callable[..., Made], arguments: Sequence[object]) -> tuple[Made, int]:
    before = _peak_mib()
    return job(*arguments), _peak_mib() - before


def _peak_mib() -> int:
    """The most memory that this process has used: `ru_maxrss` begins with what the process had that started it."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024
