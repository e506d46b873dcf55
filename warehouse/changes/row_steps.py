"""The step from a release to the next: the rows of every table and mart that came, went or changed, exactly.

Where only some rows of a table differ, a small Parquet file of the newer release has them, bookkeeping columns too, one
row a key: `_change` says whether the row is to be inserted, updated or deleted, and of a deleted row only the key is
there. A table that cannot be followed by rows is taken `whole`: then its step names the release's own files, so that
nothing is stored twice. Tables that no step names are as they were.
"""

from collections.abc import Collection, Mapping
from io import BytesIO
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

import msgspec
import polars as pl
from msgspec import Struct

from warehouse.changes.diff import Compared
from warehouse.release.manifest import Manifest, TableFiles, digest, encode
from warehouse.release.parquet import Differing, Part
from warehouse.release.snapshot import Snapshot, contents
from warehouse.schema.catalog import DECLARED
from warehouse.schema.table import Table

CHANGE: Final = "_change"  # a column of the files of rows, beside those of the table
INDEX: Final = "changes/index.json"
ROWS: Final = "changes/rows"
StepKind = Literal["rows", "whole", "gone"]
# Why a table is taken whole: the release is the first; the table was added; it has other columns, or of other types; a
# key is there twice; more than half of its rows differ; it could not be compared, as the previous release is damaged; a
# person was erased from it since
WhyWhole = Literal["", "first", "added", "columns", "keys", "most_rows", "not_compared", "erasure"]


class TableStep(Struct, frozen=True, omit_defaults=True):
    """What a step does to one table: it changes rows by `key`, takes it whole, or removes it.

    With the files that it needs, by their keys in the release, and how many rows are inserted, updated and deleted.

    Rows lead from a table with the content `before` alone (`content_of`).
    """

    name: str
    holds: StepKind
    files: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    before: str = ""
    inserted: int = 0
    updated: int = 0
    deleted: int = 0
    why_whole: WhyWhole = ""


class Step(Struct, frozen=True):
    """The tables of the step to a release from its parent, as `changes/index.json` has them.

    None where an older paperlake wrote it.
    """

    tables: tuple[TableStep, ...] | None = None


class MadeStep(NamedTuple):
    """The tables of a step, and the bytes of its files of rows, by their keys in the release."""

    tables: tuple[TableStep, ...] = ()
    files: Mapping[str, bytes] = MappingProxyType({})


NO_STEP: Final = MadeStep()


def described(manifest: Manifest) -> dict[str, TableFiles]:
    """The tables and marts of a release, by name."""
    return {table.name: table for table in (*manifest.tables, *manifest.marts)}


def content_of(table: TableFiles | None) -> str:
    """A hash of a table's files: where it is equal, so are all rows; empty where there is no table."""
    return digest("\n".join(contents(table)).encode()) if table else ""


def rows_key(name: str) -> str:
    """The key of the file that has the rows of a table, in the release to which they lead."""
    return f"{ROWS}/{name}.parquet"


def without_rows(stored: bytes, after: Manifest, names: Collection[str]) -> bytes:
    """`changes/index.json` of a release that was rewritten, in which these tables are taken whole."""
    index: dict[str, Any] = msgspec.json.decode(stored)
    if "tables" not in index:  # of an older paperlake
        return stored
    held = msgspec.convert(index["tables"], tuple[TableStep, ...])
    taken = (whole(table, "erasure") for name, table in described(after).items() if name in names)
    index["tables"] = (*(step for step in held if step.name not in names), *taken)
    return encode(index)


def whole(table: TableFiles, why: WhyWhole) -> TableStep:
    """The step that takes a table as the release has it."""
    key = DECLARED[table.name].key if table.name in DECLARED else ()
    return TableStep(table.name, "whole", tuple(file.key for file in table.files), key, why_whole=why)


class StepMaker:
    """Makes the step to a release out of what a comparison with its parent shows (`compared`, `rows_to`)."""

    def __init__(self, before: Snapshot[Manifest] | None, after: Snapshot[Manifest]) -> None:
        self._before = before
        self._was, self._is = described(before.of) if before else {}, described(after.of)
        self._found: dict[str, TableStep] = {}
        self._files: dict[str, bytes] = {}

    def add(self, of: Compared) -> None:
        """Add a table that differs."""
        name = of.counted.name
        if self._before is None or name not in self._was or name not in self._is:
            return
        shared = contents(self._is[name])
        if all(self._before.has(file) for file in self._was[name].files if file.sha256 not in shared):
            self._found[name] = self._step(DECLARED[name], of)

    def made(self) -> MadeStep:
        """The step; a table that differs, and that was not compared, is taken whole."""
        changed = [table for name, table in self._is.items() if contents(self._was.get(name)) != contents(table)]
        new: WhyWhole = "added" if self._before else "first"
        unseen = (whole(table, "not_compared" if table.name in self._was else new) for table in changed)
        steps = [self._found.get(step.name, step) for step in unseen]
        gone = [TableStep(name, "gone") for name in self._was if name not in self._is]
        return MadeStep((*steps, *gone), self._files)

    def _step(self, table: Table, of: Compared) -> TableStep:
        if [*of.rows.gone.schema.items()] != [*of.rows.new.schema.items()]:
            return whole(self._is[table.name], "columns")
        if not of.rows.is_keyed:
            return whole(self._is[table.name], "keys")
        rows = changed_rows(table, of.rows)
        if 2 * rows.height > of.counted.rows_after:
            return whole(self._is[table.name], "most_rows")
        key = rows_key(table.name)
        if rows.height:  # else the same rows are in other files
            Part(table, key, rows).write(to := BytesIO())
            self._files[key] = to.getvalue()
        counts = dict(rows[CHANGE].value_counts().iter_rows())
        numbers = (counts.get(change, 0) for change in ("insert", "update", "delete"))
        files = (key,) if rows.height else ()
        return TableStep(table.name, "rows", files, table.key, content_of(self._was[table.name]), *numbers)


def changed_rows(table: Table, rows: Differing) -> pl.DataFrame:
    """The rows that differ, one a key, each with its `_change`, in the order of the table's key."""
    deleted, inserted = rows.of_one_side(table.key)
    updated = rows.new.join(rows.gone, on=table.key, how="semi", nulls_equal=True)
    kinds = {"insert": inserted, "update": updated, "delete": deleted.select(table.key)}
    parts = (found.select(pl.lit(change).alias(CHANGE), pl.all()) for change, found in kinds.items())
    typed = (pl.col(name).cast(dtype) for name, dtype in table.schema.items())
    found = pl.concat(parts, how="diagonal").select(CHANGE, *typed)
    return found.sort(table.key, nulls_last=False).rechunk()
