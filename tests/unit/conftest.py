"""What several modules of unit tests share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from flows.running.mail import DigestConfig
from tests.relay import Relay, config_at, relaying
from warehouse.archive.archive import Archive
from warehouse.store.opening import open_store
from warehouse.store.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A lake that does not exist yet, in a folder."""
    return open_store(str(tmp_path / "lake"))


@pytest.fixture
def archive(store: Store) -> Archive:
    return Archive(store)


@pytest.fixture
def relay() -> Iterator[Relay]:
    with relaying() as relay:
        yield relay


@pytest.fixture
def config(tmp_path: Path, relay: Relay) -> DigestConfig:
    return config_at(tmp_path / "state", relay)
