"""Found papers as text: on a terminal with links, and with what a search has to say of its words."""

import textwrap
from collections.abc import Iterator, Mapping
from typing import Final

from paperlake.answers.one_paper import NO_SUMMARY
from paperlake.find.finder import SearchAnswer
from paperlake.find.reasons import Row
from paperlake.sql.drawing import ALL
from paperlake.sql.formats import WRITERS, Format
from warehouse.printable import counted, printable
from warehouse.release.query import Database, QueryResult
from warehouse.schema.search_rules import FOLDED, sought, spoken
from warehouse.tex import CLOSE, OPEN, marked, untexed

PAGE: Final = "https://huggingface.co/papers/"
INDENT: Final = " " * 5
WIDTH: Final = 100
SUMMARY_LINES: Final = 2
MOST_NAMES: Final = 4
MOST_TERMS: Final = 10  # of a query that is a row of words, not a pasted text
WHAT_IS_NAMED: Final = {
    "author": "author",
    "org": "organization",
    "list": "daily list of",
    "year": "year",
    "month": "month",
}
NONE: Final = {
    "id": "no paper of this release has the id",
    "list": "this release has no daily list of",
    "month": "this release has no paper of",
}
SHARED: Final = ("keywords", "authors", "organization", "repository", "words")
SHOWN: Final = ("rank", "paper_id", "score", "title", "day", "upvote_count")
MOST_UNKNOWN: Final = 10
ENDS: Final = ",.;:?!"  # of a name in a text
# A surname alone is read as words, which texts seldom have
AUTHORS: Final = f"""
SELECT typed, count(DISTINCT paper_id)
FROM (SELECT unnest($1) AS typed, unnest($2) AS word) JOIN core.paper_authors
    ON CASE WHEN contains({FOLDED.format("name")}, word) THEN contains({spoken("name")}, {sought("typed")}) END
GROUP BY typed
"""  # noqa: S608 - ours


def authors_named(database: Database, found: SearchAnswer) -> dict[str, int]:
    """How many papers have an author of the name that was typed in words that no text has, together or else by each."""
    unknown = found.unknown[:MOST_UNKNOWN]
    typed = {
        " ".join(item.value.replace('"', " ").split()).strip(ENDS): word
        for item in found.items
        if item.ranks and (word := max(set(unknown) & set(item.words), key=len, default=""))
    }
    whole = " ".join(typed)
    typed[whole] = max(typed.values(), key=len, default="")
    counts = dict(database.rows(AUTHORS, [list(typed), list(typed.values())]).rows) if whole else {}
    return {whole: counts[whole]} if whole in counts else counts


def formatted(rows: list[Row], output_format: Format) -> Iterator[str]:
    """A row a paper, with reasons where there are any."""
    columns = [*SHOWN, *(name for name in ("status", "reasons") if any(name in row for row in rows))]
    answer = QueryResult(columns, [""] * len(columns), (tuple(row.get(name) for name in columns) for row in rows))
    return WRITERS[output_format](answer, ALL)


def found_text(
    rows: list[Row],
    found: SearchAnswer | None,
    width: int | None,
    authors: Mapping[str, int] | None = None,
    *,
    has_links: bool = False,
) -> str:
    """Each paper's title, with id, day, votes and summary below; then words that were corrected, or are in no paper.

    Lines are for a terminal of this `width`, which may take titles as links.
    """
    lines = list(_lines_on_names(found)) if found is not None and found.named else []
    lines += [line for row in rows for line in _paper(row, width, has_links=has_links)]
    lines += [] if rows or lines else ["no paper matches"]
    if found is not None and rows and 0 < found.fullest[0] < (asked := len(set(found.terms.values()))) <= MOST_TERMS:
        most, count = found.fullest
        lines.append(f"no paper has all of these words; {count:,} {'has' if count == 1 else 'have'} {most} of {asked}")
    if found is not None and found.paper_count > len(rows):
        lines.append(f"{len(rows)} of {found.paper_count:,} papers; more with --limit")
    if found is not None and found.corrected:
        lines.append(", ".join(f"{printable(word)} read as {known}" for word, known in found.corrected.items()))
    if found is not None and rows:
        said = other_forms(found).items()
        lines += [f"{printable(' '.join(words))}, also as {printable(says)}" for says, words in said]
    if found is not None and found.unknown:
        lines.append("in no paper: " + ", ".join(map(printable, found.unknown[:MOST_UNKNOWN])))
    for word, count in sorted((authors or {}).items()):
        quoted = f'"{word}"' if " " in word else word
        lines.append(f"author:{printable(quoted)} finds {counted(count, 'paper')}")
    return "\n".join(lines) + "\n"


