"""The command line: which commands there are, in the order in which the help lists them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final

import typer
from typer.exceptions import TyperException

from paperlake.cli import (
    agent_commands,
    capture_commands,
    digest_commands,
    elsewhere_commands,
    evidence_commands,
    find_commands,
    operator_commands,
    read_commands,
    release_commands,
    run_commands,
)
from paperlake.cli.options import require_command

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
    find_commands.trending,
    find_commands.board,
    find_commands.cite,
    find_commands.cite_verify,
    elsewhere_commands.deposit,
    elsewhere_commands.materialize,
    find_commands.feed,
    agent_commands.mcp,
    read_commands.sql,
    read_commands.panel,
    read_commands.tables,
    read_commands.status,
    operator_commands.metrics,
    operator_commands.doctor,
    read_commands.verify,
    release_commands.releases,
    release_commands.diff,
    release_commands.rollback,
    release_commands.retract,
    release_commands.keep,
    release_commands.retain,
    elsewhere_commands.copy,
    elsewhere_commands.follow,
    elsewhere_commands.push,
    operator_commands.erase,
)

OPTIONS: Final[dict[str, Any]] = {
    "context_settings": {"help_option_names": ["-h", "--help"]},
    "invoke_without_command": True,
    "pretty_exceptions_enable": False,
    "rich_markup_mode": None,
}
app = typer.Typer(**OPTIONS)
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
    require_command(context)


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
app.add_typer(capture_commands.captures, name="captures")
app.add_typer(digest_commands.digest, name="digest")
app.add_typer(evidence_commands.evidence, name="evidence")
app.add_typer(operator_commands.export, name="export")


def app_for(words: Sequence[str]) -> typer.Typer:
    """The command line for these words: of the command that they name alone, as typer takes its time for each."""
    named = [command for command in COMMANDS if words[:1] == [command.__name__.replace("_", "-")]]
    if not named:
        return app
    alone = typer.Typer(**OPTIONS)
    alone.callback()(paperlake)
    alone.command()(named[0])
    return alone
