"""Commands on captured pages: `paperlake captures …`. Those that decide build and publish a release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import click

from flows.runtime.lake import open_lake
from flows.runtime.now import utc_now
from flows.runtime.progress import configure
from paperlake.cli.options import Commands, lake_option, quiet_option, say, say_found, table_or_json
from warehouse.release.latest import manifest_of, require_latest

if TYPE_CHECKING:
    from flows.steps.standing import Change

capture_id_argument = click.argument("capture_id", metavar="ID", help="A page, as `paperlake captures` lists it.")
because_option = click.option("--because", metavar="WHY", required=True, help="Why; it is kept with the release.")
NOTHING: Final = "nothing is decided about any page"


@click.group(cls=Commands, invoke_without_command=True)
@click.option(
    "--standing", type=click.Choice(["set_aside", "confirmed", "disowned"]), help="Only those of this standing."
)
@lake_option
@table_or_json
@click.pass_context
def captures(
    context: click.Context,
    standing: Literal["set_aside", "confirmed", "disowned"] | None,
    lake: str,
    output_format: Literal["table", "json"],
) -> None:
    """List the pages that were set aside, confirmed or disowned. With who did so, and why.

    Example: paperlake captures

    Example: paperlake captures confirm 3f9c0b7a5d2e41688c10 --because "renamed"
    """
    if context.invoked_subcommand:
        return
    from paperlake.texts.releases import decided_captures, decided_text

    store = open_lake(lake)
    found = decided_captures(store, manifest_of(store, require_latest(store)), standing)
    say_found(found, decided_text(found) if found else NOTHING, output_format)


@captures.command()
@capture_id_argument
@because_option
@lake_option
@quiet_option
def confirm(capture_id: str, because: str, lake: str, quiet: bool) -> None:
    """Take a page although the gate set it aside. Builds and publishes a release.

    Example: paperlake captures confirm 3f9c0b7a5d2e41688c10 --because "renamed"
    """
    from flows.steps.standing import decided

    _publish(lake, decided(capture_id, "confirmed", because, utc_now()), quiet=quiet)


@captures.command()
@capture_id_argument
@because_option
@lake_option
@quiet_option
def disown(capture_id: str, because: str, lake: str, quiet: bool) -> None:
    """Take nothing from a page that no guard found false. Builds and publishes a release.

    Example: paperlake captures disown 3f9c0b7a5d2e41688c10 --because "a copy"
    """
    from flows.steps.standing import decided

    _publish(lake, decided(capture_id, "disowned", because, utc_now()), quiet=quiet)


@captures.command()
@capture_id_argument
@lake_option
@quiet_option
def withdraw(capture_id: str, lake: str, quiet: bool) -> None:
    """Take back what was decided about a page. What was decided before holds again. Builds and publishes a release.

    Example: paperlake captures withdraw 3f9c0b7a5d2e41688c10
    """
    from flows.steps.standing import withdrawn

    _publish(lake, withdrawn(capture_id), quiet=quiet)


def _publish(lake: str, change: Change, *, quiet: bool) -> None:
    configure(quiet=quiet)
    require_latest(store := open_lake(lake))
    from flows.running.run_statistics import Plainly, recorded
    from flows.steps.build_draft import build_and_publish
    from flows.steps.write_release import summary_line
    from warehouse.store.local_files import local_files

    with recorded(lake, "captures"), local_files(store) as files:
        say(summary_line(build_and_publish(files, None, Plainly(lake), change)))
