"""Pages as they were captured, and what was read from them."""

from __future__ import annotations

from datetime import date

import polars as pl

from warehouse import columns as c
from warehouse.table import Column, Rule, Table
from warehouse.tables.shared import BASIS_RULE, OF_A_PAPER, READ_FROM, SUBMITTED_RULE

CAPTURES = Table(
    name="captures",
    grain="One captured page.",
    answers="What was fetched, when, from where, how many bytes, its digest, which reader read it, what came of it.",
    key=("capture_id",),
    columns=(
        c.capture_id.but(meaning="The captured page: a hash over its URL, fetch time and bytes."),
        Column(
            name="url",
            dtype=c.TEXT,
            meaning="Address that was asked.",
            null="the page was saved without its address",
            source="WARC-Target-URI; url in captures.csv",
            max_length=c.URL_LIMIT,
        ),
        Column(
            name="fetched_at",
            dtype=c.INSTANT,
            unit="UTC",
            meaning="When the page was fetched.",
            null="the page was saved without its fetch time",
            source="WARC-Date; fetched_at in captures.csv",
        ),
        Column(
            name="http_status",
            dtype=c.COUNT,
            meaning="HTTP status of the answer.",
            null="not an HTTP answer, or the status was not kept",
            source="status line of the answer; status in captures.csv",
            minimum=100,
            maximum=999,
        ),
        Column(
            name="content_type",
            dtype=c.TEXT,
            meaning="Media type the answer claimed, parameters included.",
            null="not told",
            source="Content-Type of the answer; content_type in captures.csv",
            max_length=c.NAME_LIMIT,
        ),
        Column(
            name="payload_bytes",
            dtype=pl.Int64(),
            unit="bytes",
            meaning="Size of the page as it came.",
            source="measured",
            minimum=0,
        ),
        Column(
            name="payload_sha256",
            dtype=c.TEXT,
            meaning="SHA-256 of the page as it came, in hex.",
            source="computed",
            pattern="^[0-9a-f]{64}$",
        ),
        Column(
            name="reader",
            dtype=c.TEXT,
            meaning="Reader that knows the page's layout.",
            null="no reader knows the page",
            source="chosen by URL and bytes (transforms/readers)",
            max_length=c.NAME_LIMIT,
        ),
        Column(
            name="state",
            dtype=c.TEXT,
            meaning="`read` whole; `partial`, with items in quarantine; `rejected`, nothing could be read; `empty`, a "
            "list without items; `error`, an HTTP status other than 200; `failed`, no page came that could be kept; "
            "`unknown`, kept raw, no reader knows it.",
            source="computed",
            allowed=("read", "partial", "rejected", "empty", "error", "failed", "unknown"),
        ),
        Column(
            name="reason",
            dtype=c.TEXT,
            meaning="Why the state is not `read`.",
            null="the page was read whole",
            source="computed",
            max_length=c.URL_LIMIT,
        ),
        c.list_kind.but(null="the address does not tell, and no reader knows the page"),
        c.listed_on,
        c.list_period,
        c.list_query,
        Column(
            name="page_on",
            dtype=c.DAY,
            unit="day",
            meaning="Day that the page shows as its own (`Nov 21` above a saved list).",
            null="the page shows none, or its year cannot be told",
            source="header of a saved text or page",
        ),
        c.published_basis.but(
            name="page_basis",
            meaning="Whether the year of `page_on` was stated, or inferred from the dates on the page.",
            null="no `page_on`",
        ),
        Column(
            name="item_count",
            dtype=c.COUNT,
            unit="items",
            meaning="Items on the page; a page that cannot be parted into items and is rejected counts as one.",
            source="counted by the reader",
            minimum=0,
        ),
        c.sighting_count.but(minimum=0, meaning="Items of the page that became sightings."),
        c.sighting_count.but(
            name="rejected_count", unit="items", minimum=0, meaning="Items of the page that are in `quarantine`."
        ),
        c.sighting_count.but(
            name="duplicate_count", unit="items", minimum=0, meaning="Items that repeat a paper of the same page."
        ),
    ),
    rules=(
        Rule(
            "every_item_accounted_for",
            ("item_count", "sighting_count", "rejected_count", "duplicate_count"),
            "item_count = sighting_count + rejected_count + duplicate_count",
            "not every item of the page is accounted for",
        ),
        Rule(
            "reason_given",
            ("state", "reason"),
            "(state = 'read') = (reason IS NULL)",
            "a page not read whole without a reason, or a reason for one that was",
        ),
    ),
)

AUTHOR = pl.Struct({"name": pl.String, "login": pl.String, "claim_status": pl.String, "is_hidden": pl.Boolean})

