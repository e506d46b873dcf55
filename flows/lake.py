"""The lake that a command or a step works on, opened as this process's environment says.

Imports next to nothing for a lake on this machine: `paperlake sql` waits for it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from warehouse.latest import database_path
from warehouse.store import Store, open_store

CACHE: Final = "~/.cache/paperlake"


def open_lake(lake: str) -> Store:
    """The lake at a URL or a path, with the settings PAPERLAKE_S3_… where it is in a bucket."""
    if not lake.lower().startswith("s3:"):
        return open_store(lake)
    from flows.s3_settings import load_s3

    return open_store(lake, load_s3())


def open_database(lake: str) -> Path:
    """The latest release's database as a file of this machine; of a far lake it is kept in PAPERLAKE_CACHE."""
    cache = Path(os.environ.get("PAPERLAKE_CACHE") or CACHE).expanduser()
    return database_path(open_lake(lake), cache)
