"""The command line: which commands there are, in the order in which the help lists them."""

from importlib.metadata import version
from typing import Final

import click
from click.shell_completion import get_completion_class

from flows.runtime.environment import COMPLETE
from paperlake.cli import (
    answer_commands,
    digest_commands,
    elsewhere_commands,
    evidence_commands,
    operator_commands,
    read_commands,
    release_commands,
    run_commands,
)
from paperlake.cli.options import Commands
from warehouse.release.latest import LAKE_FORMAT

NAME: Final = "paperlake"
SHELLS: Final = ("bash", "zsh", "fish")


def show_version(context: click.Context, _: click.Parameter, is_asked: bool) -> None:
    """`paperlake --version`."""
    if is_asked:
        from warehouse.schema.catalog import SCHEMA_VERSION

        click.echo(f"{NAME} {version(NAME)} (schema {SCHEMA_VERSION}, lake format {LAKE_FORMAT})")
        context.exit()


def show_completion(context: click.Context, _: click.Parameter, shell: str | None) -> None:
    """`paperlake --show-completion`."""
    if shell and (made := get_completion_class(shell)):
        click.echo(made(app, {}, NAME, COMPLETE).source())
        context.exit()


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=show_version,
    help="Show the version and exit.",
)
@click.option(
    "--show-completion",
    type=click.Choice(SHELLS),
    is_eager=True,
    expose_value=False,
    callback=show_completion,
    help="Show what sets up completion for a shell, and exit.",
)
def app() -> None:
    """An open data lake of Hugging Face Daily Papers.

    Example: paperlake run ./captures
    """


@click.group(cls=Commands)
def show() -> None:
    """Show one page or one paper of the lake.

    Example: paperlake show paper 2604.03759
    """


show.add_command(read_commands.show_raw)
show.add_command(read_commands.show_paper)
for command in (
    run_commands.run,
    run_commands.land,
    run_commands.build,
    run_commands.publish,
    run_commands.serve,
    release_commands.open,
    release_commands.explore,
    answer_commands.search,
    answer_commands.similar,
    answer_commands.trending,
    answer_commands.board,
    answer_commands.cite,
    answer_commands.cite_verify,
    elsewhere_commands.deposit,
    elsewhere_commands.materialize,
    answer_commands.feed,
    elsewhere_commands.mcp,
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
    show,
    operator_commands.captures,
    digest_commands.digest,
    evidence_commands.evidence,
    operator_commands.export,
):
    app.add_command(command)


def usage(error: click.ClickException) -> str:
    """The message of an error in a command line, in the style of every other error."""
    words = error.format_message().removesuffix(".")
    context: click.Context | None = getattr(error, "ctx", None)
    step = f' (see "{context.command_path} --help")' if context else ""
    is_of_group = context is not None and isinstance(context.command, click.Group)
    if isinstance(error, click.NoSuchOption) and is_of_group and not error.possibilities:
        words += "; the options of a command stand behind its name"
    return f"{words[:1].lower()}{words[1:]}{step}"
