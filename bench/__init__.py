"""Benchmarks: what paperlake costs. Their results are in RESULTS.md."""

from flows import ONE_THREAD, tell

tell(ONE_THREAD)  # before numpy is imported
