"""The declarations of every table and macro, and the tables of schema `about`, by which a database describes itself.

They are for those who have only that file. Of `_changes` also the causes of a difference between two releases, with
their meanings.
"""

import hashlib
from typing import Final

from warehouse.schema import columns as c
from warehouse.schema.core import CORE_TABLES
from warehouse.schema.ddl import type_of
from warehouse.schema.macros import MACROS
from warehouse.schema.marts import MART_TABLES
from warehouse.schema.provenance import PAPERLAKE
from warehouse.schema.table import Table

# The strongest first: where a figure is made of rows with several causes, or a key has several, the strongest is given.
# Our own doing comes before the source's, so that a change of ours never passes for news of the world.
CAUSES: Final = {
    "correction": "we say otherwise than the source did, with a reason (`corrections.yaml`, `captures`)",
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


RENDERED = "the declarations of the tables"

rendered = c.text.but(source=RENDERED)
gate = c.text.but(source="the gate")
manifest = c.text.but(source="the manifest")
retraction = c.any_text.but(source="`paperlake retract`")

table_name = rendered.but(name="table_name", meaning="Name of the table.")
row_count = c.total.but(name="row_count", unit="rows", meaning="Rows.")

TABLES = Table(
    name="_tables",
    layer="about",
    grain="One table, view or macro of this database.",
    answers="What there is, what a row of it is, and what it answers.",
    key=("layer", "table_name"),
    columns=(
        c.choice.but(
            name="layer",
            meaning="Schema it is in; its name resolves without one.",
            source=RENDERED,
            allowed=("core", "mart", "about"),
        ),
        table_name,
        c.choice.but(name="kind", meaning="What it is.", source=RENDERED, allowed=("table", "view", "macro")),
        rendered.but(name="call", meaning="How to ask it, with the parameters of a macro."),
        rendered.but(name="grain", meaning="What one row is."),
        rendered.but(name="answers", meaning="What it answers."),
        c.texts.but(
            name="key", meaning="Columns whose values together name a row.", null="a macro has none", source=RENDERED
        ),
        row_count.but(null="a mart or a macro, or a table of schema `about`"),
        c.texts.but(
            name="files",
            meaning="Its Parquet files in the release.",
            null="it is in this database only",
            source="the draft of the release",
        ),
    ),
)

COLUMNS = Table(
    name="_columns",
    layer="about",
    grain="One column of one table, view or macro of this database.",
    answers="What a value means, in which unit, where it comes from, what null means, and under which licence it is.",
    key=("layer", "table_name", "position"),
    columns=(
        TABLES.columns[0],
        table_name,
        c.position.but(meaning="Place among the columns.", source=RENDERED, origin=PAPERLAKE),
        rendered.but(name="column_name", meaning="Name of the column."),
        rendered.but(name="type", meaning="DuckDB type."),
        rendered.but(name="meaning", meaning="What a value means."),
        rendered.but(name="unit", meaning="Unit or kind of the values.", null="none"),
        rendered.but(name="null_meaning", meaning="What a missing value means.", null="never missing"),
        rendered.but(name="source", meaning="Where the value comes from: a path in the source, or how it is computed."),
        c.day.but(
            name="since", meaning="First day on which the source has it.", null="always, or not known", source=RENDERED
        ),
        rendered.but(name="origin", meaning="Whose the value is."),
        rendered.but(
            name="licence",
            meaning="Under which it may be used: an SPDX id, or `LicenseRef-…` (`LICENSE.md` of the release).",
        ),
        c.any_text.but(
            name="example",
            whose="cell",
            meaning="The lowest value there is, its first 100 characters.",
            null="no value in this release, a number, or a macro",
            source="the table itself",
        ),
    ),
)

RELEASES = Table(
    name="_releases",
    layer="about",
    grain="One release: this one, or an ancestor.",
    answers="This release and its ancestors, with rows and bytes.",
    key=("version",),
    columns=(
        manifest.but(name="version", meaning="Day of the release and its number on that day."),
        manifest.but(name="parent", meaning="Release that it follows.", null="the first one"),
        c.integer.but(
            name="schema_version", meaning="Counts up when the columns of a core table change.", source="the manifest"
        ),
        manifest.but(name="code_version", meaning="Version of paperlake that made it."),
        row_count.but(name="capture_count", unit="pages", meaning="Captured pages it is made from."),
        row_count.but(name="paper_count", unit="papers", meaning="Papers it knows."),
        row_count.but(meaning="Rows of all its tables."),
        row_count.but(name="parquet_bytes", unit="bytes", meaning="Size of its tables as Parquet.", source="measured"),
        row_count.but(name="check_count", unit="checks", meaning="Checks that the gate made before it."),
        row_count.but(name="failed_check_count", unit="checks", meaning="Those of them that failed."),
        c.listed_on.but(
            name="last_listed_on", meaning="Last day of the daily lists.", null="no list", source="daily_listings"
        ),
        c.any_text.but(
            name="accepted_loss",
            meaning="Why somebody let it pass although guards failed.",
            null="none failed",
            source="the manifest",
        ),
        row_count.but(
            name="quarantined_count",
            unit="rows",
            meaning="Rows of its pages that are in quarantine.",
            null="an older paperlake did not count them",
        ),
    ),
)

CHECKS = Table(
    name="_checks",
    layer="about",
    grain="One check of one table that the gate made before this release.",
    answers="What was checked, and what came of it.",
    key=("table_name", "rule"),
    columns=(
        table_name,
        gate.but(name="rule", meaning="Name of the check."),
        c.choice.but(
            name="kind",
            meaning="`shape`, the columns; `values` of one column; a `rule` across columns; a `reference`; `across` "
            "tables; `history`, compared with the previous release; `pages`, new pages compared with those before.",
            source="the gate",
            allowed=("shape", "values", "rule", "reference", "across", "history", "pages"),
        ),
        gate.but(name="meaning", meaning="What is wrong where the check fails."),
        c.flag.but(name="has_passed", meaning="Whether it held.", source="the gate"),
        row_count.but(meaning="Rows checked; by checks of values, only rows that no earlier release has unchanged."),
        row_count.but(name="failed_count", meaning="Rows that broke it."),
        c.texts.but(
            name="examples", whose="any", meaning="Keys of the first few rows that broke it.", source="the gate"
        ),
    ),
)

ERRATA = Table(
    name="_errata",
    layer="about",
    grain="One part of a release that had been retracted when this one was published.",
    answers="Which releases are not to be used, why, and which of their rows.",
    key=("version", "affected"),
    columns=(
        RELEASES.columns[0].but(source="`paperlake retract`"),
        retraction.but(name="affected", meaning="What of it is wrong: `table`, or `table:key`; `*` is all of it."),
        c.instant.but(name="retracted_at", meaning="When it was retracted.", source="`paperlake retract`"),
        retraction.but(name="why", meaning="Why, in words."),
    ),
)

FILE = Table(
    name="_file",
    layer="about",
    grain="This file.",
    answers="Whether the next release copies this file and replaces rows in it, or makes a new one, as it does once "
    "copies have grown by a quarter.",
    key=("declared_sha256",),
    columns=(
        rendered.but(
            name="declared_sha256", meaning="SHA-256 over the statements that make its tables, views and macros."
        ),
        row_count.but(
            name="whole_bytes",
            unit="bytes",
            meaning="Its size when it was made anew.",
            null="it is not a copy: its own size",
            source="measured",
        ),
        row_count.but(
            name="parquet_bytes",
            unit="bytes",
            meaning="Size of the core tables as Parquet when it was made anew.",
            source="measured",
        ),
    ),
)

ABOUT_TABLES = (TABLES, COLUMNS, RELEASES, CHECKS, ERRATA, CHANGES, FILE)


ALL_TABLES: tuple[Table, ...] = CORE_TABLES + MART_TABLES
DECLARED: Final = {table.name: table for table in ALL_TABLES}
# The schema version of a lake's first release; a release whose core tables have other columns than its parent's adds 1
SCHEMA_VERSION: Final = 2


def widening(table: Table) -> list[Table]:
    """The tables whose columns `main` shows together with this one's."""
    return [wide for wide in ALL_TABLES if wide.widens == table.name]


def schema_digest(table: Table) -> str:
    """SHA-256 over a table's column names and types and its revision: Parquet of the same digest needs no rewriting."""
    columns = "".join(f"{column.name} {type_of(column.dtype)}\n" for column in table.columns)
    revision = f"revision {table.revision}\n" if table.revision > 1 else ""
    return hashlib.sha256(f"{columns}{revision}".encode()).hexdigest()


__all__ = ["ALL_TABLES", "CORE_TABLES", "MACROS", "MART_TABLES", "SCHEMA_VERSION", "schema_digest", "widening"]
