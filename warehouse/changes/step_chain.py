"""The steps from an older release to a newer one, and what each does to tables of a known content.

Rows are applied only to the very content that they were made for; any other table is taken whole from the release. So
whoever goes along ends with its rows exactly, also over an erasure, which rewrites releases. What changed on the way
is what to delete from each table, and what to insert into it.

So a copy of a release's tables, in a DuckDB file of one's own, is brought to a later release. Each step is one
transaction, which also notes the release that the copy is at: whatever kills it, the copy is at one release exactly,
and the next run goes on from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from shutil import copymode
from typing import Final, NamedTuple

import duckdb
import polars as pl

from warehouse.changes.row_steps import CHANGE, INDEX, Step, StepKind, TableStep, content_of, described, whole
from warehouse.errors import NothingThere, StepsMissing, StoreFailed, UsageError
from warehouse.release.latest import another_than, noted_erasures, release_key
from warehouse.release.manifest import File, Manifest, Parent, decode
from warehouse.release.moves import order_of
from warehouse.release.snapshot import Snapshot, snapshot_of
from warehouse.schema.ddl import literal, quoted, same_key
from warehouse.store.local_files import LocalFiles, is_place_of_a_file, outside_lakes


class Link(NamedTuple):
    """A release, and the step to it from the one before."""

    release: Snapshot[Manifest]
    step: Step

    @property
    def contents(self) -> dict[str, str]:
        """The content of each table of the release."""
        return {name: content_of(table) for name, table in described(self.release.of).items()}

    def needed(self, held: Mapping[str, str]) -> Iterator[TableStep]:
        """The steps from tables of these contents, by name, to the release's; none for tables that are so already."""
        steps = {step.name: step for step in self.step.tables or ()}
        for name, table in described(self.release.of).items():
            step = steps.get(name)
            if step and step.holds == "rows" and step.before == held.get(name):
                yield step
            elif held.get(name) != content_of(table):
                yield whole(table, step.why_whole if step else "")
        yield from (TableStep(name, "gone") for name in held if name not in described(self.release.of))

    def paths(self, step: TableStep) -> list[Path]:
        """The files of a table's step on this machine; Damaged where one is not what was written."""
        return [sound_path(self.release, key) for key in step.files]


WHOLE: Final = (
    'no steps lead on from there; take the tables that differ whole: "paperlake follow COPY --whole", in Python '
    "whole=True"
)


def sound_path(release: Snapshot[Manifest], key: str) -> Path:
    """A file of a release on this machine, checked; Damaged where it is not what was written, or none of its files."""
    file = next((one for one in release.of.files if one.key == key), File(key, 0, ""))
    if not release.has(file):
        raise another_than(release.files.store, release_key(release.name, key), file)
    return release.path(key)


def links_since(files: LocalFiles, to: Parent, since: str, *, whole: bool) -> list[Link]:
    """The steps from one release to a later one, the first one first.

    With `whole`, or where there is nothing to go on from, the release alone, whose step has no tables.

    StepsMissing where a release between them is gone, or has no step, or where the later one does not follow the other.
    """
    if whole or since in {"", to.version}:
        return [Link(snapshot_of(to, files), Step())]
    found: list[Link] = []
    named: Parent | None = to
    while named is not None and order_of(named.version) > order_of(since):
        try:
            link = stored_link(snapshot_of(named, files))
        except NothingThere as error:
            raise StepsMissing(f"release {named.version}, after {since}, was dropped: {WHOLE}") from error
        if link.step.tables is None:
            raise StepsMissing(f"release {named.version}, after {since}, is of an older paperlake: {WHOLE}")
        found.append(link)
        named = link.release.of.parent
    if named is None or named.version != since:
        raise StepsMissing(f"release {to.version} does not follow {since}: {WHOLE}")
    return found[::-1]


