"""Options that several commands have, and the names that a shell completes them and arguments with."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from flows.runtime.environment import LAKE, SQL_MEMORY, SQL_SECONDS, bash_line, is_utf8, variable
from flows.runtime.lake import database_at, open_lake
from warehouse.errors import PaperlakeError, UsageError
from warehouse.printable import on_screen, printable
from warehouse.release.latest import require_latest
from warehouse.release.manifest import encode
from warehouse.schema.search_rules import FOLDED, LETTERS

if TYPE_CHECKING:
    from warehouse.release.query import Database


def in_utf8(_: click.Context, __: click.Parameter, lake: str) -> str:
    """The address of a lake; UsageError where it is not in UTF-8, as DuckDB and Prefect need it."""
    if lake and not is_utf8(lake):  # none where a word is completed
        raise UsageError(f"{variable('lake')} must be in UTF-8; rename the folder, or name another")
    return lake


lake_anywhere = partial(
    click.option,
    "--lake",
    metavar="LAKE",
    envvar=variable("lake"),
    show_envvar=True,
    default=LAKE,
    callback=in_utf8,
)
lake_option = lake_anywhere(help="A folder or s3://bucket/path.")
signed_by_option = click.option(
    "--signed-by", metavar="FILE", type=Path, help="Signers, as ssh-keygen lists them: one must have signed."
)
quiet_option = click.option("--quiet", "-q", is_flag=True, help="Warnings and errors only.")
seconds_option = click.option(
    "--seconds",
    type=click.FloatRange(min=0.001),
    envvar=variable("sql_seconds"),
    show_envvar=True,
    default=SQL_SECONDS,
    help="Longest a query may take.",
)
memory_option = click.option(
    "--memory",
    envvar=variable("sql_memory"),
    show_envvar=True,
    default=SQL_MEMORY,
    help="Most memory it may take.",
)
FC = TypeVar("FC", bound=Callable[..., Any] | click.Command)


def format_option(*names: str, words: str = "For a person or a script.") -> Callable[[FC], FC]:
    """The option that says how an answer is written; the first format is the default."""
    return click.option("--format", "-f", "output_format", type=click.Choice(names), default=names[0], help=words)


def reason(text: str) -> str:
    """A reason, which is kept; UsageError for one that says nothing."""
    if not text.strip():
        raise UsageError("give a reason, which is kept")
    return text


why_option = partial(click.option, type=reason)
text_or_json = format_option("text", "json")
table_or_json = format_option("table", "json")


class Commands(click.Group):
    """A group that lists its commands in the order in which they were added."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click calls it
        return list(self.commands)


def say(text: str) -> None:
    """Print a text for people: a line, or several that end with a newline each."""
    click.echo(on_screen(text, sys.stdout), nl=not text.endswith("\n"))


def say_rows(texts: Iterable[str]) -> None:
    """Print what is written row by row; on a terminal with control characters spelled out."""
    if sys.stdout.isatty():
        texts = (on_screen(printable(text, keep="\n\t"), sys.stdout) for text in texts)
    sys.stdout.writelines(texts)


def say_found(found: object, text: str, output_format: str) -> None:
    """Print what was found: for a script as JSON, else as a text for people."""
    if output_format == "json":
        click.echo(encode(found), nl=False)
    else:
        say(text)


MOST: Final = 20
# A shell evaluates what completes a word, and names and titles are other people's text: no sign that means something
# to one is in what is offered
HARMLESS: Final = f"[{LETTERS} .,:_-]+"
BEGINNING: Final = f"""
WITH named AS (
    SELECT coalesce(organization_name, organization_login) AS name, 1 AS kind, count(*) AS paper_count
    FROM core.papers GROUP BY ALL
    UNION ALL
    SELECT name, 2 AS kind, count(*) AS paper_count FROM core.paper_authors GROUP BY name
    UNION ALL
    SELECT title, 3 AS kind, 1 AS paper_count FROM core.papers
)
SELECT name FROM named
WHERE {FOLDED.format("left(name, length($1))")} = {FOLDED.format("$1")}
    AND regexp_full_match({FOLDED.format("name")}, '{HARMLESS}')
ORDER BY kind, paper_count DESC, name LIMIT {MOST}
"""  # noqa: S608 - ours


def names_beginning(database: Database, typed: str) -> list[str]:
    """Organizations, then authors, those with the most papers first, then titles; nothing where nothing was typed."""
    return [name for (name,) in database.rows(BEGINNING, [typed]).rows] if typed else []


def in_shell(typed: str, names: Iterable[str], bash_line: str | None) -> list[str]:
    r"""The names, each once, as a shell may put them in place of the word: they begin, and go on, as it was typed.

    Bash alone, which gives the line so far, does not quote what it is given; click's script for it takes one backslash
    of two away.

    >>> in_shell("Kai", ["Kaiming He"], None), in_shell("kai", ["Kaiming He"], "paperlake search kai")
    (['Kaiming He'], ['kaiming\\\\ he'])
    """
    is_quoted = bash_line is None or bash_line.count('"') % 2 or bash_line.count("'") % 2
    ends = (name[len(typed) :] for name in names)
    written = (end.lower() if typed.islower() else end for end in ends)
    return list(dict.fromkeys(typed + (end if is_quoted else end.replace(" ", r"\\ ")) for end in written))


def complete_names(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """Completions of a word of a query; none for a lake elsewhere, which would be fetched, or without a lake."""
    from warehouse.release.query import opened

    with suppress(PaperlakeError):
        store = open_lake(context.params.get("lake") or LAKE)
        if store.folder is not None:
            with opened(database_at(store, require_latest(store))) as database:
                return in_shell(incomplete, names_beginning(database, incomplete), bash_line())
    return []


def complete_benchmarks(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """Completions of the name of a benchmark."""
    from warehouse.schema.benchmarks import declared_benchmarks

    begun = incomplete.lower()
    names = (one.name for one in declared_benchmarks() if one.name.lower().startswith(begun))
    return in_shell(incomplete, names, bash_line())
