"""The command line: its commands, their options, the texts that they print, and what they say where they fail."""

from flows import ONE_THREAD, set_defaults

set_defaults(ONE_THREAD)  # before numpy or Polars is imported; a program that imports paperlake has threads of its own
