"""Flows, commands, and the steps that they run. At the top of this folder are the Prefect flows, a module each.

The only room that knows Prefect, HTTP, the clock and the environment.
"""

import os

# Set before numpy and Polars are imported. Each call works on little data, where threads that wait for each other cost
# more processor time than one thread: two to ten times as much for products of small tiles, a twentieth more and 15 MiB
# for a day's frames. Whoever has cores to spare sets other numbers.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("POLARS_MAX_THREADS", "1")
