"""`conflicts`: values on which sources, or places in one answer, disagree; `corrections`: values that we set right."""

from typing import Final

from warehouse.schema import columns as c
from warehouse.schema.core.attached import PAPER_AUTHORS, PAPER_LINKS
from warehouse.schema.core.listings import DAILY_LISTINGS, LISTING_FIELDS
from warehouse.schema.core.papers import PAPER_FIELDS, PAPER_OBSERVATIONS, PAPER_TEXTS, PAPERS
from warehouse.schema.provenance import CRITERIA, HUB, OUTER, SOURCES
from warehouse.schema.shared import COHORT_PAPERS, SEEN_RULE
from warehouse.schema.table import Cut, Rule, Table

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
    revision=3,  # a day that the arXiv id contradicts stands below others
    cut=Cut(COHORT_PAPERS),
    columns=(
        c.paper_id,
        c.choice.but(
            name="field",
            meaning="The field, as `papers` or `daily_listings` names it.",
            source="the column of sightings",
            allowed=COMPARED,
        ),
        c.any_text.but(
            name="value",
            meaning="The value as text; days and instants in ISO form.",
            source="the sightings",
            origin=HUB,
            max_length=c.ABSTRACT_LIMIT,
        ),
        c.flag.but(
            name="is_winner",
            meaning="Whether it won: `papers` has it, or `daily_listings` where it is a submitter.",
            source="computed by the precedence of sources",
        ),
        c.flag.but(
            name="is_same_content",
            meaning="Whether it is the same as the winner apart from case, punctuation, whitespace, LaTeX markup and "
            "the name of the Hub's host.",
        ),
        c.choice.but(
            name="rule",
            meaning="By which rule the winner beats the value: "
            + "; ".join(f"`{name}`: {words}" for name, words in CRITERIA.items())
            + ".",
            null="the value is the winner",
            source="computed by the precedence of sources",
            allowed=tuple(CRITERIA),
        ),
        c.choice.but(
            name="source",
            meaning="The most trusted kind of page that says so last.",
            source="source of the sightings",
            allowed=SOURCES,
        ),
        c.choice.but(
            name="place",
            meaning="Where the page says so: in the `inner` object (`paper`) or the `outer` one around it.",
            source="computed by the reader",
            allowed=("inner", "outer"),
        ),
        c.published_basis.but(
            name="basis",
            meaning="How far a day holds, as `published_basis` says of it.",
            null="the field is not a day",
        ),
        *c.SEEN,
        c.capture_id.but(meaning="The last page that showed the value."),
    ),
    rules=(
        SEEN_RULE,
        Rule(
            "rule_given",
            "is_winner = (rule IS NULL)",
            "a winner with a rule against it, or another value without one",
        ),
        Rule("winner_is_itself", "NOT is_winner OR is_same_content", "a winner that differs from itself"),
    ),
)

# Tables whose values may be corrected: not what is raw (`sightings`), nor the names of papers
CORRECTABLE: Final = {
    table.name: table for table in (PAPERS, PAPER_TEXTS, PAPER_OBSERVATIONS, DAILY_LISTINGS, PAPER_AUTHORS, PAPER_LINKS)
}


def correctable(table: Table) -> tuple[str, ...]:
    """The columns whose values may be corrected: no key, no id, nothing that says when or where it was seen."""
    columns = table.columns if table.name in CORRECTABLE else ()
    return tuple(one.name for one in columns if not (one.name in {*table.key, "arxiv_id"} or one.is_bookkeeping))


DECLARED: Final = "`corrections.yaml` of who runs the lake"
declared: Final = c.any_text.but(whose="account", source=DECLARED, max_length=c.ABSTRACT_LIMIT)

CORRECTIONS = Table(
    name="corrections",
    grain="One value that the source has wrong, and that is set right in this release.",
    answers="What the source says and what is right, why, by which evidence, and to whom it was reported. The tables "
    "have the value that is right, and so has what is made of them; `sightings` and the pages have the one seen.",
    key=("table_name", "row_key", "column_name"),
    cut=Cut(COHORT_PAPERS),
    columns=(
        c.choice.but(name="table_name", meaning="Table of the value.", source=DECLARED, allowed=tuple(CORRECTABLE)),
        declared.but(
            name="row_key",
            meaning="The row's key as JSON: its columns in order, every value as text.",
            origin=HUB,
            max_length=c.URL_LIMIT,
        ),
        c.paper_id.but(source=DECLARED),
        c.text.but(name="column_name", meaning="Column of the value.", source=DECLARED),
        declared.but(
            name="value_seen",
            whose="cell",
            meaning="What the source says, as text; days and instants in ISO form.",
            null="the source has no value",
            source="the table before it was corrected",
            origin=HUB,
        ),
        declared.but(
            name="value_right",
            whose="cell",
            meaning="What the table has in its place, as text.",
            null="no value is right",
        ),
        declared.but(name="reason", meaning="Why the value seen is wrong."),
        declared.but(name="evidence", meaning="Where the value that is right is from.", max_length=c.URL_LIMIT),
        c.day.but(
            name="reported_on", meaning="When it was reported to the source.", null="not reported", source=DECLARED
        ),
        declared.but(
            name="reported_to", meaning="To whom it was reported.", null="not reported", max_length=c.URL_LIMIT
        ),
        c.capture_id.but(meaning="The last page with the value seen; where there is none, the last with the row."),
    ),
    rules=(Rule("report_whole", "(reported_on IS NULL) = (reported_to IS NULL)", "reported to nobody, or never"),),
)
