"""What surrounds a paper on the Hub: the repositories that cite it, whether a page lists them all, its discussion."""

from typing import Final

import polars as pl

from warehouse.schema import columns as c
from warehouse.schema.shared import COHORT_PAPERS
from warehouse.schema.table import Cut, Rule, Table

REPOSITORY_KINDS: Final = ("model", "dataset", "space")
COUNTED: Final = ("counted", "not counted")
_CITING: Final = "linkedModels[], linkedDatasets[], linkedSpaces[]; items of /api/models, /api/datasets, /api/spaces"
_KIND: Final = c.choice.but(
    name="kind", meaning="Kind of the repositories.", source="the list it is in", allowed=REPOSITORY_KINDS
)
_number: Final = c.upvote_count.but(dtype=pl.Int64(), source="", sources=())
_said: Final = c.upvote_count.but(source="PaperContent of a paper's page: comments[]")

PAPER_REPOSITORIES = Table(
    name="paper_repositories",
    grain="One repository on one page that shows what cites a paper.",
    answers="Who builds on a paper, over time: each model, dataset and space whose card cites it, with downloads and "
    "likes as then stated. A card can cite any paper: it need not implement it.",
    key=("capture_id", "kind", "repository"),
    order=("paper_id", "kind", "repository", "observed_at", "capture_id"),
    cut=Cut(4 * COHORT_PAPERS),
    page_rows=1024,
    columns=(
        c.capture_id,
        c.paper_id.but(source="paper of the page, or of the list asked for", refers_to=""),
        _KIND.but(meaning="What the repository is."),
        c.account.but(
            name="repository",
            meaning="`owner/name` on the Hub, as the source spells it; very old ones have no owner.",
            source=f"id of {_CITING}",
            pattern=r"^[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)?$",
        ),
        c.saved_at,
        _number.but(
            name="download_count",
            unit="downloads",
            meaning="Downloads in the 30 days before, as stated.",
            null="not stated, as of spaces; or `not counted`",
            source="downloads",
        ),
        _number.but(
            name="download_total_count",
            unit="downloads",
            meaning="Downloads of all time, as stated.",
            null="not stated: only whole lists do; or `not counted`",
            source="downloadsAllTime",
        ),
        c.choice.but(
            name="download_basis",
            meaning="Whether the Hub counts its downloads: `counted`, as some are; `not counted`, as its listed files "
            "have none of those that the Hub counts, and it names no library that may count others.",
            null="nobody can say from this page: a 0 may be either",
            source="downloads, downloadsAllTime, siblings[], library_name",
            allowed=COUNTED,
        ),
        _number.but(name="like_count", unit="likes", meaning="Likes.", null="not stated", source="likes"),
        c.choice.but(
            name="gated",
            meaning="Whether access must be asked for: `no`; `yes`; `auto`, granted at once; `manual`, by its owner.",
            null="not stated",
            source="gated: false, true, auto, manual",
            allowed=("no", "yes", "auto", "manual"),
        ),
        c.instant.but(name="created_at", meaning="When it was made.", null="not stated", source="createdAt"),
        c.instant.but(
            name="last_modified_at", meaning="When it was last changed.", null="not stated", source="lastModified"
        ),
        _number.but(
            name="parameter_count",
            unit="parameters",
            meaning="Parameters of a model.",
            null="not stated",
            source="numParameters, safetensors.total",
        ),
    ),
    rules=(
        Rule(
            "not_counted_is_no_number",
            "download_basis IS NULL OR download_basis <> 'not counted' "
            "OR (download_count IS NULL AND download_total_count IS NULL)",
            "downloads that are not counted have a number",
        ),
    ),
)

ADOPTION_LOOKS = Table(
    name="adoption_looks",
    grain="One kind of repositories on one page that shows what cites a paper.",
    answers="Where and when was looked for repositories of a paper, also where there were none, and whether the page "
    "shows them all.",
    key=("capture_id", "kind"),
    order=("paper_id", "kind", "observed_at", "capture_id"),
    cut=Cut(4 * COHORT_PAPERS),
    page_rows=1024,
    columns=(
        c.capture_id,
        c.paper_id.but(source="paper of the page, or of the list asked for", refers_to=""),
        _KIND,
        c.saved_at,
        c.choice.but(
            name="asked",
            meaning="What was asked: the `paper`, whose list may be cut, or the `list` of all, page by page.",
            source="URL of the request, or the page's own data",
            allowed=("paper", "list"),
        ),
        c.flag.but(name="is_first_page", meaning="Whether it begins the list; a paper's own page does.", source="URL"),
        c.flag.but(
            name="is_last_page",
            meaning="Whether nothing follows: a list's page that is not full, or a paper's page that lists as many as "
            "it states.",
            null="the page states no total, or the address no limit",
        ),
        c.count.but(name="listed_count", unit="repositories", meaning="Repositories that the page lists, each once."),
        c.model_count.but(
            name="total_count",
            unit="repositories",
            meaning="How many there are, as the page states: it decides, where a list is cut.",
            null="not stated, as on pages of lists",
            sources=("numTotalModels", "numTotalDatasets", "numTotalSpaces"),
        ),
    ),
)

PAPER_DISCUSSIONS = Table(
    name="paper_discussions",
    grain="One captured HTML page of a paper.",
    answers="How much a paper was discussed, over time, in counts alone: no text, name or login of who wrote.",
    key=("capture_id",),
    order=("paper_id", "observed_at", "capture_id"),
    cut=Cut(4 * COHORT_PAPERS),
    page_rows=1024,
    columns=(
        c.capture_id,
        c.paper_id.but(source="paper of the page", refers_to=""),
        c.saved_at,
        _said.but(
            name="comment_count", unit="comments", meaning="Comments that are no reply, hidden ones too.", null=""
        ),
        _said.but(name="reply_count", unit="comments", meaning="Replies to comments, at any depth.", null=""),
        _said.but(name="hidden_count", unit="comments", meaning="Comments and replies that are hidden.", null=""),
        _said.but(
            name="reaction_count",
            unit="reactions",
            meaning="Reactions to comments and replies.",
            null="",
            source="count of comments[].data.reactions[]",
        ),
        _said.but(
            name="author_comment_count",
            unit="comments",
            meaning="Comments and replies by accounts that the page names as the paper's authors.",
            null="",
        ),
        _said.but(
            name="commenter_count",
            unit="accounts",
            meaning="Different accounts that wrote comments or replies.",
            null="",
        ),
    ),
)
