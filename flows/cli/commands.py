"""The command line: thin commands over the flows and the warehouse.

Each command imports what it needs when it runs: those that only read import neither Prefect nor Great Expectations.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from flows.cli import release_commands as release_cli
from flows.cli.formats import Format
from flows.cli.options import DEFAULT_LAKE, Lake
from warehouse.errors import PaperlakeError, UsageError

PREFECT_DEFAULTS: Final = {
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",  # else a server's first start looks up an outside host
    "PREFECT_LOGGING_LEVEL": "CRITICAL",  # paperlake's own lines tell; Prefect would add tracebacks
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",  # its 20 s are too few for a machine that is busy
}

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Warnings and errors only.")]
Paths = Annotated[list[Path] | None, typer.Argument(help="Files, folders and WARC files.", show_default=False)]

AcceptLoss = Annotated[
    str | None,
    typer.Option(
        metavar="WHY", help="Let pass what is lost beside the last release; why stays on record.", show_default=False
    ),
]
Since = Annotated[
    datetime | None, typer.Option(formats=["%Y-%m-%d"], help="First list day of a backfill.", show_default=False)
]
Until = Annotated[
    datetime | None, typer.Option(formats=["%Y-%m-%d"], help="Its last list day, default today.", show_default=False)
]

app = typer.Typer(
    help="An open data lake of Hugging Face Daily Papers.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
show = typer.Typer(help="Show one thing of the lake.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(show, name="show")


def main() -> None:
    """Run the command line; known errors are one message on stderr and their own exit code."""
    try:
        app()
    except PaperlakeError as error:
        sys.stderr.write(f"error: {error}\n")
        sys.exit(error.exit_code)
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


@contextmanager
def _prefect(*, quiet: bool, is_served: bool = True) -> Iterator[None]:
    """Prefect with its own chatter off, unless the environment asks for it; with a server, if it has none."""
    from flows.runtime.progress import configure

    configure(quiet=quiet)
    logging.getLogger("EventsWorker").setLevel(logging.CRITICAL)  # Prefect's, which tells when it is slow to end
    for name, value in PREFECT_DEFAULTS.items():
        os.environ.setdefault(name, value)
    from prefect.settings import PREFECT_API_URL, PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings

    from flows.runtime.prefect_home import require_room
    from flows.runtime.prefect_server import prefect_server

    require_room()
    with ExitStack() as stack:
        if is_served and not PREFECT_API_URL.value():
            url = stack.enter_context(prefect_server(is_of_one_run=True))
            stack.enter_context(temporary_settings({PREFECT_API_URL: f"{url}/api"}))
        # each flow run would wait a second for its heart to beat
        stack.enter_context(temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}))
        yield


@app.command()
def run(
    paths: Paths = None,
    lake: Lake = DEFAULT_LAKE,
    since: Since = None,
    until: Until = None,
    details: Annotated[
        bool, typer.Option("--details", help="In a backfill, the details of every paper too: a call a paper.")
    ] = False,
    accept_loss: AcceptLoss = None,
    quiet: Quiet = False,
) -> None:
    """Land, build and publish in one go; without paths, capture from the Hub what is due.

    Example: paperlake run ./captures

    Example: paperlake run

    Example: paperlake run --since 2026-10-01 --until 2026-10-31 --details
    """
    _check_range(paths, since, until, details=details)
    with _prefect(quiet=quiet):
        from flows.daily import daily
        from flows.land import require_all
        from flows.publish import summary_line

        days = since and since.date(), until and until.date()
        named = [str(path) for path in paths or ()]
        landing, manifest = daily(lake, named, *days, details=details, accepted_loss=accept_loss)
        typer.echo(summary_line(manifest))
        require_all(landing)


def _check_range(paths: list[Path] | None, since: datetime | None, until: datetime | None, *, details: bool) -> None:
    if paths and (since or until or details):
        raise UsageError("--since, --until and --details are for capturing from the Hub; leave them out, or the paths")
    if since and until and since > until:
        raise UsageError("--since is later than --until: no list day lies between them")
    if details and not (since or until):
        raise UsageError("--details is for a backfill: give --since or --until too; every other run asks for details")


@app.command()
def land(paths: Paths = None, lake: Lake = DEFAULT_LAKE, quiet: Quiet = False) -> None:
    """Put files, folders and WARC files into the lake's archive, byte for byte.

    Example: paperlake land ./captures saved-page.txt crawl.warc.gz
    """
    with _prefect(quiet=quiet):
        from flows.land import land as flow
        from flows.land import require_all

        require_all(flow(lake, _named(paths)))


@app.command()
def build(
    lake: Lake = DEFAULT_LAKE,
    from_raw: Annotated[bool, typer.Option("--from-raw", help="Read every capture again, not only new ones.")] = False,
    accept_loss: AcceptLoss = None,
    quiet: Quiet = False,
) -> None:
    """Read new captures, make the tables and check them.

    Example: paperlake build --from-raw
    """
    with _prefect(quiet=quiet):
        from flows.build import build as flow
        from flows.publish import NOTHING_NEW

        draft = flow(lake, from_raw=from_raw, accepted_loss=accept_loss)
        typer.echo(f"built draft {draft.draft_id}" if draft else f"{NOTHING_NEW}; no new draft")


@app.command()
def publish(lake: Lake = DEFAULT_LAKE, quiet: Quiet = False) -> None:
    """Write the checked draft as a release and make it the latest.

    Example: paperlake publish
    """
    with _prefect(quiet=quiet):
        from flows.publish import publish as flow
        from flows.publish import summary_line

        typer.echo(summary_line(flow(lake)))


@app.command()
def serve(
    lake: Lake = DEFAULT_LAKE,
    cron: Annotated[
        str | None,
        typer.Option(help="When to capture, in place of the usual hours; five fields, New York.", show_default=False),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Capture, build and publish at the hours when the lists change, and verify weekly, until it is stopped.

    Example: paperlake serve

    Example: paperlake serve --cron "*/10 * * * *"
    """
    with _prefect(quiet=quiet, is_served=False):
        from flows.schedules import serve as until_stopped

        until_stopped(lake, cron)


