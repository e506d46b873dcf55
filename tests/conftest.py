"""What several rooms of tests share."""

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.old_client import old_client, oldest_client
from tests.processes import preload
from tests.seaweed import seaweed

__all__ = ["old_client", "oldest_client", "seaweed"]

STATE = "PAPERLAKE_STATE"
SAMPLE = Path(__file__).parent / "sample"


def pytest_configure(config: pytest.Config) -> None:
    """Ctrl-C is heard by what the tests start, where a shell's `&` has them ignore it too.

    How runs end, and Prefect's history, are kept in a folder that goes away, not in those of whoever runs the tests:
    each erasure looks through it.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.set_threshold(50_000)  # as the commands do: a fifth of the time that the tests take to be collected
    if STATE not in os.environ:
        folder = TemporaryDirectory(prefix="paperlake-state-", ignore_cleanup_errors=True)
        os.environ |= {STATE: folder.name, "PREFECT_HOME": f"{folder.name}/prefect"}
        config.add_cleanup(folder.cleanup)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What reads the real captures is a long drill; the longest modules begin, so that none is alone at the end."""
    for item in items:
        if item.path.parent.name == "real":
            item.add_marker("slow")
    long = {item.path for item in items if item.get_closest_marker("slow")}
    rooms = {"real": 0, "laws": 1}
    items.sort(key=lambda item: (item.path not in long, rooms.get(item.path.parent.name, len(rooms))))


def pytest_collection_finish(session: pytest.Session) -> None:
    """What is imported by now stays: the collector of garbage need not look it through again and again. Drills are
    those that have builds forked.
    """
    preload(builds=any(item.get_closest_marker("slow") for item in session.items))
    gc.freeze()
    session.config.add_cleanup(gc.unfreeze)


@pytest.fixture
def lake(tmp_path: Path) -> str:
    """The address of a lake that does not exist yet."""
    return str(tmp_path / "lake")


@pytest.fixture(scope="session")
def sample() -> Path:
    return SAMPLE


@pytest.fixture
def let_go() -> Iterator[None]:
    """What a test opened is closed at its end, also where an error holds it: DuckDB opens a file once in a process.

    What was there before lives on, and is not looked through, half a second of processor time less.
    """
    gc.freeze()
    yield
    gc.collect()
