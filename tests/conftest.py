"""What several rooms of tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.old_client import old_client
from tests.seaweed import seaweed

__all__ = ["old_client", "seaweed"]

SAMPLE = Path(__file__).parent / "sample"


@pytest.fixture
def lake(tmp_path: Path) -> str:
    """The address of a lake that does not exist yet."""
    return str(tmp_path / "lake")


@pytest.fixture(scope="session")
def sample() -> Path:
    return SAMPLE
