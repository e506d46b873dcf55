"""`sightings`: everything that one page says of one paper."""

from datetime import date

import polars as pl

from warehouse.schema import columns as c
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.provenance import ARXIV, HUB, SOURCES
from warehouse.schema.shared import (
    BASIS_RULE,
    COHORT_PAPERS,
    DATE_RULE,
    MONTH_PAPERS,
    NEWEST_PAPERS,
    SUBMITTED_RULE,
    basis_rule,
    words_rule,
)
from warehouse.schema.table import Column, Cut, Rule, Table

AUTHOR = pl.Struct({"name": pl.String, "login": pl.String, "claim_status": pl.String, "is_hidden": pl.Boolean})

SIGHTINGS = Table(
    name="sightings",
    grain="One paper on one captured page.",
    answers="Everything a page said about a paper: the base of every table below.",
    key=("capture_id", "position"),
    revision=3,  # days that the arXiv id contradicts say so
    # Sightings of a paper side by side: texts that repeat from page to page compress to next to nothing
    order=("paper_id", "observed_at", "capture_id", "position"),
    cut=Cut(COHORT_PAPERS, NEWEST_PAPERS, MONTH_PAPERS),
    page_rows=4096,
    columns=(
        c.capture_id,
        c.position,
        c.paper_id,
        c.saved_at,
        c.choice.but(
            name="source",
            meaning="Kind of page: the JSON API, an HTML page, text that somebody saved, or a copy of any of them that "
            "others made: a mirror site's page, the list as another archive keeps it.",
            source="the reader, and the host of the address",
            allowed=tuple(reversed(SOURCES)),
        ),
        CAPTURES.column("list_kind").but(null=""),
        c.listed_on,
        c.choice.but(
            name="listed_basis",
            meaning="Where `listed_on` comes from: the `request`, the `page`, or the `item` itself.",
            null="no `listed_on`",
            source="computed by the reader",
            allowed=("request", "page", "item"),
        ),
        CAPTURES.column("list_period"),
        CAPTURES.column("list_query"),
        c.arxiv_id.but(null="the page shows no arXiv ids"),
        c.title.but(is_tracked=True),
        c.abstract.but(is_tracked=True),
        c.abstract.but(
            name="description",
            meaning="Text under the title on a page that shows the AI summary where there is one, else the abstract, "
            "and does not say which.",
            null="not such a page: only trending pages that were saved as text are",
            source="text under the title of a saved trending page",
            origin=HUB,
        ),
        c.hub_text.but(
            name="ai_summary",
            whose="prose",
            meaning="One-sentence summary that the Hub generates.",
            null="not shown: an earlier page, or a paper without; most are missing from 2026-07-13 to 2026-08-11",
            sources=("paper.ai_summary",),
            since=date(2025, 5, 22),
            max_length=c.ABSTRACT_LIMIT,
            is_tracked=True,
        ),
        c.hub_text.but(
            name="ai_summary_model",
            meaning="Model that wrote `ai_summary`.",
            null="not shown",
            sources=("paper.ai_summary_model",),
            since=date(2026, 6, 3),
        ),
        c.published_on,
        c.published_basis,
        c.instant.but(
            name="published_at",
            meaning="Instant of the first submission to arXiv, to the second.",
            null="the source gave the day only (the Hub cuts it to midnight since 2026-04-03)",
            sources=("paper.publishedAt",),
            origin=ARXIV,
            is_past=True,
        ),
        c.submitted_at,
        c.submitted_basis,
        c.submitter_login,
        c.submitter_name,
        c.author_count,
        Column(
            name="authors",
            dtype=pl.List(AUTHOR),
            whose={"name": "author", "login": "matched", "claim_status": "matched"},
            meaning="Authors in order: name, Hub login, claim status, whether hidden on the Hub. The page cut its list "
            "short where `author_count` is larger; nothing else marks that.",
            null="the page lists no authors",
            source="paper.authors[].name, .user.user (.user.name), .status, .hidden",
            sources=(
                "paper.authors[].name",
                "paper.authors[].user.user",
                "paper.authors[].user.name",
                "paper.authors[].status",
                "paper.authors[].hidden",
            ),
            origin=HUB,
        ),
        c.organization_login,
        c.organization_name,
        c.upvote_count,
        c.comment_count,
        c.github_star_count,
        c.model_count,
        c.dataset_count,
        c.space_count,
        c.texts.but(
            name="keywords",
            whose="prose",
            meaning="Keywords that the Hub generates, in its order; empty and repeated ones left out.",
            null="not shown: an earlier page, or a paper without; none from 2025-04-10 to 2025-04-15",
            sources=("paper.ai_keywords[]",),
            origin=HUB,
            since=date(2025, 3, 11),
        ),
        c.hub_url.but(
            name="github_url",
            meaning="GitHub address as the source has it, without whitespace around it and line ends inside.",
            null="none shown",
            sources=("paper.githubRepo",),
            since=date(2025, 3, 4),
            cleaning="url",
        ),
        c.hub_text.but(
            name="github_added_by",
            meaning="Who added the GitHub address: `user`, `admin` or `auto`.",
            null="not shown",
            sources=("paper.githubRepoAddedBy",),
            since=date(2025, 12, 11),
            cleaning="trim",
        ),
        c.hub_url.but(
            name="project_url",
            meaning="Project page, without whitespace around it and line ends inside.",
            null="none shown",
            sources=("paper.projectPage",),
            since=date(2025, 3, 4),
            cleaning="url",
        ),
        c.texts.but(
            name="media_urls",
            whose="account",
            meaning="Pictures and films that were uploaded for the paper.",
            null="none shown",
            source="mediaUrls[] (2024-06-12 on), paper.mediaUrls[] (2025-03-17 on); before, mediaUrl if an upload",
            sources=("mediaUrls[]", "paper.mediaUrls[]", "mediaUrl"),
            origin=HUB,
        ),
        c.hub_text.but(
            name="discussion_id",
            meaning="Hub id of the paper's discussion; it stays when a paper is listed again.",
            null="not shown: a page fetched before 2024-08-02, or a saved text",
            sources=("paper.discussionId",),
            since=date(2024, 8, 2),
            cleaning="trim",
        ),
        c.flag.but(
            name="is_author_participating",
            meaning="Whether an author takes part in the discussion.",
            null="not shown",
            sources=("isAuthorParticipating",),
            origin=HUB,
            since=date(2024, 12, 19),
        ),
        c.title.but(
            name="outer_title",
            meaning="Title as the outer object of the same answer has it, where it differs in more than whitespace.",
            null="not given there, or the same; always so since 2025-03-11",
            source="title of the list item",
            sources=("title",),
        ),
        c.abstract.but(
            name="outer_abstract",
            meaning="Abstract as the outer object of the same answer has it, where it differs.",
            null="not given there, or the same: so in all 7,162 items that have both",
            source="summary of the list item",
            sources=("summary",),
            since=date(2025, 4, 1),
        ),
        c.organization_login.but(
            name="outer_organization_login",
            meaning="Organization as the outer object of the same answer has it, where it differs.",
            null="not given there, or the same: so in all 2,912 items that have both",
            source="organization.name and submitterOrganization.name of the list item",
            sources=("organization.name", "submitterOrganization.name"),
        ),
        c.submitter_login.but(
            name="outer_submitter_login",
            meaning="Submitter as the outer object of the same answer has it, where it differs.",
            null="not given there, or the same: so in all 7,077 items that have both",
            sources=("submittedBy.name",),
        ),
        c.texts.but(
            name="doubts",
            meaning="What the page itself says against the item: a text that fits another paper's abstract better, ids "
            "of records that were not made together. One alone is no proof: of how many items of a page each may be "
            "said is what guards declare.",
            null="nothing",
            source="computed from the item and the others of its page (docs/guards.md)",
        ),
    ),
    rules=(
        BASIS_RULE,
        DATE_RULE,
        Rule(
            "published_before_listed",
            "published_on <= listed_on",
            "published on arXiv after the day it was listed",  # never so in 10,053 items (docs/source.md §5)
        ),
        Rule("daily_has_day", "list_kind <> 'daily' OR listed_on IS NOT NULL", "a daily list without its day"),
        basis_rule("listed_on", "listed_basis"),
        SUBMITTED_RULE,
        words_rule("title", "outer_title", "organization_name", "submitter_name"),
    ),
)
