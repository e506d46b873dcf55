"""Bytes of a lake in a bucket after a folder of captures and fourteen invented days, each with a release.

python -m bench.fortnight ../shared/captures
"""

from __future__ import annotations

import os
import sys
import tempfile
from datetime import date, timedelta
from pathlib import Path
from time import perf_counter, process_time

from bench.grow import write_captures
from tests.flows import steps
from tests.seaweed import Seaweed, running
from warehouse.store.s3 import S3Store

FIRST = date(2026, 8, 3)
DAYS = 14


def main() -> None:
    with running() as server, tempfile.TemporaryDirectory(prefix="paperlake-bench-") as name:
        os.environ.update(server.environment() | {"PAPERLAKE_CACHE": f"{name}/cache"})
        lake, room = server.lake(), Path(name)
        steps.run(lake, [Path(sys.argv[1])])
        days = [FIRST + timedelta(number) for number in range(DAYS)]
        print("day | MB of releases, in all | MB of its pages | seconds | of processor time")
        print(f"before | {_megabytes(server, lake):.1f} | | |")
        for number, day in enumerate(days, 1):
            pages = write_captures(room / f"{day}", [day], days[:number])
            began, worked = perf_counter(), process_time()
            steps.run(lake, [pages])
            took, work = perf_counter() - began, process_time() - worked
            size = sum(path.stat().st_size for path in pages.iterdir()) / 1e6
            print(f"{number} | {_megabytes(server, lake):.1f} | {size:.1f} | {took:.1f} | {work:.1f}", flush=True)


def _megabytes(server: Seaweed, lake: str) -> float:
    """All objects but the captured pages, as they lie in the bucket."""
    there = S3Store(lake, server.options)
    return sum(there.size(key) for key in there.list() if not key.startswith("raw/")) / 1e6


if __name__ == "__main__":
    main()
