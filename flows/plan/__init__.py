"""Plans what to fetch, and when, by the archive's index and by what the latest release lists."""

from flows import ONE_THREAD, set_defaults

set_defaults(ONE_THREAD)  # before numpy or Polars is imported
