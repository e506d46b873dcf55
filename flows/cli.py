"""The command line: thin commands over the flows and the warehouse.

Each command imports what it needs when it runs: those that only read import neither Prefect nor Great Expectations.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from warehouse.errors import Damaged, PaperlakeError, UsageError

if TYPE_CHECKING:
    from warehouse.manifest import Manifest


DEFAULT_LAKE: Final = "./lake"
NOTHING_NEW: Final = "nothing new: every landed capture is in the latest release"
PREFECT_DEFAULTS: Final = {
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",  # else a server's first start looks up an outside host
    "PREFECT_LOGGING_LEVEL": "CRITICAL",  # paperlake's own lines tell; Prefect would add tracebacks
}

Lake = Annotated[str, typer.Option("--lake", envvar="PAPERLAKE_LAKE", help="URL or path of the lake.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Warnings and errors only.")]
Paths = Annotated[list[Path] | None, typer.Argument(help="Files, folders and WARC files.", show_default=False)]

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
def _prefect(*, quiet: bool) -> Iterator[None]:
    """Prefect with its own chatter off, unless the environment asks for it."""
    from flows.progress import configure

    configure(quiet=quiet)
    for name, value in PREFECT_DEFAULTS.items():
        os.environ.setdefault(name, value)
    from prefect.settings import PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings

    with temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}):  # each flow run would wait a second for it
        yield


@app.command()
def run(  # noqa: PLR0913, PLR0917 - a function of its options
    paths: Paths = None,
    lake: Lake = DEFAULT_LAKE,
    since: Since = None,
    until: Until = None,
    details: Annotated[
        bool, typer.Option("--details", help="In a backfill, the details of every paper too: a call a paper.")
    ] = False,
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

        landing, manifest = daily(
            lake, [str(path) for path in paths or ()], since and since.date(), until and until.date(), details=details
        )
        typer.echo(_published(manifest) if manifest else f"{NOTHING_NEW}; no new release")
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
    quiet: Quiet = False,
) -> None:
    """Read new captures, make the tables and check them.

    Example: paperlake build --from-raw
    """
    with _prefect(quiet=quiet):
        from flows.build import build as flow

        draft = flow(lake, from_raw=from_raw)
        typer.echo(f"built draft {draft.draft_id}" if draft else f"{NOTHING_NEW}; no new draft")


@app.command()
def publish(lake: Lake = DEFAULT_LAKE, quiet: Quiet = False) -> None:
    """Write the checked draft as a release and make it the latest.

    Example: paperlake publish
    """
    with _prefect(quiet=quiet):
        from flows.publish import publish as flow

        manifest = flow(lake)
        typer.echo(_published(manifest) if manifest else f"{NOTHING_NEW}; no new release")


@app.command()
def sql(
    query: Annotated[str, typer.Argument(help="One statement that gives rows.")],
    lake: Lake = DEFAULT_LAKE,
    output_format: Annotated[Literal["table", "json", "csv"], typer.Option("--format", "-f")] = "table",
) -> None:
    """Ask the latest release; tables of core and mart need no schema.

    Example: paperlake sql "FROM daily_papers ORDER BY listed_on DESC, rank LIMIT 5" --format json
    """
    from flows.answers import write_answer
    from flows.lake import open_database

    write_answer(open_database(lake), query, output_format, sys.stdout)


@app.command()
def tables(
    name: Annotated[str | None, typer.Argument(help="One table, for its columns.", show_default=False)] = None,
    lake: Lake = DEFAULT_LAKE,
) -> None:
    """List the tables of the latest release, or the columns of one.

    Example: paperlake tables daily_papers
    """
    from flows.answers import write_columns, write_tables
    from flows.lake import open_database

    path = open_database(lake)
    write_columns(path, name, sys.stdout) if name else write_tables(path, sys.stdout)


@show.command("raw")
def show_raw(
    capture_id: Annotated[str, typer.Argument(help="capture_id of any row of any table.")], lake: Lake = DEFAULT_LAKE
) -> None:
    """Print a captured page, byte for byte.

    Example: paperlake show raw 2f1c9e0b7a4d5e6f8a9b
    """
    from flows.lake import open_lake
    from warehouse.archive import Archive

    archive = Archive(open_lake(lake))
    sys.stdout.buffer.write(archive.read(archive.find(capture_id)).payload)


@app.command()
def verify(
    lake: Lake = DEFAULT_LAKE,
    raw: Annotated[bool, typer.Option("--raw", help="Re-read every record of the archive instead.")] = False,
    quiet: Quiet = False,
) -> None:
    """Read the latest release back and check every hash and row count.

    Example: paperlake verify --raw
    """
    from flows.lake import open_lake
    from flows.progress import configure
    from flows.verify import verify_latest, verify_raw

    configure(quiet=quiet)
    store = open_lake(lake)
    sound, wrong = verify_raw(store) if raw else verify_latest(store)
    if wrong:
        raise Damaged("\n".join([f"{len(wrong)} faults in {lake}:", *(f"  {message}" for message in wrong)]))
    typer.echo(sound)


def _published(manifest: Manifest) -> str:
    size = sum(file.bytes for file in manifest.files) / 1e6
    return f"published {manifest.version}: {len(manifest.files)} files, {size:,.1f} MB"


def _named(paths: list[Path] | None) -> list[str]:
    if not paths:
        raise UsageError('name what to land, for example "paperlake land ./captures"')
    return [str(path) for path in paths]
