"""`changes/since/<version>.json`: what was added, changed and removed since an older release.

Each is that of the release before and what is new in this one, so that it costs what is new, however far back it goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import polars as pl
from msgspec import Struct, structs

from flows.documents.notes import Notes, Why
from warehouse.release.manifest import Manifest, decode, encode
from warehouse.release.snapshot import Snapshot
from warehouse.schema.changes.causes import KEYS_SHOWN, STRENGTH

FOLDER: Final = "changes/since/"
SINCE: Final = 7  # releases back: whoever comes once a week misses none of a daily lake
KEYED: Final = ("added", "removed", "changed")


class Keys(Struct, frozen=True):
    """Keys of one table to which the same happened, each the values of the table's key as JSON; one cause a key."""

    table: str
    change: str
    cause: str
    keys: tuple[str, ...]


class Since(Struct, frozen=True):
    """What `version` has otherwise than the release `since`; of the tables in `whole` more than is listed key by key.

    A key that changed, and came back to what it was, may be among those that changed.
    """

    version: str
    since: str
    whole: tuple[str, ...]
    keys: tuple[Keys, ...]


class Followed(Struct, frozen=True):
    """`changes/index.json`: why the release differs from its parent, and the files to follow along by."""

    version: str
    parent: str | None
    why: tuple[Why, ...] | None
    changes: tuple[dict[str, Any], ...]
    since: tuple[str, ...]


def since_files(version: str, parent: Snapshot[Manifest] | None, changes: pl.DataFrame | None) -> dict[str, bytes]:
    """The files by their names, of the rows of `_changes`; none where these are not known."""
    if parent is None or changes is None:
        return {}
    whole = _whole(changes)
    new = Since(version, parent.name, whole, _listed(_by_key(changes), whole))
    older = [_with(one, new) for one in _of_parent(parent)]
    return {f"{one.since}.json": encode(one) for one in (new, *older)}


def index_json(notes: Notes, changes: pl.DataFrame, names: Iterable[str]) -> bytes:
    """What there is, and the rows of `_changes` but for their keys."""
    rows = tuple(changes.drop("keys").iter_rows(named=True))
    since = tuple(f"since/{name}" for name in names)
    return encode(Followed(notes.version, notes.parent, notes.why, rows, since))


def _of_parent(parent: Snapshot[Manifest]) -> list[Since]:
    """What the parent has, as far as it is sound: the newest, to which its own is one more."""
    files = [file for file in parent.of.files if file.key.startswith(FOLDER) and parent.has(file)]
    found = (decode(parent.path(file.key).read_bytes(), Since, file.key) for file in files)
    return sorted(found, key=lambda one: [int(part) for part in one.since.split(".")], reverse=True)[: SINCE - 1]


def _whole(changes: pl.DataFrame) -> tuple[str, ...]:
    is_cut = pl.col("cell_count") > pl.col("keys").list.len()
    return tuple(changes.filter(is_cut)["table_name"].unique().sort())


def _by_key(changes: pl.DataFrame) -> pl.DataFrame:
    """One row a key, with the strongest cause of what changed of it."""
    strength = pl.col("cause").replace_strict(STRENGTH)
    rows = changes.filter(pl.col("change").is_in(KEYED)).explode("keys").rename({"keys": "key", "table_name": "table"})
    return rows.sort(strength).unique(("table", "key"), keep="first").select("table", "key", "change", "cause")


def _listed(keys: pl.DataFrame, whole: Sequence[str] = ()) -> tuple[Keys, ...]:
    told = keys.filter(~pl.col("table").is_in(list(whole)))
    grouped = told.group_by("table", "change", "cause").agg(pl.col("key").sort()).sort("table", "change", "cause")
    return tuple(Keys(table, change, cause, tuple(key)) for table, change, cause, key in grouped.iter_rows())


def _with(older: Since, new: Since) -> Since:
    """What both tell, one after the other."""
    was, now = _frame(older), _frame(new)
    both = was.join(now, on=("table", "key"), how="full", coalesce=True, suffix="_now")
    is_gone = (pl.col("change") == "added") & (pl.col("change_now") == "removed")
    stays_added = (pl.col("change") == "added") & (pl.col("change_now") == "changed")
    change = (
        pl.when(pl.col("change").is_null() | pl.col("change_now").is_null() | stays_added)
        .then(pl.coalesce("change", "change_now"))
        .when(pl.col("change_now") == "removed")
        .then(pl.lit("removed"))
        .otherwise(pl.lit("changed"))
    )
    cause = pl.when(stays_added).then("cause").otherwise(pl.coalesce("cause_now", "cause"))
    keys = both.filter(~is_gone.fill_null(False)).select("table", "key", change=change, cause=cause)
    long = keys.group_by("table", "change", "cause").len().filter(pl.col("len") > KEYS_SHOWN)["table"]
    whole = tuple(sorted({*older.whole, *new.whole, *long}))
    return structs.replace(new, since=older.since, whole=whole, keys=_listed(keys, whole))


def _frame(since: Since) -> pl.DataFrame:
    names = dict.fromkeys(("table", "change", "cause"), pl.String())
    rows: list[Mapping[str, Any]] = [structs.asdict(one) for one in since.keys]
    return pl.DataFrame(rows, {**names, "keys": pl.List(pl.String)}).explode("keys").rename({"keys": "key"})
