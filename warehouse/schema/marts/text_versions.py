"""`text_versions`: `paper_versions` with every text."""

from __future__ import annotations

from warehouse.schema import columns as c
from warehouse.schema.core.versions import PAPER_VERSIONS
from warehouse.schema.mart import Mart
from warehouse.schema.origin import PAPERLAKE
from warehouse.schema.table import Column

TEXT_VERSIONS = Mart(
    name="text_versions",
    grain="One content of one text of one paper.",
    answers="`paper_versions` with every text: titles, abstracts and AI summaries, first and last seen.",
    key=PAPER_VERSIONS.key,
    is_view=True,
    columns=(
        *PAPER_VERSIONS.columns[:3],
        PAPER_VERSIONS.column("text").but(null=""),
        Column(
            name="has_changed",
            dtype=c.FLAG,
            meaning="Whether the paper's text has more than one version.",
            source="paper_versions",
            origin=PAPERLAKE,
        ),
        *PAPER_VERSIONS.columns[4:],
    ),
)
