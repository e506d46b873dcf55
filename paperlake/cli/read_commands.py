"""Commands that read a lake. Each imports what it needs when it runs; none imports Prefect or Great Expectations."""

from __future__ import annotations

import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from flows.runtime.lake import database_of, open_database, open_lake
from flows.runtime.now import utc_now
from flows.runtime.progress import configure
from flows.runtime.variables import LAKE, SQL_MEMORY, SQL_SECONDS
from paperlake.cli.options import AsText, LakeUrl, Memory, Quiet, Seconds, SignedBy, say
from paperlake.reading.moments import hours_of, instant
from paperlake.sql.formats import Format
from paperlake.sql.messages import Question
from paperlake.sql.worker import Worker
from warehouse.errors import TooOld, UsageError
from warehouse.limits import QueryLimits
from warehouse.printable import printable
from warehouse.release.latest import require_latest
from warehouse.release.manifest import encode

AsFormat = Annotated[
    Format | None,
    typer.Option("--format", "-f", help="How rows are written; by default by the suffix of -o, or table."),
]
To = Annotated[
    Path | None, typer.Option("--output", "-o", help="File to write, whole or not at all.", show_default=False)
]


def sql(
    query: Annotated[
        str | None,
        typer.Argument(help="Statements, or - for those on standard input. Without any: a shell.", show_default=False),
    ] = None,
    lake: LakeUrl = LAKE,
    file: Annotated[Path | None, typer.Option("--file", help="File with the statements.", show_default=False)] = None,
    output_format: AsFormat = None,
    output: To = None,
    seconds: Seconds = SQL_SECONDS,
    memory: Memory = SQL_MEMORY,
    cite: Annotated[bool, typer.Option("--cite", help="Put the query on record; how to cite it is on stderr.")] = False,
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
                from paperlake.answers.cited_queries import cite_query, fingerprint_by

                cited = cite_query(store, named, fingerprint_by(worker, text), at=utc_now())
                typer.echo(cited.bibtex, err=True, nl=False)


def panel(
    cutoff: Annotated[datetime, typer.Argument(metavar="CUTOFF", parser=instant, help="What was known by then, UTC.")],
    horizon: Annotated[str, typer.Argument(metavar="HORIZON", help="How long after it labels are taken: 30h, 7d.")],
    lake: LakeUrl = LAKE,
    output_format: AsFormat = None,
    output: To = None,
    seconds: Seconds = SQL_SECONDS,
    memory: Memory = SQL_MEMORY,
) -> None:
    """Write what was known of each paper at a cutoff, and what came of it. No feature looks ahead.

    Example: paperlake panel "2026-10-01 12:00" 7d -o panel.parquet
    """
    from paperlake.sql.shell import ask_rows, format_of

    asked = f"FROM panel('{cutoff:%F %T}', '{hours_of(horizon)} hours')"
    with Worker(open_database(lake), QueryLimits(memory, seconds)) as worker:
        ask_rows(worker, asked, format_of(output_format, output), output)


def tables(
    name: Annotated[str | None, typer.Argument(help="One table or macro, for its columns.", show_default=False)] = None,
    lake: LakeUrl = LAKE,
    output_format: AsText = "text",
) -> None:
    """List the tables, or the columns of one. The marts of the latest release come first.

    Example: paperlake tables daily_papers
    """
    with Worker(open_database(lake), QueryLimits()) as worker:
        worker.ask(Question("tables", name or "", "json" if output_format == "json" else "table"))


def status(
    lake: LakeUrl = LAKE,
    output_format: AsText = "text",
    max_age: Annotated[
        str | None,
        typer.Option(metavar="AGE", help="Exit with 13 where the newest page is older: 30h, 2d.", show_default=False),
    ] = None,
) -> None:
    """Show what the lake has and lacks, and what is due at the Hub.

    Example: paperlake status

    Example: paperlake status --max-age 30h
    """
    from flows.runtime.settings import load
    from flows.watch.status import status_of, too_old

    most = age_given(max_age)
    now = utc_now()
    found = status_of(open_lake(lake), load().scope(), now)
    if output_format == "json":
        typer.echo(encode(found), nl=False)
    else:
        from paperlake.texts.status_text import status_text

        say(status_text(found, now))
    if most and (reasons := list(too_old(found, most, now))):
        raise TooOld("\n".join(reasons))


def age_given(text: str | None) -> timedelta | None:
    """The age of `--max-age`; UsageError where it is none."""
    from flows.runtime.setting_types import age_of

    if text and age_of(text) is None:
        raise UsageError(f"--max-age {text} is no age; ages are in hours or days, 30h or 2d")
    return age_of(text) if text else None


def show_raw(
    capture_id: Annotated[str, typer.Argument(help="capture_id of any row of any table.")], lake: LakeUrl = LAKE
) -> None:
    """Print a captured page, byte for byte.

    Example: paperlake show raw 2f1c9e0b7a4d5e6f8a9b
    """
    from warehouse.archive.archive import Archive

    archive = Archive(open_lake(lake))
    sys.stdout.buffer.write(archive.read(archive.find(capture_id)).payload)


def show_paper(
    paper: Annotated[str, typer.Argument(help="arXiv id, paper_id, address or title.")],
    lake: LakeUrl = LAKE,
    output_format: AsText = "text",
) -> None:
    """Print all the lake knows of a paper, with its systems and claims marked in the text.

    Example: paperlake show paper 2604.03759
    """
    import shutil

    from paperlake.answers.one_paper import one_paper
    from warehouse.release.query import opened

    with opened(open_database(lake)) as database:
        found = one_paper(database, paper)
    if output_format == "json":
        import msgspec

        [row] = found["paper"]
        text = msgspec.json.format(msgspec.json.encode(found | {"paper": row}), indent=2).decode()
        typer.echo("\n".join(map(printable, text.split("\n"))))
    else:
        from paperlake.texts.one_paper_text import BOLD, BRACKETS, one_paper_text

        marks = BOLD if sys.stdout.isatty() else BRACKETS
        typer.echo(one_paper_text(found, marks, shutil.get_terminal_size((100, 40)).columns), nl=False, color=True)


def verify(
    version: Annotated[str | None, typer.Argument(help="A release; the latest by default.", show_default=False)] = None,
    lake: LakeUrl = LAKE,
    raw: Annotated[bool, typer.Option("--raw", help="Re-read every record of the archive instead.")] = False,
    every: Annotated[bool, typer.Option("--all", help="Read back every release that was not dropped.")] = False,
    signed_by: SignedBy = None,
    since: Annotated[
        str | None,
        typer.Option(
            metavar="CHECKPOINT", help="What an earlier verify printed: the lake must continue it.", show_default=False
        ),
    ] = None,
    max_age: Annotated[
        str | None,
        typer.Option(metavar="AGE", help="Exit with 13 where the newest move is older: 30h, 2d.", show_default=False),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Check every hash and row count of a release. The chain of all moves is checked too; its checkpoint is printed.

    Example: paperlake verify --raw
    """
    from flows.steps.read_back import require_moved_since, require_sound, verify_raw, verify_release
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
        require_moved_since(store, utc_now() - most)
