"""Found papers as text for a terminal, and as rows for other programs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, TextIO

from paperlake.sql.drawing import ALL
from paperlake.sql.formats import WRITERS, Format
from warehouse.printable import printable

if TYPE_CHECKING:
    from paperlake.find.finder import SearchAnswer
    from paperlake.find.reasons import Row

PAGE: Final = "https://huggingface.co/papers/"
INDENT: Final = " " * 5
WIDTH: Final = 100
SHARED: Final = ("keywords", "authors", "organization", "repository")
SHOWN: Final = ("rank", "paper_id", "score", "title", "day", "upvote_count")


def write_hits(rows: list[Row], output_format: Format, out: TextIO) -> None:
    """Write a row a paper, with reasons where there are any; on a terminal, control characters are spelled out."""
    from warehouse.release.query import QueryResult

    columns = [*SHOWN, *(["reasons"] if any("reasons" in row for row in rows) else [])]
    answer = QueryResult(columns, [""] * len(columns), (tuple(row[name] for name in columns) for row in rows))
    texts = WRITERS[output_format](answer, ALL)
    out.writelines(printable(text, keep="\n\t") if out.isatty() else text for text in texts)


def found_text(rows: list[Row], found: SearchAnswer | None, *, links: bool) -> str:
    """Each paper's title, with its id, day and votes below; then words that were corrected, or are in no paper."""
    lines = [line for row in rows for line in _paper(row, links=links)]
    lines += [] if rows else ["no paper matches"]
    if found is not None and found.paper_count > len(rows):
        lines.append(f"{len(rows)} of {found.paper_count:,} papers; more with --limit")
    if found is not None and found.corrected:
        lines.append(", ".join(f"{printable(word)} read as {known}" for word, known in found.corrected.items()))
    if found is not None and found.unknown:
        lines.append("in no paper: " + ", ".join(map(printable, found.unknown[:10])))
    return "\n".join(lines) + "\n"


def _paper(row: Row, *, links: bool) -> Iterator[str]:
    title = printable(row["title"])
    yield f"{row['rank']:>3}. {linked(title, row['paper_id']) if links else title}"
    count = row["upvote_count"]
    votes = None if count is None else f"{count:,} upvote{'' if count == 1 else 's'}"
    about = (row["paper_id"], row["day"], votes, f"score {row['score']:.3f}")
    yield INDENT + "  ".join(str(one) for one in about if one is not None)
    reasons = row.get("reasons", {})
    terms = [f"{one['term']} {one['share']:.0%} ({', '.join(one['fields'])})" for one in reasons.get("terms", ())]
    if terms:
        yield from _wrapped("; ".join([*terms, f"meaning {reasons['meaning_share']:.0%}"]))
    if reasons.get("sentence"):
        yield from _wrapped(marked(reasons["sentence"], reasons["marks"]))
    yield from (
        line for name in SHARED if reasons.get(name) for line in _wrapped(f"{name}: {', '.join(reasons[name])}")
    )


def marked(text: str, marks: list[list[int]]) -> str:
    """A text with its marks in brackets, everything printable.

    >>> marked("We weave and weave.", [[3, 8], [13, 18]])
    'We [weave] and [weave].'
    """
    pieces, place = [], 0
    for start, end in marks:
        pieces += [printable(text[place:start]), "[", printable(text[start:end]), "]"]
        place = end
    return "".join([*pieces, printable(text[place:])])


def linked(title: str, paper_id: str) -> str:
    """A title as a link in a terminal (OSC 8). No arXiv id can end the link; a `title:` id of ours has no page."""
    if paper_id.startswith("title:"):
        return title
    return f"\x1b]8;;{PAGE}{paper_id}\x1b\\{title}\x1b]8;;\x1b\\"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(printable(text), WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)
