"""Tables of schema `about`: the release's database describes itself, for those who have only that file."""

from __future__ import annotations

import polars as pl

from warehouse.schema import columns as c
from warehouse.schema.catalog.causes import CHANGES
from warehouse.schema.provenance import PAPERLAKE
from warehouse.schema.table import Column, Table

RENDERED = "the declarations of the tables"

table_name = Column(
    name="table_name", dtype=c.TEXT, whose="none", meaning="Name of the table.", source=RENDERED, origin=PAPERLAKE
)
row_count = Column(
    name="row_count",
    dtype=pl.Int64(),
    unit="rows",
    meaning="Rows.",
    source="counted",
    origin=PAPERLAKE,
    minimum=0,
)

TABLES = Table(
    name="_tables",
    layer="about",
    grain="One table, view or macro of this database.",
    answers="What there is, what a row of it is, and what it answers.",
    key=("layer", "table_name"),
    columns=(
        Column(
            name="layer",
            dtype=c.TEXT,
            meaning="Schema it is in; its name resolves without one.",
            source=RENDERED,
            origin=PAPERLAKE,
            allowed=("core", "mart", "about"),
        ),
        table_name,
        Column(
            name="kind",
            dtype=c.TEXT,
            meaning="What it is.",
            source=RENDERED,
            origin=PAPERLAKE,
            allowed=("table", "view", "macro"),
        ),
        Column(
            name="call",
            dtype=c.TEXT,
            whose="none",
            meaning="How to ask it, with the parameters of a macro.",
            source=RENDERED,
            origin=PAPERLAKE,
        ),
        Column(name="grain", dtype=c.TEXT, whose="none", meaning="What one row is.", source=RENDERED, origin=PAPERLAKE),
        Column(
            name="answers", dtype=c.TEXT, whose="none", meaning="What it answers.", source=RENDERED, origin=PAPERLAKE
        ),
        Column(
            name="key",
            dtype=pl.List(pl.String),
            whose="none",
            meaning="Columns whose values together name a row.",
            null="a macro has none",
            source=RENDERED,
            origin=PAPERLAKE,
        ),
        row_count.but(null="a mart or a macro, or a table of schema `about`"),
        Column(
            name="files",
            dtype=pl.List(pl.String),
            whose="none",
            meaning="Its Parquet files in the release.",
            null="it is in this database only",
            source="the draft of the release",
            origin=PAPERLAKE,
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
        Column(
            name="column_name",
            dtype=c.TEXT,
            whose="none",
            meaning="Name of the column.",
            source=RENDERED,
            origin=PAPERLAKE,
        ),
        Column(name="type", dtype=c.TEXT, whose="none", meaning="DuckDB type.", source=RENDERED, origin=PAPERLAKE),
        Column(
            name="meaning", dtype=c.TEXT, whose="none", meaning="What a value means.", source=RENDERED, origin=PAPERLAKE
        ),
        Column(
            name="unit",
            dtype=c.TEXT,
            whose="none",
            meaning="Unit or kind of the values.",
            null="none",
            source=RENDERED,
            origin=PAPERLAKE,
        ),
        Column(
            name="null_meaning",
            dtype=c.TEXT,
            whose="none",
            meaning="What a missing value means.",
            null="never missing",
            source=RENDERED,
            origin=PAPERLAKE,
        ),
        Column(
            name="source",
            dtype=c.TEXT,
            whose="none",
            meaning="Where the value comes from: a path in the source, or how it is computed.",
            source=RENDERED,
            origin=PAPERLAKE,
        ),
        Column(
            name="since",
            dtype=c.DAY,
            unit="day",
            meaning="First day on which the source has it.",
            null="always, or not known",
            source=RENDERED,
            origin=PAPERLAKE,
        ),
        Column(
            name="origin", dtype=c.TEXT, whose="none", meaning="Whose the value is.", source=RENDERED, origin=PAPERLAKE
        ),
        Column(
            name="licence",
            dtype=c.TEXT,
            whose="none",
            meaning="Under which it may be used: an SPDX id, or `LicenseRef-…` (`LICENSE.md` of the release).",
            source=RENDERED,
            origin=PAPERLAKE,
        ),
        Column(
            name="example",
            dtype=c.TEXT,
            whose="any",
            meaning="The lowest value there is, its first 100 characters.",
            null="no value in this release, or a macro",
            source="the table itself",
            origin=PAPERLAKE,
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
        Column(
            name="version",
            dtype=c.TEXT,
            whose="none",
            meaning="Day of the release and its number on that day.",
            source="the manifest",
            origin=PAPERLAKE,
        ),
        Column(
            name="parent",
            dtype=c.TEXT,
            whose="none",
            meaning="Release that it follows.",
            null="the first one",
            source="the manifest",
            origin=PAPERLAKE,
        ),
        Column(
            name="schema_version",
            dtype=c.COUNT,
            meaning="Counts up when the columns of a core table change.",
            source="the manifest",
            origin=PAPERLAKE,
        ),
        Column(
            name="code_version",
            dtype=c.TEXT,
            whose="none",
            meaning="Version of paperlake that made it.",
            source="the manifest",
            origin=PAPERLAKE,
        ),
        row_count.but(name="capture_count", unit="pages", meaning="Captured pages it is made from."),
        row_count.but(name="paper_count", unit="papers", meaning="Papers it knows."),
        row_count.but(meaning="Rows of all its tables."),
        row_count.but(name="parquet_bytes", unit="bytes", meaning="Size of its tables as Parquet.", source="measured"),
        row_count.but(name="check_count", unit="checks", meaning="Checks that the gate made before it."),
        row_count.but(name="failed_check_count", unit="checks", meaning="Those of them that failed."),
        c.listed_on.but(
            name="last_listed_on", meaning="Last day of the daily lists.", null="no list", source="daily_listings"
        ),
        Column(
            name="accepted_loss",
            dtype=c.TEXT,
            whose="any",
            meaning="Why somebody let it pass although guards failed.",
            null="none failed",
            source="the manifest",
            origin=PAPERLAKE,
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
        Column(
            name="rule", dtype=c.TEXT, whose="none", meaning="Name of the check.", source="the gate", origin=PAPERLAKE
        ),
        Column(
            name="kind",
            dtype=c.TEXT,
            meaning="`shape`, the columns; `values` of one column; a `rule` across columns; a `reference`; `across` "
            "tables; `history`, compared with the previous release; `pages`, new pages compared with those before.",
            source="the gate",
            origin=PAPERLAKE,
            allowed=("shape", "values", "rule", "reference", "across", "history", "pages"),
        ),
        Column(
            name="meaning",
            dtype=c.TEXT,
            whose="none",
            meaning="What is wrong where the check fails.",
            source="the gate",
            origin=PAPERLAKE,
        ),
        Column(name="has_passed", dtype=c.FLAG, meaning="Whether it held.", source="the gate", origin=PAPERLAKE),
        row_count.but(meaning="Rows checked; by checks of values, only rows that no earlier release has unchanged."),
        row_count.but(name="failed_count", meaning="Rows that broke it."),
        Column(
            name="examples",
            dtype=pl.List(pl.String),
            whose="any",
            meaning="Keys of the first few rows that broke it.",
            source="the gate",
            origin=PAPERLAKE,
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
        Column(
            name="affected",
            dtype=c.TEXT,
            whose="any",
            meaning="What of it is wrong: `table`, or `table:key`; `*` is all of it.",
            source="`paperlake retract`",
            origin=PAPERLAKE,
        ),
        Column(
            name="retracted_at",
            dtype=c.INSTANT,
            unit="UTC",
            meaning="When it was retracted.",
            source="`paperlake retract`",
            origin=PAPERLAKE,
        ),
        Column(
            name="why",
            dtype=c.TEXT,
            whose="any",
            meaning="Why, in words.",
            source="`paperlake retract`",
            origin=PAPERLAKE,
        ),
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
        Column(
            name="declared_sha256",
            dtype=c.TEXT,
            whose="none",
            meaning="SHA-256 over the statements that make its tables, views and macros.",
            source=RENDERED,
            origin=PAPERLAKE,
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
