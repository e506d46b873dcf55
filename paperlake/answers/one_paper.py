"""All that a release has of one paper, part by part; and which paper an id, an address or a title names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from paperlake.answers.at_arxiv import PAPER_STATUS, PUBLICATIONS
from warehouse.errors import NothingThere
from warehouse.printable import printable
from warehouse.release.query import Database

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
    "arxiv": "SELECT * EXCLUDE (paper_id) FROM paper_status WHERE paper_id = $1 ORDER BY observed_at",
    "publications": """
        SELECT * EXCLUDE (paper_id) FROM paper_publications WHERE paper_id = $1 ORDER BY known_from, rank
    """,
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


class NoSuchPaper(NothingThere):
    """No paper, or more than one, goes by a name; `near` are the ids of papers that may be meant."""

    def __init__(self, message: str, near: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.near = tuple(near)


def one_paper(database: Database, asked: str) -> OnePaper:
    """Every part of a paper, which is named by an id, an address, or a title that it had at some time.

    NoSuchPaper where no paper, or more than one, has that name; the message names papers that may be meant.
    """
    paper_id = paper_named(database, asked)
    needed = {"arxiv": PAPER_STATUS, "publications": PUBLICATIONS}
    lacking = {part for part, name in needed.items() if name not in database.names}
    return {
        part: [] if part in lacking else list(database.rows(sql, [paper_id]).dicts()) for part, sql in PARTS.items()
    }


def paper_named(database: Database, asked: str) -> str:
    """The `paper_id` for an id, an address or a title; NoSuchPaper as in `one_paper`."""
    named = [str(paper_id) for (paper_id,) in database.rows(NAMED, [AROUND.sub("", asked.strip())]).rows]
    if len(named) > 1:
        said = f"{printable(asked)!r} names {len(named)} papers: {', '.join(named)}; give the id of one"
        raise NoSuchPaper(said, named)
    if not named:
        similar = list(database.rows(LIKE, [asked.strip()]).dicts())
        meant = [f"{row['paper_id']} ({printable(row['title'])})" for row in similar]
        hint = f"did you mean {', or '.join(meant)}?" if meant else '"paperlake search" finds papers by words'
        said = f"no paper of the latest release goes by {printable(asked)!r}; {hint}"
        raise NoSuchPaper(said, [row["paper_id"] for row in similar])
    return named[0]