def stored_link(release: Snapshot[Manifest]) -> Link:
    """A release with the step that it carries, which has no tables where an older paperlake made it."""
    data = sound_path(release, INDEX).read_bytes() if any(file.key == INDEX for file in release.of.files) else b"{}"
    return Link(release, decode(data, Step, INDEX))


Taken = tuple[Link, TableStep]  # what a step does to a table, and the release whose files it needs


class TableChanges(NamedTuple):
    """How a table comes from one release to another, exactly.

    `rows`: delete the rows that have the keys of `delete`, then insert `insert`. `whole`: `insert` has all rows, and
    takes the place of the table, whose columns may have been others. `gone`: there is no such table any more.
    """

    holds: StepKind
    delete: pl.DataFrame
    insert: pl.DataFrame


def changes_between(
    files: LocalFiles, to: Parent, since: str, older: Manifest | None, *, whole: bool = False
) -> dict[str, TableChanges]:
    """The tables that differ between the release `since` and a later one; `older` is its manifest, if it is kept still.

    With `whole` each is given whole, which needs no steps. StepsMissing where no steps lead from one to the other,
    Damaged where a file is not what was written.
    """
    links = links_since(files, to, since, whole=whole)
    found: dict[str, list[Taken]] = {}
    held = before = known_contents(links[0], older)
    for link in links:
        for step in link.needed(held):
            found.setdefault(step.name, []).append((link, step))
        held = link.contents
    differing = {name: steps for name, steps in found.items() if not before.get(name) or before[name] != held.get(name)}
    changes = {name: _changes(name, steps, links[-1].release) for name, steps in differing.items()}
    return {name: one for name, one in changes.items() if one.holds != "rows" or one.delete.height or one.insert.height}


def known_contents(first: Link, older: Manifest | None) -> dict[str, str]:
    """The content of each table of the older release, empty where it is not known for certain.

    An erasure rewrites releases: what the step was made for and what is there now must be the same.
    """
    kept = {name: content_of(table) for name, table in described(older).items()} if older else {}
    if first.step.tables is None:
        return kept
    stepped = {step.name: step.before for step in first.step.tables}
    made_for = {**first.contents, **stepped}
    return {name: content if not older or kept.get(name) == content else "" for name, content in made_for.items()}


def _changes(name: str, steps: Sequence[Taken], release: Snapshot[Manifest]) -> TableChanges:
    table = described(release.of).get(name)
    if table is None:
        return TableChanges("gone", pl.DataFrame(), pl.DataFrame())
    if all(step.holds == "rows" for _, step in steps):
        paths = [path for link, step in steps for path in link.paths(step)]
        return composed(paths, steps[-1][1].key)
    rows = pl.read_parquet([sound_path(release, file.key) for file in table.files])
    return TableChanges("whole", pl.DataFrame(), rows)


def composed(paths: Sequence[Path], key: Sequence[str]) -> TableChanges:
    """Steps one after the other as one: a row that came and went is in neither part."""
    if not paths:  # the same rows, in other files
        return TableChanges("rows", pl.DataFrame(), pl.DataFrame())
    rows = pl.concat([pl.read_parquet(path) for path in paths])
    first = rows.unique(key, keep="first", maintain_order=True)
    last = rows.unique(key, keep="last", maintain_order=True)
    delete = first.filter(pl.col(CHANGE) != "insert").select(key).sort(key)
    return TableChanges("rows", delete, last.filter(pl.col(CHANGE) != "delete").drop(CHANGE).sort(key))


AT: Final = "_followed"  # the table in the copy that says at which release it is, and what content each table has
HELD: Final = f"FROM {AT}"
# DuckDB opens a file of CSV or Parquet as a database in memory, with views of it
NAMES: Final = "SELECT table_name FROM duckdb_tables() UNION SELECT view_name FROM duckdb_views() WHERE NOT internal"
NOTED: Final = f"CREATE OR REPLACE TABLE {AT} (version VARCHAR, contents MAP(VARCHAR, VARCHAR), erasure_count INTEGER)"


