"""What several rooms of tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.old_client import old_client
from tests.seaweed import seaweed

__all__ = ["old_client", "seaweed"]

HERE = Path(__file__).parent
SAMPLE = HERE / "sample"


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """How the tests are spread over processes (`--dist loadgroup --no-loadscope-reorder`).

    The long drills begin, each for itself. The others of a module stay together, for the fixtures that they share, and
    so do all that read the real captures.
    """
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    for item in items:
        room = item.path.relative_to(HERE).parts[0]
        if room == "real" or item.get_closest_marker("slow") is None:
            group = room if room == "real" else item.path.relative_to(HERE).as_posix()
            item.add_marker(pytest.mark.xdist_group(group))


@pytest.fixture
def lake(tmp_path: Path) -> str:
    """The address of a lake that does not exist yet."""
    return str(tmp_path / "lake")


@pytest.fixture(scope="session")
def sample() -> Path:
    return SAMPLE
