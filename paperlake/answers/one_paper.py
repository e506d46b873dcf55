"""All that a release has of one paper, part by part; and which paper an id, an address or a title names.

Beside the rows of papers: what became of them at arXiv, and a summary of each.
"""

import re
from collections.abc import Container, Iterable, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeAlias

from warehouse.errors import NothingThere
from warehouse.printable import printable
from warehouse.release.query import Database
from warehouse.status_words import publication_words, status_words
from warehouse.tex import untexed

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
SYSTEMS: Final = "paper_systems"
# Papers whose id differs by a typing error, or that name a system so
LIKE: Final = """
    SELECT paper_id, title FROM papers LEFT JOIN paper_systems USING (paper_id)
    WHERE damerau_levenshtein(paper_id, $1) <= 2 OR lower(name) = lower($1)
    ORDER BY coalesce(lower(name) = lower($1), false) DESC, damerau_levenshtein(paper_id, $1), paper_id DESC
    LIMIT 3
"""
AROUND: Final = re.compile(  # an id, in an address or a DOI
    r"^(?:https?://\S+/(?:papers|abs|pdf|html)/|(?:https?://\S+/)?10\.48550/arxiv\.|arxiv:)"
    r"|(?<=\d)(?:v\d+)?(?:\.pdf|\.md)?/?(?:[?#]\S*)?$",
    re.IGNORECASE,
)


class NoSuchPaper(NothingThere):
    """No paper, or more than one, goes by a name; `near` are the ids of papers that may be meant."""

    def __init__(self, message: str, near: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.near = tuple(near)


def require_there(names: Container[str], name: str) -> None:
    """Raise NothingThere where the release is older than a table, macro or column, which is not among its names."""
    if name not in names:
        raise NothingThere(f"the latest release is older than {name}; the next release will have it")


def one_paper(database: Database, asked: str) -> OnePaper:
    """Every part of a paper, which is named by an id, an address, or a title that it had at some time.

    NoSuchPaper where no paper, or more than one, has that name; the message names papers that may be meant.
    NothingThere where the release is of a paperlake that read no systems.
    """
    paper_id = paper_named(database, asked)
    require_there(database.names, SYSTEMS)
    needed = {"arxiv": PAPER_STATUS, "publications": PUBLICATIONS}
    lacking = {part for part, name in needed.items() if name not in database.names}
    return {
        part: [] if part in lacking else list(database.rows(sql, [paper_id]).dicts()) for part, sql in PARTS.items()
    }


def paper_named(database: Database, asked: str) -> str:
    """The `paper_id` for an id, an address or a title; NoSuchPaper as in `one_paper`."""
    name = asked.strip()  # a title may end like an address
    names = ([str(found) for (found,) in database.rows(NAMED, [one]).rows] for one in (name, AROUND.sub("", name)))
    named = next(filter(None, names), [])
    if len(named) > 1:
        said = f"{printable(asked)!r} names {len(named)} papers: {', '.join(named)}; give the id of one"
        raise NoSuchPaper(said, named)
    if not named:
        similar = list(database.rows(LIKE, [asked.strip()]).dicts()) if SYSTEMS in database.names else []
        meant = [f"{row['paper_id']} ({printable(row['title'])})" for row in similar]
        hint = f"did you mean {', or '.join(meant)}?" if meant else '"paperlake search" finds papers by words'
        said = f"no paper of the latest release goes by {printable(asked)!r}; {hint}"
        raise NoSuchPaper(said, [row["paper_id"] for row in similar])
    return named[0]


StatusRow = dict[str, Any]
PAPER_STATUS: Final = "paper_status"  # which a release of an older paperlake lacks
SAID: Final = """
SELECT paper_id, status, is_undone, withdrawn_on, superseded_by FROM mart.paper_status_as_of(coalesce($2, 'infinity'))
WHERE (status <> 'present' OR is_undone) AND paper_id IN (SELECT unnest($1))
"""
PUBLICATIONS: Final = "paper_publications"  # the same
DOUBTED: Final = """
SELECT paper_id, status, registry, doi, retracted_on, told_by
FROM mart.paper_publications_as_of(coalesce($2, 'infinity'))
WHERE status IN ('retracted', 'concern') AND paper_id IN (SELECT unnest($1))
ORDER BY paper_id, rank
"""


def status_words_of(database: Database, paper_ids: Sequence[str], at: datetime | None = None) -> dict[str, str]:
    """The status in words of those papers that have one; with `at`, as it was known at a moment."""
    found: dict[str, list[str]] = {}
    for name, sql, words_of in ((PAPER_STATUS, SAID, status_words), (PUBLICATIONS, DOUBTED, publication_words)):
        for row in database.rows(sql, [list(paper_ids), at]).dicts() if name in database.names else ():
            if words := words_of(row):
                found.setdefault(row["paper_id"], []).append(words)
    return {paper_id: "; ".join(words) for paper_id, words in found.items()}


def with_status(database: Database, rows: Iterable[StatusRow], at: datetime | None = None) -> list[StatusRow]:
    """Rows of papers, each with its `status` in words where anything is to be said of it."""
    given = list(rows)
    said = status_words_of(database, [row["paper_id"] for row in given], at)
    return [row | {"status": said[row["paper_id"]]} if row["paper_id"] in said else row for row in given]


LONGEST: Final = 240  # characters of a sentence
SENTENCE: Final = re.compile(  # as the explorer has it (site/skim.js): "vs. other" and "e.g. this" end none
    r'.{30,}?[.!?](?=\s+["“(]?[A-Z]|\s*\Z)', re.DOTALL
)
GENERATED: Final = """
SELECT paper_id, last(ai_summary ORDER BY observed_at NULLS FIRST, ai_summary) FROM core.sightings
WHERE ai_summary IS NOT NULL AND paper_id IN (SELECT unnest($1)) GROUP BY paper_id
"""
ABSTRACTS: Final = "SELECT paper_id, abstract FROM core.paper_texts WHERE paper_id IN (SELECT unnest($1))"


class Summary(NamedTuple):
    """A summary without TeX, and whether a language model wrote it."""

    text: str = ""
    is_generated: bool = False


NO_SUMMARY: Final = Summary()


def summaries_of(database: Database, paper_ids: Sequence[str]) -> dict[str, Summary]:
    """The summary of each paper: the Hub's generated one, else its abstract's first sentence; none without both."""
    found = database.rows(GENERATED, [list(paper_ids)]).rows
    generated = {paper_id: Summary(untexed(text), is_generated=True) for paper_id, text in found if untexed(text)}
    others = [paper_id for paper_id in paper_ids if paper_id not in generated]
    abstracts = database.rows(ABSTRACTS, [others]).rows
    return generated | {paper_id: Summary(first_sentence(text)) for paper_id, text in abstracts if text is not None}


def first_sentence(abstract: str) -> str:
    r"""The first sentence of an abstract, cut where it is long.

    >>> first_sentence("We compare it vs. others on \\textit{looms}, e.g. this one. It is fast.")
    'We compare it vs. others on looms, e.g. this one.'
    """
    text = " ".join(untexed(abstract).split())
    found = SENTENCE.match(text)
    sentence = found[0] if found else text
    return sentence if len(sentence) <= LONGEST else re.sub(r"\s+\S*\Z", "", sentence[:LONGEST]) + " …"
