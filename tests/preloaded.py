"""What `processes.forked` has imported before it forks: the commands of paperlake, and what they import as they run.

Pauses between two tries of a task, or of a request to a bucket or the Hub, are next to nothing here.
"""

from __future__ import annotations

import os
from importlib import import_module

from botocore.retries.standard import ExponentialBackoff

from flows.runtime.prefect_session import PREFECT_DEFAULTS
from flows.runtime.quiet import keep_prefect_quiet

WANTED = (
    "flows.cli.app",
    "flows.daily",
    "flows.steps.capture_due",
    "expectations.runner",
    "warehouse.store.s3",
    "distributed.cli.dask_scheduler",
    "distributed.cli.dask_worker",
    "flows.tasks.on_worker",
    "tests.flows.steps",
)

keep_prefect_quiet()
os.environ.update(PREFECT_DEFAULTS)  # in which Prefect is imported
ExponentialBackoff.delay_amount = lambda *_: 0.1  # type: ignore[method-assign, assignment]
import_module("flows.runtime.retries").DELAYS_SECONDS = (0.1, 0.1)  # type: ignore[attr-defined]
for name in WANTED:
    import_module(name)
hub = import_module("flows.hub")
hub.Hub.__init__.__kwdefaults__["patience"] = hub.Patience(backoff_seconds=0.1)
