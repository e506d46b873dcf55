"""Options that several commands have."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from flows.runtime.variables import variable
from warehouse.printable import on_screen
from warehouse.release.manifest import encode

LakeUrl = Annotated[
    str, typer.Option("--lake", metavar="LAKE", envvar=variable("lake"), help="A folder or s3://bucket/path.")
]
AsText = Annotated[Literal["text", "json"], typer.Option("--format", "-f", help="For a person or a script.")]
AsTable = Annotated[Literal["table", "json"], typer.Option("--format", "-f", help="For a person or a script.")]
SignedBy = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Signers, as ssh-keygen lists them: one must have signed.", show_default=False),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Warnings and errors only.")]
MOMENTS = ["%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d"]
Seconds = Annotated[float, typer.Option(min=0.001, envvar=variable("sql_seconds"), help="Longest a query may take.")]
Memory = Annotated[str, typer.Option(envvar=variable("sql_memory"), help="Most memory it may take.")]


def say(text: str) -> None:
    """Print a text for people: a line, or several that end with a newline each."""
    typer.echo(on_screen(text, sys.stdout), nl=not text.endswith("\n"))


def say_found(found: object, text: str, output_format: str) -> None:
    """Print what was found: for a script as JSON, else as a text for people."""
    if output_format == "json":
        typer.echo(encode(found), nl=False)
    else:
        say(text)


def require_command(context: typer.Context) -> None:
    """Show the help of a group of commands where none of them is named."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(2)
