"""Completion in a shell: names and titles of the latest release that begin with what was typed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from warehouse.schema.search_rules import LETTERS, PLAINLY

if TYPE_CHECKING:
    from warehouse.release.query import Database

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
WHERE {PLAINLY.format("left(name, length($1))")} = {PLAINLY.format("$1")}
    AND regexp_full_match({PLAINLY.format("name")}, '{HARMLESS}')
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
