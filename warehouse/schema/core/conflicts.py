"""`conflicts`: what sources, or places in one answer, disagree on."""

from __future__ import annotations

from warehouse.schema import columns as c
from warehouse.schema.core.listings import LISTING_FIELDS
from warehouse.schema.core.papers import PAPER_FIELDS
from warehouse.schema.origin import HUB, PAPERLAKE
from warehouse.schema.precedence import CRITERIA, OUTER, SOURCES
from warehouse.schema.rules import COHORT_PAPERS, OF_A_PAPER, SEEN_RULE
from warehouse.schema.table import Column, Rule, Table

# Fields that more than one place gives; counts change from day to day, and a basis belongs to its day
COMPARED = tuple(
    field
    for precedence in (*PAPER_FIELDS, *LISTING_FIELDS)
    for field in precedence.fields
    if field in OUTER or ("source" in precedence.criteria and not field.endswith("_basis"))
)

CONFLICTS = Table(
    name="conflicts",
    grain="One value of one field of one paper, where sources or places in one answer disagree.",
    answers="What they disagree on, which value won, by which rule. Of each place (a source, the inner or the outer "
    "object of an answer, a day stated or inferred) only the latest value is compared, of the outer object the "
    "latest that differed; what the winning place itself said at another time is a revision and no "
    "conflict. Counts are never in conflict: they change.",
    key=("paper_id", "field", "value"),
    revision=2,  # the name of the Hub's host is no content
    references=OF_A_PAPER,
    cohort_rows=COHORT_PAPERS,
    columns=(
        c.paper_id,
        Column(
            name="field",
            dtype=c.TEXT,
            meaning="The field, as `papers` or `daily_listings` names it.",
            source="the column of sightings",
            origin=PAPERLAKE,
            allowed=COMPARED,
        ),
        Column(
            name="value",
            dtype=c.TEXT,
            meaning="The value as text; days and instants in ISO form.",
            source="the sightings",
            origin=HUB,
            max_length=c.ABSTRACT_LIMIT,
        ),
        Column(
            name="is_winner",
            dtype=c.FLAG,
            meaning="Whether it won: `papers` has it, of a submitter `daily_listings`.",
            source="computed by the precedence of sources",
            origin=PAPERLAKE,
        ),
        Column(
            name="is_same_content",
            dtype=c.FLAG,
            meaning="Whether it is the winner but for case, punctuation, whitespace, LaTeX markup and the name of the "
            "Hub's host.",
            source="computed",
            origin=PAPERLAKE,
        ),
        Column(
            name="rule",
            dtype=c.TEXT,
            meaning="By which rule the winner beats the value: "
            + "; ".join(f"`{name}`: {words}" for name, words in CRITERIA.items())
            + ".",
            null="the value is the winner",
            source="computed by the precedence of sources",
            origin=PAPERLAKE,
            allowed=tuple(CRITERIA),
        ),
        Column(
            name="source",
            dtype=c.TEXT,
            meaning="The most trusted kind of page that says so last.",
            source="source of the sightings",
            origin=PAPERLAKE,
            allowed=SOURCES,
        ),
        Column(
            name="place",
            dtype=c.TEXT,
            meaning="Where the page says so: in the `inner` object (`paper`) or the `outer` one around it.",
            source="computed by the reader",
            origin=PAPERLAKE,
            allowed=("inner", "outer"),
        ),
        c.published_basis.but(
            name="basis",
            meaning="Whether a day was stated, or its year inferred from the page it is on.",
            null="the field is not a day",
        ),
        *c.SEEN,
        c.capture_id.but(meaning="The last page that showed the value."),
    ),
    rules=(
        SEEN_RULE,
        Rule(
            "rule_given",
            ("is_winner", "rule"),
            "is_winner = (rule IS NULL)",
            "a winner with a rule against it, or another value without one",
        ),
        Rule(
            "winner_is_itself",
            ("is_winner", "is_same_content"),
            "NOT is_winner OR is_same_content",
            "a winner that differs from itself",
        ),
    ),
)
