"""The entry point of `paperlake`."""

from __future__ import annotations

import gc
import os
import sys
from typing import Final

from flows.cli.app import app
from warehouse.errors import PaperlakeError

# A third of the time that Prefect and Great Expectations take to import goes into looking for garbage among what they
# make, and there is none. The rows of a lake are not objects of Python.
FEWER_COLLECTIONS: Final = (100_000, 50, 100)


def main() -> None:
    """Run the command line; known errors are one message on stderr and their own exit code."""
    gc.set_threshold(*FEWER_COLLECTIONS)
    try:
        app()
    except PaperlakeError as error:
        sys.stderr.write(f"error: {error}\n")
        sys.exit(error.exit_code)
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
