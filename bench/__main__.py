"""All benchmarks, one table each: `python -m bench [FOLDER]`, FOLDER holding a captures.csv (default: the real ones).

Every figure is a ratio against a named peer of the same run, because machines are noisy; `bench/RESULTS.md` keeps
the tables with the machine they were measured on.
"""

from __future__ import annotations

import csv
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from bench.attach import attach_ratio
from bench.calls import calls_ratio
from bench.capture import capture_ratio
from bench.copies import copied
from bench.identity import identity_curve, identity_ratio
from bench.read import read_ratio

CAPTURES = Path(__file__).parents[2] / "shared" / "captures"
Row = tuple[str, ...]
Listed = dict[str, str]
HISTORY = (0.1, 0.25, 0.5, 1.0)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else CAPTURES
    if not (folder / "captures.csv").is_file():
        sys.exit(f"{folder.name} holds no captures.csv; name a folder that does")
    print(
        f"{platform.machine()}, {_cores()} cores, Python {platform.python_version()}, {len(_rows(folder))} captures\n"
    )
    print("| what | figure | peer | ratio |\n|---|---|---|---|")
    rows = (read_ratio(folder), _runs(folder), capture_ratio(), calls_ratio(), identity_ratio())
    for row in chain.from_iterable(rows):
        print(f"| {' | '.join(row)} |", flush=True)
    print("\n| threshold | precision | recall |\n|---|---|---|")
    for row in identity_curve():
        print(f"| {' | '.join(row)} |", flush=True)


def _cores() -> int:
    return len(os.sched_getaffinity(0))


def _rows(folder: Path) -> list[Listed]:
    with (folder / "captures.csv").open(encoding="utf-8", newline="") as file:
        return sorted(csv.DictReader(file), key=lambda row: (row["fetched_at"], row["file"]))


def _runs(folder: Path) -> Iterator[Row]:
    """A run over everything; a run with one new day, after shares of the history; size against the raw JSON."""
    rows = _rows(folder)
    dated = [row for row in rows if row["fetched_at"]]
    with tempfile.TemporaryDirectory(prefix="paperlake-bench-") as name:
        room = Path(name)
        full = _run(room / "all", [folder])
        steps = ", ".join(f"{step} {full[step]:.1f}" for step in ("land", "build", "gate", "publish"))
        yield (
            "land + build + publish of all",
            f"{full['work']:.1f} s ({steps})",
            "the promise: 30 s",
            f"{full['work'] / 30:.2f}",
        )
        yield (
            "its peak memory",
            f"{full['peak MiB']:.0f} MiB",
            "the promise: 1,536 MiB",
            f"{full['peak MiB'] / 1536:.2f}",
        )
        imports = full["import"] + full["gate import"]
        yield "start: importing Prefect, Polars, Great Expectations", f"{imports:.1f} s", "—", "—"
        raw = sum((folder / row["file"]).stat().st_size for row in rows if "json" in row["content_type"])
        [release] = (room / "all").glob("releases/*/")
        parquet, marts = (_bytes(release, f"{part}/**/*.parquet") for part in ("data", "marts"))
        yield (
            "Parquet of the release",
            f"{parquet / 1e6:.2f} MB",
            f"raw JSON {raw / 1e6:.2f} MB",
            f"{parquet / raw:.3f}",
        )
        yield "its marts as Parquet, besides", f"{marts / 1e6:.2f} MB", "raw JSON", f"{marts / raw:.3f}"
        yield from attach_ratio(release)
        for share in HISTORY:
            *before, last = dated[: int(len(dated) * share)]
            before += [row for row in rows if not row["fetched_at"]]
            whole, new = _one_more_day(room / f"{share}", folder, before, last)
            what = f"one new day after {len(before)} captures"
            yield what, f"{new:.1f} s", f"the run over those {len(before)}: {whole:.1f} s", f"{new / whole:.2f}"


def _bytes(release: Path, pattern: str) -> int:
    return sum(path.stat().st_size for path in release.glob(pattern))


def _one_more_day(room: Path, folder: Path, before: list[Listed], last: Listed) -> tuple[float, float]:
    """Seconds of work over the history, and over one new day after it."""
    whole = _run(room / "lake", [copied(folder, before, room / "before")])
    new = _run(room / "lake", [copied(folder, [last], room / "last")])
    return whole["work"], new["work"]


def _run(lake: Path, paths: list[Path]) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.steps", str(lake), *map(str, paths)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    main()
