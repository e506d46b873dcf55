"""What the tests of flows share: a release of the sample, and a Prefect server."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from flows.runtime.prefect_server import prefect_server
from tests.flows import steps


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory, sample: Path) -> str:
    """A lake with one release of the whole sample; tests only read it."""
    lake = str(tmp_path_factory.mktemp("published") / "lake")
    assert steps.run(lake, [sample]) is not None
    return lake


@pytest.fixture
def published_copy(published: str, lake: str) -> str:
    """The same, to do with as one likes."""
    shutil.copytree(published, lake)
    return lake


@pytest.fixture(scope="session")
def prefect_api_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Prefect server for commands whose own one is not what is tested: it takes 5 s to start."""
    with ExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:  # a folder that no other process writes to
            patch.setenv("PREFECT_HOME", str(tmp_path_factory.mktemp("prefect")))
            url = stack.enter_context(prefect_server(is_of_one_run=True))
        yield f"{url}/api"
