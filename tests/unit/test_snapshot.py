"""A snapshot reads a release or a draft as it was written, and fetches each file of a far lake once."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

import polars as pl
import pytest

from tests.drafts import write_draft
from warehouse.errors import Damaged, NothingThere, StoreFailed
from warehouse.release.manifest import Draft
from warehouse.release.snapshot import open_snapshot
from warehouse.schema.catalog import CORE_TABLES
from warehouse.schema.core.listings import COVERAGE
from warehouse.store import local_files as module
from warehouse.store.local_files import LocalFiles
from warehouse.store.store import Store

DAY = date(2026, 10, 2)


class Far:
    """A store of another machine: what it has is read in ranges, and counted."""

    def __init__(self, store: Store) -> None:
        self.folder, self.url, self._store = None, "s3://far", store
        self.asked: Counter[str] = Counter()
        self.breaks_off = False

    def local_path(self, _key: str) -> None:
        return None

    def read_range(self, key: str, offset: int, length: int) -> bytes:
        if offset and self.breaks_off:
            raise StoreFailed("it broke off")
        self.asked[key] += offset == 0
        return self._store.read_range(key, offset, length)


@pytest.fixture
def draft(store: Store) -> Draft:
    tables = {table.name: table.empty() for table in CORE_TABLES}
    row = {"source": "api", "listed_on": DAY, "is_expected": True, "state": "missing"}
    tables["coverage"] = COVERAGE.conform(pl.DataFrame([row], schema=COVERAGE.schema))
    return write_draft(store, tables)


def path_of(store: Store, draft: Draft) -> Path:
    path = store.local_path(f"drafts/{draft.draft_id}/data/coverage.parquet")
    assert path is not None
    return path


def test_it_does_not_read_damaged_or_missing_files(store: Store, draft: Draft) -> None:
    path = path_of(store, draft)
    path.write_bytes(path.read_bytes()[:-1])
    with open_snapshot(store, draft) as snapshot:
        assert not snapshot.is_sound(COVERAGE)
        with pytest.raises(Damaged, match="paperlake verify"):
            snapshot.read(COVERAGE)
    path.unlink()
    with open_snapshot(store, draft) as snapshot:
        assert not snapshot.is_sound(COVERAGE)
        with pytest.raises(NothingThere):
            snapshot.path("data/coverage.parquet")


def test_each_file_of_a_far_lake_is_fetched_once_and_gone_at_the_end(store: Store, draft: Draft) -> None:
    far = Far(store)
    with open_snapshot(far, draft) as snapshot:
        for _ in range(2):
            assert snapshot.read(COVERAGE).height == 1
        path = snapshot.path("data/coverage.parquet")
        assert path.is_file()
    assert list(far.asked.values()) == [1]
    assert not path.exists()


def test_a_fetch_that_broke_off_is_begun_anew(tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FETCHED_BYTES", 4)
    store.put("data/x", b"twelve bytes")
    far = Far(store)
    far.breaks_off = True
    files = LocalFiles(far, tmp_path)
    with pytest.raises(StoreFailed):
        files.path("data/x")
    far.breaks_off = False
    assert files.path("data/x").read_bytes() == b"twelve bytes"
