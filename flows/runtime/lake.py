"""Opens the lake of a command or a step. Imports next to nothing for a lake on this machine: `paperlake sql` waits."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from warehouse.printable import printable
from warehouse.release.latest import database_path, require_latest
from warehouse.release.manifest import Latest, Parent
from warehouse.store.store import Store, open_store

if TYPE_CHECKING:
    from flows.runtime.settings import Settings


def open_lake(lake: str) -> Store:
    """The lake at a URL or a path, with the settings PAPERLAKE_S3_… where it is in a bucket."""
    return open_store(lake, _settings().s3_options()) if lake.lower().startswith("s3:") else open_store(lake)


def journal_folder(store: Store) -> Path:
    """Where captures wait on this machine to be landed: in the lake, or in PAPERLAKE_STATE for a lake in a bucket."""
    if store.folder is not None:
        return store.folder / "journal"
    name = hashlib.sha256(store.url.encode()).hexdigest()[:16]
    return _settings().state.expanduser() / f"journal-{name}"


def open_database(lake: str) -> Path:
    """The latest release's database as a file of this machine; of a lake in a bucket it is kept in PAPERLAKE_CACHE.

    Where somebody went back to a release that was retracted, standard error says so.
    """
    store = open_lake(lake)
    return database_of(store, require_latest(store))


def database_of(store: Store, named: Latest) -> Path:
    """The same of a release that `latest.json` named a moment ago."""
    if erratum := named.erratum(named.version):
        said = f"release {named.version} was retracted {erratum.retracted_at}: {erratum.why}"
        sys.stderr.write(f"warning: {printable(said)}\n")
    return database_at(store, named)


def database_at(store: Store, named: Latest | Parent) -> Path:
    """The database of any release; of one in a bucket it is fetched."""
    cache = store.folder or _settings().cache.expanduser()  # a lake on this machine needs none
    return database_path(store, named, cache)


def _settings() -> Settings:
    from flows.runtime.settings import load

    return load()
