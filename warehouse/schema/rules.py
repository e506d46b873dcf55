"""Rules, references and sizes that several tables have."""

from __future__ import annotations

from typing import Final

from warehouse.schema.table import Rule

# Papers of a file, times the rows that a paper has: what a day may write anew. A year of lists had 3,311 papers, and
# has 8,000 at the pace of today; a file of it then is a quarter.
COHORT_PAPERS: Final = 4_000
# The same of the newest year, a quarter or a month, in tables that hardly grow by it, abstracts 0.3 %, keywords 2 %,
# and in marts, of which five grow by 6 % and a day writes a fifth. `sightings` would by 5 %: a page says much that the
# pages of other papers say too
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

# What says nothing of a paper, whatever layout it comes from: tags, pictures, buttons of the site, addresses. Each part
# from start to end, for `!~` looks for a pattern anywhere in Polars, and compares it with all of a text in DuckDB.
NO_WORDS = (
    r"(?i)^(?:(?:</?[a-z][^<>]*>|!\[[^\[\]]*\]\([^()]*\))\s*)+$|^(?:https?://|www\.)\S+$"
    r"|^(?:copy markdown|(?:view )?arxiv page|view pdf|project page|add to collection|upvote|subscribe|submitted by)$"
)


def words_rule(*names: str) -> Rule:
    """None of the titles or names is one that says nothing; a missing one is none."""
    sql = " AND ".join(f"coalesce({name} !~ '{NO_WORDS}', true)" for name in names)
    return Rule("no_words", names, sql, "a title or a name that is only markup, the words of a button, or an address")


READ_FROM = {"capture_id": "captures.capture_id"}

OF_A_PAPER = {"paper_id": "papers.paper_id"} | READ_FROM
