"""All that changed in each table between two releases, as what to delete from it and what to insert into it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from warehouse.changes.row_steps import CHANGE, Step, StepKind, TableStep, content_of, described
from warehouse.changes.step_chain import Link, links_since, opened_release, sound_path
from warehouse.release.manifest import Manifest, Parent
from warehouse.release.snapshot import Snapshot
from warehouse.store.local_files import LocalFiles

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
    release = opened_release(files, to)
    at_once = [Link(release, Step())]
    links = at_once if whole or since == to.version else links_since(files, to, since)
    found: dict[str, list[Taken]] = {}
    held = before = known_contents(links[0], older)
    for link in links:
        for step in link.needed(held):
            found.setdefault(step.name, []).append((link, step))
        held = link.contents
    differing = {name: steps for name, steps in found.items() if not before.get(name) or before[name] != held.get(name)}
    changes = {name: _changes(name, steps, release) for name, steps in differing.items()}
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
