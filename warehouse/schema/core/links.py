"""`paper_keywords` and `paper_links`: what the Hub adds to a paper; `star_weeks`: what GitHub says of linked code."""

from __future__ import annotations

from datetime import date
from typing import Final

from warehouse.schema import columns as c
from warehouse.schema.provenance import GITHUB
from warehouse.schema.shared import COHORT_PAPERS, NEWEST_PAPERS, OF_A_PAPER, READ_FROM, SEEN_RULE
from warehouse.schema.table import Table

STARS: Final = "github"  # the kind of list, and the source
WEEK_DAYS: Final = 7

PAPER_KEYWORDS = Table(
    name="paper_keywords",
    grain="One keyword of one paper.",
    answers="The keywords that the Hub generates, each beside a normal form, first and last seen.",
    key=("paper_id", "keyword"),
    references=OF_A_PAPER,
    cohort_rows=8 * COHORT_PAPERS,
    newest_rows=16 * NEWEST_PAPERS,
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
    newest_rows=2 * NEWEST_PAPERS,
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

STAR_WEEKS = Table(
    name="star_weeks",
    grain="One week of a repository in one answer of GitHub.",
    answers="How many stars a repository gained in a week, of those that were still held when GitHub was asked: its "
    "own history, beside the counts that the Hub showed. A star that was taken back is in no week.",
    key=("capture_id", "starts_at"),
    order=("repository", "starts_at", "observed_at", "capture_id"),
    references=READ_FROM,
    columns=(
        c.capture_id,
        PAPER_LINKS.column("repository").but(
            meaning="`owner/name` on GitHub, in lower case, as it was asked for.",
            source="address of the request",
            null="",
        ),
        c.answered_at,
        c.instant.but(
            name="starts_at",
            meaning="When the week began. Not all begin at the same hour.",
            source="week",
            origin=GITHUB,
        ),
        c.count.but(
            name="gained_count",
            unit="stars",
            meaning="Stars of the week that were still held at the answer; of a week that is not over, until then.",
            source="total, which is the sum of days",
            origin=GITHUB,
        ),
    ),
)
