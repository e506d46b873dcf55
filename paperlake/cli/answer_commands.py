"""Commands that answer from a release: `trending`, `board`, `cite`, `feed`. None imports Prefect or GX."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import Literal

import click

from flows.runtime.environment import bash_line
from flows.runtime.lake import database_at, open_database, open_lake
from paperlake.cli.find_commands import HitFormat, hit_format_option, limit_option
from paperlake.cli.options import MOMENTS, format_option, lake_option, memory_option, seconds_option
from paperlake.sql.drawing import ALL
from paperlake.sql.formats import WRITERS
from paperlake.sql.worker import Worker
from warehouse.errors import NothingThere, UsageError
from warehouse.limits import QueryLimits
from warehouse.printable import on_screen, printable

query_option = click.option("--query", metavar="SQL", help="SQL that gives paper_id.")


def _benchmarks(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    from paperlake.cli.options import in_shell
    from warehouse.schema.benchmarks import declared_benchmarks

    begun = incomplete.lower()
    names = (one.name for one in declared_benchmarks() if one.name.lower().startswith(begun))
    return in_shell(incomplete, names, bash_line())


@click.command()
@lake_option
@click.option(
    "--at", metavar="MOMENT", type=click.DateTime(MOMENTS), help="In UTC; by default that of the newest page."
)
@click.option("--days", type=click.IntRange(min=1, max=366), default=7, help="How many days of lists count.")
@limit_option
@hit_format_option
def trending(lake: str, at: datetime | None, days: int, limit: int, output_format: HitFormat) -> None:
    """Show trending papers, by a documented formula. For a past moment it gives what it gave then.

    Example: paperlake trending

    Example: paperlake trending --at "2026-10-02 12:00" --days 2 --format json
    """
    from paperlake.answers import user_query
    from paperlake.answers.one_paper import with_status
    from warehouse.release.query import opened

    with opened(open_database(lake)) as database:
        moment = at or user_query.newest_page(database)
        answer = user_query.trending(database, moment, days, limit)
        if output_format == "table":
            texts = user_query.trending_text(with_status(database, answer.dicts(), moment), moment, days)
        else:
            texts = WRITERS[output_format](answer, ALL)
        if sys.stdout.isatty():
            texts = (on_screen(printable(text, keep="\n\t"), sys.stdout) for text in texts)
        sys.stdout.writelines(texts)


@click.command()
@click.argument(
    "benchmark",
    metavar="BENCHMARK...",
    nargs=-1,
    required=True,
    shell_complete=_benchmarks,
    help="Its name, in any usual spelling.",
)
@lake_option
@click.option("--at", metavar="MOMENT", type=click.DateTime(MOMENTS), help="What was known by then, in UTC.")
@click.option(
    "--limit", "-n", type=click.IntRange(min=1), default=10, help="Most claims of each board; of a table alone."
)
@hit_format_option
def board(benchmark: tuple[str, ...], lake: str, at: datetime | None, limit: int, output_format: HitFormat) -> None:
    """Show what papers claim on a benchmark. The best first, each with its sentence; * was the best when first seen.

    Example: paperlake board GSM8K

    Example: paperlake board "AIME 2024" --at 2025-06-01 --format json
    """
    from paperlake.answers.one_board import BOARD, benchmark_named, board_text, one_board
    from paperlake.answers.one_paper import with_status
    from warehouse.release.query import opened

    named = " ".join(benchmark)
    with opened(open_database(lake)) as database:
        if output_format == "table":
            texts = board_text(with_status(database, one_board(database, named, at), at), limit)
        else:
            name, split = benchmark_named(database, named)
            texts = WRITERS[output_format](database.rows(BOARD, [name, at, split]), ALL)
        if sys.stdout.isatty():
            texts = (on_screen(printable(text, keep="\n\t"), sys.stdout) for text in texts)
        sys.stdout.writelines(texts)


@click.command()
@click.argument("papers", metavar="[ID]...", nargs=-1, help="arXiv ids, addresses or titles.")
@lake_option
@query_option
@click.option(
    "--format",
    "-f",
    "style",
    type=click.Choice(["bibtex", "ris", "csl-json"]),
    default="bibtex",
    help="How they are written.",
)
def cite(papers: tuple[str, ...], lake: str, query: str | None, style: Literal["bibtex", "ris", "csl-json"]) -> None:
    """Cite papers: BibTeX in ASCII, RIS or CSL-JSON. In SQL, bibtex(paper_id) gives the same entry.

    Example: paperlake cite 2604.03759

    Example: paperlake cite --query "FROM papers LIMIT 20" --format ris
    """
    from paperlake.answers.citations import citations
    from paperlake.answers.one_paper import paper_named
    from paperlake.answers.user_query import rows_of
    from warehouse.release.query import opened

    if bool(papers) == (query is not None):
        raise UsageError("give ids of papers, or --query and SQL that gives them: one of them")
    with opened(open_database(lake)) as database:
        chosen = [row["paper_id"] for row in rows_of(database, query)] if query is not None else []
        chosen += dict.fromkeys(paper_named(database, one) for one in papers)
        if not chosen:
            raise NothingThere("the query gives no rows: there is nothing to cite")
        text = citations(database, chosen, style)
    sys.stdout.write(printable(text, keep="\n") if sys.stdout.isatty() else text)


@click.command()
@click.argument("cited", metavar="ID", help="The query's id, as `sql --cite` prints it.")
@lake_option
@seconds_option
@memory_option
def cite_verify(cited: str, lake: str, seconds: float, memory: str) -> None:
    """Run a cited query again, on the release that it cites. Exits with 6 where the result is not the same.

    Example: paperlake cite-verify 2026.11.21.1-0123456789abcdef
    """
    from paperlake.answers import user_query

    store = open_lake(lake)
    query = user_query.cited_query(store, cited)
    with Worker(database_at(store, user_query.release_of(store, query)), QueryLimits(memory, seconds)) as worker:
        click.echo(user_query.require_same(query, user_query.fingerprint_by(worker, query.sql)))


@click.command()
@lake_option
@query_option
@click.option("--title", help="What the feed is called.")
@format_option("atom", "json", words="Atom 1.0 or JSON Feed 1.1.")
def feed(lake: str, query: str | None, title: str | None, output_format: Literal["atom", "json"]) -> None:
    """Write a feed of the newest lists, or of a query.

    Example: paperlake feed --format json

    Example: paperlake feed --query "FROM papers LIMIT 20" --title Twenty
    """
    from flows.documents.feeds.feed_formats import FORMATS
    from paperlake.answers.user_query import query_feed
    from warehouse.release.query import opened

    write = next(one.write for one in FORMATS if one.suffix == output_format)
    with opened(open_database(lake)) as database:
        text = write(query_feed(database, query, title)).decode()
    sys.stdout.write(printable(text, keep="\n\t") if sys.stdout.isatty() else text)
