"""The command line: which commands there are, in the order in which the help lists them."""

from __future__ import annotations

from typing import Annotated, Final

import typer
from typer.exceptions import TyperException

from paperlake.cli import (
    answer_commands,
    digest_commands,
    erase_command,
    export_commands,
    find_commands,
    read_commands,
    release_commands,
    run_commands,
    watch_commands,
)

COMMANDS: Final = (
    run_commands.run,
    run_commands.land,
    run_commands.build,
    run_commands.publish,
    run_commands.serve,
    release_commands.open,
    release_commands.explore,
    find_commands.search,
    find_commands.similar,
    answer_commands.trending,
    answer_commands.cite,
    answer_commands.cite_verify,
    answer_commands.deposit,
    answer_commands.feed,
    read_commands.sql,
    read_commands.panel,
    read_commands.tables,
    read_commands.status,
    watch_commands.metrics,
    watch_commands.doctor,
    read_commands.verify,
    release_commands.releases,
    release_commands.diff,
    release_commands.rollback,
    release_commands.retract,
    release_commands.keep,
    release_commands.retain,
    release_commands.copy,
    erase_command.erase,
)

app = typer.Typer(
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
show = typer.Typer(invoke_without_command=True, rich_markup_mode=None)


def show_version(is_asked: bool) -> None:  # noqa: FBT001 - as typer calls it
    """`paperlake --version`."""
    if is_asked:
        from importlib.metadata import version

        from warehouse.release.latest import LAKE_FORMAT
        from warehouse.schema.catalog.tables import SCHEMA_VERSION

        typer.echo(f"paperlake {version('paperlake')} (schema {SCHEMA_VERSION}, lake format {LAKE_FORMAT})")
        raise typer.Exit


@app.callback()
def paperlake(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback prints it
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """An open data lake of Hugging Face Daily Papers.

    Example: paperlake run ./captures
    """
    show_one(context)


@show.callback()
def show_one(context: typer.Context) -> None:
    """Show one page or one paper of the lake.

    Example: paperlake show paper 2604.03759
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(2)


def usage(error: TyperException) -> str:
    """The message of an error in a command line, in the style of every other error."""
    words = error.format_message().removesuffix(".").replace("Value error, ", "")
    context: typer.Context | None = getattr(error, "ctx", None)
    step = f' (see "{context.command_path} --help")' if context else ""
    return f"{words[:1].lower()}{words[1:]}{step}"


show.command("raw")(read_commands.show_raw)
show.command("paper")(read_commands.show_paper)
for command in COMMANDS:
    app.command()(command)
app.add_typer(show, name="show")
app.add_typer(digest_commands.digest, name="digest")
app.add_typer(export_commands.export, name="export")
