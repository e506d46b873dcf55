"""What drills have imported besides `tests.preloaded`: the gate, and Dask."""

from importlib import import_module

WANTED = ("expectations.runner", "distributed.cli.dask_scheduler", "distributed.cli.dask_worker", "flows.tasks.on_dask")

for name in WANTED:
    import_module(name)
