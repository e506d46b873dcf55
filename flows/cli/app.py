"""The command line: which commands there are, in the order in which the help lists them."""

from __future__ import annotations

from typing import Final

import typer

from flows.cli import find_commands, read_commands, release_commands, run_commands

COMMANDS: Final = (
    run_commands.run,
    run_commands.land,
    run_commands.build,
    run_commands.publish,
    run_commands.serve,
    find_commands.search,
    find_commands.similar,
    read_commands.sql,
    read_commands.tables,
    read_commands.status,
    read_commands.verify,
    release_commands.releases,
    release_commands.diff,
    release_commands.rollback,
    release_commands.retain,
)

app = typer.Typer(
    help="An open data lake of Hugging Face Daily Papers.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
show = typer.Typer(help="Show one thing of the lake.", no_args_is_help=True, rich_markup_mode=None)
show.command("raw")(read_commands.show_raw)
show.command("paper")(read_commands.show_paper)
for command in COMMANDS:
    app.command()(command)
app.add_typer(show, name="show")
