"""`paper_authors` and `organizations`: the people who wrote the papers, and the organizations they are listed under."""

from __future__ import annotations

from warehouse.schema import columns as c
from warehouse.schema.provenance import ARXIV, HUB
from warehouse.schema.shared import (
    COHORT_PAPERS,
    MONTH_PAPERS,
    NEWEST_PAPERS,
    OF_A_PAPER,
    READ_FROM,
    SEEN_RULE,
    words_rule,
)
from warehouse.schema.table import Rule, Table

NAME_RULE = words_rule("name")

PAPER_AUTHORS = Table(
    name="paper_authors",
    grain="One author of one paper.",
    answers="Authors in order; the Hub login and claim status where known. Hidden stays hidden. The list is whole "
    "where it has as many rows as `papers.author_count` says. A name is no person: two people can have one, one can "
    "have several, and some are teams or half a name; only a login is one account.",
    key=("paper_id", "position"),
    references=OF_A_PAPER,
    revision=2,  # a page that says the same again is not the one that counts
    cohort_rows=10 * COHORT_PAPERS,
    newest_rows=20 * NEWEST_PAPERS,
    month_rows=10 * MONTH_PAPERS,
    page_rows=2048,
    columns=(
        c.paper_id,
        c.position.but(
            meaning="Place in the paper's list of authors.",
            source="order of paper.authors",
            sources=("paper.authors[]",),
        ),
        c.hub_text.but(
            name="name",
            whose="author",
            meaning="Name as the paper gives it: a name, not a person.",
            sources=("paper.authors[].name",),
            origin=ARXIV,
            is_past=True,
        ),
        c.hub_text.but(
            name="login",
            whose="matched",
            meaning="Hub login that was matched to the author.",
            null="not matched, or the author is hidden",
            source="paper.authors[].user.user, else .user.name (2026-03-12 on)",
            sources=("paper.authors[].user.user", "paper.authors[].user.name"),
            cleaning="trim",
        ),
        c.hub_text.but(
            name="claim_status",
            whose="matched",
            meaning="How the match came about, as the Hub says it (`claimed_verified`, `admin_assigned`, …).",
            null="not matched, or the author is hidden",
            sources=("paper.authors[].status",),
            cleaning="trim",
        ),
        c.flag.but(
            name="is_hidden",
            meaning="Whether the author chose to hide the paper on their Hub profile; login and status are then left "
            "out.",
            null="the page did not say",
            sources=("paper.authors[].hidden",),
            origin=HUB,
        ),
        c.capture_id.but(meaning="The first page that shows the list so, of the source that counts."),
    ),
    rules=(
        NAME_RULE,
        Rule(
            "hidden_stays_hidden",
            ("is_hidden", "login", "claim_status"),
            "NOT is_hidden OR (login IS NULL AND claim_status IS NULL)",
            "a hidden author with a login or a claim status",
        ),
    ),
)

ORGANIZATIONS = Table(
    name="organizations",
    grain="One organization.",
    answers="Login, name, first and last seen; `group_name` brings the logins of one name together.",
    key=("organization_id",),
    references=READ_FROM,
    columns=(
        c.organization.but(
            name="organization_id",
            meaning="The login; `name:` and the name in lower case where the page shows none (names are not unique).",
            source="computed",
            max_length=2 * c.NAME_LIMIT,
        ),
        c.organization_login.but(null="seen by name only"),
        c.organization_name.but(meaning="Display name as last seen.", null="seen by login only"),
        c.organization_name.but(
            name="group_name",
            meaning="One name for all organizations that are called the same but for case, accents, spaces and "
            "hyphens: that of the one with most papers. A university may have several logins, and anybody can give a "
            "login such a name.",
            null="",
            source="computed from organization_name; the login where no name was seen",
            since=None,
        ),
        c.sighting_count.but(
            name="paper_count", unit="papers", meaning="Papers seen under the organization.", is_bookkeeping=False
        ),
        *c.SEEN,
        c.capture_id.but(meaning="The last page that showed the organization."),
    ),
    rules=(SEEN_RULE,),
)
