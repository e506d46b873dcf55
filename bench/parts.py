"""Processor time of `paperlake run`, children included: with nothing new, with one new day, and the parts of that day.

`python -m bench.parts FOLDER` makes a lake of all captures but the newest and copies it for each run: best of three.
"""

from __future__ import annotations

import csv
import importlib
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

from bench.copies import copied

P = ParamSpec("P")
R = TypeVar("R")
Seconds = dict[str, float]

PAPERLAKE = str(Path(sys.executable).with_name("paperlake"))
ROUNDS = 3
STEPS = (
    ("land", "flows.steps.land_inputs", "land_inputs"),
    ("read, derive, write the draft", "flows.steps.build_draft", "make_draft"),
    ("gate", "flows.steps.build_draft", "check_draft"),
    ("write the release", "flows.steps.write_release", "write_release"),
    ("move latest", "flows.steps.write_release", "move_latest"),
)
IMPORTS = (
    ("import: ours, Polars, DuckDB", tuple(dict.fromkeys(module for _, module, _ in STEPS))),
    ("import: Prefect", ("prefect.flows",)),
)


def counted(seconds: Seconds, part: str, work: Callable[P, R]) -> Callable[P, R]:
    """Wrap a function so that its processor time is added to a part."""

    @wraps(work)
    def timed(*args: P.args, **kwargs: P.kwargs) -> R:
        before = time.process_time()
        try:
            return work(*args, **kwargs)
        finally:
            seconds[part] = seconds.get(part, 0) + time.process_time() - before

    return timed


def parts_of(lake: str, path: str) -> Seconds:
    """One run in this process; time of no part is Prefect's client's, time of children the gate's and the server's."""
    from flows.running.prefect_server import QUIET
    from paperlake.cli.main import main

    os.environ.update(QUIET)
    seconds = {"start, and the command line": time.process_time()}
    for part, modules in IMPORTS:
        for module in modules:
            counted(seconds, part, importlib.import_module)(module)
    for part, module, name in STEPS:
        found = importlib.import_module(module)
        setattr(found, name, counted(seconds, part, getattr(found, name)))
    sys.argv = ["paperlake", "run", path, "--lake", lake, "--quiet"]
    with suppress(SystemExit):
        counted(seconds, "all", main)()
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    client = seconds.pop("all") - sum(seconds.get(part, 0) for part, *_ in STEPS)
    return {
        **seconds,
        "Prefect: client": client,
        "the gate's process, Prefect: server": children.ru_utime + children.ru_stime,
    }


def split(folder: Path, room: Path) -> tuple[Path, Path]:
    """Two folders: all captures but the newest, and the newest."""
    with (folder / "captures.csv").open(encoding="utf-8", newline="") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: row["fetched_at"])
    return copied(folder, rows[:-1], room / "before"), copied(folder, rows[-1:], room / "last")


def spent(*command: str | Path) -> float:
    """User and system time of a command and of all that it waits for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    if sys.argv[1] == "--parts":
        for part, seconds in parts_of(*sys.argv[2:]).items():
            print(f"| {part} | {seconds:.2f} |")
        return
    with tempfile.TemporaryDirectory(prefix="paperlake-bench-") as name:
        lake = Path(name) / "lake"
        before, last = split(Path(sys.argv[1]), Path(name))
        print(f"| run of all but one day | {spent(PAPERLAKE, 'run', before, '--lake', lake):.2f} |")
        days = [shutil.copytree(lake, Path(name) / f"day-{number}") for number in range(ROUNDS + 1)]
        timed: dict[str, list[tuple[str | Path, ...]]] = {
            "nothing new": [(PAPERLAKE, "run", before, "--lake", lake)] * ROUNDS,
            "one new day": [(PAPERLAKE, "run", last, "--lake", day) for day in days[1:]],
            "status": [(PAPERLAKE, "status", "--lake", lake)] * ROUNDS,
            "tables": [(PAPERLAKE, "tables", "--lake", lake)] * ROUNDS,
            'sql "select 1"': [(PAPERLAKE, "sql", "select 1", "--lake", lake)] * ROUNDS,
        }
        for what, commands in timed.items():
            print(f"| {what} | {min(spent(*command) for command in commands):.2f} |", flush=True)
        subprocess.run([sys.executable, "-m", "bench.parts", "--parts", days[0], last], check=True)


if __name__ == "__main__":
    main()