@app.command()
def sql(
    query: Annotated[str, typer.Argument(help="One statement that gives rows.")],
    lake: Lake = DEFAULT_LAKE,
    output_format: Annotated[Format, typer.Option("--format", "-f", help="How the rows are written.")] = "table",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write, whole or not at all.", show_default=False)
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.001, envvar="PAPERLAKE_SQL_SECONDS", help="Longest a query may take.")
    ] = 300,
    memory: Annotated[str, typer.Option(envvar="PAPERLAKE_SQL_MEMORY", help="Most memory it may take.")] = "2GB",
) -> None:
    """Ask the latest release, read-only; tables of core and mart need no schema.

    Example: paperlake sql "FROM papers_by_month"

    Example: paperlake sql "FROM submitters LIMIT 5" --format json

    Example: paperlake sql "FROM papers" -f parquet -o papers.parquet
    """
    from flows.cli.answers import write_answer
    from flows.runtime.lake import open_database
    from warehouse.release.query import Limits

    write_answer(open_database(lake), query, output_format, output, Limits(memory, seconds))


@app.command()
def tables(
    name: Annotated[str | None, typer.Argument(help="One table, for its columns.", show_default=False)] = None,
    lake: Lake = DEFAULT_LAKE,
) -> None:
    """List the tables of the latest release, or the columns of one.

    Example: paperlake tables daily_papers
    """
    from flows.cli.answers import write_columns, write_tables
    from flows.runtime.lake import open_database

    path = open_database(lake)
    write_columns(path, name, sys.stdout) if name else write_tables(path, sys.stdout)


@app.command()
def status(
    lake: Lake = DEFAULT_LAKE,
    output_format: Annotated[
        Literal["text", "json"], typer.Option("--format", "-f", help="For a person or a script.")
    ] = "text",
) -> None:
    """Tell what the latest release has and lacks, what was landed since, and what is due at the Hub.

    Example: paperlake status
    """
    from flows.cli.status import status_of
    from flows.runtime.lake import open_lake
    from flows.runtime.settings import load

    now = datetime.now(UTC).replace(tzinfo=None)
    told = status_of(open_lake(lake), load().scope(), now)
    if output_format == "json":
        from warehouse.release.manifest import encode

        typer.echo(encode(told), nl=False)
    else:
        from flows.cli.status_text import status_text

        typer.echo(status_text(told, now), nl=False)


@show.command("raw")
def show_raw(
    capture_id: Annotated[str, typer.Argument(help="capture_id of any row of any table.")], lake: Lake = DEFAULT_LAKE
) -> None:
    """Print a captured page, byte for byte.

    Example: paperlake show raw 2f1c9e0b7a4d5e6f8a9b
    """
    from flows.runtime.lake import open_lake
    from warehouse.archive.archive import Archive

    archive = Archive(open_lake(lake))
    sys.stdout.buffer.write(archive.read(archive.find(capture_id)).payload)


@app.command()
def verify(
    version: Annotated[str | None, typer.Argument(help="A release; the latest by default.", show_default=False)] = None,
    lake: Lake = DEFAULT_LAKE,
    raw: Annotated[bool, typer.Option("--raw", help="Re-read every record of the archive instead.")] = False,
    quiet: Quiet = False,
) -> None:
    """Read a release back and check every hash and row count, and the chain of releases before it.

    Example: paperlake verify --raw
    """
    from flows.runtime.lake import open_lake
    from flows.runtime.progress import configure
    from flows.steps.read_back import require_sound, verify_raw, verify_release

    configure(quiet=quiet)
    store = open_lake(lake)
    typer.echo(require_sound(lake, verify_raw(store) if raw else verify_release(store, version)))


def _named(paths: list[Path] | None) -> list[str]:
    if not paths:
        raise UsageError('name what to land, for example "paperlake land ./captures"')
    return [str(path) for path in paths]


release_cli.register(app)  # last, as the help lists commands in this order
