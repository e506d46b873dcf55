"""All real captures land, once, and every record of them reads back."""

from datetime import datetime
from pathlib import Path

import pytest

from flows.inputs import captures_from
from warehouse.archive import Archive, Damage
from warehouse.capture import Capture, Limits
from warehouse.store import open_store

CAPTURES = Path(__file__).parents[3] / "shared" / "captures"
NOW = datetime.fromisoformat("2026-11-21T00:00:00")

pytestmark = pytest.mark.skipif(not CAPTURES.is_dir(), reason="the real captures are not beside the repository")


def test_land_all_twice_and_verify(tmp_path: Path) -> None:
    archive = Archive(open_store(str(tmp_path / "lake")))
    pages = list(captures_from([CAPTURES], Limits()))
    assert all(isinstance(page, Capture) for page in pages)
    captures = [page for page in pages if isinstance(page, Capture)]
    first = archive.write(captures, now=NOW)
    assert (first.record_count, first.skipped_count, first.refused) == (494, 0, ())
    assert first.payload_bytes == sum(len(capture.payload) for capture in captures)
    again = archive.write(captures, now=NOW)
    assert (again.record_count, again.skipped_count, again.warcs) == (0, 494, ())
    found = list(archive.verify())
    assert len(found) == 494
    assert not [one for one in found if isinstance(one, Damage)]
    assert {capture.capture_id for capture in archive.captures(archive.index())} == set(first.capture_ids)


def test_its_own_warc_files_hold_the_same_captures(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "lake"))
    archive = Archive(store)
    captures = (page for page in captures_from([CAPTURES], Limits()) if isinstance(page, Capture))
    landed = archive.write(captures, now=NOW)
    folder = store.local_path("raw/warc")
    assert folder is not None
    again = [page.capture_id for page in captures_from([folder], Limits()) if isinstance(page, Capture)]
    assert sorted(again) == sorted(landed.capture_ids)
