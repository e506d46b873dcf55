"""Tests of paperlake, in the terms of CONTRIBUTING.md."""

from flows import ONE_THREAD, tell

tell(ONE_THREAD)  # before numpy or Polars is imported: as a command has it, and two processes have two cores
