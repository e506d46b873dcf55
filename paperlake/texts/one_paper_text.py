"""A paper as text for a terminal: its facts and history, its title and abstract with its systems and claims marked."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from paperlake.sql.drawing import aligned
from paperlake.texts.status_text import counted
from warehouse.errors import NothingThere
from warehouse.printable import printable
from warehouse.release.query import Database, opened
from warehouse.untexed import CLOSE, OPEN, marked, untexed

PaperRow: TypeAlias = dict[str, Any]
# The rows of each part, by its name in PARTS and in JSON
OnePaper: TypeAlias = dict[str, list[PaperRow]]

PARTS: Final = {
    "paper": "FROM papers WHERE paper_id = $1",
    "aliases": "SELECT kind, alias, method, first_seen_at FROM paper_aliases WHERE paper_id = $1 ORDER BY kind, alias",
    "authors": "SELECT position, name, login FROM paper_authors WHERE paper_id = $1 ORDER BY position",
    "keywords": "SELECT keyword, last_seen_at FROM paper_keywords WHERE paper_id = $1 ORDER BY keyword",
    "links": "SELECT kind, url, last_seen_at FROM paper_links WHERE paper_id = $1 ORDER BY kind, last_seen_at, url",
    "systems": "SELECT * EXCLUDE (paper_id) FROM paper_systems WHERE paper_id = $1",
    "claims": "SELECT * EXCLUDE (paper_id) FROM paper_claims WHERE paper_id = $1 ORDER BY position",
    "counts": """
        SELECT observed_at, upvote_count, comment_count, github_star_count, model_count, dataset_count, space_count
        FROM paper_observations WHERE paper_id = $1 ORDER BY observed_at
    """,
    "daily_lists": "SELECT listed_on, rank, submitter_login FROM daily_listings WHERE paper_id = $1 ORDER BY listed_on",
    "other_lists": """
        SELECT list_kind, list_period, list_query, position, observed_at FROM list_appearances WHERE paper_id = $1
        ORDER BY observed_at NULLS FIRST, capture_id, position
    """,
    "versions": "SELECT * EXCLUDE (paper_id) FROM text_versions WHERE paper_id = $1 ORDER BY field, version_number",
    "corrections": """
        SELECT table_name, row_key, column_name, value_seen, value_right, reason, evidence FROM corrections
        WHERE paper_id = $1 ORDER BY table_name, row_key, column_name
    """,
    "pages": """
        SELECT capture_id, source, captures.list_kind, position, observed_at, url
        FROM sightings JOIN captures USING (capture_id) WHERE paper_id = $1
        ORDER BY observed_at NULLS FIRST, capture_id, position
    """,
}
NAMED: Final = "FROM paper_aliases SELECT DISTINCT paper_id WHERE paper_id = $1 OR alias = $1 ORDER BY paper_id"
# Papers whose id differs by a typing error, or that name a system so
LIKE: Final = """
    SELECT paper_id, title FROM papers LEFT JOIN paper_systems USING (paper_id)
    WHERE damerau_levenshtein(paper_id, $1) <= 2 OR lower(name) = lower($1)
    ORDER BY coalesce(lower(name) = lower($1), false) DESC, damerau_levenshtein(paper_id, $1), paper_id DESC
    LIMIT 3
