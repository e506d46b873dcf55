"""Databases that this process has open. DuckDB opens a file once in a process, so whoever wants it shares it."""

from __future__ import annotations

import weakref
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from warehouse.limits import QueryLimits
from warehouse.store.local_files import one_file

if TYPE_CHECKING:
    from warehouse.release.query import Database


class OpenDatabase:
    """An open database, which is closed when nobody holds it any more, or when the process ends."""

    def __init__(self, path: Path, limits: QueryLimits) -> None:
        """Raise Damaged where the file is no database."""
        from warehouse.release.query import opened

        held = ExitStack()
        self.file = one_file(path)
        self.database: Database = held.enter_context(opened(path, limits))
        self.close = weakref.finalize(self, held.close)

    @classmethod
    def at(cls, path: Path, limits: QueryLimits) -> OpenDatabase:
        """The database of a file, opened where it is not open yet; the limits are those it was opened with first.

        A file that was replaced is opened anew, and nobody goes on with the old one: an erasure replaces files.
        """
        found = OPEN.get(place := path.resolve())
        if found is not None and found.file != one_file(place):
            found.close()
            found = None
        if found is None:
            found = OPEN[place] = cls(place, limits)
        return found


OPEN: Final[WeakValueDictionary[Path, OpenDatabase]] = WeakValueDictionary()
