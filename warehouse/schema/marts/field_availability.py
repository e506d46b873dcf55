"""`field_availability`: of how many of a month's papers the source could show a field, and of how many it did."""

from __future__ import annotations

from typing import Final

from warehouse.schema import columns as c
from warehouse.schema import mart_columns as m
from warehouse.schema.ddl import quoted
from warehouse.schema.mart import OF_MONTH, Cut, Mart
from warehouse.schema.marts.source_fields import FIELDS, SOURCE_FIELDS
from warehouse.schema.origin import PAPERLAKE
from warehouse.schema.table import Column

SHOWN_OTHERWISE: Final = ("author_login", "organization_name")  # made of more than one column, in the query

FIELD_AVAILABILITY = Mart(
    name="field_availability",
    grain="One field in one month of list days.",
    answers="For how many of a month's papers the source could show a field, and for how many it did.",
    key=("month_on", "field"),
    cut=Cut(OF_MONTH, ("daily_listings", "paper_authors", "sightings", "source_fields")),
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
        ),
        m.PAPER_COUNT.but(
            name="shown_paper_count", meaning="Those of which a page showed the field.", source="sightings"
        ),
        m.SHARE.but(meaning="shown_paper_count of known_paper_count."),
        Column(
            name="state",
            dtype=c.TEXT,
            meaning="`whole`: every paper could show the field; `part`: some could; `none`: it was not there yet.",
            source="computed",
            origin=PAPERLAKE,
            allowed=("whole", "part", "none"),
        ),
    ),
)
