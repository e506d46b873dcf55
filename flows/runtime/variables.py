"""Names and defaults of the settings that the command line shows in its help. Imports nothing: every command waits."""

from __future__ import annotations

from typing import Final

PREFIX: Final = "PAPERLAKE_"
LAKE: Final = "./lake"
SQL_SECONDS: Final = 300
SQL_MEMORY: Final = "2GB"


def variable(setting: str) -> str:
    """The environment variable of a setting.

    >>> variable("lake")
    'PAPERLAKE_LAKE'
    """
    return f"{PREFIX}{setting.upper()}"
