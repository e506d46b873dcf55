"""The page of the real captures: small, whole, and right in a browser."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from flows.documents.page.page import release_page
from tests.chromium import CHROMIUM, served
from tests.release_page import DOCUMENTS, SOUND, Elements, releases
from warehouse.release.manifest import Draft, TableFiles
from warehouse.schema.tables import CORE_TABLES

MOST_BYTES = 400 * 2**10
PROBE = (Path(__file__).parents[1] / "probe.html").read_bytes()


@pytest.fixture(scope="module")
def page(tables: dict[str, pl.DataFrame]) -> bytes:
    described = tuple(TableFiles(table.name, tables[table.name].height, ()) for table in CORE_TABLES)
    draft = Draft("a", 2, "0.1.0", None, 494, "c" * 64, described, (), SOUND.to_json())
    return release_page(draft, releases(60), DOCUMENTS, lambda table: tables[table.name])


def test_it_is_small_and_whole(page: bytes) -> None:
    assert len(page) < MOST_BYTES
    elements = Elements(page)
    assert not elements.open
    assert "Newest list: Friday 31 July 2026 34 papers" in elements.words()
    # Every list but those of weekends, up to the day that was open at the last fetch: 847 in all.
    assert len(elements.named("use")) >= 847


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: install Debian's `chromium`")
def test_it_is_right_on_a_phone(page: bytes, tmp_path: Path) -> None:
    with served({"/index.html": page, "/probe.html": PROBE, "/favicon.ico": b""}) as site:
        found = site.probe("/probe.html", tmp_path)
    assert [found[view]["wide"] for view in ("desktop", "phone", "scriptless")] == [{"by": 0, "over": []}] * 3
    assert [found[view]["pale"] for view in ("desktop", "phone", "scriptless")] == [[]] * 3
