"""A copy of a release's tables in a DuckDB file of one's own, brought to a later release step by step.

Each step is one transaction, which also notes the release that the copy is at: whatever kills it, the copy is at one
release exactly, and the next run goes on from there.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import duckdb

from warehouse.changes.row_steps import CHANGE, Step, TableStep
from warehouse.changes.step_chain import Link, links_since, opened_release
from warehouse.errors import StoreFailed, UsageError
from warehouse.release.manifest import Parent
from warehouse.schema.ddl import literal, quoted, same_key
from warehouse.store.local_files import LocalFiles

AT: Final = "_followed"  # the table in the copy that says at which release it is, and what content each table has
HELD: Final = f"SELECT version, contents FROM {AT}"  # noqa: S608
NOTED: Final = f"CREATE OR REPLACE TABLE {AT} (version VARCHAR, contents MAP(VARCHAR, VARCHAR))"


class CopyState(NamedTuple):
    """The release that a copy is at, empty for a new one, and the content of each of its tables."""

    version: str
    contents: Mapping[str, str]


def follow(files: LocalFiles, copy: Path, to: Parent, *, whole: bool = False) -> list[str]:
    """Bring a copy, which may not be there yet, to a release; returns the versions that it went through, in order.

    With `whole` it goes there at once, and takes whole each table that differs. StepsMissing where no steps lead there,
    Damaged where a file of the lake is not what was written, UsageError where the file is no copy, StoreFailed where it
    cannot be written.
    """
    failure = ""
    try:
        with duckdb.connect(str(copy)) as connection:
            return _followed(files, connection, copy, to, whole=whole)
    except (duckdb.IOException, duckdb.TransactionException) as error:
        failure = str(error).partition("\n")[0]
    raise StoreFailed(f"could not write {copy}, which is as it was after its last step: {failure}")


def _followed(
    files: LocalFiles, connection: duckdb.DuckDBPyConnection, copy: Path, to: Parent, *, whole: bool
) -> list[str]:
    held = state_of(connection, copy)
    release = opened_release(files, to)
    at_once = [Link(release, Step())]
    links = at_once if whole or held.version in {"", to.version} else links_since(files, to, held.version)
    gone_through = []
    for link in links:
        if (after := CopyState(link.release.name, link.contents)) != held:
            apply_step(connection, link, held, after)
            gone_through.append(link.release.name)
        held = after
    return gone_through


def state_of(connection: duckdb.DuckDBPyConnection, copy: Path) -> CopyState:
    """Where a copy is; UsageError where the file is something else."""
    names = {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    if AT in names:
        [(version, contents)] = connection.execute(HELD).fetchall()
        return CopyState(version, contents)
    if names:
        raise UsageError(f'{copy} has tables, but is no copy that "paperlake follow" made; name another file')
    return CopyState("", {})


def apply_step(connection: duckdb.DuckDBPyConnection, link: Link, held: CopyState, after: CopyState) -> None:
    """Make the copy that of the release, in one transaction."""
    connection.execute("BEGIN")
    for step in link.needed(held.contents):
        for statement in statements(step, link.paths(step)):
            connection.execute(statement)
    connection.execute(NOTED)
    connection.execute(f"INSERT INTO {AT} VALUES (?, ?)", [after.version, dict(after.contents)])  # noqa: S608
    connection.execute("COMMIT")


def statements(step: TableStep, paths: list[Path]) -> list[str]:
    """The statements that carry out one table's step: the same again changes nothing more."""
    name, rows = quoted(step.name), f"read_parquet([{', '.join(literal(str(path)) for path in paths)}])"
    if step.holds == "gone" or (step.holds == "whole" and not paths):
        return [f"DROP TABLE IF EXISTS {name}"]
    if step.holds == "whole":
        return [f"CREATE OR REPLACE TABLE {name} AS FROM {rows}"]
    if not paths:  # the same rows, in other files
        return []
    return [
        f"DELETE FROM {name} AS held USING {rows} AS step WHERE {same_key(step.key, 'held', 'step')}",  # noqa: S608
        f"INSERT INTO {name} BY NAME SELECT * EXCLUDE ({CHANGE}) FROM {rows} WHERE {CHANGE} <> 'delete'",  # noqa: S608
    ]
