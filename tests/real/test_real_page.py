"""The page of the real captures: small, whole, and right in a browser."""

import gzip
from pathlib import Path

import pytest

from flows.runtime.lake import open_lake
from tests.browser import browsing
from tests.chromium import CHROMIUM, served
from tests.release_page import Elements
from warehouse.release.latest import PAGE, release_key, require_latest

MOST_BYTES, MOST_SENT, MOST_PIXELS = 200_000, 45_000, 8_000
PROBE = (Path(__file__).parents[1] / "probe.html").read_bytes()


@pytest.fixture(scope="module")
def page(growing: Path) -> bytes:
    named = require_latest(open_lake(str(growing)))
    return (growing / release_key(named.version, PAGE)).read_bytes()


def test_it_is_small_and_whole(page: bytes) -> None:
    assert len(page) < MOST_BYTES
    assert len(gzip.compress(page)) < MOST_SENT
    elements = Elements(page)
    assert not elements.open
    assert "Newest list: Friday 31 July 2026 34 papers" in elements.words()
    assert len([one for one in elements.named("figure") if one.get("id", "").startswith("figure-")]) == 4


def test_every_list_is_on_the_page_of_coverage(growing: Path) -> None:
    """All but those of weekends and of 2023, of which there is none, up to the day that was open at the last fetch."""
    named = require_latest(open_lake(str(growing)))
    paths = (growing / release_key(named.version, "coverage.html")).parent.glob("coverage*.html")
    pages = {path.name: Elements(path.read_bytes()) for path in paths}
    assert sum(len(page.named("use")) for page in pages.values()) >= 847 - 172
    assert "2023 172 not fetched" in pages["coverage.html"].words()


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: install Debian's `chromium`")
def test_it_is_right_on_a_phone(page: bytes, tmp_path: Path) -> None:
    pages = {"/index.html": page, "/probe.html": PROBE, "/favicon.ico": b""}
    with served(pages) as site, browsing(tmp_path) as browser:
        found = browser.probe(f"{site.address}/probe.html")
    assert [found[view]["wide"] for view in ("desktop", "phone", "scriptless")] == [{"by": 0, "over": []}] * 3
    assert [found[view]["pale"] for view in ("desktop", "phone", "scriptless")] == [[]] * 3
    assert found["phone"]["high"] <= MOST_PIXELS
