"""What the tests of flows share: a release of the sample, and a Prefect server."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from pathlib import Path

import pytest

from flows.running.prefect_server import OwnServer, prefect_server
from tests.flows import steps


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory, sample: Path) -> str:
    """A lake with one release of the whole sample; tests only read it."""
    lake = str(tmp_path_factory.mktemp("published") / "lake")
    assert steps.run(lake, [sample]) is not None
    return lake


@pytest.fixture
def published_copy(published: str, lake: str) -> str:
    """A copy of it that a test may change."""
    shutil.copytree(published, lake)
    return lake


@pytest.fixture(scope="session")
def one_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake with a release of one list, of three papers; tests only read it."""
    lake = tmp_path_factory.mktemp("one_release") / "lake"
    assert steps.run_captures(str(lake), [steps.list_of(date(2026, 10, 1))]) is not None
    return lake


@pytest.fixture(scope="session")
def three_releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake with a release of each of three list days; tests only read it."""
    lake = tmp_path_factory.mktemp("three_releases") / "lake"
    for day in (date(2026, 9, 30), date(2026, 10, 1), date(2026, 10, 2)):
        steps.run_captures(str(lake), [steps.list_of(day)])
    return lake


@pytest.fixture(scope="session")
def used_prefect_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Prefect's folder after a first start, to be copied: the tables of its database take as long as a whole run."""
    home = tmp_path_factory.mktemp("prefect") / "used"
    with own_server(home):
        return home


@pytest.fixture(scope="session")
def own_prefect(used_prefect_home: Path) -> Iterator[OwnServer]:
    """A Prefect server, for tests of commands that need not start their own."""
    with own_server(shutil.copytree(used_prefect_home, used_prefect_home.with_name("served"))) as own:
        yield own


@contextmanager
def own_server(home: Path) -> Iterator[OwnServer]:
    """A Prefect server in a folder that no other process writes to."""
    with ExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PREFECT_HOME", str(home))
            own = stack.enter_context(prefect_server(is_of_one_run=True))
        yield own
