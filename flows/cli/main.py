"""The entry point of `paperlake`."""

from __future__ import annotations

import os
import sys

from flows.cli.app import app
from warehouse.errors import PaperlakeError


def main() -> None:
    """Run the command line; known errors are one message on stderr and their own exit code."""
    try:
        app()
    except PaperlakeError as error:
        sys.stderr.write(f"error: {error}\n")
        sys.exit(error.exit_code)
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
