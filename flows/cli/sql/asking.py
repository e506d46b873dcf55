"""Reads what the user asks, and sends it to the query process: the part of `paperlake sql` in the parent process."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from msgspec.structs import replace

from flows.cli.sql.child import Question
from flows.cli.sql.formats import SUFFIXES, Format
from flows.cli.sql.worker import Worker
from warehouse.errors import UsageError


def read_statements(query: str | None, file: Path | None, output: Path | None) -> str | None:
    """The statements of the argument, the file or standard input; None for a shell, if both ends are a terminal."""
    if query is not None and file is not None:
        raise UsageError("give the statements or --file, not both")
    if query is None and file is None and output is None and sys.stdin.isatty() and sys.stdout.isatty():
        return None
    if query not in {None, "-"}:
        return query
    try:
        text = (file.read_bytes() if file else sys.stdin.buffer.read()).decode()
    except OSError as error:
        raise UsageError(f"--file {file} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{f'--file {file}' if file else 'standard input'} is not text in UTF-8") from error
    if query is None and not text.strip():
        raise UsageError("there are no statements: give them as an argument, on standard input or with --file")
    return text


def format_of(chosen: Format | None, output: Path | None) -> Format:
    """The format that is named, else that of the file's suffix; UsageError where no format has the suffix."""
    suffix = output.suffix.lower() if output else ""
    if chosen or not suffix:
        return chosen or "table"
    if suffix not in SUFFIXES:
        raise UsageError(f"--output {output}: no format has the suffix {suffix}; name one with --format")
    return SUFFIXES[suffix]


def ask_rows(
    worker: Worker, text: str, output_format: Format, output: Path | None, *, in_session: bool = False
) -> None:
    """Have the rows written to standard output, or to a file, which is written whole or not at all."""
    question = Question("sql", text, output_format, str(output) if output else None, in_session)
    if output is None or (output.exists() and not output.is_file()):  # a device, a pipe
        worker.ask(question)
        return
    whole = output.resolve()
    partial = whole.with_name(f".{whole.name}.{os.getpid()}")
    try:
        partial.touch()
        worker.ask(replace(question, output=str(partial)))
        partial.replace(whole)
    except OSError as error:
        raise UsageError(f"--output {output} cannot be written: {error.strerror or error}") from error
    finally:
        partial.unlink(missing_ok=True)
