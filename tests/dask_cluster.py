"""A Dask cluster for tests: a scheduler and workers as processes on loopback, which tests may kill."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from distributed import Client

from tests.processes import forked
from tests.seaweed import free_ports

HERE = "127.0.0.1"


@dataclass
class DaskCluster:
    """Workers have the environment of the lake and nothing else of this process's settings. They are forked from one
    that has imported what they need, or, if they are to be programs, start as those of a user do.
    """

    environment: Mapping[str, str]
    folder: Path
    address: str = field(default_factory=lambda: f"tcp://{HERE}:{free_ports(1)[0]}")
    are_programs: bool = False
    scheduler: ForkServerProcess | None = None
    workers: list[ForkServerProcess] = field(default_factory=list)

    def start_scheduler(self) -> None:
        port = self.address.rpartition(":")[2]
        self.scheduler = self._start(
            "dask_scheduler", "--host", HERE, "--port", port, "--dashboard-address", f"{HERE}:0"
        )

    def add_workers(self, count: int, **changes: str) -> list[int]:
        """Start workers of one thread each; return their pids when all are there."""
        pids = [self._add(**changes) for _ in range(count)]
        with Client(self.address, set_as_default=False, timeout=60) as client:
            client.wait_for_workers(len(self.workers), timeout=120)
        return pids

    def _add(self, **changes: str) -> int:
        words = ("--nthreads", "1", "--memory-limit", "0", "--no-nanny", "--no-dashboard", "--host", HERE)
        own = ("--local-directory", str(self.folder), "--death-timeout", "60")
        worker = self._start("dask_worker", self.address, *words, *own, **changes)
        self.workers.append(worker)
        return worker.pid

    def kill_worker(self, number: int) -> int:
        worker = self.workers.pop(number)
        worker.kill()
        worker.join()
        return worker.pid

    def kill_scheduler(self) -> None:
        """Kill the scheduler; its workers then end too, as nothing starts them again."""
        for process in (self.scheduler, *self.workers):
            process.kill()
            process.join()
        self.workers.clear()

    def peaks(self) -> list[int]:
        """The peak of memory of each worker, in MiB."""
        texts = [Path(f"/proc/{worker.pid}/status").read_text() for worker in self.workers]
        return [int(text.partition("VmHWM:")[2].split()[0]) // 1024 for text in texts]

    def stop(self) -> None:
        for process in [*self.workers, *([self.scheduler] if self.scheduler else [])]:
            process.kill()
            process.join()

    def _start(self, program: str, *words: str, **changes: str) -> ForkServerProcess:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PAPERLAKE_")}
        environment = {**kept, **self.environment, **changes}
        return forked(_run, f"distributed.cli.{program}", words, environment, self.folder / "log", self.are_programs)


def _run(module: str, words: Sequence[str], environment: dict[str, str], log: Path, is_program: bool) -> None:
    for stream in (1, 2):
        os.dup2(os.open(log, os.O_CREAT | os.O_WRONLY | os.O_APPEND), stream)
    if is_program:
        os.execve(sys.executable, [sys.executable, "-m", module, *words], environment)
    os.environ.clear()
    os.environ.update(environment)
    import_module(module).main(words)


@contextmanager
def dask_cluster(environment: Mapping[str, str], folder: Path) -> Iterator[DaskCluster]:
    """A scheduler and its workers, which end with the test."""
    cluster = DaskCluster(environment, folder)
    try:
        cluster.start_scheduler()
        yield cluster
    finally:
        cluster.stop()
