"""`systems`: what papers built, each with its headline claim."""

from __future__ import annotations

from warehouse.schema import columns as c
from warehouse.schema import mart_columns as m
from warehouse.schema.core.claims import LABELLED, PAPER_CLAIMS, PAPER_SYSTEMS
from warehouse.schema.core.papers import PAPERS
from warehouse.schema.mart import OF_PAPER, Cut, Mart
from warehouse.schema.marts.daily_papers import DAILY_PAPERS
from warehouse.schema.origin import ARXIV
from warehouse.schema.rules import COHORT_PAPERS, NEWEST_PAPERS
from warehouse.schema.table import Column

NO_CLAIM = "the abstract claims no number that the rules see"

SYSTEMS = Mart(
    name="systems",
    grain="One paper that gives its main work a name.",
    answers="What papers built: name, kind, paper, organization, first listing, links, and the headline claim: the "
    "first of the abstract that names what it is compared with, else the first that reports a change, else the "
    "first. Two papers can give one name to two things.",
    measured=f"{LABELLED}: F1 of names .97, of claims .88 (paper_systems, paper_claims).",
    key=("paper_id",),
    cut=Cut(OF_PAPER, ("paper_claims", "paper_links", "paper_systems", "paper_texts", "papers", "upvote_curves")),
    cohort_rows=COHORT_PAPERS,
    newest_rows=NEWEST_PAPERS,
    columns=(
        PAPER_SYSTEMS.column("name"),
        PAPER_SYSTEMS.column("kind"),
        c.paper_id,
        c.title,
        c.organization_name,
        c.organization_login,
        PAPERS.column("first_listed_on"),
        c.published_on,
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
        Column(
            name="claim_sentence",
            dtype=c.TEXT,
            meaning="The sentence of the abstract that the claim stands in.",
            null=NO_CLAIM,
            source="paper_texts.abstract",
            origin=ARXIV,
            max_length=c.ABSTRACT_LIMIT,
        ),
        DAILY_PAPERS.column("github_url"),
        DAILY_PAPERS.column("project_url"),
        c.arxiv_id,
    ),
)