SIGHTINGS = Table(
    name="sightings",
    grain="One paper on one captured page.",
    answers="Everything a page said about a paper: the base of every table below.",
    key=("capture_id", "position"),
    # One paper's sightings side by side: texts that repeat from page to page then cost next to nothing
    order=("paper_id", "observed_at", "capture_id", "position"),
    year_of="observed_at",
    references=OF_A_PAPER,
    columns=(
        c.capture_id,
        c.position,
        c.paper_id,
        c.observed_at.but(null="the page was saved without its fetch time"),
        Column(
            name="source",
            dtype=c.TEXT,
            meaning="Kind of page: the JSON API, an HTML page, or text that somebody saved.",
            source="the reader",
            allowed=("api", "html", "text"),
        ),
        c.list_kind,
        c.listed_on,
        Column(
            name="listed_basis",
            dtype=c.TEXT,
            meaning="Where `listed_on` comes from: the `request`, the `page`, or the `item` itself.",
            null="no `listed_on`",
            source="computed by the reader",
            allowed=("request", "page", "item"),
        ),
        c.list_period,
        c.list_query,
        c.arxiv_id.but(null="the page shows no arXiv ids"),
        c.title,
        c.abstract,
        c.ai_summary,
        Column(
            name="ai_summary_model",
            dtype=c.TEXT,
            meaning="Model that wrote `ai_summary`.",
            null="not shown",
            source="paper.ai_summary_model",
            since=date(2026, 6, 3),
            max_length=c.NAME_LIMIT,
        ),
        c.published_on,
        c.published_basis,
        c.published_at,
        c.submitted_at,
        c.submitted_basis,
        c.submitter_login,
        c.submitter_name,
        c.author_count,
        Column(
            name="authors",
            dtype=pl.List(AUTHOR),
            meaning="Authors in order: name, Hub login, claim status, whether hidden on the Hub.",
            null="the page lists no authors",
            source="paper.authors[].name, .user.user (.user.name), .status, .hidden",
        ),
        c.organization_login,
        c.organization_name,
        c.upvote_count,
        c.comment_count,
        c.github_star_count,
        c.model_count,
        c.dataset_count,
        c.space_count,
        Column(
            name="keywords",
            dtype=pl.List(pl.String),
            meaning="Keywords that the Hub generates, in its order; empty and repeated ones left out.",
            null="not shown: an earlier page, or a paper without; none from 2025-04-10 to 2025-04-15",
            source="paper.ai_keywords[]",
            since=date(2025, 3, 11),
        ),
        Column(
            name="github_url",
            dtype=c.TEXT,
            meaning="GitHub address as the source has it, without whitespace around it and line ends inside.",
            null="none shown",
            source="paper.githubRepo",
            since=date(2025, 3, 4),
            max_length=c.URL_LIMIT,
        ),
        Column(
            name="github_added_by",
            dtype=c.TEXT,
            meaning="Who added the GitHub address: `user`, `admin` or `auto`.",
            null="not shown",
            source="paper.githubRepoAddedBy",
            since=date(2025, 12, 11),
            max_length=c.NAME_LIMIT,
        ),
        Column(
            name="project_url",
            dtype=c.TEXT,
            meaning="Project page, without whitespace around it and line ends inside.",
            null="none shown",
            source="paper.projectPage",
            since=date(2025, 3, 4),
            max_length=c.URL_LIMIT,
        ),
        Column(
            name="media_urls",
            dtype=pl.List(pl.String),
            meaning="Pictures and films that were uploaded for the paper.",
            null="none shown",
            source="mediaUrls[] (2024-06-12 on), paper.mediaUrls[] (2025-03-17 on); before, mediaUrl if an upload",
        ),
        c.discussion_id,
        Column(
            name="is_author_participating",
            dtype=c.FLAG,
            meaning="Whether an author takes part in the discussion.",
            null="not shown",
            source="isAuthorParticipating",
            since=date(2024, 12, 19),
        ),
        c.title.but(
            name="outer_title",
            meaning="Title as the outer object of the same answer has it, where it differs in more than whitespace.",
            null="not told there, or the same; always so since 2025-03-11",
            source="title of the list item",
        ),
        c.abstract.but(
            name="outer_abstract",
            meaning="Abstract as the outer object of the same answer has it, where it differs.",
            null="not told there, or the same: so in all 7,162 items that tell both",
            source="summary of the list item",
        ),
        c.organization_login.but(
            name="outer_organization_login",
            meaning="Organization as the outer object of the same answer has it, where it differs.",
            null="not told there, or the same: so in all 2,912 items that tell both",
            source="organization.name and submitterOrganization.name of the list item",
        ),
        c.submitter_login.but(
            name="outer_submitter_login",
            meaning="Submitter as the outer object of the same answer has it, where it differs.",
            null="not told there, or the same: so in all 7,077 items that tell both",
            source="submittedBy.name",
        ),
    ),
    rules=(
        BASIS_RULE,
        Rule(
            "published_before_listed",
            ("published_on", "listed_on"),
            "published_on <= listed_on",
            "published on arXiv after the day it was listed",  # never so in 10,053 items (SOURCES §5)
        ),
        Rule(
            "daily_has_day",
            ("list_kind", "listed_on"),
            "list_kind <> 'daily' OR listed_on IS NOT NULL",
            "a daily list without its day",
        ),
        Rule(
            "listed_basis_told",
            ("listed_on", "listed_basis"),
            "(listed_on IS NULL) = (listed_basis IS NULL)",
            "one of listed_on and listed_basis without the other",
        ),
        SUBMITTED_RULE,
    ),
)

QUARANTINE = Table(
    name="quarantine",
    grain="One rejected record.",
    answers="What was not taken over, by which rule, and where it lies in the raw page.",
    key=("capture_id", "position"),
    references=READ_FROM,
    columns=(
        c.capture_id,
        c.position.but(meaning="Place of the item on its page; 0 is the page as a whole.", minimum=0),
        Column(
            name="rule",
            dtype=c.TEXT,
            meaning="Rule that was broken, the first where there are several.",
            source="computed",
            max_length=c.NAME_LIMIT,
        ),
        Column(
            name="detail",
            dtype=c.TEXT,
            meaning="Every broken rule in words.",
            source="computed",
            max_length=c.URL_LIMIT,
        ),
        Column(
            name="pointer",
            dtype=c.TEXT,
            meaning="Where the item lies in the page: a JSON pointer (`/3`), a line (`line 40`); empty for the page.",
            source="computed by the reader",
            max_length=c.NAME_LIMIT,
        ),
    ),
)
