"""Commands that find papers: `search` and `similar`. They import neither Prefect nor Great Expectations."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from flows.runtime.variables import LAKE, variable
from paperlake.cli.options import Lake

if TYPE_CHECKING:
    from paperlake.find.reasons import Row

HitFormat = Literal["table", "json", "markdown", "csv"]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="Most papers to show.")]
As = Annotated[HitFormat, typer.Option("--format", "-f", help="How the papers are written.")]


def search(
    query: Annotated[str | None, typer.Argument(help="Words and fields (docs/search.md).", show_default=False)] = None,
    lake: Lake = LAKE,
    limit: Limit = 10,
    output_format: As = "table",
    explain: Annotated[bool, typer.Option("--explain", help="Say why each paper was found.")] = False,
    batch: Annotated[
        bool, typer.Option("--batch", help="Answer JSON lines {query_id, text or paper_id, limit} of standard input.")
    ] = False,
    semantic: Annotated[
        bool, typer.Option(envvar=variable("semantic"), help="Rank by the lake's language model, too.")
    ] = False,
) -> None:
    """Find papers by words, meaning and fields. Offline, in the latest release.

    Example: paperlake search "kv cache -quantization since:2026-10-01"

    Example: paperlake search "title:residual org:mit" --explain
    """
    from flows.runtime.lake import open_database
    from paperlake.find.finder import Finder, answers
    from paperlake.find.reasons import explained, rows_of
    from paperlake.texts.found_text import found_text, write_hits
    from warehouse.errors import UsageError
    from warehouse.release.query import opened

    if (query is None) != batch:
        raise UsageError("give a query, or --batch and JSON lines on standard input: one of them")
    encode = None
    if semantic:
        from flows.runtime.encoder import encoder  # with NumPy, which no other search needs

        encode = encoder()
    with opened(open_database(lake)) as database:
        finder = Finder(database, encode)
        if query is None:
            for line in answers(finder, sys.stdin.buffer):
                sys.stdout.buffer.write(line + b"\n")
                sys.stdout.buffer.flush()
            return
        found = finder.search(query, limit)
        rows: list[Row] = rows_of(database, found.hits)
        if explain:
            why = explained(database, found, rows)
            rows = [row | {"reasons": reasons} for row, reasons in zip(rows, why, strict=True)]
    if output_format == "table":
        typer.echo(found_text(rows, found, links=sys.stdout.isatty()), nl=False, color=True)
    else:
        write_hits(rows, output_format, sys.stdout)


def similar(
    paper_ids: Annotated[list[str], typer.Argument(help="One paper, or several that are alike.", metavar="ID…")],
    lake: Lake = LAKE,
    limit: Limit = 10,
    output_format: As = "table",
) -> None:
    """Find the papers most like one or several others. With what they have in common.

    Example: paperlake similar 2409.07146
    """
    from flows.runtime.lake import open_database
    from paperlake.find.finder import Finder
    from paperlake.find.reasons import in_common, rows_of
    from paperlake.texts.found_text import found_text, write_hits
    from warehouse.release.query import opened

    with opened(open_database(lake)) as database:
        hits = Finder(database).similar(paper_ids, limit)
        shared = in_common(database, paper_ids, hits)
        rows = [row | {"reasons": shared.get(row["paper_id"], {})} for row in rows_of(database, hits)]
    if output_format == "table":
        typer.echo(found_text(rows, None, links=sys.stdout.isatty()), nl=False, color=True)
    else:
        write_hits(rows, output_format, sys.stdout)
