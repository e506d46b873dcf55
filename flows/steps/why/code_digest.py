"""A digest of the code that makes the tables: no difference between two releases with the same digest is the code's."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

import transforms
from warehouse import schema

ROOMS: Final = tuple(Path(str(room.__file__)).parent for room in (transforms, schema))
COMPILED: Final = "__pycache__"


def code_digest(*, semantic: bool) -> str:
    """SHA-256 over all files by which pages are read and tables made, and whether a language model reads too."""
    found = hashlib.sha256(b"semantic" if semantic else b"")
    for room in ROOMS:
        for path in sorted(path for path in room.rglob("*") if path.is_file() and COMPILED not in path.parts):
            found.update(f"{path.relative_to(room).as_posix()} {path.stat().st_size}\n".encode())
            found.update(path.read_bytes())
    return found.hexdigest()
