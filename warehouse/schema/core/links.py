"""`paper_keywords` and `paper_links`: the keywords and links that the Hub adds to a paper."""

from __future__ import annotations

from datetime import date

from warehouse.schema import columns as c
from warehouse.schema.shared import COHORT_PAPERS, OF_A_PAPER, SEEN_RULE
from warehouse.schema.table import Table

PAPER_KEYWORDS = Table(
    name="paper_keywords",
    grain="One keyword of one paper.",
    answers="The keywords that the Hub generates, each beside a normal form, first and last seen.",
    key=("paper_id", "keyword"),
    references=OF_A_PAPER,
    cohort_rows=8 * COHORT_PAPERS,
    page_rows=4096,
    columns=(
        c.paper_id,
        c.hub_text.but(
            name="keyword",
            whose="prose",
            meaning="Keyword, whitespace collapsed, case as the source has it.",
            sources=("paper.ai_keywords[]",),
            since=date(2025, 3, 11),
            max_length=c.TITLE_LIMIT,
        ),
        c.hub_text.but(
            name="normal_keyword",
            whose="prose",
            meaning="One form for the ways to write a keyword: lower case, hyphens as spaces, the last word in the "
            "singular, abbreviations written out where the source always means the same: `llms` and `Large language "
            "models (LLMs)` are `large language model`.",
            source="computed from keyword",
            max_length=c.TITLE_LIMIT,
        ),
        *c.SEEN,
        c.capture_id.but(meaning="The last page that showed the keyword."),
    ),
    rules=(SEEN_RULE,),
)

PAPER_LINKS = Table(
    name="paper_links",
    grain="One link of one kind of one paper.",
    answers="GitHub repositories, project pages and media; who added them.",
    key=("paper_id", "kind", "url"),
    references=OF_A_PAPER,
    cohort_rows=COHORT_PAPERS,
    page_rows=512,
    columns=(
        c.paper_id,
        c.choice.but(
            name="kind",
            meaning="What the link leads to.",
            source="the field it is in",
            allowed=("github", "project", "media"),
        ),
        c.hub_url.but(
            name="url",
            meaning="Address as the source has it, without whitespace around it and line ends inside.",
            source="paper.githubRepo and paper.projectPage (2025-03-04 on); mediaUrls[], mediaUrl",
            sources=("paper.githubRepo", "paper.projectPage", "mediaUrls[]", "mediaUrl"),
            cleaning="url",
        ),
        c.account.but(
            name="repository",
            meaning="`owner/name` on GitHub, in lower case, without `.git` and what follows the name.",
            null="not a GitHub address, or one without a repository",
            source="computed from url",
            pattern=r"^[a-z0-9_.-]+/[a-z0-9_.-]+$",
            max_length=None,
        ),
        c.hub_text.but(
            name="added_by",
            meaning="Who added the link, as last shown: `user`, `admin` or `auto`.",
            null="not a GitHub address, or not shown (before 2025-12-11)",
            sources=("paper.githubRepoAddedBy",),
            since=date(2025, 12, 11),
        ),
        *c.SEEN,
        c.capture_id.but(meaning="The last page that showed the link."),
    ),
    rules=(SEEN_RULE,),
)
