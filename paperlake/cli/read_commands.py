"""Commands that read a lake. Each imports what it needs when it runs; none imports Prefect or Great Expectations."""

import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal, get_args

import click
import msgspec

from flows.runtime.environment import takes_marks, utc_now
from flows.runtime.lake import database_of, latest_database, open_database, open_lake
from flows.runtime.progress import configure
from paperlake.cli.options import (
    lake_option,
    memory_option,
    quiet_option,
    say,
    say_found,
    seconds_option,
    signed_by_option,
    text_or_json,
)
from paperlake.reading.moments import hours_of, instant
from paperlake.sql.formats import Format
from paperlake.sql.questions import Question
from paperlake.sql.worker import Worker
from warehouse.errors import TooOld, UsageError
from warehouse.limits import QueryLimits
from warehouse.printable import printable, screen_width
from warehouse.release.latest import require_latest

row_format_option = click.option(
    "--format",
    "-f",
    "output_format",
    type=click.Choice(get_args(Format)),
    help="How rows are written; by default by the suffix of -o, or table.",
)
output_option = click.option("--output", "-o", type=Path, help="File to write, whole or not at all.")


@click.command()
@click.argument("query", required=False, help="Statements, or - for those on standard input. Without any: a shell.")
@lake_option
@click.option("--file", type=Path, help="File with the statements.")
@row_format_option
@output_option
@seconds_option
@memory_option
@click.option("--cite", is_flag=True, help="Put the query on record; how to cite it is on stderr.")
def sql(
    query: str | None,
    lake: str,
    file: Path | None,
    output_format: Format | None,
    output: Path | None,
    seconds: float,
    memory: str,
    cite: bool,
) -> None:
    """Query the latest release, read-only. Tables of core and mart need no schema name.

    Example: paperlake sql "FROM papers_by_month"

    Example: paperlake sql "FROM submitters LIMIT 5" --format json

    Example: paperlake sql "FROM papers" -o papers.parquet
    """
    from paperlake.sql.shell import ask_rows, format_of, read_statements

    chosen, text = format_of(output_format, output), read_statements(query, file, output)
    named = require_latest(store := open_lake(lake))
    with Worker(database_of(store, named), QueryLimits(memory, seconds)) as worker:
        if text is None:
            from flows.runtime.settings import load
            from paperlake.sql.shell import HISTORY, Shell

            Shell(worker, chosen, load().state.expanduser() / HISTORY).run()
        else:
            ask_rows(worker, text, chosen, output)
            if cite:
                from paperlake.answers.user_query import cite_query, fingerprint_by

                cited = cite_query(store, named, fingerprint_by(worker, text), at=utc_now())
                click.echo(cited.bibtex, err=True, nl=False)


@click.command()
@click.argument("cutoff", metavar="CUTOFF", type=instant, help="What was known by then, UTC.")
@click.argument("horizon", metavar="HORIZON", help="How long after it labels are taken: 30h, 7d.")
@lake_option
@row_format_option
@output_option
@seconds_option
@memory_option
def panel(
    cutoff: datetime,
    horizon: str,
    lake: str,
    output_format: Format | None,
    output: Path | None,
    seconds: float,
    memory: str,
) -> None:
    """Write what was known of papers by a date, and what came then. No feature looks ahead.

    Example: paperlake panel "2026-10-01 12:00" 7d -o panel.parquet
    """
    from paperlake.answers.one_paper import require_there
    from paperlake.sql.shell import ask_rows, format_of

    with latest_database(lake) as database:
        require_there(database.names, "panel")
    asked = f"FROM panel('{cutoff:%F %T}', '{hours_of(horizon)} hours')"
    with Worker(open_database(lake), QueryLimits(memory, seconds)) as worker:
        ask_rows(worker, asked, format_of(output_format, output), output)


@click.command()
@click.argument("name", required=False, help="One table or macro, for its columns.")
@lake_option
@text_or_json
def tables(name: str | None, lake: str, output_format: Literal["text", "json"]) -> None:
    """List the tables, or the columns of one. The marts of the latest release come first.

    Example: paperlake tables daily_papers
    """
    with Worker(open_database(lake), QueryLimits()) as worker:
        worker.ask(Question("tables", name or "", "json" if output_format == "json" else "table"))


