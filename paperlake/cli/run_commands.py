"""Commands that fill a lake: each runs a flow. Each imports what it needs when it runs."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import Lake, Quiet
from flows.runtime.now import utc_now
from flows.runtime.prefect_session import prefect_session
from flows.runtime.progress import configure, log
from flows.runtime.variables import LAKE
from warehouse.errors import UsageError
from warehouse.store.store import Store

Paths = Annotated[
    list[Path] | None, typer.Argument(metavar="PATH", help="Files, folders and WARC files.", show_default=False)
]

AcceptLoss = Annotated[
    str | None,
    typer.Option(
        metavar="WHY", help="Publish despite losses since the last release; the reason is kept.", show_default=False
    ),
]
Since = Annotated[
    datetime | None,
    typer.Option(metavar="DAY", formats=["%Y-%m-%d"], help="First list day of a backfill.", show_default=False),
]
Until = Annotated[
    datetime | None,
    typer.Option(metavar="DAY", formats=["%Y-%m-%d"], help="Its last list day, default today.", show_default=False),
]


def run(
    paths: Paths = None,
    lake: Lake = LAKE,
    since: Since = None,
    until: Until = None,
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
    from flows.documents.page.leading import lead_to_latest
    from flows.runtime.lake import open_lake
    from flows.runtime.settings import load
    from flows.steps.nothing_new import NOTHING_NEW, nothing_new
    from flows.watch.run_statistics import SUCCEEDED, record_end

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
        typer.echo(f"{NOTHING_NEW}; no new release")
        _print_page(store)
        return
    with prefect_session("flows.daily", "expectations.runner", quiet=quiet):
        from flows.daily import daily
        from flows.land import require_all
        from flows.publish import summary_line

        named = [str(path) for path in paths or ()]
        landing, manifest = daily(lake, named, *days, details=details, accepted_loss=accept_loss)
        typer.echo(summary_line(manifest))
        _print_page(store)
        require_all(landing)


def _print_page(store: Store) -> None:
    """Print where the page of the latest release is, if there is one."""
    from flows.documents.page.leading import page_address
    from warehouse.release.latest import latest

    if named := latest(store):
        typer.echo(f"its page: {page_address(store, named.version)}")


def _check_range(paths: list[Path] | None, since: datetime | None, until: datetime | None, *, details: bool) -> None:
    if paths and (since or until or details):
        raise UsageError("--since, --until and --details are for capturing from the Hub; leave them out, or the paths")
    if since and until and since > until:
        raise UsageError("--since is later than --until: no list day lies between them")
    if details and not (since or until):
        raise UsageError("--details is for a backfill: give --since or --until too; every other run asks for details")


def land(paths: Paths = None, lake: Lake = LAKE, quiet: Quiet = False) -> None:
    """Archive files, folders and WARC files, byte for byte.

    Example: paperlake land ./captures saved-page.txt crawl.warc.gz
    """
    if not paths:
        raise UsageError('name what to land, for example "paperlake land ./captures"')
    from flows.runtime.lake import open_lake

    open_lake(lake)  # before Prefect records the address, as in `run`
    with prefect_session("flows.land", quiet=quiet):
        from flows.land import land as flow
        from flows.land import require_all

        require_all(flow(lake, [str(path) for path in paths]))


def build(
    lake: Lake = LAKE,
    from_raw: Annotated[bool, typer.Option("--from-raw", help="Read every capture again, not only new ones.")] = False,
    accept_loss: AcceptLoss = None,
    quiet: Quiet = False,
) -> None:
    """Read new captures, make the tables and check them.

    Example: paperlake build

    Example: paperlake build --from-raw
    """
    from flows.runtime.lake import open_lake
    from warehouse.archive.archive import Archive

    Archive(open_lake(lake)).require_any()  # before anything heavy starts
    with prefect_session("flows.build", quiet=quiet):
        from flows.build import build as flow
        from flows.steps.nothing_new import NOTHING_NEW

        draft = flow(lake, from_raw=from_raw, accepted_loss=accept_loss)
        typer.echo(f"built draft {draft.draft_id}" if draft else f"{NOTHING_NEW}; no new draft")


def publish(lake: Lake = LAKE, quiet: Quiet = False) -> None:
    """Write the checked draft as a release and make it the latest.

    Example: paperlake publish
    """
    from flows.runtime.lake import open_lake
    from warehouse.release.draft import current_draft
    from warehouse.release.latest import latest

    if latest(store := open_lake(lake)) is None:
        current_draft(store)
    with prefect_session("flows.publish", quiet=quiet):
        from flows.publish import publish as flow
        from flows.publish import summary_line

        typer.echo(summary_line(flow(lake)))


def serve(
    lake: Lake = LAKE,
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
    with prefect_session(quiet=quiet, is_served=False):
        from flows.schedules import serve as until_stopped

        until_stopped(lake, cron, host, port)
