"""Masking a person in tables: what becomes of a value follows from whose its column says it is.

A release's database is copied without the person into a new file, so that no free block holds what was masked. It is
made from the old file, of whichever paperlake: tables, views, macros and comments are copied as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import duckdb
import polars as pl

from warehouse.people.person import Person
from warehouse.schema.catalog import ABOUT_TABLES, ALL_TABLES, FILE
from warehouse.schema.catalog import TABLES as TABLES_LIST
from warehouse.schema.core.captures import CAPTURES, SCHEMA_PATHS
from warehouse.schema.core.conflicts import CONFLICTS
from warehouse.schema.ddl import literal, quoted
from warehouse.schema.table import Column, Table, Whose

Masked = Callable[[str], str]
# Of a column that no table declares any more: a mask too many is better than a person who is left
UNKNOWN: Final[Whose] = "account"
PRINTED: Final[frozenset[Whose]] = frozenset({"prose", "organization"})  # in which a word may be anybody's login
FIELD_OF: Final = {CONFLICTS.name: "field", SCHEMA_PATHS.name: "path"}  # which says of what each row has a value


def masked_frame(person: Person, table: str, frame: pl.DataFrame) -> tuple[pl.DataFrame, dict[str, int]]:
    """The rows of a table with the person masked, and the number of changed rows of each column that has any."""
    made, changed = frame, dict[str, int]()
    for name, dtype in frame.schema.items():
        whose, column = _whose(table, name), _declared().get(("", name))
        login = column.named_by if column else ""
        is_by_itself = isinstance(whose, str) and whose != "matched" and login not in frame.columns
        if is_by_itself and not any(_hits(person, leaf) for leaf in _leaves(frame[name])):
            continue  # as nearly all are
        if login in frame.columns:
            masked = _names_without(person, frame, name, login)
        elif whose == "cell":
            masked = _cells_without(person, frame, name)
        elif whose == "any" and (field := FIELD_OF.get(table)) in frame.columns:
            masked = _values_without(person, frame, name, field)
        else:
            masked = frame.select(_without(person, pl.col(name), frame[name], dtype, whose).alias(name))[name]
        if whose == "matched":
            masked = masked.set(_is_matched(person, table, frame), None)
        if rows := int(frame[name].ne_missing(masked).sum()):
            made, changed[name] = made.with_columns(masked), rows
    return made, changed


def may_hold(person: Person, table: str, rows: pl.LazyFrame) -> bool:
    """Whether a table may hold something to mask: else nothing of it changes. It reads texts alone.

    The coarse pattern matches in any of them, or their mask stands where a printed name is beside it.
    """
    looks = list[pl.Expr]()
    for name, dtype in rows.collect_schema().items():
        whose = _whose(table, name)
        has_mask = not {"matched", "cell"}.isdisjoint([whose] if isinstance(whose, str) else whose.values())
        looks += _matches(pl.col(name), dtype, f"{person.either}|{person.mask}" if has_mask else person.either)
    return bool(looks) and rows.select(pl.any_horizontal(looks)).collect().item()


def _matches(texts: pl.Expr, dtype: pl.DataType, pattern: str) -> Iterator[pl.Expr]:
    """Whether a pattern matches in any text of a column, at any depth: one expression for each part that has texts."""
    if dtype == pl.String:
        yield texts.str.contains(pattern).any()
    elif isinstance(dtype, pl.List):
        yield from _matches(texts.explode(), dtype.inner, pattern)  # type: ignore[arg-type]
    elif isinstance(dtype, pl.Struct):
        for one in dtype.fields:
            yield from _matches(texts.struct.field(one.name), one.dtype, pattern)  # type: ignore[arg-type]


def words_in(person: Person, frame: pl.DataFrame) -> int:
    """How often a login stands in the texts of the frame as a whole word."""
    texts = (text for column in frame for leaf in _leaves(column) for text in _hits(person, leaf))
    return sum(map(person.words_in, texts))


@cache
def _declared() -> dict[tuple[str, str], Column]:
    """Every column, by table and name; and by its name alone, for tables that only older releases have."""
    found: dict[tuple[str, str], Column] = {}
    for table in (*ALL_TABLES, *ABOUT_TABLES):
        for column in table.columns:
            found.setdefault(("", column.name), column)
            found[table.name, column.name] = column
    return found


@cache
def _by_source() -> dict[str, Column]:
    """Columns by the path of a page that they are read from."""
    return {source: column for table in ALL_TABLES for column in table.columns for source in column.sources}


def _whose(table: str, name: str) -> Whose | Mapping[str, Whose]:
    column = _declared().get((table, name)) or _declared().get(("", name))
    if column is None:
        return UNKNOWN
    return column.whose or "none"


def _without(
    person: Person, value: pl.Expr, series: pl.Series, dtype: pl.DataType, whose: Whose | Mapping[str, Whose]
) -> pl.Expr:
    """The column with the person masked, at any depth; `series` has its values."""
    if isinstance(dtype, pl.List):
        inner: pl.DataType = dtype.inner  # type: ignore[assignment]
        if not any(len(_hits(person, leaf)) for leaf in _leaves(series)):
            return value
        return value.list.eval(_without(person, pl.element(), series.explode(), inner, whose))
    if isinstance(dtype, pl.Struct):
        return _struct_without(person, value, series, dtype, whose)
    if dtype != pl.String or isinstance(whose, Mapping):
        return value
    mask = _masks(person)[whose]
    masked = {text: mask(text) for text in _hits(person, series)}
    changed = {text: new for text, new in masked.items() if new != text}
    return value.replace(changed) if changed else value


def _struct_without(
    person: Person, value: pl.Expr, series: pl.Series, dtype: pl.Struct, whose: Whose | Mapping[str, Whose]
) -> pl.Expr:
    fields: dict[str, pl.Expr] = {}
    of = {one.name: whose.get(one.name, "none") if isinstance(whose, Mapping) else whose for one in dtype.fields}
    matched = [name for name, one in of.items() if one == "matched"]
    texts = {one.name: series.struct.field(one.name) for one in dtype.fields}
    is_theirs = pl.any_horizontal(
        [value.struct.field(name).is_in(_theirs(person, texts[name])) for name in matched] or [pl.lit(value=False)]
    )
    for one in dtype.fields:
        part = value.struct.field(one.name)
        if one.name in matched:
            part = pl.when(~is_theirs.fill_null(value=False)).then(part)
        else:
            part = _without(person, part, texts[one.name], one.dtype, of[one.name])  # type: ignore[arg-type]
        fields[one.name] = part.alias(one.name)
    return pl.when(value.is_not_null()).then(pl.struct(fields.values()))


def _masks(person: Person) -> Mapping[Whose, Masked]:
    return {
        "account": person.of_value,
        "matched": lambda text: text,  # left empty as a whole: a mask beside a printed name would lead to it
        "author": person.of_author,
        "organization": person.of_printed,
        "prose": person.of_printed,
        "citation": person.of_citation,
        "cell": lambda text: person.of_author(text) if " " in text else person.of_unknown(text),  # an example of one
        "any": person.of_any,
        "none": lambda text: text,
    }


def _is_matched(person: Person, table: str, frame: pl.DataFrame) -> pl.Series:
    """The rows whose printed author was matched to an account of theirs."""
    found = pl.repeat(value=False, n=frame.height, eager=True)
    for name in frame.columns:
        if _whose(table, name) == "matched" and frame.schema[name] == pl.String:
            found |= frame[name].is_in(_theirs(person, frame[name])).fill_null(value=False)
    return found


def _names_without(person: Person, frame: pl.DataFrame, name: str, login: str) -> pl.Series:
    """Names masked where the login beside them is theirs, or there is none: others may go by the same name."""
    names = {text: person.of_name(text) for text in _hits(person, frame[name])}
    own = pl.col(login).is_null() | pl.col(login).is_in(_theirs(person, frame[login]))
    masked = pl.when(own).then(pl.col(name).replace(names)).otherwise(pl.col(name))
    return frame.select(masked.alias(name)).to_series()


def _cells_without(person: Person, frame: pl.DataFrame, name: str) -> pl.Series:
    """Values, each of the column that its row names, masked as that column's are."""
    masks, made = _masks(person), list[str | None]()
    for table, column, text in frame.select("table_name", "column_name", name).iter_rows():
        whose, of = _whose(table, column), _declared().get((table, column))
        if text is None or (whose == "matched" and (person.is_login(text) or text == person.mask)):
            made.append(None)
        elif of is not None and of.named_by:
            made.append(person.of_name(text))
        else:
            made.append(masks["any" if isinstance(whose, Mapping) else whose](text))
    return pl.Series(name, made, pl.String)


