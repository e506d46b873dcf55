"""A build on one and on two Dask workers, side by side: `python -m bench.spread [SIGHTINGS] [--workers 1 2]`.

The captures are those of `bench.large`, the lake is in SeaweedFS, and scheduler and workers are processes on loopback.
Of each count of workers the seconds on the clock, those of the processor in this process and in the workers, the most
memory of a worker, and whether the files are those of the first.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bench.large import captures
from flows.runtime.lake import open_lake
from flows.steps.make_draft import make_draft
from tests.dask_cluster import DaskCluster, dask_cluster
from tests.seaweed import running
from warehouse.archive.archive import Archive
from warehouse.release.latest import DRAFTS
from warehouse.store.local_files import local_files

NOW: Final = datetime(2026, 11, 21)
TICKS: Final = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print a line a count of workers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sightings", type=int, nargs="?", default=100_000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    asked = parser.parse_args()
    with running() as server, TemporaryDirectory() as folder:
        os.environ |= server.environment()
        lake, first = server.lake(), dict[str, str]()
        Archive(open_lake(lake)).write(captures(asked.sightings, listed=50, polls=10), now=NOW)
        for count in asked.workers:
            with dask_cluster(server.environment(), Path(folder)) as cluster:
                os.environ["PAPERLAKE_DASK"] = cluster.address
                cluster.are_programs = True
                pids = cluster.add_workers(count)
                made = _measured(lake, cluster, pids)
            first = first or made
            sys.stdout.write(f"the files are {'those of the first' if made == first else 'OTHERS'}\n")


def _measured(lake: str, cluster: DaskCluster, pids: list[int]) -> dict[str, str]:
    """One build, and the hash of each of its files."""
    start, own = time.monotonic(), time.process_time()
    with local_files(open_lake(lake)) as files:
        draft = make_draft(files, from_raw=True)
    took, own, peaks = time.monotonic() - start, time.process_time() - own, cluster.peaks()
    theirs = ", ".join(f"{_seconds(pid):.0f}" for pid in pids)
    open_lake(lake).delete_prefix(DRAFTS)
    sys.stdout.write(
        f"{len(pids)} workers (pids {pids}): {took:.0f} s, processor {own:.0f} s here and {theirs} s there, "
        f"at most {max(peaks)} MiB; load {os.getloadavg()[0]:.1f}; "
    )
    sys.stdout.flush()
    assert draft is not None
    return {file.key: file.sha256 for table in draft.tables for file in table.files}


def _seconds(pid: int) -> float:
    """Processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


if __name__ == "__main__":
    main()
