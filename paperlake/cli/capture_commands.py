"""Commands on captured pages: `paperlake captures …`. Those that decide build and publish a release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from flows.runtime.lake import open_lake
from flows.runtime.now import utc_now
from flows.runtime.progress import configure
from flows.runtime.variables import LAKE
from paperlake.cli.options import AsTable, LakeUrl, Quiet, say, say_found
from warehouse.release.latest import manifest_of, require_latest

if TYPE_CHECKING:
    from flows.steps.standing import Change

captures = typer.Typer(invoke_without_command=True, rich_markup_mode=None)

CaptureId = Annotated[str, typer.Argument(metavar="ID", help="A page, as `paperlake captures` lists it.")]
Because = Annotated[str, typer.Option("--because", metavar="WHY", help="Why; it is kept with the release.")]
NOTHING: Final = "nothing is decided about any page"


@captures.callback()
def list_captures(
    context: typer.Context,
    standing: Annotated[
        Literal["set_aside", "confirmed", "disowned"] | None,
        typer.Option(help="Only those of this standing.", show_default=False),
    ] = None,
    lake: LakeUrl = LAKE,
    output_format: AsTable = "table",
) -> None:
    """List the pages that were set aside by the gate, or confirmed or disowned by a person, and why.

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
def confirm(capture_id: CaptureId, because: Because, lake: LakeUrl = LAKE, quiet: Quiet = False) -> None:
    """Take a page although the gate set it aside. Builds and publishes a release.

    Example: paperlake captures confirm 3f9c0b7a5d2e41688c10 --because "renamed"
    """
    from flows.steps.standing import decided

    _publish(lake, decided(capture_id, "confirmed", because, utc_now()), quiet=quiet)


@captures.command()
def disown(capture_id: CaptureId, because: Because, lake: LakeUrl = LAKE, quiet: Quiet = False) -> None:
    """Take nothing from a page that no guard found false. Builds and publishes a release.

    Example: paperlake captures disown 3f9c0b7a5d2e41688c10 --because "a copy"
    """
    from flows.steps.standing import decided

    _publish(lake, decided(capture_id, "disowned", because, utc_now()), quiet=quiet)


@captures.command()
def withdraw(capture_id: CaptureId, lake: LakeUrl = LAKE, quiet: Quiet = False) -> None:
    """Take back what was decided about a page: what was decided before holds again. Builds and publishes a release.

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