"""
AROUND: Final = re.compile(r"^(?:https?://\S+/(?:papers|abs|pdf)/|arxiv:)|(?<=\d)v\d+$", re.IGNORECASE)


def one_paper(path: Path, asked: str) -> OnePaper:
    """Every part of a paper, which is named by an id, an address, or a title that it had at some time.

    NothingThere where no paper, or more than one, has that name; the message names papers that may be meant.
    """
    with opened(path) as database:
        paper_id = paper_named(database, asked)
        return {part: list(database.rows(sql, [paper_id]).dicts()) for part, sql in PARTS.items()}


def paper_named(database: Database, asked: str) -> str:
    """The `paper_id` for an id, an address or a title; NothingThere as in `one_paper`."""
    named = [str(paper_id) for (paper_id,) in database.rows(NAMED, [AROUND.sub("", asked.strip())]).rows]
    if len(named) > 1:
        raise NothingThere(f"{printable(asked)!r} names {len(named)} papers: {', '.join(named)}; give the id of one")
    if not named:
        similar = database.rows(LIKE, [asked.strip()]).dicts()
        meant = [f"{row['paper_id']} ({printable(row['title'])})" for row in similar]
        hint = f"did you mean {', or '.join(meant)}?" if meant else '"paperlake sql" searches titles'
        raise NothingThere(f"no paper of the latest release goes by {printable(asked)!r}; {hint}")
    return named[0]


LABEL: Final = 14
WIDEST: Final = 100
SHOWN: Final = 10  # rows of what grows with every fetch; JSON has all
COUNTS: Final = ("upvote_count", "comment_count", "github_star_count", "model_count", "dataset_count", "space_count")
CLAIM: Final = ("text", "metric", "direction", "bound", "comparator", "rule")
CORRECTION: Final = ("table_name", "row_key", "column_name", "value_seen", "value_right", "reason", "evidence")
STANDINGS: Final = {
    "agreed": "agreed: two looks show this title, abstract and authors",
    "provisional": "provisional: one look alone shows it so far",
    "disputed": "disputed: looks differ in title, abstract or authors",
}


class Marks(NamedTuple):
    """The signs before and after the words that name a system or make a claim."""

    before: str
    after: str


BRACKETS: Final = Marks("[", "]")
BOLD: Final = Marks("\x1b[1m", "\x1b[0m")


def one_paper_text(found: OnePaper, marks: Marks = BRACKETS, width: int = WIDEST) -> str:
    """The text of a paper: every part that has rows, under its name."""
    width = max(min(width, WIDEST), 40)
    [paper] = found["paper"]
    of_title = [row for row in found["systems"] if row["field"] == "title"]
    of_abstract = [row for row in found["systems"] if row["field"] == "abstract"] + found["claims"]
    summaries = [row["text"] for row in found["versions"] if row["field"] == "ai_summary"]
    parts = {
        "": [textwrap.fill(_marked(paper["title"], of_title), width), *_facts(paper, found, width)],
        "abstract": [textwrap.fill(_marked(paper["abstract"] or "", of_abstract), width)] if paper["abstract"] else [],
        "claims": _grid(CLAIM, found["claims"]),
        "summary, generated by the Hub": [textwrap.fill(printable(untexed(text)), width) for text in summaries[-1:]],
        "values corrected where the source is wrong": _grid(CORRECTION, found["corrections"]),
        "counts over time": _latest(("observed_at", *COUNTS), found["counts"]),
        "texts that changed": _grid(
            ("field", "version_number", "first_seen_at", "last_seen_at", "capture_id"),
            [row for row in found["versions"] if row["has_changed"]],
        ),
        "pages that show it": _latest(("capture_id", "source", "list_kind", "position", "observed_at"), found["pages"]),
    }
    blocks = ("\n".join([name, *lines] if name else lines) for name, lines in parts.items() if lines)
    return "\n\n".join(blocks).replace(OPEN, marks.before).replace(CLOSE, marks.after) + "\n"


def _marked(text: str, rows: Iterable[PaperRow]) -> str:
    return marked(text, ((row["span_start"], row["span_end"]) for row in rows))


def _facts(paper: PaperRow, found: OnePaper, width: int) -> Iterator[str]:
    """What is known in one value each, a line a fact; what is not known has no line."""
    names = [row["alias"] for row in found["aliases"] if row["alias"] not in {paper["paper_id"], paper["title"]}]
    organization, login = paper["organization_name"], paper["organization_login"]
    lists = [f"{row['listed_on']}" + (f", rank {row['rank']}" if row["rank"] else "") for row in found["daily_lists"]]
    others = [
        " ".join(filter(None, (row["list_kind"], row["list_period"], row["list_query"])))
        for row in found["other_lists"]
    ]
    systems = [
        f"{row['name']}, {row['kind'] or 'kind not stated'} ({row['field']}, {row['rule']})" for row in found["systems"]
    ]
    facts = {
        "paper": [paper["paper_id"]],
        "also known as": names,
        "built": systems,
        "authors": [row["name"] for row in found["authors"]],
        "organization": [f"{organization or ''} ({login})" if login else organization],
        "published": [f"{_cell(paper['published_on'])}, {paper['published_basis']}" if paper["published_on"] else None],
        "submitted": [f"{_cell(paper['submitted_at'])} UTC" if paper["submitted_at"] else None],
        "daily lists": lists,
        "submitter": dict.fromkeys(row["submitter_login"] for row in found["daily_lists"]),
        "other lists": dict.fromkeys(others),
        "last seen": [
            counted(paper[name], name.removesuffix("_count").replace("_", " "))
            for name in COUNTS[:3]
            if paper[name] is not None
        ],
        "standing": [STANDINGS.get(paper["standing"] or "")],
        "keywords": [row["keyword"] for row in found["keywords"]],
        "links": [f"{row['kind']} {row['url']}" for row in found["links"]],
    }
    for name, values in facts.items():
        text = "; ".join(printable(str(value)) for value in values if value)
        if text:
            yield textwrap.fill(
                f"{name:<{LABEL}} {text}", width, subsequent_indent=" " * (LABEL + 1), break_on_hyphens=False
            )


def _latest(columns: Sequence[str], rows: Sequence[PaperRow]) -> list[str]:
    """The last rows, and how many there are before them."""
    more = [f"… and {len(rows) - SHOWN:,} earlier: --format json has all"] if len(rows) > SHOWN else []
    return [*_grid(columns, rows[-SHOWN:]), *more]


def _grid(columns: Sequence[str], rows: Iterable[PaperRow]) -> list[str]:
    """Rows under the names of those of the columns that any row has a value in."""
    kept = list(rows)
    shown = [name for name in columns if any(row[name] is not None for row in kept)]
    cells = [[_cell(row[name]) for name in shown] for row in kept]
    head = [name.removesuffix("_count").replace("_", " ") for name in shown]
    return aligned([head, *cells], right=()).splitlines() if kept else []


def _cell(value: object) -> str:
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, date):
        return value.isoformat()
    return "" if value is None else f"{value:,}" if isinstance(value, int) else printable(str(value))
