"""`paperlake sql "select 1"` above `python -c "import duckdb"`: processes, the best of several."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.steps import run_steps

ROUNDS = 9
PAPERLAKE = Path(sys.executable).with_name("paperlake")


def start_ratio(folder: Path) -> Iterator[tuple[str, ...]]:
    with tempfile.TemporaryDirectory(prefix="paperlake-bench-") as name:
        lake = str(Path(name) / "lake")
        run_steps(lake, [next(path for path in sorted(folder.rglob("*.json")))])
        ask = [str(PAPERLAKE), "sql", "select 1", "--lake", lake]
        peer, ours = (min(_seconds(command) for _ in range(ROUNDS)) for command in (IMPORT, ask))
    more = f"{ours - peer:+.2f} s"
    yield 'paperlake sql "select 1"', f"{ours:.2f} s", f'python -c "import duckdb" {peer:.2f} s', more


IMPORT = [sys.executable, "-c", "import duckdb"]


def _seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start
