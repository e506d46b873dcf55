"""Which release readers open. Imports next to nothing, because `paperlake sql` waits for it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from warehouse.errors import Damaged, NothingThere
from warehouse.release.cache import cached
from warehouse.release.manifest import Latest, Manifest, Parent, decode, digest
from warehouse.store.store import Store, read_if_there

RELEASES: Final = "releases"
LATEST: Final = f"{RELEASES}/latest.json"
DATABASE: Final = "paperlake.duckdb"
MANIFEST: Final = "manifest.json"


def release_key(version: str, key: str) -> str:
    return f"{RELEASES}/{version}/{key}"


def latest(store: Store) -> Latest | None:
    """What `latest.json` names; None before the first release."""
    data = read_if_there(store, LATEST)
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
    """The manifest of a release, checked against the hash that whoever names it has of it."""
    key = release_key(named.version, MANIFEST)
    data = store.read(key)
    if digest(data) != named.manifest_sha256:
        raise Damaged(f"{key} is not the manifest that {LATEST} or a draft names; restore it from a copy")
    return decode(data, Manifest, key)


def database_path(store: Store, cache: Path) -> Path:
    """Where the latest release's database lies on this machine: in the lake, else in the cache, fetched once."""
    named = require_latest(store)
    key = release_key(named.version, DATABASE)
    path = store.local_path(key)
    if path is None:
        described = (file for file in manifest_of(store, named).files if file.key == DATABASE)
        path = next((cached(store, key, file, cache) for file in described), None)
    if path is None or not path.exists():
        raise Damaged(f'release {named.version} has no {DATABASE}; run "paperlake verify"')
    return path