class CopyState(NamedTuple):
    """The release that a copy is at, empty for a new one, and the content of each of its tables.

    Its file has nothing of whom the first `erasure_count` erasures of the lake erased; an older paperlake counted none.
    """

    version: str
    contents: Mapping[str, str]
    erasure_count: int = 0


def follow(files: LocalFiles, copy: Path, to: Parent, *, whole: bool = False) -> list[str]:
    """Bring a copy, which may not be there yet, to a release; returns the versions that it went through, in order.

    With `whole` it goes there at once, and takes whole each table that differs. StepsMissing where no steps lead there,
    Damaged where a file of the lake is not what was written, UsageError where the file is no copy, or in a lake,
    StoreFailed where it cannot be written.
    """
    failure, copy = "", outside_lakes(copy)
    if not is_place_of_a_file(copy):
        raise UsageError(f"{copy} is no file; name another place")
    erasure_count = len(noted_erasures(files.store))
    try:
        with duckdb.connect(str(copy)) as connection:
            held = state_of(connection, copy)
            gone_through = _followed(files, connection, held, to, whole=whole)
        if held.version and held.erasure_count < erasure_count:
            _write_anew(copy, erasure_count)
    except (OSError, duckdb.IOException, duckdb.TransactionException) as error:
        failure = str(error).partition("\n")[0]
    else:
        return gone_through
    said = f"could not write {copy}, which is as it was after its last step: {failure}"
    raise StoreFailed(f"{said}; free space there, or give your user access to it, and run it again")


def _followed(
    files: LocalFiles, connection: duckdb.DuckDBPyConnection, held: CopyState, to: Parent, *, whole: bool
) -> list[str]:
    gone_through = []
    erasure_count = held.erasure_count if held.version else len(noted_erasures(files.store))
    for link in links_since(files, to, held.version, whole=whole):
        if (after := CopyState(link.release.name, link.contents, erasure_count)) != held:
            apply_step(connection, link, held, after)
            gone_through.append(link.release.name)
        held = after
    return gone_through


def _write_anew(copy: Path, erasure_count: int) -> None:
    """Write a copy's file anew: DuckDB does not clear the blocks of rows that are gone."""
    made = copy.with_name(f".{copy.name}.anew")
    made.unlink(missing_ok=True)
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH {literal(str(copy))} AS held (READ_ONLY)")
        connection.execute(f"ATTACH {literal(str(made))} AS anew")
        connection.execute("COPY FROM DATABASE held TO anew")
        connection.execute("USE anew")
        _note(connection, state_of(connection, copy)._replace(erasure_count=erasure_count))
        connection.execute("USE memory")
        connection.execute("DETACH anew")
    copymode(copy, made)
    made.replace(copy)


def state_of(connection: duckdb.DuckDBPyConnection, copy: Path) -> CopyState:
    """Where a copy is; UsageError where the file is something else."""
    names = {name for (name,) in connection.execute(NAMES).fetchall()}
    if AT in names:
        [held] = connection.execute(HELD).fetchall()
        return CopyState(*held)
    if names:
        raise UsageError(f'{copy} has tables, but is no copy that "paperlake follow" made; name another file')
    return CopyState("", {})


def apply_step(connection: duckdb.DuckDBPyConnection, link: Link, held: CopyState, after: CopyState) -> None:
    """Make the copy that of the release, in one transaction."""
    connection.execute("BEGIN")
    for step in link.needed(held.contents):
        for statement in statements(step, link.paths(step)):
            connection.execute(statement)
    _note(connection, after)
    connection.execute("COMMIT")


def _note(connection: duckdb.DuckDBPyConnection, state: CopyState) -> None:
    connection.execute(NOTED)
    noted = [state.version, dict(state.contents), state.erasure_count]
    connection.execute(f"INSERT INTO {AT} VALUES (?, ?, ?)", noted)  # noqa: S608


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
