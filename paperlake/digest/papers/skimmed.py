"""What one skims of a paper in a letter: title, summary, authors, code, what became of it, why it is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import quote

from flows.documents.page.page import PLACES, PaperLink
from paperlake.answers.at_arxiv import status_words_of
from paperlake.answers.summaries import NO_SUMMARY, summaries_of
from warehouse.release.query import Database

COLUMNS: Final = """papers.paper_id, papers.title, papers.authors[1:3], papers.author_count, papers.organization_name,
    papers.organization_login, papers.upvote_count, papers.arxiv_id, papers.github_url, papers.github_star_count"""


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
    """Of each paper its summary in a sentence or two, and what became of it."""
    summaries = summaries_of(database, paper_ids)
    said = status_words_of(database, paper_ids)
    return {one: Skim(*summaries.get(one, NO_SUMMARY), said.get(one, "")) for one in paper_ids}
