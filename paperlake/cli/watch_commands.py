"""Commands that monitor a lake: `metrics` and `doctor`. Each imports what it needs when it runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from flows.runtime.variables import LAKE
from paperlake.cli.options import Lake
from warehouse.errors import StoreFailed
from warehouse.printable import printable


def metrics(
    lake: Lake = LAKE,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write it there, whole at once.", show_default=False),
    ] = None,
) -> None:
    """Print metrics of the lake and of this machine's runs on it, as OpenMetrics text.

    Example: paperlake metrics

    Example: paperlake metrics --output /var/lib/node_exporter/paperlake.prom
    """
    from flows.hub.client import CLOCK
    from flows.runtime.settings import load
    from flows.watch.metrics import metrics_text

    text = metrics_text(lake, load().scope(), CLOCK)
    if output is None:
        typer.echo(text, nl=False)
        return
    part = output.with_name(f".{output.name}.{os.getpid()}")  # the exporter reads *.prom only
    try:
        part.write_bytes(text)
        part.chmod(0o644)  # the exporter is another user
        part.replace(output)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise StoreFailed(f"--output {output}: cannot be written: {error.strerror}; name a folder with room") from error


def doctor(
    lake: Lake = LAKE,
    asks_hub: Annotated[bool, typer.Option("--hub", help="Ask the Hub for its robots.txt too, one call.")] = False,
) -> None:
    """Check that a lake can run here: a line a check, with the next step. Conditional writes are tried on the store.

    Example: paperlake doctor

    Example: paperlake doctor --hub --lake s3://bucket/lake
    """
    from flows.hub.client import CLOCK
    from flows.runtime.settings import load
    from flows.watch.checkup import check_up

    code = 0
    for finding in check_up(lake, load(), CLOCK, asks_hub=asks_hub):
        typer.echo(printable(str(finding)))
        code = code or finding.code
    if code:
        raise typer.Exit(code)
