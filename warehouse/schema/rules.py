"""Rules, references and sizes that several tables share."""

from __future__ import annotations

from typing import Final

from warehouse.schema.table import Rule

# Papers per file, which limits what a day writes again; a table's limit is this times the rows that a paper has. A year
# of lists had 3,311 papers, and has 8,000 at the pace of today, of which a file is a quarter then.
COHORT_PAPERS: Final = 4_000
# Papers per file in the newest year, a quarter or a month, in tables that hardly grow by it (abstracts 0.3 %), and in
# marts, five of which grow by 6 % while a day writes a fifth. `sightings` would grow by 5 %, since a page repeats what
# pages of other papers have, and `paper_keywords` by 2 %.
NEWEST_PAPERS: Final = 1_000

SEEN_RULE = Rule(
    "seen_in_order", ("first_seen_at", "last_seen_at"), "first_seen_at <= last_seen_at", "last seen before first seen"
)

BASIS_RULE = Rule(
    "published_basis_told",
    ("published_on", "published_basis"),
    "(published_on IS NULL) = (published_basis IS NULL)",
    "one of published_on and published_basis without the other",
)

SUBMITTED_RULE = Rule(
    "submitted_basis_told",
    ("submitted_at", "submitted_basis"),
    "(submitted_at IS NULL) = (submitted_basis IS NULL)",
    "one of submitted_at and submitted_basis without the other",
)

# Texts that say nothing of a paper, in any layout: tags, pictures, buttons of the site, addresses. Each part is
# anchored at both ends, because `!~` searches for a pattern in Polars, and matches all of a text in DuckDB.
NO_WORDS = (
    r"(?i)^(?:(?:</?[a-z][^<>]*>|!\[[^\[\]]*\]\([^()]*\))\s*)+$|^(?:https?://|www\.)\S+$"
    r"|^(?:copy markdown|(?:view )?arxiv page|view pdf|project page|add to collection|upvote|subscribe|submitted by)$"
)


def words_rule(*names: str) -> Rule:
    """A rule that none of these titles or names is one that says nothing; a missing one is allowed."""
    sql = " AND ".join(f"coalesce({name} !~ '{NO_WORDS}', true)" for name in names)
    return Rule("no_words", names, sql, "a title or a name that is only markup, the words of a button, or an address")


READ_FROM = {"capture_id": "captures.capture_id"}

OF_A_PAPER = {"paper_id": "papers.paper_id"} | READ_FROM
