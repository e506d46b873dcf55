"""Commands that fill a lake. Each imports what it needs when it runs; `run` and `serve` are flow runs of Prefect."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Final

import click

from flows.runtime.environment import is_utf8, require_extra, utc_now
from flows.runtime.lake import open_lake
from flows.runtime.progress import configure, log
from paperlake.cli.options import lake_option, quiet_option, say, why_option
from paperlake.reading.moments import day_of
from warehouse.errors import UsageError
from warehouse.release.latest import latest
from warehouse.store.local_files import local_files
from warehouse.store.store import Store

NO_DRAFT: Final = 'no checked draft is waiting, the latest release stands; "paperlake build" makes one of what is new'


def path_of(text: str) -> Path:
    """A path; UsageError for none, as where a shell's variable is empty: it would be the folder where one is."""
    if not text:
        raise UsageError("a path is empty; give files, folders or WARC files")
    return Path(text)


paths_argument = click.argument(
    "paths", metavar="[PATH]...", type=path_of, nargs=-1, help="Files, folders, WARC and WACZ files."
)
accept_loss_option = why_option(
    "--accept-loss", metavar="WHY", help="Publish despite losses since the last release; the reason is kept."
)


@click.command()
@paths_argument
@lake_option
@click.option("--since", metavar="DAY", type=day_of, help="First list day of a backfill.")
@click.option("--until", metavar="DAY", type=day_of, help="Its last list day, default today.")
@click.option("--details", is_flag=True, help="In a backfill, fetch each paper's details too: one call a paper.")
@accept_loss_option
@quiet_option
def run(
    paths: tuple[Path, ...],
    lake: str,
    since: date | None,
    until: date | None,
    details: bool,
    accept_loss: str | None,
    quiet: bool,
) -> None:
    """Land, build and publish in one go. Without paths, it captures from the Hub what is due.

    Example: paperlake run ./captures

    Example: paperlake run

    Example: paperlake run --since 2026-10-01 --until 2026-10-31 --details
    """
    _check_range(paths, since, until, details=details)
    if not all(is_utf8(str(path)) for path in paths):  # they are parameters, which Prefect records
        raise UsageError("a path that is given to run must be in UTF-8; rename it, or give the folder that it is in")
    from flows.documents.release_index import lead_to_latest
    from flows.running.run_statistics import SUCCEEDED, record_end
    from flows.runtime.settings import load
    from flows.steps.what_is_new import NOTHING_NEW, fold_replaced, nothing_new

    configure(quiet=quiet)
    settings = load()
    scope = settings.scope(since, until, with_details=details)
    store = open_lake(lake)  # before Prefect records the address: one that is no lake's may hold a password
    found = nothing_new(store, paths, scope, settings.limits(), utc_now(), corrections=settings.corrections)
    if found is not None:
        log.info(str(found))
        lead_to_latest(store)
        fold_replaced(store, utc_now())
        record_end(lake, "daily", SUCCEEDED)
        say(f"{NOTHING_NEW}; no new release")
        _print_page(store)
        return
    from flows.running.prefect_server import prefect_session

    with prefect_session("flows.daily", quiet=quiet):
        from flows.daily import daily
        from flows.steps.land_inputs import require_all
        from flows.steps.write_release import summary_line

        named = [str(path) for path in paths]
        landing, manifest = daily(lake, named, since, until, details=details, accepted_loss=accept_loss)
        say(summary_line(manifest))
        _print_page(store)
        require_all(landing)


def _print_page(store: Store) -> None:
    """Print where the page of the latest release is, if there is one."""
    from flows.documents.release_index import page_address

    if named := latest(store):
        click.echo(f"its page: {page_address(store, named.version)}")


def _check_range(paths: Sequence[Path], since: date | None, until: date | None, *, details: bool) -> None:
    if paths and (since or until or details):
        raise UsageError("--since, --until and --details are for capturing from the Hub; leave them out, or the paths")
    if since and until and since > until:
        raise UsageError("--since is later than --until: no list day lies between them")
    if details and not (since or until):
        raise UsageError("--details is for a backfill: give --since or --until too; every other run asks for details")


@click.command()
@paths_argument
@lake_option
@quiet_option
def land(paths: tuple[Path, ...], lake: str, quiet: bool) -> None:
    """Archive files, folders, WARC and WACZ files, byte for byte.

    Example: paperlake land ./captures saved-page.txt crawl.warc.gz
    """
    if not paths:
        raise UsageError('name what to land, for example "paperlake land ./captures"')
    from flows.running.how import How
    from flows.running.run_statistics import recorded
    from flows.steps.land_inputs import land_in, require_all

    configure(quiet=quiet)
    with recorded(lake, "land"):
        landed = land_in(open_lake(lake), paths, How(lake))
    require_all(landed)


@click.command()
@lake_option
@click.option("--from-raw", is_flag=True, help="Read every capture again, not only new ones.")
@accept_loss_option
@quiet_option
def build(lake: str, from_raw: bool, accept_loss: str | None, quiet: bool) -> None:
    """Read new captures, make the tables and check them.

    Example: paperlake build

    Example: paperlake build --from-raw
    """
    from warehouse.archive.archive import Archive

    configure(quiet=quiet)
    store = open_lake(lake)
    Archive(store).require_any()  # before anything heavy is imported
    from flows.running.how import How
    from flows.running.run_statistics import recorded
    from flows.steps.build_draft import build_in
    from flows.steps.what_is_new import NOTHING_NEW

    with recorded(lake, "build"), local_files(store) as files:
        draft = build_in(files, How(lake), from_raw=from_raw, accepted_loss=accept_loss)
    click.echo(f"built draft {draft.draft_id}" if draft else f"{NOTHING_NEW}; no new draft")


@click.command()
@lake_option
@quiet_option
def publish(lake: str, quiet: bool) -> None:
    """Write the checked draft as a release and make it the latest.

    Example: paperlake publish
    """
    from warehouse.release.draft import current_draft

    configure(quiet=quiet)
    if latest(store := open_lake(lake)) is None:
        current_draft(store)
    from flows.running.how import How
    from flows.running.run_statistics import recorded
    from flows.steps.write_release import publish_waiting, summary_line

    with recorded(lake, "publish"):
        manifest = publish_waiting(store, How(lake))
    say(summary_line(manifest) if manifest else NO_DRAFT)


@click.command()
@lake_option
@click.option("--cron", metavar="CRON", help="When to capture, in place of the usual hours; New York time.")
@click.option("--host", default="127.0.0.1", help="Address on which /metrics, /healthz and /readyz are.")
@click.option("--port", type=click.IntRange(min=0, max=65535), default=0, help="Their port; 0 is any that is free.")
@quiet_option
def serve(lake: str, cron: str | None, host: str, port: int, quiet: bool) -> None:
    """Run and verify on a schedule, until it is stopped. It captures at the hours when the lists change.

    Example: paperlake serve

    Example: paperlake serve --cron "*/10 * * * *" --port 9464
    """
    from flows.running.prefect_server import prefect_session

    with prefect_session(quiet=quiet, is_served=False):
        from flows.running.mail import is_set_up
        from flows.runtime.settings import load
        from flows.schedules import serve as until_stopped
        from paperlake.digest.digest_flow import digest

        settings, pushes = load(), None
        letters = digest if is_set_up(settings) else None
        if settings.push:
            require_extra("a push", "hub", "huggingface_hub")
            from paperlake.push.push_flow import own_repository, push

            own_repository()  # where it could not push, that is said now, not tonight
            pushes = push
        until_stopped(lake, cron, host, port, digest=letters, push=pushes)
