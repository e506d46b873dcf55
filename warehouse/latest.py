"""Which release readers open. Imports next to nothing, because `paperlake sql` waits for it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from warehouse.errors import Damaged, NothingThere
from warehouse.manifest import Latest, decode
from warehouse.store import Store

RELEASES: Final = "releases"
LATEST: Final = f"{RELEASES}/latest.json"
DATABASE: Final = "paperlake.duckdb"


def release_key(version: str, key: str) -> str:
    return f"{RELEASES}/{version}/{key}"


def latest(store: Store) -> Latest | None:
    """What `latest.json` names; None before the first release."""
    return decode(store.read(LATEST), Latest, LATEST) if store.exists(LATEST) else None


def database_path(store: Store) -> Path:
    """Where the latest release's database lies on this machine."""
    named = latest(store)
    if named is None:
        raise NothingThere(f'nothing is published in {store.url}; run "paperlake run PATH" first')
    path = store.local_path(release_key(named.version, DATABASE))
    if path is None or not path.exists():
        raise Damaged(f'release {named.version} has no {DATABASE}; run "paperlake verify"')
    return path
