"""Exports releases as Delta tables, a version a release.

A table's files are those of the releases, as in the Iceberg export. A commit is put here by its number, whole and only
if there is none, so that of two exports one wins; deltalake reads the log back and makes its checkpoints.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from deltalake import DeltaTable
from deltalake.exceptions import DeltaError

from flows.runtime.now import utc_now
from flows.runtime.progress import track
from paperlake.export import delta_log, releases_of
from paperlake.export.delta_log import LOG, PROTOCOL, Action, Columns
from paperlake.export.releases_of import MANIFEST_SHA256, VERSION, ExportedRelease, first_line
from warehouse.errors import Damaged, Superseded
from warehouse.release import moves
from warehouse.release.latest import require_latest
from warehouse.release.manifest import Erratum, File, TableFiles
from warehouse.store.store import S3Options, Store

CHECKPOINT: Final = 10  # commits; a reader begins at the last checkpoint and reads each commit after it


class DeltaTableState(NamedTuple):
    """A Delta table as its log describes it; `releases` are its commits' versions and manifest hashes, in order."""

    number: int
    files: frozenset[str]
    columns: Columns
    properties: dict[str, str]
    releases: dict[str, str]
    current: str


NO_TABLE: Final = DeltaTableState(-1, frozenset(), [], {}, {}, "")


class DeltaTarget(NamedTuple):
    """A place for Delta tables, a folder each."""

    store: Store
    options: dict[str, str]

    def place(self, name: str) -> str:
        return str(self.store.folder.resolve() / name) if self.store.folder else f"{self.store.url}/{name}"

    def open(self, name: str) -> DeltaTableState:
        """A table that has a log; Damaged where that cannot be read."""
        try:
            found = DeltaTable(self.place(name), storage_options=self.options)
        except DeltaError as error:
            fault = f"the log of {self.place(name)} is not what an export left there ({first_line(error)})"
            raise Damaged(f"{fault}; restore it from a copy, or export to another place") from error
        commits = [commit for commit in found.history() if VERSION in commit]  # the newest first
        described = found.metadata()
        return DeltaTableState(
            found.version(),
            frozenset(pa.table(found.get_add_actions())["path"].to_pylist()),
            json.loads(found.schema().to_json())["fields"],
            {"comment": described.description or ""} | dict(described.configuration),
            {commit[VERSION]: commit[MANIFEST_SHA256] for commit in reversed(commits)},
            commits[0][VERSION] if commits else "",
        )

    def commit(self, name: str, number: int, actions: Sequence[Action]) -> None:
        """Write a commit to the log; Superseded where another export came first."""
        if not self.store.put_new(f"{name}/{LOG}/{number:020}.json", delta_log.encoded(actions)):
            raise Superseded(f"another export to {self.store.url} came first; run it again")
        if number and number % CHECKPOINT == 0:
            DeltaTable(self.place(name), storage_options=self.options).create_checkpoint()


def export_delta(lake: Store, place: Store, s3: S3Options, *, history: bool) -> str:
    """Bring the tables up to the latest release, following `latest` back and forth; returns a summary line."""
    require_latest(lake)
    past, target = moves.moves(lake), DeltaTarget(place, storage_options(s3))
    names = sorted({key.partition("/")[0] for key in place.list() if f"/{LOG}/" in key})
    tables = {name: target.open(name) for name in names}
    releases_of.require_same_lake(place.url, past, (table.releases for table in tables.values()))
    done = releases_of.done_in_all(table.releases for table in tables.values())
    copied: list[File] = []
    pending = releases_of.pending(lake, past, done, history=history)
    for release in pending:
        parts = release.tables
        for name, part in track(parts.items(), f"exporting {release.version}", len(parts)):
            table = tables.get(name, NO_TABLE)
            if release is not pending[-1] and release.version in table.releases:
                continue
            copied += releases_of.copy_files(lake, release, part.files, place, name)
            if actions := changes(target, table, release, part, past[-1].errata):
                target.commit(name, table.number + 1, actions)
                tables[name] = target.open(name)
    summary = f"release {past[-1].version} is in {place.url}: {len(copied)} files copied"
    return f"{summary} ({sum(file.bytes for file in copied) / 1e6:.1f} MB)"


def changes(
    target: DeltaTarget, table: DeltaTableState, release: ExportedRelease, part: TableFiles, errata: Sequence[Erratum]
) -> list[Action]:
    """The actions that make the table that of the release; none where it is already, with all its properties."""
    at, wanted = delta_log.milliseconds(utc_now()), {releases_of.data_key(file): file for file in part.files}
    new = [key for key in wanted if key not in table.files]
    columns = table.columns
    if new:
        with target.store.open(f"{part.name}/{new[0]}") as file:
            schema = pq.read_schema(file)
        columns = delta_log.widened(
            part.name, columns, delta_log.columns_of(schema, releases_of.column_docs(part.name))
        )
    properties = releases_of.table_properties(part.name) | releases_of.errata_properties(part.name, errata)
    is_unchanged = (columns, properties) == (table.columns, table.properties)
    if is_unchanged and release.version == table.current:
        return []
    return [
        delta_log.commit_info(release, at),
        *([PROTOCOL] if table == NO_TABLE else []),
        *([] if is_unchanged else [delta_log.described(part.name, target.place(part.name), columns, properties)]),
        *(delta_log.removed(path, at) for path in sorted(table.files - wanted.keys())),
        *(delta_log.added(part, wanted[key], at) for key in new),
    ]


def storage_options(s3: S3Options) -> dict[str, str]:
    """The options of deltalake for the bucket of these settings."""
    known = {
        "AWS_ENDPOINT_URL": s3.endpoint_url,
        "AWS_REGION": s3.region or "us-east-1",
        "AWS_ACCESS_KEY_ID": s3.access_key_id,
        "AWS_SECRET_ACCESS_KEY": s3.secret_access_key,
        "AWS_ALLOW_HTTP": "true" if (s3.endpoint_url or "").startswith("http:") else None,
    }
    return {key: text for key, text in known.items() if text}
