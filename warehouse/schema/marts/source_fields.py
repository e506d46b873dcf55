"""`source_fields`: the fields of the list items, rendered from the declarations of `sightings` and `paper_authors`;
`field_availability`: of how many of a month's papers the source could show a field, and of how many it did.
"""

from __future__ import annotations

from typing import Final

from warehouse.schema import columns as c
from warehouse.schema import shared as m
from warehouse.schema.core.people import PAPER_AUTHORS
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

FIELD_AVAILABILITY = Mart(
    name="field_availability",
    grain="One field in one month of list days.",
    answers="For how many of a month's papers the source could show a field, and for how many it did.",
    key=("month_on", "field"),
    parts={
        "shown": ",\n        ".join(
            f"{quoted(field.name)} IS NOT NULL AS {quoted(field.name)}"
            for field in FIELDS
            if field.name not in SHOWN_OTHERWISE
        )
    },
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
