"""What is said of papers beside their rows: what became of them at arXiv, and a summary of each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from warehouse.release.query import Database
from warehouse.status_words import publication_words, status_words
from warehouse.untexed import untexed

if TYPE_CHECKING:
    from warehouse.release.query import Database

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
    """What is to be said of those of some papers of which anything is; with `at`, what was known at a moment."""
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
    """Of each paper the Hub's generated summary, else the first sentence of its abstract; none of one without both."""
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
