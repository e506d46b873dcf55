"""The kind of a release: it follows from its manifest and that of the release before."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from warehouse.release.manifest import File, Manifest, ReleaseKind, TableFiles, decode, encode, long_term
from warehouse.release.schema_changes import kind_of

BEFORE = Manifest("2026.11.20.1", 3, "0.2.0", None, 1, "a" * 64, (TableFiles("corrections", 0, ()),), ())
CORRECTED = (TableFiles("corrections", 1, (File("data/corrections/all.parquet", 9, "b" * 64),)),)


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({}, "data"),
        ({"captures_sha256": "c" * 64}, "data"),
        ({"schema_version": 4, "tables": CORRECTED}, "structure"),
        ({"tables": CORRECTED}, "correction"),
        ({"tables": CORRECTED, "captures_sha256": "c" * 64}, "data"),
        ({"tables": CORRECTED, "code_version": "0.3.0"}, "data"),
    ],
)
def test_each_change_makes_its_kind_of_release(changes: dict[str, object], kind: ReleaseKind) -> None:
    assert kind_of(replace(BEFORE, **changes), BEFORE) == kind


def test_the_first_release_is_data() -> None:
    assert kind_of(BEFORE, None) == "data"


def test_a_manifest_of_an_older_paperlake_is_written_again_as_it_was() -> None:
    """Its signature and its hash are of these bytes."""
    older = encode(replace(BEFORE, marts=CORRECTED))
    assert b"kind" not in older
    assert encode(decode(older, Manifest, "manifest.json")) == older
    assert b'"kind": "data"' in encode(replace(BEFORE, kind="data"))


@pytest.mark.parametrize(
    ("version", "parent", "until"),
    [
        ("2026.11.21.1", None, ""),
        ("2027.01.04.2", "2026.12.31.1", "2032-01-05"),
        ("2027.01.04.2", "2027.01.01.1", ""),
        ("2028.02.29.1", "2027.10.01.1", "2033-03-01"),
    ],
)
def test_the_first_release_of_a_quarter_is_kept_for_five_years(version: str, parent: str | None, until: str) -> None:
    assert long_term(version, parent) == until