def _values_without(person: Person, frame: pl.DataFrame, name: str, field: str) -> pl.Series:
    """Values of any field, masked; those of printed text as pages mask it, where a title or a name may be a login."""
    masks, hits, made = _masks(person), set(_hits(person, frame[name])), list[str | None]()
    for said, text in frame.select(field, name).iter_rows():
        of = _declared().get(("", said)) or _by_source().get(said)
        whose = of.whose if of is not None and isinstance(of.whose, str) else None
        made.append(masks[whose if whose in PRINTED else "any"](text) if text in hits else text)
    return pl.Series(name, made, pl.String)


def _theirs(person: Person, logins: pl.Series) -> list[str]:
    """The logins that are theirs, as they are spelt, and their mask."""
    return [*(text for text in _hits(person, logins) if person.is_login(text)), person.mask]


def _leaves(series: pl.Series) -> Iterator[pl.Series]:
    """The texts of a column, at any depth."""
    if series.dtype == pl.String:
        yield series
    elif isinstance(series.dtype, pl.List):
        yield from _leaves(series.explode())
    elif isinstance(series.dtype, pl.Struct):
        for one in series.dtype.fields:
            yield from _leaves(series.struct.field(one.name))


def _hits(person: Person, series: pl.Series) -> list[str]:
    """The distinct values that the coarse pattern matches."""
    if series.dtype != pl.String:
        return []
    is_hit = series.str.contains(person.either)
    return series.filter(is_hit).unique().to_list() if is_hit.any() else []


