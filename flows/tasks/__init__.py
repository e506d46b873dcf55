"""The one builder: changed cohorts in, files out. Its mapped tasks, and `spread`, where they run."""

from flows import ONE_THREAD, set_defaults

set_defaults(ONE_THREAD)  # before numpy or Polars is imported
