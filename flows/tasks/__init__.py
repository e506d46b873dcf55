"""The one builder: changed cohorts in, files out. Its mapped tasks, and `spread`, where they run."""

from flows import ONE_THREAD, tell

tell(ONE_THREAD)  # before numpy or Polars is imported
