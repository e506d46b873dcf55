"""Commands that answer from a release: `search`, `similar`, `trending`, `board`, `cite`, `feed`.

None imports Prefect or GX.
"""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING, Literal, get_args

import click

from flows.runtime.environment import takes_marks, variable
from flows.runtime.lake import database_at, latest_database, open_lake
from paperlake.cli.options import (
    complete_benchmarks,
    complete_names,
    format_option,
    lake_option,
    memory_option,
    say,
    say_rows,
    seconds_option,
)
from paperlake.reading.moments import instant
from paperlake.sql.drawing import ALL
from paperlake.sql.formats import WRITERS
from paperlake.sql.worker import Worker
from warehouse.errors import NothingThere, UsageError
from warehouse.limits import QueryLimits
from warehouse.printable import screen_width

if TYPE_CHECKING:
    from collections.abc import Mapping

    from paperlake.find.finder import SearchAnswer
    from paperlake.find.reasons import Row
    from warehouse.release.query import Database

HitFormat = Literal["table", "json", "markdown", "csv"]
limit_option = click.option(
    "--limit", "-n", type=click.IntRange(min=1, max=1000), default=10, help="Most papers to show."
)
hit_format_option = format_option(*get_args(HitFormat), words="How they are written.")


@click.command()
@click.argument(
    "words", metavar="[QUERY]...", nargs=-1, shell_complete=complete_names, help="Words and fields (docs/search.md)."
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
    from paperlake.find.hits_text import authors_named, formatted
    from paperlake.find.reasons import found_rows, summarized

    query = " ".join(words) if words else None
    if (query is None) != batch:
        raise UsageError("give a query, or --batch and JSON lines on standard input: one of them")
    if facets and (batch or explain or semantic):
        raise UsageError("--facets counts what a query finds, without --batch, --explain and --semantic")
    encode = None
    if semantic:
        from flows.runtime.encoder import encoder  # with NumPy, which no other search needs

        encode = encoder()
    with latest_database(lake) as database:
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
            _say_hits(summarized(database, rows), found, authors_named(database, found))
            return
    say_rows(formatted(rows, output_format))


def _say_hits(rows: list[Row], found: SearchAnswer | None = None, authors: Mapping[str, int] | None = None) -> None:
    from paperlake.find.hits_text import found_text

    text = found_text(rows, found, screen_width(sys.stdout), authors, has_links=takes_marks(sys.stdout))
    click.echo(text, nl=False, color=True)


def _write_facets(database: Database, query: str, output_format: HitFormat) -> None:
    from paperlake.find.reasons import facets, facets_text

    found = facets(database, query)
    if output_format == "table":
        say(facets_text(query, found, screen_width(sys.stdout)))
    else:
        say_rows(WRITERS[output_format](found, ALL))


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
    from paperlake.find.hits_text import formatted
    from paperlake.find.reasons import similar_rows, summarized

    with latest_database(lake) as database:
        rows = similar_rows(database, [paper_named(database, one) for one in paper_ids], limit)
        rows = summarized(database, rows) if output_format == "table" else rows
    if output_format == "table":
        _say_hits(rows)
    else:
        say_rows(formatted(rows, output_format))


query_option = click.option("--query", metavar="SQL", help="SQL that gives paper_id.")


@click.command()
@lake_option
@click.option("--at", metavar="MOMENT", type=instant, help="In UTC; by default that of the newest page.")
@click.option("--days", type=click.IntRange(min=1, max=366), default=7, help="How many days of lists count.")
@limit_option
@hit_format_option
def trending(lake: str, at: datetime | None, days: int, limit: int, output_format: HitFormat) -> None:
    """Show trending papers, by a documented formula. For a past moment it gives what it gave then.

    Example: paperlake trending

    Example: paperlake trending --at "2026-10-02 12:00" --days 2 --format json
    """
    from paperlake.answers import user_query
    from paperlake.answers.newest_page import newest_page
    from paperlake.answers.one_paper import with_status

    with latest_database(lake) as database:
        moment = at or newest_page(database)
        answer = user_query.trending(database, moment, days, limit)
        if output_format == "table":
            texts = user_query.trending_text(with_status(database, answer.dicts(), moment), moment, days)
        else:
            texts = WRITERS[output_format](answer, ALL)
        say_rows(texts)


@click.command()
@click.argument(
    "benchmark",
    metavar="BENCHMARK...",
    nargs=-1,
    required=True,
    shell_complete=complete_benchmarks,
    help="Its name, in any usual spelling.",
)
@lake_option
@click.option("--at", metavar="MOMENT", type=instant, help="What was known by then, in UTC.")
@click.option(
    "--limit", "-n", type=click.IntRange(min=1), default=10, help="Most claims of each board; of a table alone."
)
@hit_format_option
def board(benchmark: tuple[str, ...], lake: str, at: datetime | None, limit: int, output_format: HitFormat) -> None:
    """Show what papers claim on a benchmark. The best first, each with its sentence; * was the best when first seen.

    Example: paperlake board GSM8K

    Example: paperlake board "AIME 2024" --at 2025-06-01 --format json
    """
    from paperlake.answers.one_board import board_text, one_board
    from paperlake.answers.one_paper import with_status

    with latest_database(lake) as database:
        answer = one_board(database, " ".join(benchmark), at)
        if output_format == "table":
            texts = board_text(with_status(database, answer.dicts(), at), limit)
        else:
            texts = WRITERS[output_format](answer, ALL)
        say_rows(texts)


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

    if bool(papers) == (query is not None):
        raise UsageError("give ids of papers, or --query and SQL that gives them: one of them")
    with latest_database(lake) as database:
        chosen = [row["paper_id"] for row in rows_of(database, query)] if query is not None else []
        chosen += dict.fromkeys(paper_named(database, one) for one in papers)
        if not chosen:
            raise NothingThere("the query gives no rows: there is nothing to cite")
        text = citations(database, chosen, style)
    say_rows([text])


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
        click.echo(user_query.require_same(store, query, user_query.fingerprint_by(worker, query.sql)))


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
    from flows.documents.feed_formats import FORMATS
    from paperlake.answers.user_query import query_feed

    write = next(one.write for one in FORMATS if one.suffix == output_format)
    with latest_database(lake) as database:
        text = write(query_feed(database, query, title)).decode()
    say_rows([text])
