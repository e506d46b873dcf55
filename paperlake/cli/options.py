"""Options that several commands have."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from flows.runtime.variables import LAKE, SQL_MEMORY, SQL_SECONDS, variable
from warehouse.printable import on_screen

lake_option = click.option(
    "--lake",
    metavar="LAKE",
    envvar=variable("lake"),
    show_envvar=True,
    default=LAKE,
    help="A folder or s3://bucket/path.",
)
signed_by_option = click.option(
    "--signed-by", metavar="FILE", type=Path, help="Signers, as ssh-keygen lists them: one must have signed."
)
quiet_option = click.option("--quiet", "-q", is_flag=True, help="Warnings and errors only.")
seconds_option = click.option(
    "--seconds",
    type=click.FloatRange(min=0.001),
    envvar=variable("sql_seconds"),
    show_envvar=True,
    default=SQL_SECONDS,
    help="Longest a query may take.",
)
memory_option = click.option(
    "--memory",
    envvar=variable("sql_memory"),
    show_envvar=True,
    default=SQL_MEMORY,
    help="Most memory it may take.",
)
FC = TypeVar("FC", bound=Callable[..., Any] | click.Command)


def format_option(*names: str, words: str = "For a person or a script.") -> Callable[[FC], FC]:
    """The option that says how an answer is written; the first format is the default."""
    return click.option("--format", "-f", "output_format", type=click.Choice(names), default=names[0], help=words)


text_or_json = format_option("text", "json")
table_or_json = format_option("table", "json")
DAYS: Final = ("%Y-%m-%d",)
MOMENTS: Final = ("%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", *DAYS)


class Commands(click.Group):
    """A group that lists its commands in the order in which they were added."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click calls it
        return list(self.commands)


def say(text: str) -> None:
    """Print a text for people: a line, or several that end with a newline each."""
    click.echo(on_screen(text, sys.stdout), nl=not text.endswith("\n"))


def say_found(found: object, text: str, output_format: str) -> None:
    """Print what was found: for a script as JSON, else as a text for people."""
    if output_format == "json":
        from warehouse.release.manifest import encode

        click.echo(encode(found), nl=False)
    else:
        say(text)
