"""These tests run only where the real captures are: they are other people's text, and may not be copied.

What is made of all of them is made once, for all processes of a run.
"""

from __future__ import annotations

import pickle
from itertools import chain
from pathlib import Path

import polars as pl
import pytest

from tests.built_once import built_once
from tests.derived import derive
from tests.flows import steps
from tests.real.folder import CAPTURES, captures
from transforms.collect.collect import Collected, collect, read_page

EIGHTHS = 8


def pytest_runtest_setup() -> None:
    if not CAPTURES.is_dir():
        pytest.skip("the real captures are not beside the repository")


@pytest.fixture(scope="session")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Collected, dict[str, pl.DataFrame]]:
    """What all captures say, and the tables of it."""

    def build(made: Path) -> None:
        collected = collect(map(read_page, captures()))
        made.write_bytes(pickle.dumps((collected, derive(collected)), pickle.HIGHEST_PROTOCOL))

    found: tuple[Collected, dict[str, pl.DataFrame]] = pickle.loads(
        built_once(tmp_path_factory, "real_tables", build).read_bytes()
    )
    return found


@pytest.fixture(scope="session")
def collected(both: tuple[Collected, dict[str, pl.DataFrame]]) -> Collected:
    return both[0]


@pytest.fixture(scope="session")
def tables(both: tuple[Collected, dict[str, pl.DataFrame]]) -> dict[str, pl.DataFrame]:
    return both[1]


@pytest.fixture(scope="session")
def growing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake with releases of an eighth of the captures, a quarter and all; each has more of all days.

    Tests only read it.
    """

    def build(lake: Path) -> None:
        eighths = [captures()[number::EIGHTHS] for number in range(EIGHTHS)]
        for added in (eighths[:1], eighths[1:2], eighths[2:]):
            assert steps.run_captures(str(lake), list(chain.from_iterable(added))) is not None

    return built_once(tmp_path_factory, "growing", build)
