"""What papers claim: `systems`, what they built, each with its headline claim; `claims_by_metric`, the results that a
year's papers claim, by what is measured.
"""

from __future__ import annotations

from warehouse.schema import columns as c
from warehouse.schema import shared as m
from warehouse.schema.core.claims import LABELLED, PAPER_CLAIMS, PAPER_SYSTEMS
from warehouse.schema.core.papers import PAPERS
from warehouse.schema.mart import Mart
from warehouse.schema.marts.daily_papers import DAILY_PAPERS
from warehouse.schema.shared import COHORT_PAPERS, MONTH_PAPERS, NEWEST_PAPERS

NO_CLAIM = "the abstract claims no number that the rules see"

SYSTEMS = Mart(
    name="systems",
    grain="One paper that gives its main work a name.",
    answers="What papers built: name, kind, paper, organization, first listing, links, and the headline claim: the "
    "first of the abstract that names what it is compared with, else the first that reports a change, else the "
    "first. Two papers can give one name to two things.",
    measured=f"{LABELLED}: F1 of names .94, of claims .92 (paper_systems, paper_claims).",
    key=("paper_id",),
    cohort_rows=COHORT_PAPERS,
    newest_rows=NEWEST_PAPERS,
    month_rows=MONTH_PAPERS,
    columns=(
        PAPER_SYSTEMS.column("name"),
        PAPER_SYSTEMS.column("kind"),
        c.paper_id,
        c.title,
        c.organization_name,
        c.organization_login,
        PAPERS.column("first_listed_on"),
        m.SOUND_PUBLISHED_ON,
        c.upvote_count.but(meaning="Upvotes as last seen."),
        m.LAST_OBSERVED,
        m.PAPER_COUNT.but(
            name="claim_count", unit="claims", meaning="Claims of the abstract.", source="counted in paper_claims"
        ),
        PAPER_CLAIMS.column("text").but(
            name="claim", meaning="The headline claim, as the abstract has it.", null=NO_CLAIM
        ),
        *(PAPER_CLAIMS.column(name).but(name=f"claim_{name}", null=NO_CLAIM) for name in ("value", "unit")),
        *(
            PAPER_CLAIMS.column(name).but(name=f"claim_{name}", null=f"{NO_CLAIM}, or {PAPER_CLAIMS.column(name).null}")
            for name in ("metric", "direction", "bound", "comparator")
        ),
        c.prose.but(
            name="claim_sentence",
            meaning="The sentence of the abstract that the claim stands in.",
            null=NO_CLAIM,
            sources=("paper_texts.abstract",),
            max_length=c.ABSTRACT_LIMIT,
        ),
        DAILY_PAPERS.column("github_url"),
        DAILY_PAPERS.column("project_url"),
        c.arxiv_id,
    ),
)


MIXED = "the unit has no scale (`s`, `B`, `FLOP/s`, `other`): only the texts give it"

CLAIMS_BY_METRIC = Mart(
    name="claims_by_metric",
    grain="One metric, unit and direction in one year of first list days in which a paper claims it.",
    answers="How many of a year's papers claim what, and how much, as far as rules see it. Compare shares, not counts. "
    "Numbers are of different tasks and baselines: the median shows what is usual to claim, not what is true.",
    measured=f"{LABELLED}: exact spans precision .97, recall .88, so counts are an eighth too low; metric right .95.",
    key=("year_on", "metric", "unit", "direction"),
    columns=(
        m.MONTH.but(
            name="year_on",
            unit="first day of the year",
            meaning="Year of the papers' first list day. Papers that no daily list shows are left out.",
            sources=("papers.first_listed_on",),
        ),
        PAPER_CLAIMS.column("metric").but(null=""),
        PAPER_CLAIMS.column("unit"),
        PAPER_CLAIMS.column("direction").but(null=""),
        m.PAPER_COUNT.but(
            name="abstract_paper_count", meaning="Papers first listed in the year whose abstract was read."
        ),
        m.PAPER_COUNT.but(meaning="Those of them that claim such a thing."),
        m.SHARE.but(meaning="paper_count of abstract_paper_count.", null=""),
        m.PAPER_COUNT.but(name="claim_count", unit="claims", meaning="Such claims."),
        PAPER_CLAIMS.column("value").but(
            name="median_value", meaning="Median of their values, of ranges the first number.", null=MIXED
        ),
        PAPER_CLAIMS.column("value").but(
            name="best_value",
            meaning="The largest gain, of changes in times, percent and points that no word makes vague. Levels are of "
            "their tasks: `boards` compare them. A claim of authors, and the likeliest place for a slip.",
            null=f"{MIXED}; or a level, a change for the worse, or nobody can say (`other`)",
        ),
        c.paper_id.but(name="best_paper_id", meaning="The paper that claims it.", null="no best_value"),
    ),
)
