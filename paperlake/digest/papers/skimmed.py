"""What one skims of a paper in a letter: title, summary, authors, code, what became of it, why it is there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import quote

from flows.documents.page.page import PLACES, PaperLink
from paperlake.answers.at_arxiv import status_words_of
from warehouse.release.query import Database
from warehouse.untexed import untexed

LONGEST: Final = 240  # characters of a sentence
SENTENCE: Final = re.compile(  # as the explorer has it (site/skim.js): "vs. other" and "e.g. this" end none
    r'.{30,}?[.!?](?=\s+["“(]?[A-Z]|\s*\Z)', re.DOTALL
)
COLUMNS: Final = """papers.paper_id, papers.title, papers.authors[1:3], papers.author_count, papers.organization_name,
    papers.organization_login, papers.upvote_count, papers.arxiv_id, papers.github_url, papers.github_star_count"""
GENERATED: Final = """
SELECT paper_id, last(ai_summary ORDER BY observed_at NULLS FIRST, ai_summary) FROM core.sightings
WHERE ai_summary IS NOT NULL AND paper_id IN (SELECT unnest($1)) GROUP BY paper_id
"""
ABSTRACTS: Final = "SELECT paper_id, abstract FROM core.paper_texts WHERE paper_id IN (SELECT unnest($1))"


class NewsPaper(NamedTuple):
    """A paper on a list. Its texts are the source's, and may hold anything."""

    paper_id: str
    title: str
    authors: list[str] | None
    author_count: int | None
    organization: str | None
    organization_login: str | None
    upvote_count: int | None
    arxiv_id: str | None
    code_url: str | None = None
    star_count: int | None = None
    summary: str = ""
    is_generated: bool = False
    status: str = ""
    why: tuple[str, ...] = ()

    @property
    def links(self) -> dict[str, str]:
        """The paper's pages, made of its arXiv id, by the name of the site. They outlive every release."""
        return {} if self.arxiv_id is None else {name: url.format(quote(self.arxiv_id)) for name, url in PLACES.items()}

    @property
    def code(self) -> str | None:
        """The address of its code at GitHub, where it is a plain one."""
        is_plain = self.code_url is not None and PaperLink("", self.code_url).host == "github.com"
        return self.code_url if is_plain else None


class Skim(NamedTuple):
    """What is read of the papers of a letter only: a summary, whether a language model wrote it, and a status."""

    summary: str = ""
    is_generated: bool = False
    status: str = ""


def skims_of(database: Database, paper_ids: Sequence[str]) -> dict[str, Skim]:
    """Of each paper the Hub's generated summary, else the first sentence of its abstract; and what became of it."""
    generated = {paper_id: untexed(text) for paper_id, text in database.rows(GENERATED, [list(paper_ids)]).rows}
    others = [paper_id for paper_id in paper_ids if not generated.get(paper_id)]
    sentences = {
        paper_id: first_sentence(text) for paper_id, text in database.rows(ABSTRACTS, [others]).rows if text is not None
    }
    said = status_words_of(database, paper_ids)
    return {
        one: Skim(generated.get(one) or sentences.get(one, ""), bool(generated.get(one)), said.get(one, ""))
        for one in paper_ids
    }


def first_sentence(abstract: str) -> str:
    r"""The first sentence of an abstract, cut where it is long.

    >>> first_sentence("We compare it vs. others on \\textit{looms}, e.g. this one. It is fast.")
    'We compare it vs. others on looms, e.g. this one.'
    """
    text = " ".join(untexed(abstract).split())
    found = SENTENCE.match(text)
    sentence = found[0] if found else text
    return sentence if len(sentence) <= LONGEST else re.sub(r"\s+\S*\Z", "", sentence[:LONGEST]) + " …"
