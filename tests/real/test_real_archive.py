"""All real captures land, once, and every record of them reads back."""

from datetime import datetime
from pathlib import Path

from flows.steps.land_inputs import captures_from
from tests.real.folder import captures
from warehouse.archive.archive import Archive, Damage
from warehouse.archive.captured import Capture, Limits
from warehouse.store.opening import open_store

NOW = datetime.fromisoformat("2026-11-21T00:00:00")


def test_land_all_twice_and_verify(tmp_path: Path) -> None:
    archive = Archive(open_store(str(tmp_path / "lake")))
    pages = captures()
    first = archive.write(pages, now=NOW)
    assert (first.landed_count, first.skipped_count, first.refused) == (494, 0, ())
    assert first.payload_bytes == sum(len(capture.payload) for capture in pages)
    again = archive.write(pages, now=NOW)
    assert (again.landed_count, again.skipped_count, again.warcs) == (0, 494, ())
    found = list(archive.verify())
    assert len(found) == 494
    assert not [one for one in found if isinstance(one, Damage)]
    assert {capture.capture_id for capture in archive.captures(archive.index())} == set(first.capture_ids)


def test_its_own_warc_files_hold_the_same_captures(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "lake"))
    archive = Archive(store)
    landed = archive.write(captures(), now=NOW)
    folder = store.local_path("raw/warc")
    assert folder is not None
    again = [page.capture_id for page in captures_from([folder], Limits()) if isinstance(page, Capture)]
    assert sorted(again) == sorted(landed.capture_ids)
