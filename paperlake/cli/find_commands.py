"""Commands that find papers in a release: `search` and `similar`. None imports Prefect or GX."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, get_args

import click

from flows.runtime.environment import bash_line
from flows.runtime.lake import database_at, open_database, open_lake
from flows.runtime.variables import LAKE, variable
from paperlake.cli.options import format_option, lake_option
from paperlake.sql.drawing import ALL
from paperlake.sql.formats import WRITERS
from warehouse.errors import PaperlakeError, UsageError
from warehouse.printable import screen_width

if TYPE_CHECKING:
    from warehouse.release.query import Database

HitFormat = Literal["table", "json", "markdown", "csv"]
limit_option = click.option(
    "--limit", "-n", type=click.IntRange(min=1, max=1000), default=10, help="Most papers to show."
)
hit_format_option = format_option(*get_args(HitFormat), words="How they are written.")


def _names(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """What completes a word of a query; nothing of a lake elsewhere, which would be fetched, or of none."""
    from paperlake.cli.options import in_shell, names_beginning
    from warehouse.release.latest import require_latest
    from warehouse.release.query import opened

    with suppress(PaperlakeError):
        store = open_lake(context.params.get("lake") or LAKE)
        if store.folder is not None:
            with opened(database_at(store, require_latest(store))) as database:
                return in_shell(incomplete, names_beginning(database, incomplete), bash_line())
    return []


@click.command()
@click.argument(
    "words", metavar="[QUERY]...", nargs=-1, shell_complete=_names, help="Words and fields (docs/search.md)."
)
@lake_option
@limit_option
@hit_format_option
@click.option("--explain", is_flag=True, help="Say why each paper was found.")
@click.option("--facets", is_flag=True, help="Count years, organizations, keywords and code of all papers that match.")
@click.option("--batch", is_flag=True, help="Answer JSON lines {query_id, text or paper_id, limit} of standard input.")
@click.option(
    "--semantic/--no-semantic",
    envvar=variable("semantic"),
    show_envvar=True,
    default=False,
    help="Rank by the lake's language model, too.",
)
def search(
    words: tuple[str, ...],
    lake: str,
    limit: int,
    output_format: HitFormat,
    explain: bool,
    facets: bool,
    batch: bool,
    semantic: bool,
) -> None:
    """Find papers by words, meaning and fields. Offline, in the latest release.

    Example: paperlake search "kv cache -quantization since:2026-10-01"

    Example: paperlake search "title:residual org:mit" --explain

    Example: paperlake search gardens --facets
    """
    from paperlake.find.finder import Finder, answers
    from paperlake.find.hits_text import authors_named, found_text, write_hits
    from paperlake.find.reasons import found_rows, summarized
    from warehouse.release.query import opened

    query = " ".join(words) if words else None
    if (query is None) != batch:
        raise UsageError("give a query, or --batch and JSON lines on standard input: one of them")
    if facets and (batch or explain or semantic):
        raise UsageError("--facets counts what a query finds, without --batch, --explain and --semantic")
    encode = None
    if semantic:
        from flows.runtime.encoder import encoder  # with NumPy, which no other search needs

        encode = encoder()
    with opened(open_database(lake)) as database:
        finder = Finder(database, encode)
        if facets:
            _write_facets(database, query or "", output_format)
            return
        if query is None:
            for line in answers(finder, sys.stdin.buffer):
                sys.stdout.buffer.write(line + b"\n")
                sys.stdout.buffer.flush()
            return
        found = finder.search(query, limit)
        rows = found_rows(database, found, explain=explain)
        if output_format == "table":
            text = found_text(
                summarized(database, rows), found, screen_width(sys.stdout), authors_named(database, found)
            )
            click.echo(text, nl=False, color=True)
            return
    write_hits(rows, output_format, sys.stdout)


def _write_facets(database: Database, query: str, output_format: HitFormat) -> None:
    from paperlake.find.reasons import facets, facets_text

    found = facets(database, query)
    if output_format == "table":
        click.echo(facets_text(query, found), nl=False)
    else:
        sys.stdout.writelines(WRITERS[output_format](found, ALL))


@click.command()
@click.argument(
    "paper_ids",
    metavar="ID...",
    nargs=-1,
    required=True,
    help="One paper, or several that are alike: ids, addresses or titles.",
)
@lake_option
@limit_option
@hit_format_option
def similar(paper_ids: tuple[str, ...], lake: str, limit: int, output_format: HitFormat) -> None:
    """Find the papers most like one or several others. With what they have in common.

    Example: paperlake similar 2409.07146
    """
    from paperlake.answers.one_paper import paper_named
    from paperlake.find.hits_text import found_text, write_hits
    from paperlake.find.reasons import similar_rows, summarized
    from warehouse.release.query import opened

    with opened(open_database(lake)) as database:
        rows = similar_rows(database, [paper_named(database, one) for one in paper_ids], limit)
        rows = summarized(database, rows) if output_format == "table" else rows
    if output_format == "table":
        click.echo(found_text(rows, None, screen_width(sys.stdout)), nl=False, color=True)
    else:
        write_hits(rows, output_format, sys.stdout)
