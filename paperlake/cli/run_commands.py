"""Commands that fill a lake. Each imports what it needs when it runs; `run` and `serve` are flow runs of Prefect."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.runtime.lake import open_lake
from flows.runtime.now import utc_now
from flows.runtime.progress import configure, log
from flows.runtime.variables import LAKE
from paperlake.cli.options import LakeUrl, Quiet, say
from warehouse.errors import UsageError
from warehouse.release.latest import latest
from warehouse.store.store import Store

if TYPE_CHECKING:
    from prefect import Flow

Paths = Annotated[
    list[Path] | None, typer.Argument(metavar="PATH", help="Files, folders and WARC files.", show_default=False)
]

AcceptLoss = Annotated[
    str | None,
    typer.Option(
        metavar="WHY", help="Publish despite losses since the last release; the reason is kept.", show_default=False
    ),
]
SinceOption = Annotated[
    datetime | None,
    typer.Option(metavar="DAY", formats=["%Y-%m-%d"], help="First list day of a backfill.", show_default=False),
]
UntilOption = Annotated[
    datetime | None,
    typer.Option(metavar="DAY", formats=["%Y-%m-%d"], help="Its last list day, default today.", show_default=False),
]


def run(
    paths: Paths = None,
    lake: LakeUrl = LAKE,
    since: SinceOption = None,
    until: UntilOption = None,
    details: Annotated[
        bool, typer.Option("--details", help="In a backfill, fetch each paper's details too: one call a paper.")
    ] = False,
    accept_loss: AcceptLoss = None,
    quiet: Quiet = False,
) -> None:
    """Land, build and publish in one go. Without paths, it captures from the Hub what is due.

    Example: paperlake run ./captures

    Example: paperlake run

    Example: paperlake run --since 2026-10-01 --until 2026-10-31 --details
    """
    _check_range(paths, since, until, details=details)
    from flows.documents.release_index import lead_to_latest
    from flows.running.run_statistics import SUCCEEDED, record_end
    from flows.runtime.settings import load
    from flows.steps.what_is_new import NOTHING_NEW, nothing_new

    days = since and since.date(), until and until.date()
    configure(quiet=quiet)
    settings = load()
    scope = settings.scope(*days, with_details=details)
    store = open_lake(lake)  # before Prefect records the address: one that is no lake's may hold a password
    found = nothing_new(store, paths or (), scope, settings.limits(), utc_now(), corrections=settings.corrections)
    if found is not None:
        log.info(str(found))
        lead_to_latest(store)
        record_end(lake, "daily", SUCCEEDED)
        say(f"{NOTHING_NEW}; no new release")
        _print_page(store)
        return
    from flows.running.prefect_server import prefect_session

    with prefect_session("flows.daily", "expectations.runner", quiet=quiet):
        from flows.daily import daily
        from flows.steps.land_inputs import require_all
        from flows.steps.write_release import summary_line

        named = [str(path) for path in paths or ()]
        landing, manifest = daily(lake, named, *days, details=details, accepted_loss=accept_loss)
        say(summary_line(manifest))
        _print_page(store)
        require_all(landing)


def _print_page(store: Store) -> None:
    """Print where the page of the latest release is, if there is one."""
    from flows.documents.release_index import page_address

    if named := latest(store):
        typer.echo(f"its page: {page_address(store, named.version)}")


def _check_range(paths: list[Path] | None, since: datetime | None, until: datetime | None, *, details: bool) -> None:
    if paths and (since or until or details):
        raise UsageError("--since, --until and --details are for capturing from the Hub; leave them out, or the paths")
    if since and until and since > until:
        raise UsageError("--since is later than --until: no list day lies between them")
    if details and not (since or until):
        raise UsageError("--details is for a backfill: give --since or --until too; every other run asks for details")


def land(paths: Paths = None, lake: LakeUrl = LAKE, quiet: Quiet = False) -> None:
    """Archive files, folders and WARC files, byte for byte.

    Example: paperlake land ./captures saved-page.txt crawl.warc.gz
    """
    if not paths:
        raise UsageError('name what to land, for example "paperlake land ./captures"')
    from flows.running.run_statistics import Plainly, recorded
    from flows.steps.land_inputs import land_in, require_all

    configure(quiet=quiet)
    with recorded(lake, "land"):
        landed = land_in(open_lake(lake), paths, Plainly(lake))
    require_all(landed)


def build(
    lake: LakeUrl = LAKE,
    from_raw: Annotated[bool, typer.Option("--from-raw", help="Read every capture again, not only new ones.")] = False,
    accept_loss: AcceptLoss = None,
    quiet: Quiet = False,
) -> None:
    """Read new captures, make the tables and check them.

    Example: paperlake build

    Example: paperlake build --from-raw
    """
    from warehouse.archive.archive import Archive

    configure(quiet=quiet)
    store = open_lake(lake)
    Archive(store).require_any()  # before anything heavy is imported
    from flows.running.run_statistics import Plainly, recorded
    from flows.steps.build_draft import build_in
    from flows.steps.what_is_new import NOTHING_NEW
    from warehouse.store.local_files import local_files

    with recorded(lake, "build"), local_files(store) as files:
        draft = build_in(files, Plainly(lake), from_raw=from_raw, accepted_loss=accept_loss)
    typer.echo(f"built draft {draft.draft_id}" if draft else f"{NOTHING_NEW}; no new draft")


def publish(lake: LakeUrl = LAKE, quiet: Quiet = False) -> None:
    """Write the checked draft as a release and make it the latest.

    Example: paperlake publish
    """
    from warehouse.release.draft import current_draft

    configure(quiet=quiet)
    if latest(store := open_lake(lake)) is None:
        current_draft(store)
    from flows.running.run_statistics import Plainly, recorded
    from flows.steps.write_release import publish_waiting, summary_line

    with recorded(lake, "publish"):
        manifest = publish_waiting(store, Plainly(lake))
    say(summary_line(manifest))


def serve(
    lake: LakeUrl = LAKE,
    cron: Annotated[
        str | None,
        typer.Option(
            metavar="CRON", help="When to capture, in place of the usual hours; New York time.", show_default=False
        ),
    ] = None,
    host: Annotated[str, typer.Option(help="Address on which /metrics, /healthz and /readyz are.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Their port; 0 is any that is free.")] = 0,
    quiet: Quiet = False,
) -> None:
    """Run and verify on a schedule, until it is stopped. It captures at the hours when the lists change.

    Example: paperlake serve

    Example: paperlake serve --cron "*/10 * * * *" --port 9464
    """
    from flows.running.prefect_server import prefect_session

    with prefect_session(quiet=quiet, is_served=False):
        from flows.running.mail_config import is_set_up
        from flows.runtime.settings import load
        from flows.schedules import serve as until_stopped
        from paperlake.digest.mail import digest

        settings = load()
        letters = digest if is_set_up(settings) else None
        until_stopped(lake, cron, host, port, digest=letters, push=_pushes() if settings.push else None)


def _pushes() -> Flow[..., Any]:
    """The flow that pushes releases; UsageError where it could not: now, not tonight."""
    from flows.runtime.environment import require_extra

    require_extra("a push", "hub", "huggingface_hub")
    from paperlake.push.push_flow import own_repository, push

    own_repository()
    return push