def other_forms(found: SearchAnswer) -> dict[str, list[str]]:
    """The long forms and acronyms that a query finds too, each with the words of the query that it stands for."""
    said: dict[str, list[str]] = {}
    for word, term in found.terms.items():
        for says in dict.fromkeys(one.says for one in found.also if one.term == term and one.says):
            said.setdefault(says, []).append(found.corrected.get(word, word))
    return said


def _lines_on_names(found: SearchAnswer) -> Iterator[str]:
    """Lines on what the query names, and how to search its words instead."""
    field, _ = found.named[0]
    names = ", ".join(printable(value) for _, value in found.named[:MOST_NAMES])
    if not found.paper_count and field in NONE:
        yield f"{NONE[field]} {names}"
    elif field != "id":
        more = ", …" if len(found.named) > MOST_NAMES else ""
        yield f'{WHAT_IS_NAMED[field]}: {names}{more} · to search the words instead: words:"…"'


def _paper(row: Row, width: int | None, *, has_links: bool) -> Iterator[str]:
    title = printable(untexed(row["title"]))
    lines = [title] if width is None else textwrap.wrap(title, width - len(INDENT))
    for number, line in enumerate(lines):
        head = INDENT if number else f"{row['rank']:>3}. "
        yield head + (linked(line, row["paper_id"]) if has_links else line)
    count = row["upvote_count"]
    votes = None if count is None else counted(count, "upvote")
    score = f"score {row['score']:.3f}" if row["score"] else None  # there is none where only fields were asked for
    about = (row["paper_id"], row["day"], votes, score)
    yield INDENT + "  ".join(str(one) for one in about if one is not None)
    if "status" in row:
        yield INDENT + printable(row["status"])
    reasons = row.get("reasons", {})
    summary = row.get("summary", NO_SUMMARY)
    if summary.text and not reasons.get("sentence"):
        head = "AI summary: " if summary.is_generated else ""
        yield from _wrapped(head + summary.text, width, max_lines=SUMMARY_LINES)
    terms = [
        f"{_word_with_forms(one)} {one['share']:.0%} ({', '.join(one['fields'])})" for one in reasons.get("terms", ())
    ]
    if terms:
        yield from _wrapped("; ".join([*terms, f"meaning {reasons['meaning_share']:.0%}"]), width)
    if reasons.get("sentence"):
        sentence = marked(reasons["sentence"], reasons["marks"])
        yield from _wrapped(sentence.replace(OPEN, "[").replace(CLOSE, "]"), width)
    if shared := "; ".join(f"{name}: {', '.join(reasons[name])}" for name in SHARED if reasons.get(name)):
        yield from _wrapped(f"because they share {shared}", width)


def _word_with_forms(term: Row) -> str:
    return f"{term['word']}, also as {term['also']}," if "also" in term else str(term["word"])


def linked(title: str, paper_id: str) -> str:
    """A title as a link in a terminal (OSC 8). No arXiv id can end the link; a `title:` id of ours has no page."""
    if paper_id.startswith("title:"):
        return title
    return f"\x1b]8;;{PAGE}{paper_id}\x1b\\{title}\x1b]8;;\x1b\\"


def _wrapped(text: str, width: int | None, max_lines: int | None = None) -> list[str]:
    wrap = textwrap.TextWrapper(
        min(WIDTH, width or WIDTH), INDENT, INDENT, max_lines=max_lines, placeholder=" \N{HORIZONTAL ELLIPSIS}"
    )
    return wrap.wrap(printable(text))
