"""A release by many readers: `python -m bench.readers [RELEASE [PLACE…]]` prints a table, and ends with 1 if one fails.

Without RELEASE it makes one of the sample. Each place is an environment of its own, from the lock of that name, that is
gone afterwards; `here` and `croissant` are that of `make setup`. Every column of every table must be what our DuckDB
says it is.
"""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final

from bench.parts import PAPERLAKE
from bench.peers import environment

HERE: Final = Path(__file__).parent
OURS: Final = "duckdb"
PLACES: Final[dict[str, tuple[str, ...]]] = {
    "here": (OURS, "duckdb on Parquet", "polars", "pyarrow", "pandas", "dask", "datasets"),
    "croissant": ("mlcroissant",),
    "oldest": ("duckdb", "duckdb on Parquet", "polars", "pyarrow", "pandas"),
    "duckdb": ("duckdb",),
    "dbt": ("dbt-duckdb", "duckdb"),
    "contract": ("datacontract-cli", "duckdb"),
    "node": ("duckdb for Node", "hyparquet"),
    "frictionless": ("frictionless",),
    "spark": ("spark",),
    "R": ("nanoparquet",),
}
Seen = dict[str, dict[str, list[float]]]


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="paperlake-readers-") as name:
        scratch = Path(name)
        release = Path(sys.argv[1]).absolute() if sys.argv[1:] else of_sample(scratch / "lake")
        expected = asked([sys.executable, str(HERE / "reader.py")], OURS, release)["tables"]
        with ThreadPoolExecutor(2) as pool:
            told = pool.map(partial(lines_of, scratch, release, expected), sys.argv[2:] or PLACES)
            lines = [line for of_place in told for line in of_place]
    print("| reader | version | what it read | result |", "|---|---|---|---|", *lines, sep="\n")
    sys.exit(any("| failed" in line for line in lines))


def of_sample(lake: Path) -> Path:
    subprocess.run([PAPERLAKE, "run", "tests/sample", "--lake", lake, "--quiet"], check=True, stdout=sys.stderr)
    [manifest] = lake.glob("releases/*/manifest.json")
    return manifest.parent


def lines_of(scratch: Path, release: Path, expected: Seen, place: str) -> list[str]:
    """A line for each reader of a place; what cannot be brought to this machine is told, and is no failure."""
    try:
        command = brought(place, scratch / place)
    except (OSError, subprocess.CalledProcessError) as error:
        return [f"| {reader} | | | skipped: {error} |" for reader in PLACES[place]]
    return [line_of(reader, release, expected, command) for reader in PLACES[place]]


def brought(place: str, at: Path) -> list[str]:
    """What readers of a place are started by, with all that they need in a new folder."""
    if place in {"here", "croissant", "frictionless"}:
        return [sys.executable, str(HERE / "reader.py")]
    if place == "R":  # no registry of locked packages has what reads Parquet: it is there, or it is not
        subprocess.run(["Rscript", "-e", "library(nanoparquet)"], check=True, capture_output=True)
        return ["Rscript", str(HERE / "reader.R")]
    if place == "node":
        at.mkdir()
        for name in ("package.json", "package-lock.json", ".npmrc", "reader.mjs"):
            shutil.copy(HERE / name, at)
        subprocess.run(["npm", "ci", "--silent"], cwd=at, check=True)
        return ["node", str(at / "reader.mjs")]
    return [str(environment(at, HERE / f"{place}.lock")), str(HERE / "reader.py")]


def line_of(reader: str, release: Path, expected: Seen, command: list[str]) -> str:
    try:
        found = asked(command, reader, release)
    except subprocess.CalledProcessError as error:
        return f"| {reader} | | | failed: {error.stderr.strip().splitlines()[-1:]} |"
    wrong, saw = found.get("failed"), found.get("saw")
    if tables := found.get("tables"):
        wrong, saw = list(differences(tables, expected, release)), f"{len(tables)} tables, {columns(tables)} columns"
    result = f"failed: {len(wrong)}, {wrong[:3]}" if wrong else "right"
    return f"| {reader} | {found['version']} | {saw} | {result} |"


def asked(command: list[str], reader: str, release: Path) -> dict[str, Any]:
    done = subprocess.run([*command, reader, release], check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def columns(tables: Seen) -> int:
    return sum(len(table) for table in tables.values())


def differences(tables: Seen, expected: Seen, release: Path) -> Iterator[str]:
    """Tables and marts with rows that are not there, and columns with other values, or other names or order."""
    manifest = json.loads((release / "manifest.json").read_text("utf-8"))
    parts = (*manifest["tables"], *manifest["marts"])
    yield from sorted({one["name"] for one in parts if one["row_count"]} - tables.keys())
    for name, table in tables.items():
        if list(table) != list(expected[name]):
            yield f"{name}: {list(table)}"
        for column, (count, weight) in table.items():
            there, weighs = expected[name].get(column, (0, 0))
            if count != there or not math.isclose(weight, weighs, rel_tol=1e-9):
                yield f"{name}.{column}"


if __name__ == "__main__":
    main()
