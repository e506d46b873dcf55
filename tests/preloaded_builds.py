"""What drills have imported besides `tests.preloaded`: what builds need, with or without Dask."""

from __future__ import annotations

from importlib import import_module

WANTED = (
    "flows.daily",
    "flows.steps.capture_due",
    "expectations.runner",
    "distributed.cli.dask_scheduler",
    "distributed.cli.dask_worker",
    "flows.tasks.on_worker",
)

for name in WANTED:
    import_module(name)
