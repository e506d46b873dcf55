"""Small lakes to export: releases of a few tiny tables, and what readers find in the exported ones."""

import warnings
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.table import Table

from warehouse.release import moves
from warehouse.release.latest import LATEST, MANIFEST, parent_of, release_key
from warehouse.release.manifest import File, Latest, Manifest, TableFiles, digest, encode
from warehouse.release.parquet import OLDEST
from warehouse.store.store import Store

AT = datetime(2026, 11, 22, 9)
DAY = "2026.11.22"
Frames = Mapping[str, Sequence[pl.DataFrame]]


def publish(store: Store, tables: Frames) -> Manifest:
    """A release of these tables, each with a file a frame, that follows the latest one."""
    past = moves.moves(store)
    version = f"{DAY}.{len({move.version for move in past}) + 1}"
    parts = tuple(_table(store, version, name, frames) for name, frames in tables.items())
    manifest = Manifest(version, 2, "0.2.0", parent_of(store), 1, "0" * 64, parts, ())
    store.put(release_key(version, MANIFEST), encode(manifest))
    if past:
        moves.publish(store, manifest, at=AT)
    else:  # a release without a draft would be one that has lost its `latest.json`
        store.put(LATEST, encode(Latest(version, digest(encode(manifest)), 1, AT.isoformat(), "published")))
    return manifest


def _table(store: Store, version: str, name: str, frames: Sequence[pl.DataFrame]) -> TableFiles:
    files = []
    for number, frame in enumerate(frames):
        path = store.folder / release_key(version, f"data/{name}/{number}.parquet")
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(frame.to_arrow(compat_level=OLDEST), path, store_schema=False)
        files.append(
            File(f"data/{name}/{number}.parquet", path.stat().st_size, digest(path.read_bytes()), frame.height)
        )
    return TableFiles(name, sum(frame.height for frame in frames), tuple(files))


def papers(*ids: str, **columns: object) -> pl.DataFrame:
    frame = pl.DataFrame(
        {"paper_id": ids, "upvote_count": range(len(ids))}, {"paper_id": pl.String, "upvote_count": pl.Int32}
    )
    return frame.with_columns(**columns)


def catalog(warehouse: Path) -> SqlCatalog:
    return SqlCatalog("paperlake", uri=f"sqlite:///{warehouse}/catalog.sqlite", warehouse=f"file://{warehouse}")


def tables_in(warehouse: Path) -> set[str]:
    with catalog(warehouse) as held:
        return {name for _, name in held.list_tables("paperlake")} if held.namespace_exists("paperlake") else set()


def rows(frame: pl.DataFrame) -> pl.Series:
    """A hash of each row, sorted, to compare two tables."""
    return frame.select(pl.struct(pl.all()).hash(seed=1)).to_series().sort()


def released(store: Store, version: str) -> dict[str, pl.DataFrame]:
    """Every table of a release, as its Parquet has it."""
    manifest = moves.published(store, version)
    return {
        part.name: pl.concat(pl.read_parquet(store.local_path(release_key(version, file.key))) for file in part.files)
        for part in (*manifest.tables, *manifest.marts)
        if part.files
    }


def tree(folder: Path) -> dict[str, str]:
    """Every file with its hash."""
    return {str(path.relative_to(folder)): digest(path.read_bytes()) for path in folder.rglob("*") if path.is_file()}


def read(place: Path, name: str, version: str | None = None) -> pl.DataFrame:
    """An Iceberg table as Polars reads it; as of a release, by its tag."""
    table = loaded(place, name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a planner that is not installed
        return pl.scan_iceberg(table, snapshot_id=table.refs()[version].snapshot_id if version else None).collect()


def loaded(place: Path, name: str = "papers") -> Table:
    with catalog(place) as held:
        return held.load_table(("paperlake", name))
