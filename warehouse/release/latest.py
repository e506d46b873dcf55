"""The latest release, which readers open. Imports next to nothing, because `paperlake sql` waits for it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from warehouse.errors import Damaged, NewerLake, NothingThere
from warehouse.release.cache import cached
from warehouse.release.manifest import Latest, Manifest, Parent, decode, digest
from warehouse.store.store import Store, read_if_there

RELEASES: Final = "releases"
DRAFTS: Final = "drafts"
CURRENT: Final = f"{DRAFTS}/current.json"
NO_DRAFT: Final = b"null\n"  # `current.json` when no draft is waiting: an object must be there to be swapped
MOVES: Final = "log/moves"
ERASING: Final = "erasing"  # files staged while a person is being erased
CITATIONS: Final = "citations"  # cited queries, each of one release
LATEST: Final = f"{RELEASES}/latest.json"
DATABASE: Final = "paperlake.duckdb"
MANIFEST: Final = "manifest.json"
# The version of the lake's layout. A paperlake whose layout older ones must not read or write counts it up, and writes
# `lake_format` and `code_version` into `latest.json`; without them it is the first.
LAKE_FORMAT: Final = 1


class Marked(msgspec.Struct, frozen=True):
    """The fields of `latest.json` that every paperlake can read, whatever else it holds."""

    lake_format: int = 1
    code_version: str = "a newer one"


def release_key(version: str, key: str) -> str:
    return f"{RELEASES}/{version}/{key}"


def read_latest(store: Store) -> bytes | None:
    """`latest.json` as it is, None before the first release; Damaged where it is gone and releases are there.

    NewerLake where the lake is of a format that this paperlake does not know.
    """
    data = read_if_there(store, LATEST)
    require_known_format(store.url, data)
    if data is None and _was_published(store) and (data := read_if_there(store, LATEST)) is None:  # not a moment ago
        raise Damaged(f"{LATEST} is missing in {store.url}, which has releases; restore it from a copy")
    return data


def _was_published(store: Store) -> bool:
    """Whether there ever was a latest release; the first one, while it is being published, still has its draft."""
    if store.list(MOVES):
        return True
    is_waiting = read_if_there(store, CURRENT) not in (None, NO_DRAFT)
    return not is_waiting and any(key.endswith(f"/{MANIFEST}") for key in store.list(RELEASES))


def require_known_format(url: str, named: bytes | None) -> None:
    """Raise NewerLake where `latest.json` states a later format of the lake; damage in it is left to its readers."""
    with suppress(msgspec.DecodeError, UnicodeDecodeError):
        marked = msgspec.json.decode(named or b"{}", type=Marked)
        if marked.lake_format > LAKE_FORMAT:
            from importlib.metadata import version

            raise NewerLake(
                f"the lake {url} is of format {marked.lake_format}, of paperlake {marked.code_version}; this is "
                f"paperlake {version('paperlake')}, which knows format {LAKE_FORMAT}: upgrade it (docs/upgrading.md)"
            )


def latest(store: Store) -> Latest | None:
    """What `latest.json` names; None before the first release."""
    data = read_latest(store)
    return decode(data, Latest, LATEST) if data is not None else None


def require_latest(store: Store, next_step: str = 'run "paperlake run PATH" first') -> Latest:
    """What `latest.json` names; NothingThere before the first release."""
    named = latest(store)
    if named is None:
        raise NothingThere(f"nothing is published in {store.url}; {next_step}")
    return named


def parent_of(store: Store) -> Parent | None:
    """The release that the next one follows."""
    named = latest(store)
    return Parent(named.version, named.manifest_sha256) if named else None


def latest_manifest(store: Store) -> Manifest | None:
    """The manifest of the latest release, checked against the hash that `latest.json` has of it."""
    named = latest(store)
    return manifest_of(store, named) if named else None


def manifest_of(store: Store, named: Latest | Parent) -> Manifest:
    """The manifest of a release, checked against the hash in `named`."""
    key = release_key(named.version, MANIFEST)
    data = store.read(key)
    if digest(data) != named.manifest_sha256:
        from warehouse.release.erasing.erasures import resolved

        if digest(data) == resolved(store, named.manifest_sha256):  # rewritten when a person was erased
            return decode(data, Manifest, key)
        step = "restore it from a copy"
        if store.list(ERASING):
            step = 'a person is being erased; if no "paperlake erase" runs, run the one again that was stopped'
        raise Damaged(f"{key} is not the manifest that {LATEST} or a draft names; {step}")
    return decode(data, Manifest, key)


def database_path(store: Store, named: Latest | Parent, cache: Path) -> Path:
    """Where a release's database lies on this machine: in the lake, else in the cache, fetched once."""
    key = release_key(named.version, DATABASE)
    if (path := store.local_path(key)) is not None:
        with suppress(NothingThere):
            store.open(key).close()  # where permission is missing DuckDB would say that it is no database
            return path
    else:
        for file in manifest_of(store, named).files:
            if file.key == DATABASE:
                return cached(store, key, file, cache)
    raise Damaged(f'release {named.version} has no {DATABASE}; run "paperlake verify"')
