"""`changes/since/<version>.json`: what was added, changed and removed since an older release.

Each is made of the previous release's file and of what is new in this one, so that its cost does not grow with its
reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    """Keys of one table with the same change and cause, each as a JSON array of the key's values; one cause a key."""

    table: str
    change: str
    cause: str
    keys: tuple[str, ...]


class Since(Struct, frozen=True):
    """How `version` differs from the older release `since`; in the tables of `whole` more changed than `keys` list.

    A key that changed, and came back to what it was, may be among those that changed.
    """

    version: str
    since: str
    whole: tuple[str, ...]
    keys: tuple[Keys, ...]

    @classmethod
    def of(cls, version: str, parent: str, changes: pl.DataFrame) -> Since:
        """How a release differs from its parent, by the rows of `_changes`: of each key the strongest cause."""
        rows = changes.rename({"table_name": "table", "keys": "key"})
        cut = rows.filter(~pl.col("change").is_in(KEYED) | (pl.col("cell_count") > pl.col("key").list.len()))
        whole = tuple(cut["table"].unique().sort())
        keys = rows.filter(pl.col("change").is_in(KEYED)).explode("key").sort(pl.col("cause").replace_strict(STRENGTH))
        return cls(version, parent, whole, _listed(keys.unique(("table", "key"), keep="first"), whole))

    def then(self, new: Since) -> Since:
        """This followed by `new`, of the next release, as one difference."""
        both = self.frame().join(new.frame(), on=("table", "key"), how="full", coalesce=True, suffix="_now")
        change, now = pl.col("change"), pl.col("change_now")
        both = both.filter(~((change == "added") & (now == "removed")).fill_null(False))  # it came, and went
        stays_added = (change == "added") & (now == "changed")
        keys = both.select(
            "table",
            "key",
            pl.when(change.is_null() | now.is_null() | stays_added)
            .then(pl.coalesce(change, now))
            .when(now == "removed")
            .then(now)
            .otherwise(pl.lit("changed"))
            .alias("change"),
            pl.when(stays_added).then("cause").otherwise(pl.coalesce("cause_now", "cause")).alias("cause"),
        )
        long = keys.group_by("table", "change", "cause").len().filter(pl.col("len") > KEYS_SHOWN)["table"]
        whole = tuple(sorted({*self.whole, *new.whole, *long}))
        return structs.replace(new, since=self.since, whole=whole, keys=_listed(keys, whole))

    def frame(self) -> pl.DataFrame:
        """One row a key."""
        names = dict.fromkeys(("table", "change", "cause"), pl.String())
        rows = [structs.asdict(one) for one in self.keys]
        return pl.DataFrame(rows, {**names, "keys": pl.List(pl.String)}).explode("keys").rename({"keys": "key"})


class Following(Struct, frozen=True):
    """`changes/index.json`: why the release differs from its parent, and the files to follow along by."""

    version: str
    parent: str | None
    why: tuple[Why, ...] | None
    changes: tuple[dict[str, Any], ...]
    since: tuple[str, ...]


def since_files(version: str, parent: Snapshot[Manifest] | None, changes: pl.DataFrame | None) -> dict[str, bytes]:
    """Name → bytes of the files, made of the rows of `_changes`; none where these are not known.

    To the difference from the parent are added the parent's own files, continued: the newest that are sound.
    """
    if parent is None or changes is None:
        return {}
    new = Since.of(version, parent.name, changes)
    files = [file for file in parent.of.files if file.key.startswith(FOLDER) and parent.has(file)]
    found = (decode(parent.path(file.key).read_bytes(), Since, file.key) for file in files)
    older = sorted(found, key=lambda one: [int(part) for part in one.since.split(".")], reverse=True)
    return {f"{one.since}.json": encode(one) for one in (new, *(one.then(new) for one in older[: SINCE - 1]))}


def index_json(notes: Notes, changes: pl.DataFrame, names: Iterable[str]) -> bytes:
    """`changes/index.json`: the names of the files, and the rows of `_changes` without their keys."""
    rows = tuple(changes.drop("keys").iter_rows(named=True))
    since = tuple(f"since/{name}" for name in names)
    return encode(Following(notes.version, notes.parent, notes.why, rows, since))


def _listed(keys: pl.DataFrame, whole: Sequence[str]) -> tuple[Keys, ...]:
    listed = keys.filter(~pl.col("table").is_in(list(whole)))
    grouped = listed.group_by("table", "change", "cause").agg(pl.col("key").sort()).sort("table", "change", "cause")
    return tuple(Keys(table, change, cause, tuple(found)) for table, change, cause, found in grouped.iter_rows())
