"""The same captures by other tools: `python -m bench.peers [FOLDER]`, processor time and peak of three rounds by turns.

The tools go into an environment of their own, from `bench/peers.lock`, that is gone afterwards. What each keeps is
counted by itself (`bench/peer.py`); what it loses stands here. paperlake is measured twice: as far as the core tables,
and as a whole run with Prefect, the gate, the database and the documents.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from bench.__main__ import CAPTURES
from bench.parts import PAPERLAKE

ROUNDS: Final = 3
HERE: Final = Path(__file__).parent
# What is lost by each, beside what all lose: which page said it and where, why a page gave nothing, who is one paper
LOST: Final = {
    "orjson": "all: values, no tables",
    "duckdb": "bad pages vanish; new keys vanish",
    "polars": "bad pages vanish; new keys vanish",
    "pandas": "bad pages vanish; types as they come",
    "dlt": "bad pages vanish; papers by id alone",
    "paperlake, core tables": "nothing: each page has a state, each item a pointer",
    "paperlake run": "nothing",
}


class Spent(NamedTuple):
    """One process and its children."""

    seconds: float
    peak_mib: float
    printed: str


def main() -> None:
    if sys.argv[1:2] == ["--ours"]:
        print(json.dumps(core_tables(sys.argv[2], Path(sys.argv[3]))))
        return
    folder = Path(sys.argv[1]) if sys.argv[1:] else CAPTURES
    with tempfile.TemporaryDirectory(prefix="paperlake-peers-") as name:
        python = environment(Path(name) / "env")
        rounds = [dict(one_round(python, folder, Path(name) / "out")) for _ in range(ROUNDS)]
    least = {tool: min(spent[tool].seconds for spent in rounds) for tool in LOST}
    print("| tool | processor time | of orjson | peak | pages, sightings, papers, quarantine | what is lost |")
    print("|---|---|---|---|---|---|")
    for tool, lost in LOST.items():
        peak, times = max(spent[tool].peak_mib for spent in rounds), least[tool] / least["orjson"]
        print(f"| {tool} | {least[tool]:.2f} s | {times:.1f} | {peak:.0f} MiB | {kept(rounds[0][tool])} | {lost} |")


def environment(at: Path, lock: Path = HERE / "peers.lock") -> Path:
    """A new environment with what the lock names; returns its Python."""
    python = at / "bin" / "python"
    demands = ("--quiet", "--no-deps", "--require-hashes", "--requirement", lock)
    if (uv := Path(sys.executable).with_name("uv")).is_file():
        subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, at], check=True)
        if subprocess.run([uv, "pip", "install", "--python", python, *demands], check=False).returncode == 0:
            return python
        shutil.rmtree(at)
    subprocess.run([sys.executable, "-m", "venv", at], check=True)
    subprocess.run([python, "-m", "pip", "install", *demands], check=True)
    return python


def one_round(python: Path, folder: Path, out: Path) -> Iterator[tuple[str, Spent]]:
    """Every tool once; what it made is removed."""
    of_paperlake = {
        "paperlake, core tables": [sys.executable, "-m", "bench.peers", "--ours", str(out / "lake"), str(folder)],
        "paperlake run": [PAPERLAKE, "run", str(folder), "--lake", str(out / "lake"), "--quiet"],
    }
    for tool in LOST:
        out.mkdir()
        command = of_paperlake.get(tool) or [str(python), str(HERE / "peer.py"), tool, str(folder), str(out)]
        yield tool, (found := spent(command))
        print(f"{tool}: {found.seconds:.2f} s, {found.peak_mib:.0f} MiB, {found.printed}", file=sys.stderr, flush=True)
        shutil.rmtree(out)


def spent(command: list[str]) -> Spent:
    """Run a command to its end; user and system time and the peak are those of it and of all that it waited for."""
    with tempfile.TemporaryFile("w+") as printed, tempfile.TemporaryFile() as told:
        process = subprocess.Popen(command, stdout=printed, stderr=told)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            told.seek(0)
            sys.exit(f"{command[-3:]}: exit code {process.returncode}\n{told.read()[-2_000:].decode(errors='replace')}")
        printed.seek(0)
        return Spent(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, printed.read())


def kept(spent: Spent) -> str:
    if not spent.printed.startswith("{"):
        return "as above"
    counts = json.loads(spent.printed)
    return ", ".join(
        f"{counts[what]:,}" if what in counts else "—" for what in ("pages", "sightings", "papers", "quarantine")
    )


def core_tables(lake: str, folder: Path) -> dict[str, int]:
    """Land and build without Prefect; how many rows the draft's tables have."""
    from bench.steps import NOW
    from flows.steps.land_inputs import land_inputs
    from flows.steps.make_draft import make_draft
    from warehouse.archive.captured import Limits
    from warehouse.store.local_files import local_files
    from warehouse.store.opening import open_store

    store = open_store(lake)
    land_inputs(store, [folder], limits=Limits(), now=NOW)
    with local_files(store) as files:
        draft = make_draft(files, from_raw=False)
    rows = {table.name: table.row_count for table in draft.tables} if draft else {}
    named = {"pages": "captures", "sightings": "sightings", "papers": "papers", "quarantine": "quarantine"}
    return {what: rows[table] for what, table in named.items()}


if __name__ == "__main__":
    main()
