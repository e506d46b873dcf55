"""The fields of the list items, and how often the source shows them.

`source_fields`: the fields, rendered from the declarations of `sightings` and `paper_authors`; `field_availability`: of
how many of a month's papers the source could show a field, and of how many it did; `fields_filled_in`: of how many it
did so only later.
"""

from typing import Final

from warehouse.schema import columns as c
from warehouse.schema import shared as m
from warehouse.schema.core.attached import PAPER_AUTHORS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.ddl import literal, quoted
from warehouse.schema.mart import Mart
from warehouse.schema.provenance import OUTER, PAPERLAKE

NOT_LISTED: Final = frozenset(
    {
        *("arxiv_id", "listed_on", "author_count", "authors", "published_on"),  # every answer has them
        *(
            "published_at",
            "submitted_at",
        ),  # the source cut them short: they have a last day, no first one (docs/source.md §5)
        *("submitter_name", "organization_login"),  # shown together with submitter_login, organization_name
        *("model_count", "dataset_count", "space_count"),  # only a paper's own page shows them
        "description",  # no item of an answer has it
        *OUTER.values(),
    }
)
FIELDS: Final = (
    *(
        column
        for column in SIGHTINGS.columns
        if column.is_nullable and column.origin is not PAPERLAKE and column.name not in NOT_LISTED
    ),
    PAPER_AUTHORS.column("login").but(name="author_login"),
)


SOURCE_FIELDS = Mart(
    name="source_fields",
    grain="One field that list items have.",
    answers="Where a field is in the source and since when, as the dictionary declares it.",
    key=("field",),
    parts={
        "rows": ",\n    ".join(
            f"({literal(column.name)}, {literal(column.source_in_words)}, "
            + (f"DATE {literal(str(column.since))})" if column.since else "NULL::DATE)")
            for column in FIELDS
        )
    },
    columns=(
        c.text.but(
            name="field",
            meaning="Column of `sightings`; `author_login` is in `paper_authors`.",
            source="the declarations",
        ),
        c.text.but(name="source_path", meaning="Where the source has it.", source="the declarations"),
        c.day.but(
            name="since_on",
            unit="UTC day",
            meaning="First day on which answers had it.",
            null="as long as the source is known",
            source="the declarations (docs/source.md §9)",
        ),
    ),
)


SHOWN_OTHERWISE: Final = ("author_login", "organization_name")  # made of more than one column, in the query

SHOWN_SQL: Final = ",\n        ".join(
    f"{quoted(field.name)} IS NOT NULL AS {quoted(field.name)}" for field in FIELDS if field.name not in SHOWN_OTHERWISE
)

FIELD_AVAILABILITY = Mart(
    name="field_availability",
    grain="One field in one month of list days.",
    answers="For how many of a month's papers the source could show a field, and for how many it did.",
    key=("month_on", "field"),
    parts={"shown": SHOWN_SQL},
    columns=(
        m.MONTH,
        SOURCE_FIELDS.column("field"),
        SOURCE_FIELDS.column("since_on"),
        m.PAPER_COUNT,
        m.KNOWN_COUNT.but(
            meaning="Those of which an API answer or HTML page that could show the field, or did, was captured.",
            source="sightings, source_fields.since_on",
            sources=("source_fields.since_on",),
        ),
        m.PAPER_COUNT.but(
            name="shown_paper_count", meaning="Those of which a page showed the field.", source="sightings"
        ),
        m.SHARE.but(meaning="shown_paper_count of known_paper_count."),
        c.choice.but(
            name="state",
            meaning="`whole`: every paper could show the field; `part`: some could; `none`: it was not there yet.",
            allowed=("whole", "part", "none"),
        ),
    ),
)

FIELDS_FILLED_IN = Mart(
    name="fields_filled_in",
    grain="One field in one month of list days, of whose papers some got it later.",
    answers="Which fields the source filled in after the papers' list days, and when that was seen: the day of such a "
    "value is not the day of its paper. `field_availability` says for how many of the month the field is there at all.",
    key=("month_on", "field"),
    parts={"shown": SHOWN_SQL},
    columns=(
        m.MONTH.but(meaning="Month of the papers' first list day."),
        SOURCE_FIELDS.column("field"),
        SOURCE_FIELDS.column("since_on"),
        m.PAPER_COUNT.but(
            meaning="Papers of which a page lacked the field before another showed it, or that were listed before "
            "the source had it and show it now.",
            source="sightings, daily_listings",
        ),
        c.day.but(
            name="first_filled_on",
            unit="UTC day",
            meaning="Day of the first page that showed it of any of them.",
            source="sightings.observed_at",
        ),
        c.day.but(
            name="last_filled_on",
            unit="UTC day",
            meaning="The latest such day of any of them.",
            source="sightings.observed_at",
        ),
        c.real.but(
            name="median_days",
            unit="days",
            meaning="Median of the days from a paper's first list day to the first page that showed it.",
            source="sightings.observed_at, daily_listings.listed_on",
        ),
    ),
)
