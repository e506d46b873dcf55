"""Opens the lake of a command or a step. One on this machine needs few imports, so that `paperlake sql` starts fast."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from flows.runtime.environment import utc_now
from flows.runtime.progress import log
from warehouse.errors import StoreFailed, UsageError
from warehouse.printable import printable
from warehouse.release.latest import LATEST, manifest_of, require_known_format, require_latest
from warehouse.release.made_again import database_path
from warehouse.release.manifest import Latest, Parent
from warehouse.store import temporary
from warehouse.store.lease import Here, lease
from warehouse.store.opening import open_store, outer_places
from warehouse.store.pooled_list import MARKS_OF_A_LAKE
from warehouse.store.store import Store, read_if_there

if TYPE_CHECKING:
    from flows.runtime.settings import Settings
    from warehouse.release.query import Database


PATIENCE_SECONDS: Final = 300.0  # of a run that meets another one, which publishes
AMID_ERASURES: Final = {"erase", "copy"}  # a copy looks at its source, and may have half of the ledger itself


def open_lake(lake: str) -> Store:
    """The lake at a URL or a path, with the settings PAPERLAKE_S3_… where it is in a bucket."""
    return open_store(lake, _settings().s3_options()) if lake.lower().startswith("s3:") else open_store(lake)


def lake_around(place: Store) -> str | None:
    """The lake that a place lies in; None where it lies in none, as far as one may look."""
    for outer in outer_places(place):
        with suppress(StoreFailed):
            if is_lake(open_lake(outer)):
                return outer
    return None


def is_lake(place: Store) -> bool:
    """Whether a place is a lake, also one of which nothing is published yet."""
    return any(place.exists(key) or place.list(key) for key in MARKS_OF_A_LAKE)


def require_landable(store: Store) -> None:
    """Raise NewerLake where a newer paperlake has written, UsageError where a lake would begin within another one."""
    named = read_if_there(store, LATEST)
    require_known_format(store.url, named)
    if named is None and not store.list("raw") and (outer := lake_around(store)):
        raise UsageError(f"{store.url} is in the lake {outer}; name that, or a place outside it")


@contextmanager
def sole_writer(store: Store, command: str, *, patience: float = 0) -> Iterator[Store]:
    """The lake for a command that writes to it in several steps.

    InUse, exit code 8, while another one does, or where an erasure was killed that has not rewritten all.
    """
    from warehouse.people.ledger import Ledger  # not for those who only read

    with lease(store, command, Here(utc_now), patience=patience, notify=log.info) as held:
        temporary.sweep()
        if command not in AMID_ERASURES:
            Ledger(store).require_quiet()
        yield held


def journal_folder(store: Store) -> Path:
    """Where captures wait on this machine to be landed: in the lake, or in PAPERLAKE_STATE for a lake in a bucket."""
    if store.folder is not None:
        return store.folder / "journal"
    return _settings().state.expanduser() / f"journal-{short_name(store.url)}"


def short_name(url: str) -> str:
    """A name of 16 hex digits for a place, for files on this machine that belong to it."""
    return hashlib.sha256(url.encode()).hexdigest()[:16]


def open_database(lake: str) -> Path:
    """The database of the latest release as a local file; of a lake in a bucket, a copy in PAPERLAKE_CACHE.

    A warning on standard error says where the latest release is one that was retracted.
    """
    store = open_lake(lake)
    return database_of(store, require_latest(store))


def latest_database(lake: str) -> AbstractContextManager[Database]:
    """The database of the latest release, open to be asked."""
    from warehouse.release.query import opened

    return opened(open_database(lake))


def database_of(store: Store, named: Latest) -> Path:
    """The database of the release that `latest.json` names, with a warning where it was retracted."""
    warn_of_retraction(named, named.version)
    return database_at(store, named)


def warn_of_retraction(named: Latest, version: str) -> None:
    """Say on standard error that a release was retracted, if it was, by what `latest.json` says."""
    if erratum := named.erratum(version):
        warning = f"release {version} was retracted {erratum.retracted_at}: {erratum.why}"
        sys.stderr.write(f"warning: {printable(warning)}\n")


def database_at(store: Store, named: Latest | Parent) -> Path:
    """The database of any release as a local file, fetched where the lake is in a bucket."""
    return database_path(store, named.version, lambda: manifest_of(store, named), cache_of)


def cache_of() -> Path:
    """Where files of lakes are kept that were fetched, or made again."""
    return _settings().cache.expanduser()


def _settings() -> Settings:
    from flows.runtime.settings import load

    return load()
