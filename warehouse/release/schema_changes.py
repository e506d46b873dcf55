"""Changes of the schema since a release: core tables with other columns than are declared, and reading them.

Only a table whose columns changed is made anew; where it is one of those that hold what was read from captures,
everything is made from raw. Marts and comments do not count here.
"""

import re

import polars as pl

from warehouse.errors import NewerLake
from warehouse.release.manifest import Draft, Manifest, ReleaseKind
from warehouse.release.snapshot import Snapshot
from warehouse.schema.catalog import CORE_TABLES, schema_digest
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.schema.table import Table


def has_declared_columns(table: Table, release: Snapshot[Manifest | Draft]) -> bool:
    """Whether the release has the table with the columns, and in the revision, that are declared.

    Releases of an older paperlake keep no digest of a table: it is of the first revision there, and its sound Parquet
    files show the columns.
    """
    found = release.tables.get(table.name)
    if found is None or found.schema_sha256:
        return found is not None and found.schema_sha256 == schema_digest(table)
    if table.revision > 1:
        return False
    sound = (release.path(file.key) for file in found.files if release.has(file))
    return all(pl.read_parquet_schema(path) == table.schema for path in sound)


def changed_tables(release: Snapshot[Manifest | Draft]) -> set[str]:
    """Names of the core tables that the release lacks, has with other columns, or has and are no longer declared."""
    same = {table.name for table in CORE_TABLES if has_declared_columns(table, release)}
    return ({table.name for table in CORE_TABLES} | release.tables.keys()) - same


def kind_of(after: Draft | Manifest, before: Manifest | None) -> ReleaseKind:
    """How a release differs from its parent, by the two manifests.

    `structure`: core tables have other columns, or are of another revision. `correction`: of the same pages, by the
    same paperlake, other values are set right (table `corrections`). `data`: anything else, and the first release.
    """
    if before is None:
        return "data"
    if after.schema_version != before.schema_version:
        return "structure"
    same = ("captures_sha256", "code_version")
    files = [[table.files for table in one.tables if table.name == CORRECTIONS.name] for one in (after, before)]
    is_same = all(getattr(after, name) == getattr(before, name) for name in same)
    return "correction" if is_same and files[0] != files[1] else "data"


def read_common(table: Table, release: Snapshot[Manifest]) -> pl.DataFrame:
    """A release's table with the columns declared today; one that it lacks, or has with another type, is all null."""
    stored = (pl.read_parquet(path) for path in release.paths(table.name))
    parts = [
        frame.select(name for name, dtype in table.schema.items() if frame.schema.get(name) == dtype)
        for frame in stored
    ]
    return table.conform(pl.concat([table.empty(), *parts], how="diagonal"))


def require_not_newer(release: Manifest, code_version: str) -> None:
    """Raise NewerLake where a later paperlake made the release: building on it with an older one would lose columns."""
    made, ours = (tuple(map(int, re.findall(r"\d+", text)[:3])) for text in (release.code_version, code_version))
    if made > ours:
        raise NewerLake(
            f"release {release.version} is of paperlake {release.code_version}, whose tables (schema version "
            f"{release.schema_version}) this paperlake {code_version} does not have: upgrade it, or roll back to "
            "a release of its own (docs/upgrading.md)"
        )
