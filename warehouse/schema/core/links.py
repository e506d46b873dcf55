"""`paper_keywords` and `paper_links`: the keywords and links that the Hub adds to a paper."""

from __future__ import annotations

from datetime import date

from warehouse.schema import columns as c
from warehouse.schema.provenance import HUB, PAPERLAKE
from warehouse.schema.shared import COHORT_PAPERS, OF_A_PAPER, SEEN_RULE
from warehouse.schema.table import Column, Table

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
        Column(
            name="keyword",
            dtype=c.TEXT,
            whose="prose",
            meaning="Keyword, whitespace collapsed, case as the source has it.",
            sources=("paper.ai_keywords[]",),
            origin=HUB,
            since=date(2025, 3, 11),
            max_length=c.TITLE_LIMIT,
        ),
        Column(
            name="normal_keyword",
            dtype=c.TEXT,
            whose="prose",
            meaning="One form for the ways to write a keyword: lower case, hyphens as spaces, the last word in the "
            "singular, abbreviations written out where the source always means the same: `llms` and `Large language "
            "models (LLMs)` are `large language model`.",
            source="computed from keyword",
            origin=HUB,
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
        Column(
            name="kind",
            dtype=c.TEXT,
            meaning="What the link leads to.",
            source="the field it is in",
            origin=PAPERLAKE,
            allowed=("github", "project", "media"),
        ),
        Column(
            name="url",
            dtype=c.TEXT,
            whose="account",
            meaning="Address as the source has it, without whitespace around it and line ends inside.",
            source="paper.githubRepo and paper.projectPage (2025-03-04 on); mediaUrls[], mediaUrl",
            sources=("paper.githubRepo", "paper.projectPage", "mediaUrls[]", "mediaUrl"),
            origin=HUB,
            max_length=c.URL_LIMIT,
            cleaning="url",
        ),
        Column(
            name="repository",
            dtype=c.TEXT,
            whose="account",
            meaning="`owner/name` on GitHub, in lower case, without `.git` and what follows the name.",
            null="not a GitHub address, or one without a repository",
            source="computed from url",
            origin=HUB,
            pattern=r"^[a-z0-9_.-]+/[a-z0-9_.-]+$",
        ),
        Column(
            name="added_by",
            dtype=c.TEXT,
            whose="none",
            meaning="Who added the link, as last shown: `user`, `admin` or `auto`.",
            null="not a GitHub address, or not shown (before 2025-12-11)",
            sources=("paper.githubRepoAddedBy",),
            origin=HUB,
            since=date(2025, 12, 11),
            max_length=c.NAME_LIMIT,
        ),
        *c.SEEN,
        c.capture_id.but(meaning="The last page that showed the link."),
    ),
    rules=(SEEN_RULE,),
)
