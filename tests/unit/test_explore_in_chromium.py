"""The explorer of a release in a browser: from a list to a paper by mouse and by keyboard; hostile texts stay texts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date, datetime
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote

import polars as pl
import pytest

from flows.documents.explorer.site_files import ASSETS, explore_page, explore_parts
from paperlake.explore.server import ReleaseServer
from tests.browser import Page, browsing, serving
from tests.builders import reader
from tests.chromium import CHROMIUM
from tests.derived import search_tables
from tests.unit.test_untexed import EXAMPLES
from warehouse.release import parquet
from warehouse.release.manifest import File, Manifest, TableFiles
from warehouse.schema.catalog.tables import CORE_TABLES
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.core.links import PAPER_LINKS
from warehouse.schema.core.listings import COVERAGE, DAILY_LISTINGS
from warehouse.schema.core.papers import PAPERS
from warehouse.store.local import LocalStore
from warehouse.untexed import untexed

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: install Debian's `chromium`"),
    pytest.mark.skipif(not ASSETS.exists(), reason="the explorer's assets are not there: make assets"),
]

VERSION = "2026.10.09.1"
AXE = Path(__file__).parents[2] / ".venv/js/node_modules/axe-core/axe.min.js"
DAY, DAY_BEFORE = date(2026, 10, 7), date(2026, 10, 6)
SEEN, LATER = datetime(2026, 10, 8, 2, 30), datetime(2026, 10, 8, 6)
ABSTRACT = "Kettles wait 2x longer. \U0001d518nlike pots, Kettlebench sings."
WORDY = r"We weave \textit{calm} looms, \eg of reeds, and fire kilns. Nothing else."
HOSTILE = "<img src=x onerror=document.title='taken'> \u202eadnU"
TABLES = {table.name: table for table in CORE_TABLES}


def rows() -> dict[str, list[dict[str, Any]]]:
    """Three papers on two days; what is written of the second is hostile."""
    calm = {"paper_id": "2610.00001", "arxiv_id": "2610.00001", "title": "Patient Kettles", "author_count": 2}
    hostile = {"paper_id": "2610.00002", "arxiv_id": "2610.00002", "title": HOSTILE}
    older = {"paper_id": "title:a/b%2F#c", "title": "Folded Maps", "organization_name": "Café Reeds"}
    counts = ((SEEN, 12), (datetime(2026, 10, 9, 2, 30), 40))
    listed = ((DAY, "2610.00001", 1), (DAY, "2610.00002", 2), (DAY_BEFORE, "title:a/b%2F#c", None))
    addresses = ("https://github.com/ada/kettles", "javascript:document.title='taken'")
    return {
        CAPTURES.name: [
            {"capture_id": name, "url": "https://hub.example/api?date=<b>", "fetched_at": at, "item_count": count}
            | {"list_kind": "daily", "listed_on": DAY, "state": "read"}
            for name, at, count in (("c1", SEEN, 1), ("c2", LATER, 2))
        ],
        "sightings": [
            {"capture_id": capture, "position": place, "paper_id": one, "observed_at": SEEN, "upvote_count": count}
            | {"ai_summary": summary}
            for capture, place, one, count, summary in (
                ("c1", 1, "2610.00001", 3, None),
                ("c2", 1, "2610.00002", 9, None),
                ("c2", 2, "2610.00001", 5, r"Kettles are \textbf{timed}."),
            )
        ],
        "paper_aliases": [{"kind": "arxiv_id", "alias": "2610.77777", "paper_id": "2610.00001"}],
        "paper_versions": [
            {"paper_id": "2610.00001", "field": "title", "version_number": number, "text": text}
            for number, text in ((1, "Kettles"), (2, "Patient Kettles"))
        ],
        "paper_systems": [
            {"paper_id": "2610.00001", "name": "Kettlebench", "field": "abstract", "span_start": 37, "span_end": 48}
        ],
        "paper_claims": [
            {"paper_id": "2610.00001", "position": 1, "text": "2x longer", "span_start": 13, "span_end": 22},
            {"paper_id": "2610.00001", "position": 2, "text": "of another text", "span_start": 1, "span_end": 16},
        ],
        COVERAGE.name: [
            {"source": "api", "listed_on": day, "is_expected": True, "state": "complete"} for day in (DAY_BEFORE, DAY)
        ],
        DAILY_LISTINGS.name: [
            {"listed_on": day, "paper_id": one, "rank": rank, "first_seen_at": LATER if rank == 2 else SEEN}
            for day, one, rank in listed
        ],
        PAPERS.name: [one | {"upvote_count": 40, "capture_id": "c1"} for one in (calm, hostile, older)],
        PAPER_LINKS.name: [
            {"paper_id": "2610.00002", "kind": kind, "url": url}
            for kind, url in zip(("github", "project"), addresses, strict=True)
        ],
        "paper_authors": [
            {"paper_id": "2610.00001", "position": place, "name": name} for place, name in ((2, "Bo"), (1, "Ada Lund"))
        ],
        "paper_citations": [{"paper_id": "2610.00001", "bibtex": "@misc{lund2026:2610.00001}"}],
        "paper_texts": [
            {"paper_id": one, "abstract": abstract, "capture_id": "c1"}
            for one, abstract in (("2610.00001", ABSTRACT), ("2610.00002", WORDY))
        ],
        "paper_keywords": [{"paper_id": "2610.00002", "keyword": "</script><b>bold</b>", "capture_id": "c1"}],
        "paper_observations": [
            {"paper_id": "2610.00001", "observed_at": at, "upvote_count": count} for at, count in counts
        ],
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A release of these rows: what the explorer needs of one."""
    made = tmp_path / "lake" / "releases" / VERSION
    tables = []
    frames = {
        name: pl.DataFrame(found, schema=TABLES[name].schema, strict=False, orient="row")
        for name, found in rows().items()
    }
    frames |= search_tables(frames["papers"], frames["paper_texts"])
    for name, frame in frames.items():
        files = []
        for part in parquet.parts(TABLES[name], frame):
            path = made / part.key
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write(path)
            days = frame["listed_on"].cast(str) if name == "daily_listings" else None
            span = {} if days is None else {"first_on": days.min(), "last_on": days.max()}
            files.append(File(part.key, path.stat().st_size, "", **span))
        tables.append(TableFiles(name, frame.height, tuple(files)))
    (made / "explore").mkdir()
    (made / "explore/index.html").write_bytes(explore_page(VERSION, tables))
    parts = explore_parts(tables, reader(frames))
    for name, data in parts.items():
        (made / "explore" / name).parent.mkdir(exist_ok=True)
        (made / "explore" / name).write_bytes(data)
    (made / "manifest.json").write_text("{}")
    return made


