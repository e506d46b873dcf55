"""What runs, and when: at its top only what Prefect runs, whose steps stand in `steps`.

The only room that knows Prefect, HTTP, the clock and the environment.
"""

import os

# Before numpy and Polars are there: what is asked of them at a time is small, and threads that wait for each other take
# more of the processor than one: for products of small tiles twice to ten times as much, for a day's frames a twentieth
# and 15 MiB. Whoever has cores to spare sets other numbers.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("POLARS_MAX_THREADS", "1")
