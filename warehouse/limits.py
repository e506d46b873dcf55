"""The limits of one query of a release's database. Imports nothing: the command line waits for this module."""

from __future__ import annotations

from typing import NamedTuple


class QueryLimits(NamedTuple):
    """Memory and time of one query; what does not fit in memory spills to the system's temporary folder.

    `memory` is DuckDB's own limit, which does not count what a single function allocates. That, and `seconds`, are
    enforced from outside (paperlake/sql/worker.py); without `seconds` a query may take as long as it wants.
    """

    memory: str = "2GB"
    seconds: float | None = None

    @property
    def out_of_memory(self) -> str:
        return f"the query takes more memory than {self.memory}; ask for less, or allow more with --memory"

    @property
    def out_of_time(self) -> str:
        return f"stopped after {self.seconds or 0:g} seconds; ask for less, or allow more with --seconds"