@pytest.fixture
def address(page: Page, folder: Path) -> Iterator[str]:
    """Of the explorer, served as `paperlake explore` serves it; the page is left before the files are gone."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    files = tuple(File(path.relative_to(folder).as_posix(), path.stat().st_size, "") for path in paths)
    manifest = Manifest(VERSION, 1, "0", None, 1, "", (), files, b"{}", ())
    lake = folder.parents[1]
    server = ReleaseServer(LocalStore(lake, str(lake)), manifest, 0)
    with serving(server):
        yield server.address
        page.send("Page.navigate", url="about:blank")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browsing(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture(autouse=True)
def loads_and_logs_nothing(page: Page) -> Iterator[None]:
    page.asked.clear()
    page.complaints.clear()
    yield
    outside = [one for one in page.asked if not one.startswith(("http://127.0.0.1:", "data:", "about:"))]
    assert outside == []
    assert page.complaints == []


def text(page: Page) -> str:
    return str(page.value("document.querySelector('main').innerText"))


def titles(page: Page) -> list[str]:
    return list(page.value("[...document.querySelectorAll('.papers .title')].map((one) => one.textContent)"))


def test_from_the_newest_list_to_a_paper_and_back_by_mouse(page: Page, address: str) -> None:
    page.open(f"{address}#/")
    assert titles(page) == ["Patient Kettles", "<img src=x onerror=document.title='taken'> \\u202eadnU"]
    assert "Wednesday, 7 October 2026" in text(page)
    page.click(".papers a")
    page.shown("/paper/2610.00001")
    found = text(page)
    assert found.startswith("Patient Kettles")
    assert "Ada Lund, Bo" in found
    assert "Kettles wait" in found
    assert "capture c1, fetched 2026-10-08 02:30 UTC: https://hub.example/api?date=<b>" in found
    told = page.value("document.querySelector('.chart title').textContent")
    assert told == "Upvotes: from 12 on 2026-10-08 to 40 on 2026-10-09, seen 2 times"
    coins = parse_qs(page.value("document.querySelector('.Z3988').title"))
    assert (coins["rft.atitle"], coins["rft.au"]) == (["Patient Kettles"], ["Ada Lund", "Bo"])
    assert coins["rft_id"] == ["https://arxiv.org/abs/2610.00001"]
    page.click(".facts a[href^='#/list']")
    page.shown("/list/2026-10-07")


def test_from_the_newest_list_to_a_paper_by_keyboard(page: Page, address: str) -> None:
    page.open(f"{address}#/")
    for _ in range(20):
        page.press("Tab")
        if page.value("document.activeElement.matches('.papers a')"):
            break
    page.press("Enter")
    page.shown("/paper/2610.00001")
    assert page.value("document.activeElement.id") == "main"


def test_what_is_hostile_stays_text(page: Page, address: str) -> None:
    page.open(f"{address}#/paper/2610.00002")
    found = text(page)
    assert found.startswith("<img src=x onerror=document.title='taken'> \\u202eadnU")
    assert "</script><b>bold</b>" in found
    assert "javascript:document.title='taken'" in found
    links = page.value("[...document.querySelectorAll('main a')].map((one) => one.protocol)")
    assert set(links) <= {"http:", "https:"}
    assert page.value("document.querySelectorAll('main img, main b, main script').length") == 0
    assert page.value("document.title").startswith("<img src=x")


def test_a_list_can_be_skimmed(page: Page, address: str) -> None:
    page.open(f"{address}#/")
    page.until("document.querySelector('.papers').dataset.skimmed !== undefined")
    summaries = page.value("[...document.querySelectorAll('.papers .summary')].map((one) => one.textContent)")
    assert summaries == ["AI Kettles are timed.", "We weave calm looms, e.g. of reeds, and fire kilns."]
    assert page.value("document.querySelector('.by').textContent") == "Ada Lund, Bo"
    assert page.value("document.querySelector('.code a').href") == "https://github.com/ada/kettles"


def test_keys_lead_from_paper_to_paper_and_to_the_search(page: Page, address: str) -> None:
    page.open(f"{address}#/list/2026-10-07")
    focus = "[...document.querySelectorAll('.title')].indexOf(document.activeElement)"
    steps = []
    for key in ("j", "j", "j", "k"):
        page.press(key)
        steps.append(page.value(focus))
    assert steps == [0, 1, 1, 0]
    page.press("?")
    assert page.value("document.activeElement.id") == "keys"
    page.click("#keys")
    page.press("j")
    assert page.value(focus) == -1
    page.click("#keys")
    page.press("/")
    page.shown("/search/")
    assert page.value("document.activeElement.id") == "words"
    page.type("j/k")
    assert page.value("document.activeElement.value") == "j/k"


def test_the_first_page_searches_and_says_how_old_it_is(page: Page, address: str) -> None:
    page.open(f"{address}#/")
    assert re.search(r"fetched (today|yesterday|[0-9,]+ days ago)", text(page))
    page.press("/")
    page.type("kettles")
    page.press("Enter")
    page.shown("/search/kettles")
    page.until("document.querySelectorAll('.papers li').length === 1")


def test_tex_is_shown_as_elsewhere(page: Page, address: str) -> None:
    page.open(f"{address}#/")
    texts = [text for text, _ in EXAMPLES]
    assert page.asks("tex.js", f"{json.dumps(texts)}.map(m.untexed)") == [untexed(text) for text in texts]


def test_the_abstract_stands_above_the_facts(page: Page, address: str) -> None:
    page.open(f"{address}#/paper/2610.00001")
    order = "document.querySelector('.abstract').compareDocumentPosition(document.querySelector('.facts'))"
    assert page.value(f"{order} & Node.DOCUMENT_POSITION_FOLLOWING") > 0


def test_the_calendar_leads_to_each_list(page: Page, address: str) -> None:
    page.open(f"{address}#/calendar")
    words = page.value("[...document.querySelectorAll('[data-day]')].map((one) => one.getAttribute('aria-label'))")
    assert len(words) == 31
    assert words[5:7] == [
        "Tuesday, 6 October 2026: 1 paper, complete",
        "Wednesday, 7 October 2026: 2 papers, complete",
    ]
    page.click("[data-day='2026-10-06']")
    page.shown("/list/2026-10-06")
    page.click(".papers a")  # an id with a slash, a percent sign and a hash
    page.until("document.querySelector('h1').textContent === 'Folded Maps'")


def test_search_finds_as_one_types(page: Page, address: str) -> None:
    page.open(f"{address}#/search/")
    page.click("#words")
    page.type("fodled")
    page.until("document.querySelectorAll('.papers li').length === 1")
    assert titles(page) == ["Folded Maps"]
    page.open(f"{address}#/search/kettles")
    assert titles(page) == ["Patient Kettles"]
    page.until("document.querySelector('.names') !== null")
    page.open(f"{address}#/search/{quote('author:lund')}")
    assert titles(page) == ["Patient Kettles"]
    page.open(f"{address}#/search/{quote('org:reeds -kettles')}")
    assert titles(page) == ["Folded Maps"]
    page.open(f"{address}#/search/{quote(chr(34) + 'kettlebench sings' + chr(34))}")
    assert titles(page) == ["Patient Kettles"]
    page.open(f"{address}#/search/{quote('since:red')}")
    assert "is not a day" in text(page)


@pytest.mark.parametrize(
    ("paper_id", "places"),
    [
        ("2504.12984", ["all", "2025", "2025-Q2", "2025-04"]),
        ("2512.00001", ["all", "2025", "2025-Q4", "2025-12"]),
        ("hep-th/9901001", ["all", "older", "1999"]),
        ("2113.00001", ["all", "titles", "titles-other"]),
        ("title:a0b1", ["all", "titles", "titles-a"]),
    ],
)
def test_a_paper_is_looked_for_in_the_files_of_its_cohort(page: Page, address: str, paper_id: str, places) -> None:
    page.open(f"{address}#/")
    assert page.asks("cohorts.js", f"m.lineage({paper_id!r})") == places
    assert page.asks("cohorts.js", f"m.mayHold('data/papers/{places[-1]}.parquet', ['x', {paper_id!r}])")
    assert not page.asks("cohorts.js", f"m.mayHold('data/papers/2024-Q1.parquet', [{paper_id!r}])")


def test_a_list_as_it_stood_and_what_joined_late(page: Page, address: str) -> None:
    page.open(f"{address}#/list/2026-10-07")
    assert "1 paper joined after the first capture, at 2026-10-08 02:30 UTC." in text(page)
    assert "joined late, first seen 2026-10-08 06:00 UTC" in text(page)
    page.click(".stood a")
    page.shown("/list/2026-10-07/2026-10-08T02:30")
    assert titles(page) == ["Patient Kettles"]
    assert "3 upvotes" in text(page)
    page.click(".stood a:nth-of-type(2)")
    page.shown("/list/2026-10-07/2026-10-08T06:00")
    assert titles(page)[1] == "Patient Kettles"
    assert "5 upvotes" in text(page)


@pytest.mark.parametrize("path", ["week/2026-W41", "month/2026-10"])
def test_the_papers_of_several_days(page: Page, address: str, path: str) -> None:
    page.open(f"{address}#/{path}")
    assert sorted(titles(page))[1:] == ["Folded Maps", "Patient Kettles"]
    assert "3 papers, most upvotes first, as last seen. Complete lists: 2 of 2 expected." in text(page)


def test_the_calendar_is_walked_by_keyboard(page: Page, address: str) -> None:
    page.open(f"{address}#/calendar/2026")
    page.value("document.querySelector('[data-day=\"2026-10-13\"]').focus()")
    for key in ("ArrowUp", "ArrowLeft", "ArrowRight"):
        page.press(key)
    assert page.value("document.activeElement.dataset.day") == "2026-10-06"
    page.press("Enter")
    page.shown("/list/2026-10-06")
    page.open(f"{address}#/list/2026-10-11")  # a day without a list opens too
    assert "0 papers, counts as last seen. Captured: no list expected." in text(page)


def test_a_paper_by_another_name_with_its_claims_versions_and_citation(page: Page, address: str) -> None:
    page.open(f"{address}#/paper/2610.77777")
    assert "2610.77777 is another name of 2610.00001" in text(page)
    marks = page.value("[...document.querySelectorAll('.abstract mark')].map((one) => one.textContent)")
    assert marks == ["2x longer", "Kettlebench"]  # by code points; one that is not there is left out
    page.value("document.querySelectorAll('.lazy').forEach((one) => one.scrollIntoView())")
    for ends in ("versions", "bibtex", "papers.similar li:nth-child(2)"):
        page.value("document.querySelectorAll('.lazy').forEach((one) => one.scrollIntoView())")
        page.until(f"document.querySelector('.{ends}') !== null")
    assert page.value("[...document.querySelectorAll('.versions ins')].map((one) => one.textContent)") == ["Patient "]
    page.until("document.querySelector('.bibtex').textContent === '@misc{lund2026:2610.00001}'")
    assert page.value("document.querySelector('.sources li').id") == "source-1"


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not there: make lint brings it, where npm is")
@pytest.mark.parametrize("path", ["", "calendar", "paper/2610.00001", "search/kettles", "month/2026-10", "sql/"])
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_it_can_be_used_by_everyone(page: Page, address: str, path: str, mode: str) -> None:
    page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": mode}])
    try:
        page.open(f"{address}#/{path}")
        page.value(AXE.read_text() + ";0")
        found = page.value(
            "axe.run().then((found) => found.violations.map((one) => [one.impact, one.id, one.nodes[0].html]))"
        )
    finally:
        page.send("Emulation.setEmulatedMedia", features=[])
    assert [one for one in found if one[0] in {"serious", "critical"}] == []


@pytest.mark.parametrize(
    "path", ["", "list/2026-10-07", "calendar", "paper/2610.00002", "search/maps", "sql/", "week/2026-W41"]
)
def test_it_can_be_read_on_a_phone_in_the_dark(page: Page, address: str, path: str) -> None:
    page.send("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True)
    page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    try:
        page.open(f"{address}#/{path}")
        assert page.value("document.documentElement.scrollWidth") <= 390
        assert page.value("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 27)"
    finally:
        page.send("Emulation.clearDeviceMetricsOverride")
        page.send("Emulation.setEmulatedMedia", features=[])


def test_it_works_without_ranges_under_any_path(page: Page, folder: Path) -> None:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder.parents[2])))
    with serving(server):
        page.open(f"http://127.0.0.1:{server.server_port}/lake/releases/{VERSION}/explore/#/paper/2610.00001")
        assert "Kettles wait" in text(page)


def test_a_missing_or_truncated_file_gives_a_message(page: Page, folder: Path, address: str) -> None:
    listings = folder / "data/daily_listings/all.parquet"
    listings.write_bytes(listings.read_bytes()[:-20])
    page.open(f"{address}#/")  # before any page that reads it whole: a browser keeps what the release says is the same
    assert "data/daily_listings/all.parquet" in text(page)
    page.complaints.clear()  # Chromium itself tells of an answer that ends too early
    (folder / "data/paper_authors/all.parquet").unlink()
    page.open(f"{address}#/paper/2610.00001")
    assert "data/paper_authors/all.parquet is missing. Copy the release again" in text(page)
    page.complaints.clear()  # and of a 404
    page.open(f"{address}#/nothing/%ff")
    assert "The explorer has no page at this address." in text(page)


def test_a_missing_module_leaves_words(page: Page, folder: Path, address: str) -> None:
    next(folder.glob("explore/*/words.js")).unlink()
    page.send("Page.navigate", url=address)
    page.until("document.readyState === 'complete'")
    assert "If nothing appears, a file of the explorer is missing" in text(page)
    page.complaints.clear()  # Chromium itself tells of a 404
