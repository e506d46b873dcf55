"""What runs, and when: at its top only what Prefect runs, whose steps stand in `steps`.

The only room that knows Prefect, HTTP, the clock and the environment.
"""

import os

# Before numpy is there: products of small tiles by two threads, on a machine that does anything else, take two to ten
# times the processor time of one, for each waits for the other. Whoever has cores to spare sets another number.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
