"""Benchmarks: what paperlake costs. Their results are in RESULTS.md."""

from flows import ONE_THREAD, set_defaults

set_defaults(ONE_THREAD)  # before numpy is imported
