"""Folders that the processes of a run of the tests share: one fills each, all read it."""

import os
from collections.abc import Callable
from fcntl import LOCK_EX, flock
from pathlib import Path

import pytest


def built_once(factory: pytest.TempPathFactory, name: str, build: Callable[[Path], object]) -> Path:
    """A folder, or a file, that one process of a run of the tests makes, and that all read."""
    of_run = factory.getbasetemp().parent if "PYTEST_XDIST_WORKER" in os.environ else factory.getbasetemp()
    folder = of_run / name
    with (of_run / f"{name}.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not folder.exists():
            build(made := folder.with_suffix(".made"))
            made.rename(folder)
    return folder
