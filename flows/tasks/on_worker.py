"""The part of a worker of a cluster: it checks whether it may work for a build, then does its tasks."""

import sys
from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import version
from typing import Final, TypeVar
from uuid import uuid4

from distributed import get_worker
from msgspec import Struct

from flows.runtime.environment import variable
from flows.runtime.lake import open_lake
from flows.runtime.settings import load
from warehouse.errors import NothingThere, PaperlakeError, UsageError

A = TypeVar("A")
B = TypeVar("B")

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
