"""The lake that a command or a step works on, opened as this process's environment says.

Imports next to nothing for a lake on this machine: `paperlake sql` waits for it.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final

from warehouse.release.latest import database_path
from warehouse.store.store import Store, open_store

CACHE: Final = "~/.cache/paperlake"
STATE: Final = "~/.local/state/paperlake"


def open_lake(lake: str) -> Store:
    """The lake at a URL or a path, with the settings PAPERLAKE_S3_… where it is in a bucket."""
    if not lake.lower().startswith("s3:"):
        return open_store(lake)
    from flows.runtime.s3_settings import load_s3

    return open_store(lake, load_s3())


def journal_folder(store: Store) -> Path:
    """Where what was fetched waits on this machine to be landed: in the lake, of a far one in PAPERLAKE_STATE."""
    if store.folder is not None:
        return store.folder / "journal"
    name = hashlib.sha256(store.url.encode()).hexdigest()[:16]
    return Path(os.environ.get("PAPERLAKE_STATE") or STATE).expanduser() / f"journal-{name}"


def open_database(lake: str) -> Path:
    """The latest release's database as a file of this machine; of a far lake it is kept in PAPERLAKE_CACHE."""
    cache = Path(os.environ.get("PAPERLAKE_CACHE") or CACHE).expanduser()
    return database_path(open_lake(lake), cache)
