"""A lake whose latest release was made by an older paperlake, with fewer tables."""

from __future__ import annotations

from pathlib import Path

import msgspec

from flows.runtime.lake import open_lake
from flows.steps.read_back import verify_release
from tests.flows import steps
from warehouse.release.latest import LATEST, MANIFEST, latest_manifest, release_key
from warehouse.release.manifest import Latest, digest, encode
from warehouse.schema.tables import CORE_TABLES, SCHEMA_VERSION

NEW_IN_2 = {"conflicts", "paper_versions"}


def _make_old(lake: str) -> None:
    """Let the latest release be one of schema 1: its manifest knows no table that came with 2."""
    store = open_lake(lake)
    manifest = latest_manifest(store)
    assert manifest is not None
    tables = tuple(table for table in manifest.tables if table.name not in NEW_IN_2)
    old = encode(msgspec.structs.replace(manifest, schema_version=1, tables=tables))
    store.put(release_key(manifest.version, MANIFEST), old)
    store.put(LATEST, encode(Latest(manifest.version, digest(old))))


def test_it_verifies_and_the_next_build_makes_everything_anew(lake: str, sample: Path) -> None:
    steps.run(lake, [sample / "2024-03-14-morning.json"])
    _make_old(lake)
    _, wrong = verify_release(open_lake(lake))
    assert wrong == []
    manifest = steps.publish_new(lake)  # no new capture, and yet a new release: every table is another
    assert manifest is not None
    assert manifest.schema_version == SCHEMA_VERSION
    assert [table.name for table in manifest.tables] == [table.name for table in CORE_TABLES]
