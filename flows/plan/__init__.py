"""Plans what to fetch from the Hub, and when: pure functions of the archive's index. Only `listed_papers` does I/O."""

from flows import ONE_THREAD, tell

tell(ONE_THREAD)  # before numpy or Polars is imported
