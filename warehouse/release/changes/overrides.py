"""Corrections and erasures of single cells: they are the cause of a difference, whatever else happened to the cell."""

from __future__ import annotations

from typing import Final

import duckdb
import polars as pl

from warehouse.release.manifest import Draft, Manifest
from warehouse.release.snapshot import Snapshot
from warehouse.schema.changes.causes import STRENGTH, WHOLE_ROW
from warehouse.schema.ddl import literal, quoted, type_of
from warehouse.schema.table import Table
from warehouse.schema.tables import CORE_TABLES

CORRECTIONS: Final = "corrections"  # a table of a release: `row_key` is an object of the key's values as text
CORRECTED: Final = ("table_name", "row_key", "column_name", "paper_id", "value_right")
NEWS: Final = ("world", "late_capture", "restated")

# One row per cell that was corrected, or row from which a person was erased, since the older release: `key` as JSON, as
# in `_changes`, and `column_name` `*` for the whole row. Figures of marts are matched by `paper_id` and `column_name`
OVERRIDES: Final = pl.Schema(dict.fromkeys(("table_name", "key", "column_name", "paper_id", "cause"), pl.String()))


def overridden(table: Table, cells: pl.DataFrame, overrides: pl.DataFrame) -> pl.DataFrame:
    """Cells with `cause` replaced by that of `overrides`, where these name the cell, its row, or the figure's paper."""
    on = ("paper_id",) if table.layer == "mart" else ("table_name", "key")
    first = pl.col("cause").sort_by(pl.col("cause").replace_strict(STRENGTH)).first()
    for by, is_row in (((*on, "column_name"), False), (on, True)):
        strongest = overrides.filter((pl.col("column_name") == WHOLE_ROW) == is_row).group_by(by).agg(ours=first)
        cells = cells.join(strongest, on=by, how="left", maintain_order="left")
        cells = cells.with_columns(cause=pl.coalesce("ours", "cause")).drop("ours")
    return cells


def of_their_papers(cells: pl.DataFrame, overrides: pl.DataFrame, shown: pl.DataFrame) -> pl.DataFrame:
    """Cells with `cause` replaced by the override of their paper, where no new page shows it: they follow from that."""
    strength = pl.col("cause").replace_strict(STRENGTH)
    ours = overrides.join(shown, on="paper_id", how="anti").group_by("paper_id")
    cells = cells.join(
        ours.agg(ours=pl.col("cause").sort_by(strength).first()), on="paper_id", how="left", maintain_order="left"
    )
    is_ours = pl.col("ours").is_not_null() & pl.col("cause").is_in(NEWS)
    return cells.with_columns(cause=pl.when(is_ours).then("ours").otherwise("cause")).drop("ours")


def corrections_between(before: Snapshot[Manifest], after: Snapshot[Manifest | Draft]) -> pl.DataFrame:
    """The cells that two releases correct differently; none where neither has a table of corrections."""
    none = pl.DataFrame(schema=dict.fromkeys(CORRECTED, pl.String))
    now, then = (
        pl.concat([none, *(pl.read_parquet(path, columns=list(CORRECTED)) for path in one.paths(CORRECTIONS))])
        for one in (after, before)
    )
    pairs = ((now, then), (then, now))
    found = pl.concat([one.join(other, on=CORRECTED, how="anti", nulls_equal=True) for one, other in pairs])
    if found.is_empty():
        return OVERRIDES.to_frame()
    queries = [_as_overrides(table) for table in CORE_TABLES if (found["table_name"] == table.name).any()]
    with duckdb.connect() as connection:
        connection.register("found", found.to_arrow())
        return OVERRIDES.to_frame().vstack(connection.sql(" UNION ".join(queries)).pl().cast(OVERRIDES))


def _as_overrides(table: Table) -> str:
    texts = ((literal(f"$.{quoted(name)}"), type_of(table.schema[name])) for name in table.key)
    values = (f"CAST(CAST(json_extract_string(row_key, {path}) AS {kind}) AS VARCHAR)" for path, kind in texts)
    return f"""
        SELECT table_name, to_json([{", ".join(values)}])::VARCHAR AS key, column_name, paper_id, 'correction' AS cause
        FROM found WHERE table_name = {literal(table.name)}
    """  # noqa: S608