TABLES = """
SELECT schema_name, table_name, list(column_name) FILTER (data_type LIKE '%VARCHAR%' OR data_type = 'JSON')
FROM duckdb_tables() JOIN duckdb_columns() USING (database_name, schema_name, table_name, table_oid)
WHERE database_name = 'old' AND NOT duckdb_tables.internal GROUP BY ALL ORDER BY min(table_oid)
"""


class Stored(NamedTuple):
    """A table of the database, and those of its columns that have text."""

    schema: str
    name: str
    texts: list[str] | None

    @property
    def place(self) -> str:
        return f"old.{quoted(self.schema)}.{quoted(self.name)}"


def copied(source: Path, target: Path, person: Person, captures: pl.DataFrame, layout: str) -> None:
    """Write the database with the person masked.

    `captures` has new digests of pages that were rewritten, `layout` are the options of the file.
    """
    with duckdb.connect() as connection:
        connection.execute("SET experimental_metadata_reuse = false")
        connection.execute(f"ATTACH {literal(str(source))} AS old (READ_ONLY)")
        connection.execute(f"ATTACH {literal(str(target))} AS lake ({layout})")
        connection.execute("COPY FROM DATABASE old TO lake (SCHEMA)")
        connection.execute("BEGIN")
        tables = _stored(connection)
        held = _held(connection, tables, person)
        for table in tables:
            _fill(connection, table, person if table in held else None, captures)
        connection.execute("COMMIT")
        connection.execute("DETACH lake")


def hits_in(source: Path, person: Person) -> dict[str, tuple[dict[str, int], int]]:
    """Tables with something of the person: in how many rows of which columns, and how many words stay."""
    found = {}
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH {literal(str(source))} AS old (READ_ONLY)")
        for table in _held(connection, _stored(connection), person):
            masked, changed = masked_frame(person, table.name, connection.sql(f"FROM {table.place}").pl())
            found[table.name] = changed, words_in(person, masked)
    return found


def about_frames(read: Callable[[Table], pl.DataFrame], person: Person) -> dict[str, pl.DataFrame]:
    """The tables about a release, with the person masked; without the rows of those that are filled last."""
    made = {one.name: masked_frame(person, one.name, one.conform(read(one)))[0] for one in ABOUT_TABLES if one != FILE}
    return made | {TABLES_LIST.name: TABLES_LIST.empty()}


def _fill(connection: duckdb.DuckDBPyConnection, table: Stored, person: Person | None, captures: pl.DataFrame) -> None:
    """Copy a table, with the person masked where it may hold something of them."""
    new = f"lake.{quoted(table.schema)}.{quoted(table.name)}"
    if person is None and table.name != CAPTURES.name:
        connection.execute(f"INSERT INTO {new} SELECT * FROM {table.place}")  # noqa: S608
        return
    rows = connection.sql(f"FROM {table.place}").pl()
    masked = masked_frame(person, table.name, rows)[0] if person else rows
    masked = masked.update(captures, on="capture_id") if table.name == CAPTURES.name else masked
    connection.register("_masked", masked.to_arrow())
    connection.execute(f"INSERT INTO {new} BY NAME SELECT * FROM _masked")  # noqa: S608
    connection.unregister("_masked")


def _stored(connection: duckdb.DuckDBPyConnection) -> list[Stored]:
    return list(map(Stored._make, connection.execute(TABLES).fetchall()))


def _held(connection: duckdb.DuckDBPyConnection, tables: Sequence[Stored], person: Person) -> list[Stored]:
    """The tables in which the coarse pattern matches in any text, at any depth.

    By one query, whose pattern is read once a table.
    """
    looks = " UNION ALL ".join(
        f"SELECT {place} WHERE EXISTS (FROM {table.place} WHERE regexp_matches(concat_ws(chr(0), {texts}), $1))"
        for place, table in enumerate(tables)
        if (texts := ", ".join(map(quoted, table.texts or ())))
    )
    found = {place for (place,) in connection.execute(looks, [person.either]).fetchall()} if looks else set[int]()
    return [table for place, table in enumerate(tables) if place in found]
