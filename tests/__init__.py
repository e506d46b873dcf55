"""Tests of paperlake, in the terms of CONTRIBUTING.md."""

from flows import ONE_THREAD, set_defaults

set_defaults(ONE_THREAD)  # before numpy or Polars is imported: as a command has it, and two processes have two cores
