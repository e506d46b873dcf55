"""A paper in a sentence or two, as lists, letters and searches show it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from warehouse.release.query import Database
from warehouse.untexed import untexed

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
