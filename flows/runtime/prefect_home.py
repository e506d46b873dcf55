"""Checks Prefect's own folder first: if it is full, a run ends in tracebacks half a minute later."""

from __future__ import annotations

import tempfile
from typing import Final

from prefect.settings import PREFECT_HOME

from warehouse.errors import StoreFailed

NEEDED_BYTES: Final = 1 << 20  # its database, as it is made on the first run


def require_room() -> None:
    """Raise StoreFailed, which names PREFECT_HOME, where Prefect cannot write its database."""
    home = PREFECT_HOME.value()
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home) as file:
            file.write(bytes(NEEDED_BYTES))
    except OSError as error:
        cause = (error.strerror or str(error)).lower()
        raise StoreFailed(
            f"Prefect cannot write in its folder {home}: {cause}; set PREFECT_HOME to a place with room"
        ) from error
