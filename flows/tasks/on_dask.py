"""Tasks of a build on a Dask cluster, which `prefect-dask` reaches or starts: `spread`, for many machines.

Prefect has one task of a build, Dask has its parts: a run of Prefect's for each would take along Prefect's settings,
the key of its API among them, and every worker would have to reach that API. A part that is lost with its worker is
done again by the scheduler. What goes over the wire is keys and counts. A worker, which imports this too but for
Prefect's runner, checks whether it may work for a build, then does its tasks.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property, lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Final, TypeVar
from uuid import uuid4

from msgspec import Struct

from flows.runtime.environment import variable
from flows.runtime.lake import open_lake
from flows.runtime.settings import Settings, load
from flows.tasks.scratch_place import ScratchPlace
from flows.tasks.spread import Spread
from warehouse.errors import ClusterFailed, NothingThere, PaperlakeError, UsageError
from warehouse.printable import counted
from warehouse.store import temporary

try:
    from distributed import CancelledError, Client, Future, KilledWorker, get_worker, wait
    from distributed.exceptions import WorkerStartTimeoutError
except ImportError as missing:
    raise UsageError(f'{variable("dask")} is set, and needs more packages: pip install "paperlake[dask]"') from missing

if TYPE_CHECKING:
    from prefect_dask.task_runners import DaskTaskRunner

A = TypeVar("A")
B = TypeVar("B")

RETRIES: Final = 2  # of a task that failed: the store may go better
LOGGERS: Final = ("distributed", "distributed.client", "tornado", "tornado.application")
LOOK_SECONDS: Final = 5.0  # without a result, until one looks whether there is a worker at all


@contextmanager
def on_dask(settings: Settings, place: ScratchPlace) -> Iterator[Spread]:
    """A `Spread` over the cluster that the settings name; it is reached, or started, with the first tasks."""
    for name in LOGGERS:  # what they have to say of a cluster that is lost is said by us, in a line
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with ExitStack() as opened:
        yield Cluster(settings, place, opened).spread


def look_at_workers(settings: Settings, place: ScratchPlace) -> str:
    """Who would work, of a scheduler that runs; as a build it ends with UsageError or ClusterFailed."""
    with ExitStack() as opened:
        threads = Cluster(settings, place, opened).client.nthreads()
        workers, all_threads = counted(len(threads), "worker"), counted(sum(threads.values()), "thread")
        return f"{settings.dask}: {workers}, {all_threads}, as this build wants them"


class Cluster:
    """The cluster of one build."""

    def __init__(self, settings: Settings, place: ScratchPlace, opened: ExitStack) -> None:
        self._settings, self._place, self._opened = settings, place, opened
        self._at = settings.dask or ""
        self._terms = Terms(versions(), place.url, settings.s3_endpoint_url is not None)

    def spread(self, function: Callable[[A], B], tasks: Sequence[A]) -> Iterator[B]:
        """The result of each task, in their order; a single task is done in this process."""
        if len(tasks) <= 1:
            yield from map(function, tasks)
            return
        name = f"{function.__name__}-{uuid4().hex}"
        with self._translate_errors():
            futures = [  # each by itself: Dask warns of many bytes that are sent at once
                self.client.submit(perform, self._terms, function, task, key=f"{name}-{number}", retries=RETRIES)
                for number, task in enumerate(tasks)
            ]
        yield from map(self._result, futures)

    def _result(self, future: Future[B]) -> B:
        """The result of a task, waited for as long as there is a worker; its error is raised as it was."""
        with self._translate_errors(), self.client.as_current():
            while not future.done():
                try:
                    wait([future], timeout=LOOK_SECONDS)
                except TimeoutError:
                    self._require_worker(self.client)
        if future.status == "error" and not isinstance(error := future.exception(), KilledWorker):
            raise error
        with self._translate_errors():
            result: B = future.result()
        return result

    @cached_property
    def client(self) -> Client:
        """The cluster with a worker that may work for this build; UsageError names one that may not."""
        with self._translate_errors():
            client: Client = self._opened.enter_context(runner_of(self._settings)).client
            self._require_worker(client)
            self._place.put(READY, b"")
            found = client.run(fault, self._terms, on_error="return")
        for worker, words in found.items():
            if isinstance(words, ImportError):
                raise UsageError(unfit(worker, f"paperlake[dask] is not installed there ({words})"))
            if words and not isinstance(words, OSError):  # one that was lost meanwhile
                raise UsageError(unfit(worker, str(words)))
        return client

    def _require_worker(self, client: Client) -> None:
        try:
            client.wait_for_workers(1, timeout=self._settings.dask_seconds)
        except WorkerStartTimeoutError as error:
            words = f"{self._at} has had no worker for {self._settings.dask_seconds:g} s"
            raise ClusterFailed(
                f"{words}; start one (docs/cluster.md), or look at the logs of those that were"
            ) from error

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """A lost cluster in a line with the next step."""
        try:
            yield
        except KilledWorker as error:
            words = f"{error.task} ended {error.allowed_failures + 1} workers of {self._at}, one after the other"
            raise ClusterFailed(f"{words}; look at their logs, and whether they have too little memory") from error
        except (OSError, CancelledError, RuntimeError) as error:
            words = f"the cluster {self._at} cannot be reached, or was lost ({cause(error)})"
            raise ClusterFailed(f"{words}; see to it, and the same command resumes") from error


def runner_of(settings: Settings) -> DaskTaskRunner:
    """The task runner of `prefect-dask`: it reaches a scheduler, or starts a cluster that ends with the build."""
    from prefect_dask.task_runners import DaskTaskRunner

    at, options = settings.dask or "", settings.dask_options
    known = {"timeout": settings.dask_seconds}
    if "://" in at:
        return DaskTaskRunner(address=at, client_kwargs=known)
    keywords = json.loads(options.get_secret_value()) if options else {}
    try:
        return DaskTaskRunner(cluster_class=at.replace(":", "."), cluster_kwargs=keywords, client_kwargs=known)
    except (ImportError, AttributeError) as error:
        raise UsageError(f"{variable('dask')}: there is no class {at} here; install it") from error


def cause(error: Exception) -> str:
    """The first line of an error; that of a future lists all that were under way."""
    return "its work was cancelled" if isinstance(error, CancelledError) else str(error).partition("\n")[0]


SHAPING: Final = ("paperlake", "polars", "pyarrow", "numpy")  # other versions of them may give other bytes
READY: Final = "build"  # an object that every worker must find in the scratch place
CHECKS: Final = 8  # builds of which a worker remembers what it found


class Terms(Struct, frozen=True):
    """The terms of a build for its workers: versions, and its scratch place; no secret."""

    versions: tuple[tuple[str, str], ...]
    scratch: str
    has_endpoint: bool


def versions() -> tuple[tuple[str, str], ...]:
    """The versions in this process that decide on the bytes of a file."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return (("Python", python), *((name, version(name)) for name in SHAPING))


@lru_cache(CHECKS)
def fault(terms: Terms) -> str:
    """Why this process cannot work for a build, with the next step; nothing where it can."""
    temporary.sweep()  # what workers left that were killed
    here = dict(versions())
    if other := [f"{name} {here[name]} and not {asked}" for name, asked in terms.versions if here[name] != asked]:
        return f"it has {', '.join(other)}, which may give other bytes; install there what the run has"
    try:
        if terms.has_endpoint and load().s3_endpoint_url is None:
            return f"{variable('s3_endpoint_url')} is not set there; give it the settings of the lake"
        store = open_lake(terms.scratch)
        store.read(READY)
        store.put(f"workers/{uuid4().hex}", b"")
    except NothingThere:
        return f"it does not find {terms.scratch}/{READY}; give it the settings of the lake"
    except PaperlakeError as error:
        return str(error)
    return ""


def perform(terms: Terms, function: Callable[[A], B], task: A) -> B:
    """A task on a worker, which may have come when the build was under way."""
    if words := fault(terms):
        raise UsageError(unfit(get_worker().address, words))
    return function(task)


def unfit(worker: str, words: str) -> str:
    return f"{variable('dask')}: the worker {worker} cannot build: {words}"
