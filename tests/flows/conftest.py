"""What the tests of flows share: a release of the sample, and a Prefect server."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import paperlake
from flows.running.prefect_server import OwnServer, prefect_server
from flows.runtime.lake import open_database, open_lake
from tests.built_once import built_once
from tests.flows import steps
from tests.hub.clock import VirtualClock
from tests.processes import erased
from warehouse.release.query import Database, opened
from warehouse.store.store import Store

if TYPE_CHECKING:
    from paperlake.mcp.query_process import QueryProcess
    from tests.flows.evidence_source import Source


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory, sample: Path) -> str:
    """A lake with one release of the whole sample; tests only read it."""

    def build(lake: Path) -> None:
        assert steps.run(str(lake), [sample]) is not None

    return str(built_once(tmp_path_factory, "published", build))


@pytest.fixture
def published_copy(published: str, lake: str) -> str:
    """A copy of it that a test may change."""
    shutil.copytree(published, lake)
    return lake


@pytest.fixture(scope="session")
def published_twice(tmp_path_factory: pytest.TempPathFactory, published: str) -> str:
    """A lake with two releases: the sample, then a day more; tests only read it."""

    def build(lake: Path) -> None:
        shutil.copytree(published, lake)
        of_days(date(2026, 10, 5))(lake)

    return str(built_once(tmp_path_factory, "published_twice", build))


def of_days(*days: date) -> Callable[[Path], None]:
    def build(lake: Path) -> None:
        for day in days:
            assert steps.run_captures(str(lake), [steps.list_of(day)]) is not None

    return build


@pytest.fixture(scope="session")
def one_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake with a release of one list, of three papers; tests only read it."""
    return built_once(tmp_path_factory, "one_release", of_days(date(2026, 10, 1)))


@pytest.fixture
def two_bare(tmp_path_factory: pytest.TempPathFactory, lake: str) -> str:
    """A copy of a lake of two small releases without documents, for tests that erase or retract."""

    def build(made: Path) -> None:
        with steps.bare_releases():
            of_days(date(2026, 10, 1), date(2026, 10, 2))(made)

    return shutil.copytree(built_once(tmp_path_factory, "two_bare", build), lake)


PERSON = "priya"  # a submitter of the releases of `two_bare`


@pytest.fixture
def two_erased(two_bare: str, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Path:
    """A copy of that lake from which the person was erased, to take its place while something is at work on it."""

    def build(made: Path) -> None:
        shutil.copytree(two_bare, made)
        erased(str(made), PERSON)

    return shutil.copytree(built_once(tmp_path_factory, "two_erased", build), tmp_path / "two_erased")


def take_place(lake: str, other: Path) -> None:
    """Let another lake be at the address."""
    Path(lake).rename(f"{lake}-before")
    other.rename(lake)


@pytest.fixture(scope="session")
def three_bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake with a release of each of three list days, without gate and documents; tests only read it."""

    def build(made: Path) -> None:
        with steps.bare_releases():
            of_days(date(2026, 9, 30), date(2026, 10, 1), date(2026, 10, 2))(made)

    return built_once(tmp_path_factory, "three_bare", build)


@pytest.fixture
def store(three_bare: Path, lake: str) -> Store:
    """A copy of it to do with as one likes."""
    return open_lake(shutil.copytree(three_bare, lake))


@pytest.fixture
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERLAKE_STATE", str(tmp_path / "state"))


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture(scope="session")
def used_prefect_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Prefect's folder after a first start, to be copied: the tables of its database take as long as a whole run."""

    def build(home: Path) -> None:
        with own_server(home):
            pass

    return built_once(tmp_path_factory, "used_prefect_home", build)


@pytest.fixture(scope="session")
def served_prefect_home(used_prefect_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of `own_prefect`."""
    return Path(shutil.copytree(used_prefect_home, tmp_path_factory.mktemp("prefect") / "served"))


@pytest.fixture(scope="session")
def own_prefect(served_prefect_home: Path) -> Iterator[OwnServer]:
    """A Prefect server, for tests of commands that need not start their own."""
    with own_server(served_prefect_home) as own:
        yield own


@contextmanager
def own_server(home: Path) -> Iterator[OwnServer]:
    """A Prefect server in a folder that no other process writes to."""
    with ExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PREFECT_HOME", str(home))
            own = stack.enter_context(prefect_server(is_of_one_run=True))
        yield own


def variables_of(server: OwnServer) -> dict[str, str]:
    """The settings of a client of a Prefect server, as another process takes them."""
    return {"PREFECT_API_URL": f"{server.url}/api", "PREFECT_API_AUTH_STRING": server.secret}


@pytest.fixture
def forks_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """What writes the databases of an erasure is forked from a process that has read nothing, too, but has imported
    what is needed: two seconds of each erasure. As it is: test_no_file_has_the_login_any_more.
    """
    monkeypatch.setattr("flows.people.erase.get_context", lambda _: get_context("forkserver"))


@pytest.fixture(scope="module")
def process(published: str) -> Iterator[QueryProcess]:
    """A process that answers calls about the lake of the sample."""
    from paperlake.mcp.query_process import QueryProcess
    from warehouse.limits import QueryLimits

    with QueryProcess(published, None, QueryLimits(seconds=60)) as process:
        yield process


@pytest.fixture(scope="module")
def source(published_twice: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Source]:
    """A signed lake of two releases, of which the older one is asked for evidence."""
    from tests.flows.evidence_source import signed_source

    if shutil.which("ssh-keygen") is None:
        pytest.skip("no ssh-keygen on this machine")
    with signed_source(published_twice, tmp_path_factory.mktemp("evidence")) as source:
        yield source


@pytest.fixture
def release(published: str) -> Iterator[paperlake.Release]:
    with paperlake.open(published).latest() as release:
        yield release


@pytest.fixture(scope="module")
def database(published: str) -> Iterator[Database]:
    """That of the sample's release."""
    with opened(open_database(published)) as database:
        yield database