@click.command()
@lake_option
@text_or_json
@click.option("--max-age", metavar="AGE", help="Exit with 13 where the newest page is older: 30h, 2d.")
def status(lake: str, output_format: Literal["text", "json"], max_age: str | None) -> None:
    """Show what the lake has and lacks, and what is due at the Hub.

    Example: paperlake status

    Example: paperlake status --max-age 30h
    """
    from flows.runtime.settings import load
    from flows.watch.status import status_of, too_old
    from paperlake.cli.lake_texts import status_text

    most = age_given(max_age)
    now = utc_now()
    found = status_of(open_lake(lake), load().scope(), now)
    say_found(found, status_text(found, now), output_format)
    if most and (reasons := list(too_old(found, most, now))):
        raise TooOld("\n".join(reasons))


def age_given(text: str | None) -> timedelta | None:
    """The age of `--max-age`; UsageError where it is none."""
    from flows.runtime.setting_types import age_of

    if text and age_of(text) is None:
        raise UsageError(f"--max-age {text} is no age; ages are in hours or days, 30h or 2d")
    return age_of(text) if text else None


@click.command("raw")
@click.argument("capture_id", help="capture_id of any row of any table.")
@lake_option
def show_raw(capture_id: str, lake: str) -> None:
    """Print a captured page, byte for byte.

    Example: paperlake show raw 2f1c9e0b7a4d5e6f8a9b
    """
    from warehouse.archive.archive import Archive

    archive = Archive(open_lake(lake))
    sys.stdout.buffer.write(archive.read(archive.find(capture_id)).payload)


@click.command("paper")
@click.argument("paper", help="arXiv id, paper_id, address or title.")
@lake_option
@text_or_json
def show_paper(paper: str, lake: str, output_format: Literal["text", "json"]) -> None:
    """Print all the lake knows of a paper. Its systems and claims are marked in the text.

    Example: paperlake show paper 2604.03759
    """
    from paperlake.answers.one_paper import one_paper

    with latest_database(lake) as database:
        found = one_paper(database, paper)
    if output_format == "json":
        [row] = found["paper"]
        text = msgspec.json.format(msgspec.json.encode(found | {"paper": row}), indent=2).decode()
        click.echo("\n".join(map(printable, text.split("\n"))))
    else:
        from paperlake.answers.one_paper_text import BOLD, BRACKETS, one_paper_text

        marks = BOLD if takes_marks(sys.stdout) else BRACKETS
        click.echo(one_paper_text(found, marks, screen_width(sys.stdout)), nl=False, color=True)


@click.command()
@click.argument("version", required=False, help="A release; the latest by default.")
@lake_option
@click.option("--raw", is_flag=True, help="Re-read every record of the archive instead.")
@click.option("--all", "every", is_flag=True, help="Read back every release that was not dropped.")
@signed_by_option
@click.option("--since", metavar="CHECKPOINT", help="What an earlier verify printed: the lake must continue it.")
@click.option("--max-age", metavar="AGE", help="Exit with 13 where the newest move is older: 30h, 2d.")
@quiet_option
def verify(
    version: str | None,
    lake: str,
    raw: bool,
    every: bool,
    signed_by: Path | None,
    since: str | None,
    max_age: str | None,
    quiet: bool,
) -> None:
    """Check every hash and row count of a release. The chain of all moves is checked too; its checkpoint is printed.

    Example: paperlake verify --raw
    """
    from flows.steps.read_back import require_moved_lately, require_sound, verify_raw, verify_release
    from warehouse.release.chain import checkpoint_of

    if (version is not None) + raw + every > 1:
        raise UsageError("name a release, or give --all or --raw: one of them")
    if raw and (signed_by or since or max_age):
        raise UsageError("--signed-by, --since and --max-age check releases, and --raw the archive: leave out one")
    most, seen = age_given(max_age), checkpoint_of(since) if since else None
    configure(quiet=quiet)
    store = open_lake(lake)
    if raw:
        say(require_sound(lake, verify_raw(store)))
        return
    say(require_sound(lake, verify_release(store, version, every=every, signed_by=signed_by, since=seen)))
    if most:
        require_moved_lately(store, most, utc_now())
