"""Nothing here runs where the real captures are not: they are other people's text, and may not be copied.

What is made of all of them is made once.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tests.flows import steps
from tests.real.folder import CAPTURES, captures
from transforms.collect.collect import Collected, collect, read_page
from transforms.core.derive import derive

RELEASES = 4


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
def quarters(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake: each release has a quarter of the captures more than the one before, of all days; the last has all."""
    lake = tmp_path_factory.mktemp("quarters") / "lake"
    for quarter in range(RELEASES):
        assert steps.run_captures(str(lake), captures()[quarter::RELEASES]) is not None
    return lake
