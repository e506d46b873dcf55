"""These tests run only where the real captures are: they are other people's text, and may not be copied.

What is made of all of them is made once.
"""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import polars as pl
import pytest

from tests.derived import derive
from tests.flows import steps
from tests.real.folder import CAPTURES, captures
from transforms.collect.collect import Collected, collect, read_page

EIGHTHS = 8


def pytest_runtest_setup() -> None:
    if not CAPTURES.is_dir():
        pytest.skip("the real captures are not beside the repository")


@pytest.fixture(scope="session")
def collected() -> Collected:
    return collect(map(read_page, captures()))


@pytest.fixture(scope="session")
def tables(collected: Collected) -> dict[str, pl.DataFrame]:
    return derive(collected)


@pytest.fixture(scope="session")
def growing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake with releases of an eighth of the captures, a quarter and all; each has more of all days."""
    lake = tmp_path_factory.mktemp("growing") / "lake"
    eighths = [captures()[number::EIGHTHS] for number in range(EIGHTHS)]
    for added in (eighths[:1], eighths[1:2], eighths[2:]):
        assert steps.run_captures(str(lake), list(chain.from_iterable(added))) is not None
    return lake
