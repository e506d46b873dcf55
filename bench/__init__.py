"""Benchmarks: what paperlake costs. Their results are in RESULTS.md."""

import flows  # noqa: F401 - before numpy, which it tells how many threads to start
