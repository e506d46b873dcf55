"""What pages attach to papers: `paper_authors`, `organizations`, `paper_keywords`, `paper_links`, `star_weeks`.

The last is what GitHub says of linked code.
"""

from datetime import date
from typing import Final

from warehouse.schema import columns as c
from warehouse.schema.provenance import ARXIV, GITHUB, HUB
from warehouse.schema.shared import COHORT_PAPERS, MONTH_PAPERS, NEWEST_PAPERS, SEEN_RULE, words_rule
from warehouse.schema.table import Cut, Rule, Table

NAME_RULE = words_rule("name")

PAPER_AUTHORS = Table(
    name="paper_authors",
    grain="One author of one paper.",
    answers="Authors in order; the Hub login and claim status where known. Hidden stays hidden. The list is whole "
    "where it has as many rows as `papers.author_count` says. A name is no person: two people can have one, one can "
    "have several, and some are teams or half a name; only a login is one account.",
    key=("paper_id", "position"),
    revision=2,  # a page that says the same again is not the one that counts
    cut=Cut(10 * COHORT_PAPERS, 20 * NEWEST_PAPERS, 10 * MONTH_PAPERS),
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
    columns=(
        c.organization.but(
            name="organization_id",
            meaning="The login; `name:` and the name in lower case where the page shows none (names are not unique).",
            source="computed",
            max_length=2 * c.NAME_LIMIT,
        ),
        c.organization_login.but(null="seen by name only"),
        c.organization_name.but(meaning="Display name as last seen.", null="seen by login only"),
        c.organization.but(
            name="group_name",
            meaning="One name for all organizations that are called the same but for case, accents, spaces and "
            "hyphens: that of the one with most papers. A university may have several logins, and anybody can give a "
            "login such a name.",
            source="computed from organization_name; the login where no name was seen",
        ),
        c.sighting_count.but(
            name="paper_count", unit="papers", meaning="Papers seen under the organization.", is_bookkeeping=False
        ),
        *c.SEEN,
        c.capture_id.but(meaning="The last page that showed the organization."),
    ),
    rules=(SEEN_RULE,),
)


STARS: Final = "github"  # the kind of list, and the source
WEEK_DAYS: Final = 7

PAPER_KEYWORDS = Table(
    name="paper_keywords",
    grain="One keyword of one paper.",
    answers="The keywords that the Hub generates, each beside a normal form, first and last seen.",
    key=("paper_id", "keyword"),
    cut=Cut(8 * COHORT_PAPERS, 16 * NEWEST_PAPERS),
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
    cut=Cut(COHORT_PAPERS, 2 * NEWEST_PAPERS),
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
