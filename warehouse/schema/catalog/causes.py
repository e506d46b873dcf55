"""The causes of a difference between two releases, with their meanings, and `_changes`, the table that records them."""

from __future__ import annotations

from typing import Final

from warehouse.schema import columns as c
from warehouse.schema.table import Table

# The strongest first: where a figure is made of rows with several causes, or a key has several, the strongest is given.
# Our own doing comes before the source's, so that a change of ours never passes for news of the world.
CAUSES: Final = {
    "erasure": "a person asked to be forgotten, and was",
    "correction": "we say otherwise than the source did, with a reason (`corrections.yaml`)",
    "schema": "a table or a column came or went",
    "reader": "our code reads or computes the same pages otherwise than it did",
    "restated": "the source changed what it had said of the past",
    "late_capture": "a page was added that was fetched before the older release's newest page, or at an unknown time",
    "world": "a page fetched later shows it",
}
STRENGTH: Final = {cause: number for number, cause in enumerate(CAUSES)}
CHANGES_OF: Final = ("added", "removed", "changed", "column added", "column removed")
WHOLE_ROW: Final = "*"
KEYS_SHOWN: Final = 500  # of one table, change, column and cause: a day's lists and all papers fetched again have fewer

compared: Final = c.text.but(source="both releases compared")

CHANGES: Final = Table(
    name="_changes",
    layer="about",
    grain="One cause of changes of one kind in one column, or in the rows, of one table since the previous release.",
    answers="What differs from the previous release, and why: each cell, row and figure that differs has one cause.",
    key=("table_name", "change", "column_name", "cause"),
    columns=(
        compared.but(name="table_name", meaning="Table or mart."),
        c.choice.but(
            name="change",
            meaning="Rows that were `added` or `removed`, cells that `changed` in rows of both releases, or a column "
            "that came or went.",
            source="both releases compared",
            allowed=CHANGES_OF,
        ),
        compared.but(
            name="column_name",
            meaning="Column; `*` for whole rows. Columns that say when, where or how often something was seen are left "
            "out.",
        ),
        c.choice.but(
            name="cause",
            meaning="; ".join(f"`{cause}`: {meaning}" for cause, meaning in CAUSES.items()) + ".",
            allowed=tuple(CAUSES),
        ),
        c.total.but(
            name="cell_count",
            unit="cells or rows",
            meaning="Number of cells, or of rows; 1 for a column that came or went.",
            minimum=1,
        ),
        c.texts.but(
            name="keys",
            whose="any",
            meaning=f"Their keys in order, each the values of the table's key as JSON: the first {KEYS_SHOWN}. "
            "`paperlake diff --why --keys FILE` writes all.",
            source="both releases compared",
        ),
    ),
)
