"""Land, build and publish without Prefect, each step timed: `python -m bench.steps LAKE PATH…` prints JSON.

Imports are timed apart (`import` is ours, `gate import` is Great Expectations), so that start-up and work can be told.
Seconds are of the processor, with one thread of Polars, as commands have it.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from importlib import import_module
from pathlib import Path

from flows import ONE_THREAD, set_defaults

TODAY = date(2026, 11, 21)
NOW = datetime(2026, 11, 21)
INVENTED = "invented words fit no title better than another"  # what the gate says of some captures of bench.grow
Seconds = dict[str, float]


@contextmanager
def timed(seconds: Seconds, name: str) -> Iterator[None]:
    start = time.process_time()
    yield
    seconds[name] = round(time.process_time() - start, 3)


def run_steps(lake: str, paths: list[Path]) -> Seconds:
    """One run, seconds a step; the last two are peak memory in MiB and whether there was anything to publish."""
    seconds: Seconds = {}
    set_defaults(ONE_THREAD)  # before Polars is imported
    with timed(seconds, "import"):
        from expectations.gate import require
        from flows.steps.build_draft import check_draft
        from flows.steps.land_inputs import land_inputs
        from flows.steps.make_draft import make_draft
        from flows.steps.write_release import move_latest, write_release
        from warehouse.archive.captured import Limits
        from warehouse.limits import NEW_OBJECTS
        from warehouse.store.local_files import local_files
        from warehouse.store.opening import open_store
    with timed(seconds, "gate import"):
        from tests.gate_here import GateHere  # the gate in this process

        import_module("expectations.runner")  # Great Expectations
    gc.set_threshold(NEW_OBJECTS)  # as commands have it
    gc.freeze()  # of a run Great Expectations is in another process: no look for garbage goes through what it imports
    store = open_store(lake)
    with timed(seconds, "land"):
        land_inputs(store, paths, limits=Limits(), now=NOW)
    with local_files(store) as files:
        with timed(seconds, "build"):
            draft = make_draft(files, from_raw=False)
        if draft is not None:
            with timed(seconds, "gate"):
                require(check_draft(files, draft, GateHere(), accepted_loss=INVENTED))
            with timed(seconds, "publish"):
                move_latest(store, write_release(files, today=TODAY), now=NOW)
    gc.unfreeze()  # DuckDB calls leaked what is frozen at the end
    seconds["work"] = round(sum(seconds.get(step, 0) for step in ("land", "build", "gate", "publish")), 3)
    seconds["peak MiB"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return seconds


if __name__ == "__main__":
    print(json.dumps(run_steps(sys.argv[1], [Path(path) for path in sys.argv[2:]])))
