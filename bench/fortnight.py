"""Bytes of a lake in a bucket, day by day: all captures of a folder but those of the last fourteen days, then each day.

python -m bench.fortnight ../shared/captures
"""

from __future__ import annotations

import csv
import os
import sys
import tempfile
from itertools import chain, groupby
from pathlib import Path
from time import process_time

from bench.copies import copied
from flows.documents.release_index import pages_instead
from flows.runtime.lake import open_lake
from tests.flows import steps
from tests.seaweed import Seaweed, running
from warehouse.inventory.pool_files import GRACE, pool_all
from warehouse.store.s3 import S3Store

DAYS = 14


def main() -> None:
    folder = Path(sys.argv[1])
    with (folder / "captures.csv").open(encoding="utf-8", newline="") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: row["fetched_at"])
    by_day = [list(some) for _, some in groupby(rows, lambda row: row["fetched_at"][:10])]
    with running() as server, tempfile.TemporaryDirectory(prefix="paperlake-bench-") as name:
        os.environ.update(server.environment() | {"PAPERLAKE_CACHE": f"{name}/cache"})
        lake, room = server.lake(), Path(name)
        print("day | captures | MB of releases, in all | seconds of processor time")
        for number, some in enumerate([list(chain.from_iterable(by_day[:-DAYS])), *by_day[-DAYS:]]):
            began = process_time()
            steps.run(lake, [copied(folder, some, room / f"{number}")])
            print(f"{number} | {len(some)} | {_megabytes(server, lake):.1f} | {process_time() - began:.1f}", flush=True)
        pool_all(open_lake(lake), pages_instead, at=steps.NOW + GRACE)
        print(f"an hour later | 0 | {_megabytes(server, lake):.1f} | 0", flush=True)


def _megabytes(server: Seaweed, lake: str) -> float:
    """All objects but the captured pages, as they lie in the bucket."""
    there = S3Store(lake, server.options)
    return sum(there.size(key) for key in there.list() if not key.startswith("raw/")) / 1e6


if __name__ == "__main__":
    main()
