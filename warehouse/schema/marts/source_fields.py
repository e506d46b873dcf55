"""`source_fields`: the fields of the list items, rendered from the declarations of `sightings` and `paper_authors`."""

from __future__ import annotations

from typing import Final

from warehouse.schema import columns as c
from warehouse.schema.core.people import PAPER_AUTHORS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.ddl import literal
from warehouse.schema.mart import Mart
from warehouse.schema.origin import PAPERLAKE
from warehouse.schema.precedence import OUTER
from warehouse.schema.table import Column

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
            f"({literal(column.name)}, {literal(column.source)}, "
            + (f"DATE {literal(str(column.since))})" if column.since else "NULL::DATE)")
            for column in FIELDS
        )
    },
    columns=(
        Column(
            name="field",
            dtype=c.TEXT,
            meaning="Column of `sightings`; `author_login` is in `paper_authors`.",
            source="the declarations",
            origin=PAPERLAKE,
        ),
        Column(
            name="source_path",
            dtype=c.TEXT,
            meaning="Where the source has it.",
            source="the declarations",
            origin=PAPERLAKE,
        ),
        Column(
            name="since_on",
            dtype=c.DAY,
            unit="UTC day",
            meaning="First day on which answers had it.",
            null="as long as the source is known",
            source="the declarations (docs/source.md §9)",
            origin=PAPERLAKE,
        ),
    ),
)
