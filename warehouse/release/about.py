"""The tables `_tables`, `_columns`, `_releases`, `_checks` and `_errata` of a release, and the chain of releases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import msgspec
import polars as pl
from msgspec import Struct

from warehouse.release.latest import manifest_of, release_key
from warehouse.release.manifest import Draft, Erratum, Manifest, TableFiles, digest
from warehouse.release.parquet import Differing
from warehouse.schema.catalog import (
    ABOUT_TABLES,
    ALL_TABLES,
    CHANGES,
    COLUMNS,
    CORE_TABLES,
    ERRATA,
    MACROS,
    RELEASES,
    TABLES,
)
from warehouse.schema.core.papers import PAPERS
from warehouse.schema.ddl import comments, create_table, qualified, quoted, type_of
from warehouse.schema.mart import Macro
from warehouse.schema.table import Table
from warehouse.store.store import Store, read_if_there

if TYPE_CHECKING:
    import duckdb

LINEAGE: Final = "releases.json"  # in each release: itself and those it follows, so that no other need be read
EXAMPLE: Final = 100  # characters of an example at most
WHOLE: Final = "*"
ERRATA_AS_TEXT: Final = dict.fromkeys(ERRATA.column_names, pl.String())
Frames = Mapping[str, pl.DataFrame]
Examples = Mapping[str, str | None]  # by column: the beginning of its lowest value


class Followed(Struct, frozen=True):
    """One release in the chain of parents: a row of `_releases`."""

    version: str
    parent: str | None
    schema_version: int
    code_version: str
    capture_count: int
    paper_count: int
    row_count: int
    parquet_bytes: int
    check_count: int
    failed_check_count: int
    last_listed_on: str | None = None
    accepted_loss: str | None = None
    quarantined_count: int | None = None


class _Check(Struct):
    passed: bool


class _Report(Struct):
    """The fields of the gate's report that are needed here; the report itself is declared in `expectations`."""

    results: tuple[_Check, ...] = ()
    passed_count: dict[str, int] = {}
    accepted_loss: str | None = None
    quarantined_count: int | None = None


def lineage(store: Store, draft: Draft, version: str) -> list[Followed]:
    """This release and its ancestors, oldest first, from the parent's releases.json.

    Only the parent is read, however many releases there are. Where its releases.json is not as it was published, the
    chain begins with the parent.
    """
    parent = manifest_of(store, draft.parent) if draft.parent else None
    before = [followed(parent, parent.version)] if parent else []
    data = read_if_there(store, release_key(parent.version, LINEAGE)) if parent else None
    if parent and data and digest(data) in {file.sha256 for file in parent.files if file.key == LINEAGE}:
        with suppress(msgspec.ValidationError):  # an older paperlake wrote other fields
            before = msgspec.json.decode(data, type=list[Followed]) or before
    return [*before, followed(draft, version)]


def followed(of: Draft | Manifest, version: str) -> Followed:
    """What a release is and holds, by its manifest, or by the draft that becomes it."""
    stored = bytes(of.report if isinstance(of, Draft) else of.checks)
    report = msgspec.json.decode(stored, type=_Report | None) or _Report()
    days = [table.last_on for table in of.tables if table.last_on]
    return Followed(
        version,
        of.parent.version if of.parent else None,
        of.schema_version,
        of.code_version,
        of.capture_count,
        sum(table.row_count for table in of.tables if table.name == PAPERS.name),
        sum(table.row_count for table in of.tables),
        sum(file.bytes for table in of.tables for file in table.files),
        len(report.results) + sum(report.passed_count.values()),
        sum(not check.passed for check in report.results),
        max(days, default=None),
        report.accepted_loss,
        report.quarantined_count,
    )


def about(chain: Iterable[Followed], checks: pl.DataFrame, errata: Iterable[Erratum] = ()) -> Frames:
    """The tables about a release that are known before its database is made.

    `_columns` is without examples, `_tables` and `_changes` without rows, since they are filled when the marts are
    there; there is no `_file`.
    """
    wrong = [{**msgspec.structs.asdict(one), "affected": part} for one in errata for part in one.affected or (WHOLE,)]
    releases = pl.DataFrame([msgspec.structs.asdict(one) for one in chain], infer_schema_length=None)
    frames = {
        "_tables": TABLES.empty(),
        "_columns": pl.DataFrame(described_columns(), schema=COLUMNS.schema),
        "_releases": RELEASES.conform(releases.with_columns(pl.col("last_listed_on").cast(pl.String).str.to_date())),
        "_checks": checks,
        "_errata": pl.DataFrame(wrong, ERRATA_AS_TEXT).with_columns(
            pl.col("retracted_at").str.to_datetime("%Y-%m-%dT%H:%M:%SZ", time_unit="us")
        ),
        "_changes": CHANGES.empty(),
    }
    return {table.name: table.conform(frames[table.name]) for table in ABOUT_TABLES if table.name in frames}


def described_tables(begun: Manifest) -> pl.DataFrame:
    """The rows of `_tables`, once the marts of the release are written."""
    return TABLES.conform(pl.DataFrame(_tables((*begun.tables, *begun.marts)), schema=TABLES.schema))


