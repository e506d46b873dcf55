"""What one question to a release's database may take. Imports nothing: the command line waits for this module."""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """What one question may take of this machine; what does not fit in memory spills to the system's temporary folder.

    `memory` is DuckDB's own account, which leaves out what a single function takes. That, and `seconds`, are held from
    outside (flows/cli/sql/child.py); without `seconds` a question may take as long as it wants.
    """

    memory: str = "2GB"
    seconds: float | None = None

    @property
    def out_of_memory(self) -> str:
        return f"the query takes more memory than {self.memory}; ask for less, or allow more with --memory"

    @property
    def out_of_time(self) -> str:
        return f"stopped after {self.seconds or 0:g} seconds; ask for less, or allow more with --seconds"
