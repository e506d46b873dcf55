"""What `processes.forked` has imported before it forks: the commands of paperlake, and what they share as they run.

The gate is in the process itself.
Pauses between two tries of a task, or of a request to a bucket or the Hub, are next to nothing here.
"""

import os
from importlib import import_module

from botocore.retries.standard import ExponentialBackoff

from flows.running.prefect_server import QUIET

WANTED = ("paperlake.cli.app", "flows.daily", "flows.steps.capture_due", "warehouse.store.s3", "tests.flows.steps")

os.environ.update(QUIET)  # in which Prefect is imported
ExponentialBackoff.delay_amount = lambda *_: 0.1  # type: ignore[method-assign, assignment]
import_module("flows.running.how").DELAYS_SECONDS = (0.1, 0.1)  # type: ignore[attr-defined]
for name in WANTED:
    import_module(name)
import_module("flows.running.gate_process").GateProcess = import_module("tests.gate_here").GateHere  # type: ignore[attr-defined]
patience = import_module("flows.hub.budget").Patience(backoff_seconds=0.1)
import_module("flows.hub.client").Hub.__init__.__kwdefaults__["patience"] = patience
