"""These tests run only where the real captures are: they are other people's text, and may not be copied.

What is made of all of them is made once, for all processes of a run.
"""

import pickle
from itertools import chain
from pathlib import Path
from shutil import copytree

import polars as pl
import pytest

from tests.built_once import built_once
from tests.derived import derive
from tests.flows import steps
from tests.real.folder import CAPTURES, captures
from transforms.collect.collect import Collected, collect, read_page
from warehouse.archive.captured import Capture

SIXTEENTHS = 16


def pytest_runtest_setup() -> None:
    if not CAPTURES.is_dir():
        pytest.skip("the real captures are not beside the repository")


@pytest.fixture(scope="session")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Collected, dict[str, pl.DataFrame]]:
    """What all captures say, and the tables of it."""

    def build(made: Path) -> None:
        collected = collect(map(read_page, captures()))
        made.write_bytes(pickle.dumps((collected, derive(collected)), pickle.HIGHEST_PROTOCOL))

    return pickle.loads(built_once(tmp_path_factory, "real_tables", build).read_bytes())


@pytest.fixture(scope="session")
def collected(both: tuple[Collected, dict[str, pl.DataFrame]]) -> Collected:
    return both[0]


@pytest.fixture(scope="session")
def tables(both: tuple[Collected, dict[str, pl.DataFrame]]) -> dict[str, pl.DataFrame]:
    return both[1]


def sixteenths(some: slice) -> list[Capture]:
    """The captures of these sixteenths; each has some of all days."""
    return list(chain.from_iterable(captures()[number::SIXTEENTHS] for number in range(SIXTEENTHS)[some]))


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake with a bare release of a sixteenth of the captures, and one of an eighth; tests only read it."""

    def build(lake: Path) -> None:
        assert steps.run_captures(str(lake), sixteenths(slice(1)), is_bare=True) is not None
        assert steps.run_captures(str(lake), sixteenths(slice(1, 2))) is not None

    return built_once(tmp_path_factory, "begun", build)


@pytest.fixture(scope="session")
def growing(begun: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, and then with a release of all captures; tests only read it."""

    def build(lake: Path) -> None:
        copytree(begun, lake)
        assert steps.run_captures(str(lake), sixteenths(slice(2, None))) is not None

    return built_once(tmp_path_factory, "growing", build)
