"""A Dask cluster for tests: a scheduler and workers as processes of their own, on loopback, which are killed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from distributed import Client

from tests.processes import ROOT
from tests.seaweed import free_ports

HERE = "127.0.0.1"
QUIET = {"DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": "false"}  # no nanny: what is killed, the test has killed


@dataclass
class DaskCluster:
    """Processes by pid; workers have the environment of the lake and nothing else of this process's settings."""

    environment: Mapping[str, str]
    folder: Path
    address: str = field(default_factory=lambda: f"tcp://{HERE}:{free_ports(1)[0]}")
    scheduler: subprocess.Popen[bytes] | None = None
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start_scheduler(self) -> None:
        port = self.address.rpartition(":")[2]
        self.scheduler = self._start(
            "dask_scheduler", "--host", HERE, "--port", port, "--dashboard-address", f"{HERE}:0"
        )

    def add_workers(self, count: int, **changes: str) -> list[int]:
        """Workers of one thread each, when all are there; their pids."""
        pids = [self._add(**changes) for _ in range(count)]
        with Client(self.address, set_as_default=False, timeout=60) as client:
            client.wait_for_workers(len(self.workers), timeout=120)
        return pids

    def _add(self, **changes: str) -> int:
        words = ("--nthreads", "1", "--memory-limit", "0", "--no-nanny", "--no-dashboard", "--listen-address")
        port = free_ports(1)[0]
        own = ("--local-directory", str(self.folder), "--death-timeout", "60")
        worker = self._start("dask_worker", self.address, *words, f"tcp://{HERE}:{port}", *own, **changes)
        self.workers.append(worker)
        return worker.pid

    def kill_worker(self, number: int) -> int:
        worker = self.workers.pop(number)
        worker.kill()
        worker.wait()
        return worker.pid

    def kill_scheduler(self) -> None:
        """Its workers end then, as there is nobody who would start them again."""
        assert self.scheduler is not None
        for process in (self.scheduler, *self.workers):
            process.kill()
            process.wait()
        self.workers.clear()

    def peaks(self) -> list[int]:
        """The most memory of each worker, in MiB."""
        texts = [Path(f"/proc/{worker.pid}/status").read_text() for worker in self.workers]
        return [int(text.partition("VmHWM:")[2].split()[0]) // 1024 for text in texts]

    def stop(self) -> None:
        for process in [*self.workers, *([self.scheduler] if self.scheduler else [])]:
            process.kill()
            process.wait()

    def _start(self, program: str, *words: str, **changes: str) -> subprocess.Popen[bytes]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PAPERLAKE_")}
        command = [sys.executable, "-m", f"distributed.cli.{program}", *words]
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                command, cwd=ROOT, stdout=log, stderr=log, env={**kept, **QUIET, **self.environment, **changes}
            )


@contextmanager
def dask_cluster(environment: Mapping[str, str], folder: Path) -> Iterator[DaskCluster]:
    """A scheduler, and what is added to it, which end however the test does."""
    cluster = DaskCluster(environment, folder)
    try:
        cluster.start_scheduler()
        yield cluster
    finally:
        cluster.stop()
