"""Flows, commands, and the steps that they run. At the top of this folder are the Prefect flows, a module each.

The only room that knows Prefect, HTTP, the clock and the environment.
"""

import os
from collections.abc import Mapping
from typing import Final

# What dependencies are told, in one place, before any can be imported. Whoever wants otherwise sets it first.
NO_TELEMETRY: Final = {
    "DO_NOT_TRACK": "1",  # of Prefect's client, which calls home from a terminal
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "GX_ANALYTICS_ENABLED": "false",
    "ORT_DISABLE_TELEMETRY": "1",
    "PY_KEY_VALUE_DISABLE_BEARTYPE": "true",  # a library of Prefect's server rewrites itself for checks at its import
}
# Each call of ours works on little data, where threads that wait for each other cost more processor time than one
# thread: two to ten times as much for products of small tiles, a twentieth more and 15 MiB for a day's frames.
ONE_THREAD: Final = {"OPENBLAS_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}


def set_defaults(variables: Mapping[str, str]) -> None:
    """Set variables of this process that are not set."""
    for name, value in variables.items():
        os.environ.setdefault(name, value)


set_defaults(NO_TELEMETRY)