def _tables(described: Iterable[TableFiles]) -> Iterator[dict[str, Any]]:
    held = {table.name: table for table in described}
    for table in (*ALL_TABLES, *ABOUT_TABLES):
        files = held.get(table.name)
        yield _place(table) | {
            "kind": "view" if table.is_view else "table",
            "call": table.name,
            "grain": table.grain,
            "answers": table.answers,
            "key": list(table.key),
            "row_count": files.row_count if files and table.layer == "core" else None,
            "files": [file.key for file in files.files] if files else None,
        }
    for macro in MACROS:
        about_macro = {"kind": "macro", "call": macro.call, "grain": macro.grain, "answers": macro.answers}
        yield _place(macro) | about_macro


def _place(of: Table | Macro) -> dict[str, Any]:
    return {"layer": of.layer if isinstance(of, Table) else "mart", "table_name": of.name}


def described_columns() -> Iterator[dict[str, Any]]:
    declared: tuple[Table | Macro, ...] = (*ALL_TABLES, *ABOUT_TABLES, *MACROS)
    for of in declared:
        for position, column in enumerate(of.columns, 1):
            yield _place(of) | {
                "position": position,
                "column_name": column.name,
                "type": type_of(column.dtype),
                "meaning": column.description,
                "unit": column.unit or None,
                "null_meaning": column.null or None,
                "source": column.source_in_words,
                "since": column.since,
                "origin": column.origin.name,
                "licence": column.origin.licence,
            }


def write(connection: duckdb.DuckDBPyConnection, frames: Frames, known: Mapping[str, Examples] | None = None) -> None:
    """Make the tables about the release in the database in use, in place of those it has; all others must be there.

    `known` are examples, by table, that are as they were in the release before.
    """
    examples = {one.name: _lowest_of(connection, one, (known or {}).get(one.name, {})) for one in ALL_TABLES}
    for table in ABOUT_TABLES:
        connection.execute(f"DROP TABLE IF EXISTS {qualified(table)}")
    for statement in script():
        connection.execute(statement)
    for table in ABOUT_TABLES:
        frame = frames[table.name]
        filled = _with_examples(frame, examples) if table is COLUMNS else frame
        connection.from_arrow(filled.to_arrow()).insert_into(qualified(table))


def script() -> Iterator[str]:
    """Statements that make the tables about the release, without rows, with their comments and views."""
    for table in ABOUT_TABLES:
        yield create_table(table)
        yield from comments(table)
        yield f"CREATE OR REPLACE VIEW main.{quoted(table.name)} AS FROM {qualified(table)};"


def examples_in(connection: duckdb.DuckDBPyConnection) -> Mapping[str, Examples]:
    """The examples that the database in use has, by table."""
    found: dict[str, dict[str, str | None]] = {}
    asked = f"SELECT table_name, column_name, example FROM {qualified(COLUMNS)}"  # noqa: S608
    for table, column, example in connection.execute(asked).fetchall():
        found.setdefault(table, {})[column] = example
    return found


def still_lowest(examples: Examples, rows: Differing) -> Examples:
    """The examples that are still the lowest of their column after these rows went or came.

    Texts are what makes a table long to look through, and an earlier one comes or goes seldom. Days, instants and
    booleans are compared as DuckDB writes them; lists are not.
    """
    held = {}
    instant = pl.col(pl.Datetime).min().cast(pl.String).str.strip_chars_end("0").str.strip_chars_end(".")
    lowest = (pl.col(pl.String).str.head(EXAMPLE).min(), pl.col(pl.Date, pl.Boolean).min().cast(pl.String), instant)
    all_gone, all_new = (side.select(*lowest) for side in (rows.gone, rows.new))
    for name in all_new.columns:
        known = examples.get(name, "")
        gone, new = (side[name].item() for side in (all_gone, all_new))
        if known is None:  # so far no row has a value
            is_lowest = new is None
        else:
            is_lowest = (new is None or new >= known) and (gone is None or gone > known or new == known)
        if is_lowest:
            held[name] = known
    return held


def _lowest_of(connection: duckdb.DuckDBPyConnection, table: Table, known: Examples) -> Examples:
    """The lowest value of each column, whatever the order of the rows; of a view only in the rows of its first key.

    Those that are `known` are not looked for. A number has none: the lowest of counts changes from day to day, and says
    less than the unit. Nor has a list of numbers.
    """
    rows = qualified(table)
    types = {one.name: one.dtype.inner if isinstance(one.dtype, pl.List) else one.dtype for one in table.columns}
    names = [name for name, dtype in types.items() if name not in known and not dtype.is_numeric()]
    if not names:
        return known
    if table.is_view:
        lead = next(one for one in CORE_TABLES if one.key == table.key[:1])
        [key] = map(quoted, lead.key)
        connection.execute(f"SET VARIABLE lowest = (SELECT min({key}) FROM {qualified(lead)})")  # noqa: S608
        rows = f"(FROM {rows} WHERE {key} = getvariable('lowest'))"
    asked = ", ".join(f"left(min({quoted(name)})::VARCHAR, {EXAMPLE})" for name in names)
    [row] = connection.execute(f"SELECT {asked} FROM {rows}").fetchall()  # noqa: S608
    return {**known, **dict(zip(names, row, strict=True))}


def _with_examples(frame: pl.DataFrame, examples: Mapping[str, Examples]) -> pl.DataFrame:
    layers = {table.name: table.layer for table in ALL_TABLES}
    rows = [(layers[table], table, *one) for table in layers for one in examples[table].items()]
    given = pl.DataFrame(rows, schema=["layer", "table_name", "column_name", "example"], orient="row")
    known = frame.drop("example").join(given, on=given.columns[:3], how="left", maintain_order="left")
    return COLUMNS.conform(known)
