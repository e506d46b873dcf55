"""Corrections: values that the source has wrong are set right in the derived tables, never in `sightings`.

A correction names the value that it was made for. Where the source has another one now, even the right one, a person
has to look at it: the build ends with an error that says so.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from typing import Final

import polars as pl
from msgspec import Struct

from transforms.timeline import in_time
from warehouse.archive.captured import in_utc
from warehouse.errors import GateClosed
from warehouse.schema.columns import CONTRADICTED
from warehouse.schema.core.conflicts import CORRECTABLE, CORRECTIONS, correctable
from warehouse.schema.core.papers import PAPERS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.ddl import type_of
from warehouse.schema.shared import JUDGED_BASIS
from warehouse.schema.table import Column, Table

DECLARED: Final = pl.Schema({name: dtype for name, dtype in CORRECTIONS.schema.items() if name != "capture_id"})
NONE: Final = DECLARED.to_frame()
CELL: Final = CORRECTIONS.key
BASIS: Final = "published_basis"
BITS: Final = 31  # of a number of 32 bits, without its sign
NAMED: Final = 10  # wrong entries that an error names


class Correction(Struct, frozen=True, forbid_unknown_fields=True):
    """One entry of the file, every value as text."""

    table: str
    key: dict[str, str]
    column: str
    seen: str | None
    right: str | None
    reason: str
    source: str
    reported_on: date | None = None
    reported_to: str | None = None

    def __str__(self) -> str:
        return f"{self.table} {json.dumps(self.key, ensure_ascii=False)} {self.column}"


def declared(entries: Iterable[Correction]) -> pl.DataFrame:
    """The entries as rows, sorted, with values in canonical form; GateClosed names each entry that is not valid."""
    rows, wrong = [], []
    for entry in entries:
        try:
            rows.append(row_of(entry))
        except ValueError as error:
            wrong.append(f"{entry}: {error}")
    frame = pl.DataFrame(rows, DECLARED).sort(CELL)
    twice = frame.filter(frame.select(CELL).is_duplicated()).unique(CELL, maintain_order=True)
    _require([*wrong, *_lines_of(twice, "the file has it twice; remove one of the two")])
    return frame


def corrected(tables: dict[str, pl.DataFrame], entries: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """The tables with the corrections of their papers applied, and the table `corrections` of those applied.

    GateClosed where an entry's row does not exist, or has another value than the entry was made for.
    """
    of_these = entries.join(tables[PAPERS.name], on="paper_id", how="semi", maintain_order="left")
    made, applied, wrong = dict(tables), [CORRECTIONS.empty()], list[str]()
    for (name, column), some in of_these.group_by("table_name", "column_name", maintain_order=True):
        table = CORRECTABLE[str(name)]
        cells = cells_of(some, table, str(column)).join(
            made[table.name].select(*table.key, "capture_id", now=str(column), is_there=True),
            on=table.key,
            how="left",
            maintain_order="left",
        )
        wrong += _faults(cells, str(column))
        right = cells.select(*table.key, pl.col("right").alias(str(column)))
        made[table.name] = table.conform(made[table.name].update(right, on=table.key, include_nulls=True))
        applied.append(with_pages(cells, table, str(column), tables[SIGHTINGS.name]))
    _require(wrong)
    return made | {CORRECTIONS.name: CORRECTIONS.conform(pl.concat(applied))}


def followed(papers: pl.DataFrame, applied: pl.DataFrame) -> pl.DataFrame:
    """The papers with the basis of days that were corrected, if no entry has it: the arXiv id judges them anew."""
    days, bases = (applied.filter(column_name=name)["paper_id"].implode() for name in ("published_on", BASIS))
    is_anew = pl.col("paper_id").is_in(days) & ~pl.col("paper_id").is_in(bases)
    sound = pl.when(is_anew & (pl.col(BASIS) == CONTRADICTED)).then(pl.lit("stated")).otherwise(BASIS)
    judged = pl.when(is_anew).then(pl.sql_expr(JUDGED_BASIS)).otherwise(BASIS)
    return papers.with_columns(sound.alias(BASIS)).with_columns(judged.alias(BASIS))


def require_applied(entries: pl.DataFrame, applied: pl.DataFrame) -> None:
    """Raise GateClosed for entries whose paper does not exist; `applied` has the keys of all that were applied."""
    lost = entries.join(applied, on=CELL, how="anti", maintain_order="left")
    _require(_lines_of(lost, "there is no such paper; remove the entry, or give the paper_id that it has now"))


def touched(before: pl.DataFrame, after: pl.DataFrame) -> list[str]:
    """Ids of papers with an entry that only one of the two has."""
    pairs = ((before, after), (after, before))
    return [
        paper_id
        for one, other in pairs
        for paper_id in one.join(other, on=one.columns, how="anti", nulls_equal=True)["paper_id"]
    ]


def row_of(entry: Correction) -> dict[str, object]:
    """An entry as a row; ValueError says what is wrong with it."""
    table = CORRECTABLE.get(entry.table)
    if table is None:
        raise ValueError(f"no table of that name can be corrected; {', '.join(CORRECTABLE)} can")
    if set(entry.key) != set(table.key):
        raise ValueError(f"its key must have {', '.join(table.key)}")
    if entry.column not in correctable(table):
        raise ValueError(f"no column of that name can be corrected; {', '.join(correctable(table))} can")
    if entry.right is None and not table.column(entry.column).is_nullable:
        raise ValueError("this column is never null; give the right value")
    key = {name: _in_form(entry.key[name], table.schema[name]) for name in table.key}
    seen, right = (
        None if text is None else _in_form(text, table.schema[entry.column]) for text in (entry.seen, entry.right)
    )
    if seen == right:
        raise ValueError("the value seen and the one that is right are the same; remove the entry")
    if broken := broken_rules(table.column(entry.column), right):
        raise ValueError(broken)
    said = (entry.reason, entry.source, entry.reported_on, entry.reported_to)
    row_key = json.dumps(key, ensure_ascii=False)
    cell = (table.name, row_key, entry.key["paper_id"], entry.column)
    return dict(zip(DECLARED, (*cell, seen, right, *said), strict=True))


def broken_rules(column: Column, right: str | None) -> str:
    """Which rules of its column a value in canonical form breaks, in words; nothing where it breaks none."""
    value = pl.select(_typed(pl.lit(right, pl.String), column.dtype).alias(column.name))
    return "; ".join(check.detail for check in column.checks() if not value.select(check.holds.fill_null(True)).item())


def _in_form(text: str, dtype: pl.DataType) -> str:
    """The canonical text of a value; ValueError where it is not of the type."""
    try:
        return FORMS[dtype.base_type()](text)
    except (ValueError, KeyError, OverflowError):
        raise ValueError(f"{text!r} is not a {type_of(dtype)}") from None


def _whole(text: str) -> str:
    number = int(text)
    if number.bit_length() > BITS:
        raise OverflowError
    return str(number)


FORMS: Final[dict[object, Callable[[str], str]]] = {
    pl.String: str,
    pl.Int32: _whole,
    pl.Boolean: {"true": "true", "false": "false"}.__getitem__,
    pl.Date: lambda text: date.fromisoformat(text).isoformat(),
    pl.Datetime: lambda text: in_utc(datetime.fromisoformat(text)).isoformat(),
}


def _typed(text: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """Canonical texts as values of the type."""
    if dtype == pl.Date:
        return text.str.to_date("%Y-%m-%d")
    if dtype.base_type() == pl.Datetime:
        return text.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f", time_unit="us")
    return text == "true" if dtype == pl.Boolean else text.cast(dtype)


def _entered(value: object) -> str:
    """A value as an entry would have it."""
    if isinstance(value, date):
        return value.isoformat()
    return repr(value) if isinstance(value, str) else json.dumps(value)


def cells_of(entries: pl.DataFrame, table: Table, column: str) -> pl.DataFrame:
    """The entries of a column with the key of their row, and `seen` and `right` in its type."""
    of_row = pl.col("row_key").str.json_decode(pl.Struct(dict.fromkeys(table.key, pl.String)))
    keys = (_typed(of_row.struct.field(name), table.schema[name]).alias(name) for name in table.key)
    dtype = table.schema[column]
    return entries.with_columns(
        *keys, seen=_typed(pl.col("value_seen"), dtype), right=_typed(pl.col("value_right"), dtype)
    )


def _faults(cells: pl.DataFrame, column: str) -> Iterator[str]:
    """A line for each entry that has no row, or that was made for another value than the source has."""
    is_there, is_as_seen = pl.col("is_there").is_not_null(), pl.col("now").eq_missing(pl.col("seen"))
    is_right = pl.col("now").eq_missing(pl.col("right"))
    yield from _lines_of(cells.filter(~is_there), "there is no such row; remove the entry, or mend its key")
    done = cells.filter(is_there & is_right)
    yield from _lines_of(done, "the source has made this correction itself; remove the entry")
    for row in cells.filter(is_there & ~is_right & ~is_as_seen).iter_rows(named=True):
        yield (
            f"{_name(row)}: the source says {_entered(row['now'])} now, and the entry is for {_entered(row['seen'])}; "
            f"look at it again: mend `seen`, or remove the entry, if this {column} is right"
        )


def with_pages(cells: pl.DataFrame, table: Table, column: str, sightings: pl.DataFrame) -> pl.DataFrame:
    """The entries with the page that shows the value seen: in `papers` the last one that did, else that of the row."""
    if table.name == PAPERS.name and column in SIGHTINGS.schema:
        said = sightings.select("paper_id", "observed_at", "capture_id", "position", seen=column)
        near = said.join(cells.select("paper_id"), on="paper_id", how="semi")
        last = in_time(near).unique(("paper_id", "seen"), keep="last", maintain_order=True)
        pages = last.drop_nulls("seen").select("paper_id", "seen", said_by="capture_id")
        cells = cells.join(pages, on=("paper_id", "seen"), how="left", maintain_order="left").with_columns(
            capture_id=pl.coalesce("said_by", "capture_id")
        )
    return cells.filter(pl.col("capture_id").is_not_null()).select(CORRECTIONS.column_names)


def _lines_of(entries: pl.DataFrame, words: str) -> list[str]:
    return [f"{_name(row)}: {words}" for row in entries.iter_rows(named=True)]


def _name(row: dict[str, object]) -> str:
    return f"{row['table_name']} {row['row_key']} {row['column_name']}"


def _require(wrong: list[str]) -> None:
    if wrong:
        more = [f"and {len(wrong) - NAMED} more"] if len(wrong) > NAMED else []
        head = "corrections that cannot be made (PAPERLAKE_CORRECTIONS names their file); nothing was built:"
        raise GateClosed("\n".join([head, *(f"  {line}" for line in wrong[:NAMED]), *more]))
