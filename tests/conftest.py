"""What several rooms of tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.seaweed import seaweed

__all__ = ["seaweed"]

SAMPLE = Path(__file__).parent / "sample"
CAPTURES = Path(__file__).parents[2] / "shared" / "captures"


@pytest.fixture
def lake(tmp_path: Path) -> str:
    """The address of a lake that does not exist yet."""
    return str(tmp_path / "lake")


@pytest.fixture(scope="session")
def sample() -> Path:
    return SAMPLE


@pytest.fixture(scope="session")
def real_captures() -> Path:
    """Real captures, where the machine has them."""
    if not CAPTURES.is_dir():
        pytest.skip("the folder of real captures is not on this machine")
    return CAPTURES
