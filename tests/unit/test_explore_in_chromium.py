"""The explorer of a release in a browser: from a list to a paper, each view of it; hostile texts stay texts."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from shutil import copytree
from typing import Any
from urllib.parse import parse_qs, quote

import polars as pl
import pytest

from flows.documents.release_index import leading_pages
from flows.documents.site_files import ASSETS, explore_page, explore_parts
from paperlake.explore import ReleaseServer
from tests.browser import Page, browsing
from tests.builders import reader
from tests.chromium import CHROMIUM
from tests.derived import search_tables
from tests.serving import plainly_served, serving
from tests.unit.test_untexed import EXAMPLES
from warehouse.release import parquet
from warehouse.release.latest import LATEST
from warehouse.release.manifest import Erratum, File, Latest, Manifest, TableFiles, encode
from warehouse.schema.catalog import CORE_TABLES
from warehouse.schema.core.attached import PAPER_LINKS
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.core.listings import COVERAGE, DAILY_LISTINGS
from warehouse.schema.core.papers import PAPERS
from warehouse.schema.marts.adoption import ADOPTION
from warehouse.schema.marts.boards import BENCHMARK_MART, BOARDS
from warehouse.schema.marts.paper_status import PAPER_PUBLICATIONS, PAPER_STATUS
from warehouse.store.opening import open_store
from warehouse.tex import untexed

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: install Debian's `chromium`"),
    pytest.mark.skipif(not ASSETS.exists(), reason="the explorer's assets are not there: make assets"),
]

VERSION = "2026.10.09.1"
AXE = Path(__file__).parents[2] / ".venv/js/node_modules/axe-core/axe.min.js"
TIGHT = """[...document.querySelectorAll('a, button, summary')].filter((one) => one.checkVisibility() &&
    getComputedStyle(one).display !== 'inline' && one.getBoundingClientRect().height < 24).map((one) => one.outerHTML)"""
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
ORGANIZATION = "organization/tidal%2F%252F"
VIEWS = (
    *("", "list/2026-10-07", "calendar", "paper/2610.00001", "search/kettles", "month/2026-10", "sql/"),
    *("author/Ada%20Lund", ORGANIZATION, "author/nobody", "trends", "paper/2610.00002"),
    *("boards", "board/GSM8K", "board/nothing"),
    *(
        "evidence",
        "evidence/upvote_count/title:a%2Fb%252F%23c/2026-10-10T00:00:00Z",
        "evidence/listing/nothing/2026-10-07",
    ),
)
DAY, DAY_BEFORE = date(2026, 10, 7), date(2026, 10, 6)
SEEN, LATER = datetime(2026, 10, 8, 2, 30), datetime(2026, 10, 8, 6)
ABSTRACT = "Kettles wait 2x longer. \U0001d518nlike pots, Kettlebench sings. \u7a91\u7089\u6e29\u5ea6"
WORDY = r"We weave \textit{calm} looms, \eg of reeds, and fire kilns. Nothing else."
HOSTILE = "<img src=x onerror=document.title='taken'> \u202eadnU"
LED = "<img src=x onerror=alert(1)> 60.5% \\u202eon it.1"  # and the note that leads to its captured page
CALM = "\U0001d518 from 79%, 9% and 9.5%, now 9%.2"
TABLES = {
    table.name: table for table in (*CORE_TABLES, ADOPTION, BENCHMARK_MART, BOARDS, PAPER_PUBLICATIONS, PAPER_STATUS)
}


def rows() -> dict[str, list[dict[str, Any]]]:
    """Three papers on two days; what is written of the second is hostile."""
    calm = {"paper_id": "2610.00001", "arxiv_id": "2610.00001", "title": "Patient Kettles", "author_count": 2}
    calm |= {"organization_login": "tidal/%2F", "organization_name": "Tidal Research", "first_listed_on": DAY}
    hostile = {"paper_id": "2610.00002", "arxiv_id": "2610.00002", "title": HOSTILE}
    older = {"paper_id": "title:a/b%2F#c", "title": "Folded Maps", "organization_name": "Café Reeds"}
    older |= {"organization_login": "tidal/%2F", "first_listed_on": DAY_BEFORE}
    charted = [
        {"paper_id": "title:a/b%2F#c", "observed_at": datetime(2026, 10, day), "upvote_count": count}
        for day, count in ((6, 1), (7, 1), (9, 2))
    ]
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
            {"paper_id": "2610.00001", "name": "Kettlebench", "field": "abstract", "span_start": 37, "span_end": 48},
            {"paper_id": "2610.00002", "name": r"$\pi_0$-Loom", "field": "title"},
        ],
        "paper_claims": [
            {"paper_id": "2610.00001", "position": 1, "text": "2x longer", "span_start": 13, "span_end": 22}
            | {"metric": "latency", "direction": "up", "bound": "at least", "comparator": "<b>pots</b>"}
            | {"benchmark": "<i>Grade</i> 8K", "benchmark_name": "GSM8K"},
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
            {"paper_id": one, "position": place, "name": name}
            for one, place, name in (
                ("2610.00001", 2, "Bo"),
                ("2610.00001", 1, "Ada Lund"),
                ("2610.00002", 1, HOSTILE),
                ("title:a/b%2F#c", 1, "Ada Lund"),
                ("title:a/b%2F#c", 2, "Ada Lund"),
            )
        ],
        "paper_citations": [{"paper_id": "2610.00001", "bibtex": "@misc{lund2026:2610.00001}"}],
        "paper_texts": [
            {"paper_id": one, "abstract": abstract, "capture_id": "c1"}
            for one, abstract in (("2610.00001", ABSTRACT), ("2610.00002", WORDY))
        ],
        "paper_keywords": [
            {"paper_id": one, "keyword": keyword, "capture_id": "c1"}
            for one, keyword in (
                ("2610.00001", "Kettle Choirs"),
                ("2610.00002", "kettle choirs"),
                ("title:a/b%2F#c", "kettle choirs"),
                ("2610.00002", "</script><b>bold</b>"),
            )
        ],
        PAPER_STATUS.name: [
            {"paper_id": "2610.00002", "observed_at": LATER, "is_newest": True, "status": "withdrawn"}
            | {"withdrawn_on": DAY, "comments": HOSTILE, "capture_id": "c2"},
            {"paper_id": "2610.00001", "observed_at": LATER, "is_newest": True, "status": "present"},
        ],
        PAPER_PUBLICATIONS.name: [
            {"paper_id": "2610.00002", "rank": 1, "status": "retracted", "doi": "10.5555/a<b", "registry": "crossref"}
            | {"venue": HOSTILE, "volume": "3", "published": "2026-03", "retracted_on": DAY, "capture_id": "c2"}
            | {"known_from": LATER},
            {"paper_id": "2610.00002", "rank": 2, "status": "published", "doi": "10.5555/a<b", "registry": "openalex"}
            | {"venue": "Looms", "known_from": LATER},
            {"paper_id": "2610.00002", "rank": 3, "status": "concern", "doi": "10.5555/loom", "registry": "openalex"}
            | {"venue": "Looms", "known_from": LATER},
            {"paper_id": "2610.00002", "rank": 1, "status": "concern", "doi": "10.5555/old", "known_until": LATER}
            | {"known_from": datetime(2026, 10, 8, 3)},
        ],
        BENCHMARK_MART.name: benchmark_rows(),
        BOARDS.name: board_rows(),
        ADOPTION.name: [
            {
                "paper_id": "2610.00001",
                "observed_at": datetime(2026, 10, day),
                "model_count": count,
                "space_count": spaces,
            }
            for day, count, spaces in ((8, 1, 0), (15, 4, None), (22, 1_200, 2))
        ],
        "paper_observations": [
            *({"paper_id": "2610.00001", "observed_at": at, "upvote_count": count} for at, count in counts),
            *charted,
        ],
    }


def benchmark_rows() -> list[dict[str, Any]]:
    """Two benchmarks that papers claim numbers on, one that none does."""
    counts = {"WMT 1/4%": (1, 1), "GSM8K": (3, 9), "Nobody's": (0, 0)}
    return [
        {"benchmark": name, "paper_count": papers, "claim_count": claims, "metric": "accuracy" if papers > 1 else None}
        | {"spellings": ["Grade School Math"] if papers > 1 else [], "first_seen_at": SEEN if papers else None}
        for name, (papers, claims) in counts.items()
    ]


def board_rows() -> list[dict[str, Any]]:
    """A board with two bests, one that is hostile; one on which less is better; and what stands apart."""
    one = {"benchmark": "GSM8K", "metric": "accuracy", "scale": "percent", "polarity": "more", "is_best": True}
    one |= {"is_metric_said": True, "is_current": True, "version_number": 1, "capture_id": "c1", "first_seen_at": SEEN}
    calm = one | {"paper_id": "2610.00001", "title": "Patient Kettles", "system": "Kettlebench"}
    hostile = one | {"paper_id": "2610.00002", "title": HOSTILE, "first_seen_at": LATER, "capture_id": "c2"}
    apart = one | {"paper_id": "2610.00001", "is_best": None, "text": "3", "sentence": "By 3.", "value": 3.0}
    less = {"benchmark": "WMT 1/4%", "metric": "error", "scale": "plain", "polarity": "less"}
    rows = [
        calm | {"value": 9.0, "text": "9\\%", "sentence": "\U0001d518 from 79\\%, 9\\% and 9.5\\%, now 9\\%."},
        hostile | {"value": 60.5, "text": "60.5%", "sentence": "<img src=x onerror=alert(1)> 60.5% \u202eon it."},
        hostile
        | {"value": 8.0, "text": "8%", "sentence": "Was 8%.", "is_best": False, "is_metric_said": False}
        | {"is_current": False},
        calm | {"split": "Hard", "value": 2.0, "text": "2%", "sentence": "It has 2%."},
        *(apart | {"apart_because": reason} for reason in ("a change", "a change", "other work", "no <b>reason</b>")),
        *(
            calm | less | {"value": value, "text": str(value), "sentence": f"It is {value}.", "first_seen_at": at}
            for value, at in ((-1.5, LATER), (2.5, SEEN))
        ),
    ]
    return [row | {"position": place} for place, row in enumerate(rows, 1)]


@pytest.fixture(scope="module")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake with a release of these rows: what the explorer needs of one."""
    lake = tmp_path_factory.mktemp("explored") / "lake"
    made = lake / "releases" / VERSION
    tables = []
    frames = {
        name: pl.DataFrame(found, schema=TABLES[name].schema, strict=False, orient="row")
        for name, found in rows().items()
    }
    frames |= search_tables(frames["papers"], frames["paper_texts"])
    others = ("2610.00002", "title:a/b%2F#c")  # these few share too little to be alike
    alike = [("2610.00001", rank, other, 9_000 - rank) for rank, other in enumerate(others, 1)]
    frames["similar_papers"] = pl.DataFrame(alike, schema=TABLES["similar_papers"].schema, orient="row")
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
    parts = explore_parts(tables, reader(frames), made.joinpath)
    for name, data in parts.items():
        (made / "explore" / name).parent.mkdir(exist_ok=True)
        (made / "explore" / name).write_bytes(data)
    (made / "manifest.json").write_text("{}")
    (lake / LATEST).write_bytes(encode(Latest(VERSION, "")))
    return lake


@pytest.fixture
def folder(made_once: Path, tmp_path: Path) -> Path:
    """The release, in a copy of the lake that a test may change."""
    return copytree(made_once, tmp_path / "lake") / "releases" / VERSION


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browsing(tmp_path_factory.mktemp("profile")) as found:
        yield found


@contextmanager
def explored(folder: Path) -> Iterator[str]:
    """The address of the explorer of a release, served as `paperlake explore` serves it."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    files = tuple(File(path.relative_to(folder).as_posix(), path.stat().st_size, "") for path in paths)
    manifest = Manifest(VERSION, 1, "0", None, 1, "", (), files, b"{}", ())
    lake = folder.parents[1]
    server = ReleaseServer(open_store(str(lake)), manifest, 0)
    with serving(server):
        yield server.address


@pytest.fixture(scope="module")
def lasting_address(made_once: Path) -> Iterator[str]:
    """One for all tests that change no file: the browser keeps what it has of the explorer."""
    with explored(made_once / "releases" / VERSION) as address:
        yield address


@pytest.fixture
def address(page: Page, lasting_address: str) -> Iterator[str]:
    """As of somebody who was never there."""
    yield lasting_address
    page.value("localStorage.clear(); sessionStorage.clear()")
    page.send("Page.navigate", url="about:blank")


@pytest.fixture
def changed_address(page: Page, folder: Path) -> Iterator[str]:
    """Of the copy that a test changes; the page is left before the files are gone."""
    with explored(folder) as address:
        yield address
        page.send("Page.navigate", url="about:blank")


@pytest.fixture(autouse=True)
def loads_and_logs_nothing(page: Page) -> Iterator[None]:
    page.asked.clear()
    page.complaints.clear()
    yield
    outside = [one for one in page.asked if not one.startswith(("http://127.0.0.1:", "data:", "about:"))]
    assert outside == []
    assert page.complaints == []


def titles(page: Page) -> list[str]:
    return page.texts(".papers .title")


def test_from_the_newest_list_to_a_paper_and_back_by_mouse(page: Page, address: str) -> None:
    page.open(f"{address}#/")
    assert titles(page) == ["Patient Kettles", "<img src=x onerror=document.title='taken'> \\u202eadnU"]
    assert "Wednesday, 7 October 2026" in page.main
    assert re.search(r"fetched (today|yesterday|[0-9,]+ days ago)", page.main)
    page.click(".papers a")
    page.shown("/paper/2610.00001")
    order = "document.querySelector('.abstract').compareDocumentPosition(document.querySelector('.facts'))"
    assert page.value(f"{order} & Node.DOCUMENT_POSITION_FOLLOWING") > 0
    found = page.main
    assert found.startswith("Patient Kettles")
    assert "Ada Lund, Bo" in found
    assert "Kettles wait" in found
    assert "capture c1, fetched 2026-10-08 02:30 UTC: https://hub.example/api?date=<b>" in found
    assert "Upvotes: from 12 on 2026-10-08 to 40 on 2026-10-09, seen 2 times" in found  # too few for a chart
    assert "Spaces that cite it: from 0 on 2026-10-08 to 2 on 2026-10-22, seen 2 times" in found
    assert "Models that cite it: from 1 on 2026-10-08 to 1,200 on 2026-10-22, seen 3 times" in page.value(
        "[...document.querySelectorAll('.counts svg')].map((one) => one.outerHTML).join()"
    )
    coins = parse_qs(page.value("document.querySelector('.Z3988').title"))
    assert (coins["rft.atitle"], coins["rft.au"]) == (["Patient Kettles"], ["Ada Lund", "Bo"])
    assert coins["rft_id"] == ["https://arxiv.org/abs/2610.00001"]
    page.click(".facts a[href^='#/list']")
    page.shown("/list/2026-10-07")


def test_what_is_hostile_stays_text(page: Page, address: str) -> None:
    page.open(f"{address}#/paper/2610.00002")
    found = page.main
    assert found.startswith("<img src=x onerror=document.title='taken'> \\u202eadnU")
    assert "</script><b>bold</b>" in found
    assert "Builds\nπ_0-Loom, named in its title" in found
    assert "javascript:document.title='taken'" in found
    links = page.value("[...document.querySelectorAll('main a')].map((one) => one.protocol)")
    assert set(links) <= {"http:", "https:"}
    assert page.value("document.querySelectorAll('main img, main b, main script').length") == 0
    assert page.value("document.title").startswith("<img src=x")


def test_a_list_can_be_skimmed(page: Page, address: str) -> None:
    page.open(f"{address}#/")
    page.until("document.querySelector('.papers').dataset.skimmed !== undefined")
    assert page.texts(".papers .summary") == [
        "AI Kettles are timed.",
        "We weave calm looms, e.g. of reeds, and fire kilns.",
    ]
    assert page.value("document.querySelector('.by').textContent") == "Ada Lund, Bo"
    assert page.value("document.querySelector('.code a').href") == "https://github.com/ada/kettles"
    systems = page.value("[...document.querySelectorAll('.papers .system')].map((one) => one.textContent)")
    assert systems == ["Kettlebench", "π_0-Loom"]


GONE = "Withdrawn at arXiv on 2026-10-07. Retracted on 2026-10-07"


@pytest.mark.parametrize(
    ("path", "marks"),
    [
        ("#/", [["2610.00002", GONE]]),
        ("#/search/looms", [["2610.00002", GONE]]),
        ("#/board/GSM8K", [[None, GONE]] * 2),
        ("#/list/2026-10-07/2026-10-08T02:30", []),  # before anybody looked
        ("#/list/2026-10-07/2026-10-08T06:00", [["2610.00002", GONE]]),
    ],
)
def test_withdrawn_and_retracted_papers_are_marked(page: Page, address: str, path: str, marks: list[Any]) -> None:
    page.open(f"{address}{path}")
    if marks:
        page.until(f"document.querySelectorAll('.gone').length === {len(marks)}")
    found = (
        "[...document.querySelectorAll('.gone')].map((one) => [one.closest('li').dataset.paper ?? null, one.innerText])"
    )
    assert page.value(found) == marks


def test_a_retracted_paper_says_so_and_where_it_was_published(page: Page, address: str) -> None:
    page.open(f"{address}#/paper/2610.00002")
    page.until("document.querySelectorAll('main .fault').length === 3")
    second = page.value("document.querySelectorAll('main .fault')[1].innerText")
    assert second.startswith("Doubted, or partly retracted, as 10.5555/loom, by OpenAlex")
    first = page.value("document.querySelector('main .fault').innerText")
    assert first.startswith("Retracted on 2026-10-07, as 10.5555/a<b, by Crossref")
    told = "[...document.querySelectorAll('.facts dt')].map((one) => [one.innerText, one.nextSibling.innerText])"
    place, other = [words for name, words in page.value(told) if name == "Published in"]
    assert "3 2026-03, 10.5555/a<b, by Crossref" in place
    assert other.startswith("Looms, 10.5555/loom, by OpenAlex")
    assert page.value("document.querySelector('main .fault a').href") == "https://doi.org/10.5555/a%3Cb"


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


def test_keys_lead_to_the_content_to_a_source_and_to_a_mark(page: Page, address: str) -> None:
    page.open(f"{address}#/paper/2610.00001")
    for selector, reached in ((".skip", "main"), (".note", "source-1"), (".claims .quote", "claim-1")):
        page.value(f"document.querySelector('{selector}').focus()")
        page.press("Enter")
        assert page.value("document.activeElement.id") == reached
        assert page.main.startswith("Patient Kettles")


def test_tex_is_shown_as_elsewhere(page: Page, address: str) -> None:
    page.open(f"{address}#/")
    texts = [text for text, _ in EXAMPLES]
    assert page.asks("tex.js", f"{json.dumps(texts)}.map(m.untexed)") == [untexed(text) for text in texts]


def test_the_calendar_leads_to_each_list(page: Page, address: str) -> None:
    page.open(f"{address}#/calendar")
    words = page.value("[...document.querySelectorAll('[data-day]')].map((one) => one.getAttribute('aria-label'))")
    assert len(words) == 31
    assert words[5:7] == ["Tuesday, 6 October 2026: 1 paper, complete", "Wednesday, 7 October 2026: 2 papers, complete"]
    for forced in ("active", "none"):
        page.send("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": forced}])
        looks = page.value("""[...document.querySelectorAll('.key .cell')].map((one) => getComputedStyle(one))
            .map((style) => [style.background, style.boxShadow, style.border].join())""")
        assert len(set(looks)) == len(looks) == 7, forced
    colours = page.value(
        "[...document.querySelectorAll('.strength-4 a > *')].map((one) => getComputedStyle(one).color)"
    )
    assert len(set(colours)) == 1  # on the darkest ground the day's number is no paler than the count
    page.click("[data-day='2026-10-06']")
    page.shown("/list/2026-10-06")
    page.click(".papers a")  # an id with a slash, a percent sign and a hash
    page.until("document.querySelector('h1').textContent === 'Folded Maps'")


def test_lists_are_as_dense_as_last_chosen(page: Page, address: str) -> None:
    page.open(f"{address}#/list/2026-10-07")
    page.until("document.querySelector('.papers').dataset.skimmed !== undefined")
    height = "document.querySelector('.papers').offsetHeight"
    chosen = "document.querySelector('.density :checked').value"
    comfortable = page.value(height)
    assert page.value(chosen) == "comfortable"
    page.value("document.querySelector('.density :checked').focus()")
    page.press("ArrowRight")  # by keyboard, as radio buttons are
    assert page.value(height) < 0.8 * comfortable
    assert page.value("getComputedStyle(document.querySelector('.summary')).display") == "none"
    page.press("j")  # a letter is no answer to a switch
    assert page.value("document.activeElement.textContent") == "Patient Kettles"
    page.open(f"{address}#/month/2026-10")
    assert page.value(chosen) == "compact"
    assert page.value("document.querySelector('.density legend').textContent") == "Lists are"
    page.click(".density label")
    assert page.value("localStorage.getItem('paperlake-density')") == "comfortable"
    page.open(f"{address}#/calendar")
    assert page.value("getComputedStyle(document.querySelector('.density')).display") == "none"  # nothing to be dense


def test_what_a_paper_claims_is_said_in_sentences(page: Page, address: str) -> None:
    page.open(f"{address}#/paper/2610.00001")
    told = page.texts(".claims li")
    assert told[:2] == [
        "More time: at least 2x longer, on <i>Grade</i> 8K, against <b>pots</b> evidence",
        "Result: of another text evidence",
    ]
    page.click(".claims .quote")
    claims = [
        {"position": 1, "text": "40\\%", "span_start": 5, "span_end": 9, "metric": "quality", "direction": "level"},
        {"position": 2, "text": "60%", "span_start": 13, "span_end": 16, "metric": "quality", "direction": "level"}
        | {"bound": "average", "benchmark": "<i>Kettles</i>", "role": "result"},
        {"position": 3, "text": "2.5x", "span_start": 20, "span_end": 24, "metric": "speedup", "direction": "up"}
        | {"bound": "up to", "comparator": "tar"},
        {"position": 4, "text": "3", "span_start": 30, "span_end": 31, "metric": "constructor", "direction": None},
    ]
    abstract = "from 40\\% to 60%, and 2.5x    3"
    said = f"m.paired({json.dumps(claims)}, {json.dumps(abstract)}).map((one) => m.sentence(one).textContent)"
    assert page.asks("claims.js", said) == [
        "Score: from 40% to on average 60%, on <i>Kettles</i>",
        "Speedup: up to 2.5x, against tar",
        "Result: 3",
    ]

    told = [one | {"baseline_position": None, "is_own": True} for one in claims[:2]]
    told[0] |= {"role": "baseline", "metric_name": "accuracy"}
    told[1] |= {"metric_name": "pass@1"}
    for before, sentences in (
        (1, ["pass@1: from 40% to on average 60%, on <i>Kettles</i>"]),
        (None, ["Accuracy: 40% (what it is set against)", "pass@1: on average 60%, on <i>Kettles</i>"]),
    ):
        told[1] |= {"baseline_position": before}
        said = f"m.paired({json.dumps(told)}, {json.dumps(abstract)}).map((one) => m.sentence(one).textContent)"
        assert page.asks("claims.js", said) == sentences


def test_a_column_that_a_release_lacks_is_not_asked_for(page: Page, address: str) -> None:
    page.open(f"{address}#/")
    asked = "m.rows('paper_claims', ['position'], undefined, ['metric', 'of_another_release'])"
    assert page.asks("tables.js", asked)[0] == {"position": 1, "metric": "latency"}


def test_the_papers_of_an_author_and_of_an_organization(page: Page, address: str) -> None:
    page.open(f"{address}#/list/2026-10-07")
    page.until("document.querySelector('.by a') !== null")
    page.click(".by a")
    page.shown("/author/Ada%20Lund")
    assert titles(page) == ["Patient Kettles", "Folded Maps"]  # the newest first, each once
    found = page.main
    assert "An author: 2 papers, newest first; upvotes as last seen." in found
    assert "40 upvotes" in found
    assert "2026-10-06" in found
    page.click(".papers a")
    page.shown("/paper/2610.00001")
    assert page.value("document.querySelector('.authors a').hash") == "#/author/Ada%20Lund"
    page.click(".facts a")
    page.shown("/organization/tidal%2F%252F")
    assert page.main.startswith("Tidal Research")
    assert titles(page) == ["Patient Kettles", "Folded Maps"]
    page.go(f"{address}#/organization/nobody")
    assert "This release has no paper of this name." in page.main
    page.go(f"{address}#/author/{quote(HOSTILE, safe='')}")
    assert page.main.startswith("<img src=x onerror=document.title='taken'> \\u202eadnU")
    assert len(titles(page)) == 1
    assert page.value("document.querySelectorAll('main img').length") == 0


def test_more_of_many_papers_on_request(page: Page, address: str) -> None:
    page.open(f"{address}#/")
    drawn = "async (some, from) => some.map((one, at) => lists.item({ paper_id: one, title: one }, from + at + 1))"
    made = f"""const lists = await import(new URL('lists.js', document.querySelector('script[src]').src))
        document.getElementById('main').replaceChildren(...await m.shownFirst(['a', 'b', 'c', 'd', 'e'], 2, {drawn}))"""
    page.asks("periods.js", f"{{ {made} }}")
    assert (titles(page), page.main.count("Show 2 more of 5")) == (["a", "b"], 1)
    page.click("main button")
    page.until("document.querySelectorAll('.papers li').length === 4")
    assert "Show 1 more of 5" in page.main
    page.click("main button")
    page.until("document.querySelectorAll('.papers li').length === 5")
    assert page.value("document.querySelectorAll('main button').length") == 0


def test_axes_of_counts_have_whole_numbers(page: Page, address: str) -> None:
    page.open(f"{address}#/paper/{quote('title:a/b%2F#c', safe='')}")
    marks = ".chart text[text-anchor=end]"
    assert page.texts(marks)[:3] == ["0", "1", "2"]
    assert page.asks("charts.js", "[[1, true], [3, true], [90, true], [1, false]].map((one) => m.steps(...one))") == [
        [0, 1],
        [0, 1, 2, 3],
        [0, 25, 50, 75, 100],
        [0, 0.25, 0.5, 0.75, 1],
    ]


def test_benchmarks_are_filtered_by_typing_and_lead_to_boards(page: Page, address: str) -> None:
    page.open(f"{address}#/boards")
    listed = ".claims li:not([hidden])"
    grades, words = (
        "GSM8K 3 papers, 9 numbers, accuracy, since 2026-10-08",
        "WMT 1/4% 1 paper, 1 number, since 2026-10-08",
    )
    assert page.texts(listed) == [grades, words]
    page.click("#benchmark")
    page.type("school  ma")
    assert page.texts(listed) == [grades]
    assert page.value("document.querySelector('[role=status]').textContent") == "1 of 2 benchmarks"
    page.click(".claims a")
    page.shown("/board/GSM8K")
    for spelling in ("grade school math", "GSM-8k"):
        page.go(f"{address}#/board/{quote(spelling)}")
        assert page.main.startswith("GSM8K")
    page.go(f"{address}#/board/{quote('<b>it', safe='')}")
    assert "This release keeps no board of <b>it. All benchmarks" in page.main


def test_a_board_shows_the_best_over_time_with_sentences(page: Page, address: str) -> None:
    page.open(f"{address}#/board/GSM8K")
    assert page.texts("main h2") == [
        "accuracy (percent; more is better)",
        "Hard, accuracy (percent; more is better)",
        "Not compared",
        "Sources",
    ]
    parts = "[...one.querySelectorAll('li > strong, .title, .about span, .abstract')].map((part) => part.innerText)"
    items = page.value(f"[...document.querySelectorAll('.papers li')].map((one) => {parts})")
    hostile = "<img src=x onerror=document.title='taken'> \\u202eadnU"
    assert items == [
        ["60.5%", hostile, GONE, "★ best when first seen", "first seen 2026-10-08", LED],
        ["9%", "Kettlebench", "★ best when first seen", "first seen 2026-10-08", "Patient Kettles", CALM],
        [
            "8%",
            hostile,
            GONE,
            "first seen 2026-10-08",
            "its usual metric, as none is named",
            "not in the newest abstract",
            "Was 8%.1",
        ],
        ["2%", "Kettlebench", "★ best when first seen", "first seen 2026-10-08", "Patient Kettles", "It has 2%.2"],
    ]
    assert page.texts("main mark") == ["60.5%", "9%", "9%", "8%", "2%"]  # not within another number
    assert "2 numbers by which something changed\n1 number apart: no <b>reason</b>\n1 number of other work" in page.main
    assert page.value("document.querySelectorAll('main img, main b, main script').length") == 0
    page.click(".papers a")
    page.shown("/paper/2610.00002")
    page.open(f"{address}#/board/GSM8K")
    assert "capture c2, fetched 2026-10-08 06:00 UTC: https://hub.example/api?date=<b>" in page.main


def test_the_chart_of_a_board_joins_the_bests_by_steps(page: Page, address: str) -> None:
    page.open(f"{address}#/board/GSM8K")
    assert page.value("document.querySelectorAll('.chart').length") == 1  # of two numbers or more
    marks = ".chart text[text-anchor=end]"
    assert page.texts(marks)[:4] == ["0%", "20%", "40%", "60%"]
    hostile = "60.5%, <img src=x onerror=document.title='taken'> \\u202eadnU, 2026-10-08"
    assert page.texts(".chart .dot") == [hostile.replace("60.5", "8"), "9%, Kettlebench, 2026-10-08", hostile]
    ends = "['x1', 'y1', 'x2', 'y2'].map((name) => Number(one.getAttribute(name)))"
    across, up, on = page.value(f"[...document.querySelectorAll('.chart .line')].map((one) => {ends})")
    assert across[1] == across[3] == up[1] > up[3] == on[1] == on[3]
    assert across[0] < across[2] == up[0] == up[2] == on[0] == on[2]  # the last stands until the end
    page.go(f"{address}#/board/{quote('WMT 1/4%', safe='')}")
    assert page.texts(marks)[:5] == ["-2", "-1", "0", "1", "2"]
    assert page.texts(".papers strong") == ["-1.5", "2.5"]
    assert page.asks("charts.js", "[m.steps(2.5, false, -1.5), m.steps(0, true, -3)]") == [
        [-2, -1, 0, 1, 2, 3],
        [-3, -2, -1, 0],
    ]


def test_claims_lead_to_boards_where_the_release_has_them(page: Page, address: str) -> None:
    page.open(f"{address}#/paper/2610.00001")
    page.click(".claims a")
    page.shown("/board/GSM8K")
    page.go(f"{address}#/trends")
    page.click("main a[href='#/boards']")
    page.shown("/boards")


def test_an_older_release_has_no_boards(page: Page, folder: Path, changed_address: str) -> None:
    index = folder / "explore/index.html"
    index.write_text(index.read_text().replace('"boards":', '"of another release":'))
    for path in ("boards", "board/GSM8K"):
        page.go(f"{changed_address}#/{path}")
        assert "This release is older than results over time" in page.main
    page.go(f"{changed_address}#/paper/2610.00001")
    assert "on <i>Grade</i> 8K" in page.main
    assert page.value("document.querySelectorAll('.claims a:not(.evidence)').length") == 0
    page.go(f"{changed_address}#/trends")
    assert page.value("document.querySelectorAll('main a[href=\"#/boards\"]').length") == 0


def test_a_shared_address_outlives_the_release(page: Page, folder: Path) -> None:
    lake = folder.parents[1]
    for key, made in leading_pages(VERSION).items():
        (lake / key).parent.mkdir(parents=True, exist_ok=True)
        (lake / key).write_bytes(made)
    with plainly_served(lake.parent) as served:  # without ranges, under any path
        site = f"{served}/{lake.name}/releases"
        page.open(f"{site}/{VERSION}/explore/#/paper/2610.00001")
        shared = page.value("document.querySelector('.lasting').href")
        assert shared == f"{site}/latest/explore/#/paper/2610.00001"
        assert page.value("document.querySelector('#lasting a').href") == shared
        for address in (shared, shared.replace("/#", "/index.html#")):
            page.send("Page.navigate", url=address)
            page.shown("/paper/2610.00001")
            assert page.value("location.href").startswith(f"{site}/{VERSION}/explore/index.html#")
            assert page.value("document.querySelector('.lasting').href").startswith(
                f"{site}/latest/explore/index.html#"
            )
        page.send("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        page.click(".share button")
        page.until("document.querySelector('.share button').textContent === 'Copied'")
        assert page.value("navigator.clipboard.readText()").endswith("/latest/explore/index.html#/paper/2610.00001")


def test_a_retracted_release_says_so_whoever_serves_it(page: Page, folder: Path, changed_address: str) -> None:
    lake, older = folder.parents[1], "2026.10.08.1"
    erratum = Erratum(VERSION, "2026-10-10T08:00:00Z", HOSTILE, ("papers", "papers:<b>"))
    said = f"Release {VERSION} was retracted on 2026-10-10: {HOSTILE}. What of it is wrong: papers, papers:<b>."
    place = "document.querySelector('#retracted')"
    for latest, more in ((older, f" The latest is release {older}."), (VERSION, "")):  # the latter after a rollback
        (lake / LATEST).write_bytes(encode(Latest(latest, "", errata=(erratum,))))
        with plainly_served(lake.parent) as served:
            site = f"{served}/{lake.name}/releases"
            for address in (changed_address, f"{site}/{VERSION}/explore/index.html"):
                page.open(f"{address}#/paper/2610.00001")
                page.until(f"{place}?.checkVisibility()")
                assert page.value(f"{place}.textContent") == said + more
            led = [f"{site}/{older}/explore/index.html"] if more else []
            assert page.value(f"[...{place}.querySelectorAll('a')].map((one) => one.href)") == led
    assert found_by_axe(page) == []
    (lake / LATEST).unlink()  # a release that was copied alone
    page.open(f"{changed_address}#/")
    assert not page.value(f"{place}.checkVisibility()")
    page.complaints.clear()  # Chromium itself tells of a 404


def test_what_nobody_looked_at_is_not_printed(page: Page, address: str) -> None:
    page.open(f"{address}#/paper/2610.00001")
    read = "document.querySelector('main').innerText.includes('Reading\u2026')"
    assert page.value(read)
    page.send("Emulation.setEmulatedMedia", media="print")
    assert not page.value(read)
    numbers = "[...document.querySelectorAll('main button')].map((one) => one.checkVisibility())"
    assert set(page.value(numbers)) == {True}
    assert not page.value("document.querySelector('header nav').checkVisibility()")
    for shown in ("#/", "#/trends"):
        page.open(f"{address}{shown}")
        assert set(page.value("[...document.querySelectorAll('form')].map((one) => one.checkVisibility())")) == {False}
    page.send("Emulation.setEmulatedMedia", media="")


def test_search_finds_as_one_types(page: Page, address: str) -> None:
    page.open(f"{address}#/search/")
    page.click("#words")
    page.type("fodled")
    page.until("document.querySelectorAll('.papers li').length === 1")
    assert titles(page) == ["Folded Maps"]
    assert page.value("document.title").startswith("fodled · search · ")
    page.go(f"{address}#/search/kettles")
    assert titles(page) == ["Patient Kettles"]
    assert page.value("document.title").startswith("kettles · search · ")
    for phrase in ("\u6e29", "\u7089\u6e29", "\u7a91\u7089\u6e29\u5ea6"):
        page.open(f"{address}#/search/%22{quote(phrase)}%22")
        assert titles(page) == ["Patient Kettles"]
    page.until("document.querySelector('.papers .summary') !== null")
    assert page.value("document.querySelector('.papers .summary').textContent") == "AI Kettles are timed."
    assert page.value("document.querySelector('.papers .by').textContent") == "Ada Lund, Bo"
    page.go(f"{address}#/search/{quote('ada lund')}")
    page.until("document.querySelector('.names a') !== null")
    assert page.value("document.querySelector('.names a').hash") == "#/author/Ada%20Lund"
    page.go(f"{address}#/search/{quote('kettle cho')}")
    page.until("document.querySelector('.names li') !== null")
    assert page.value("document.querySelector('.names').innerText").splitlines() == ["Keywords", "kettle choirs 3"]
    page.go(f"{address}#/paper/folded%20maps")
    page.click("main a")
    page.shown("/search/folded%20maps")
    assert titles(page) == ["Folded Maps"]
    page.go(f"{address}#/search/2610.77777")
    assert "2610.77777 read as 2610.00001" in page.main


def test_a_paper_is_looked_for_in_the_files_of_its_cohort(page: Page, address: str) -> None:
    page.open(f"{address}#/")
    for paper_id, places in (
        ("2504.12984", ["all", "2025", "2025-Q2", "2025-04", "2025-04-1"]),
        ("2512.00001", ["all", "2025", "2025-Q4", "2025-12", "2025-12-0"]),
        ("hep-th/9901001", ["all", "older", "1999"]),
        ("2113.00001", ["all", "titles", "titles-other"]),
        ("title:a0b1", ["all", "titles", "titles-a"]),
    ):
        assert page.asks("cohorts.js", f"m.lineage({paper_id!r})") == places
        assert page.asks("cohorts.js", f"m.mayHold('data/papers/{places[-1]}.parquet', ['x', {paper_id!r}])")
        assert not page.asks("cohorts.js", f"m.mayHold('data/papers/2024-Q1.parquet', [{paper_id!r}])")


def test_a_list_as_it_stood_and_what_joined_late(page: Page, address: str) -> None:
    page.open(f"{address}#/list/2026-10-07")
    assert "1 paper joined after the first capture, at 2026-10-08 02:30 UTC." in page.main
    assert "joined late, first seen 2026-10-08 06:00 UTC" in page.main
    page.click(".stood a")
    page.shown("/list/2026-10-07/2026-10-08T02:30")
    assert titles(page) == ["Patient Kettles"]
    assert "3 upvotes" in page.main
    page.click(".stood a:nth-of-type(2)")
    page.shown("/list/2026-10-07/2026-10-08T06:00")
    assert titles(page)[1] == "Patient Kettles"
    assert "5 upvotes" in page.main


@pytest.mark.parametrize("path", ["week/2026-W41", "month/2026-10"])
def test_the_papers_of_several_days(page: Page, address: str, path: str) -> None:
    page.open(f"{address}#/{path}")
    assert sorted(titles(page))[1:] == ["Folded Maps", "Patient Kettles"]
    assert (
        "3 papers, most upvotes first, as last seen. Complete lists: 2 of 2 expected. No list after 2026-10-07 was fetched."
        in page.main
    )


def test_the_calendar_is_walked_by_keyboard(page: Page, address: str) -> None:
    page.open(f"{address}#/calendar/2026")
    page.value("document.querySelector('[data-day=\"2026-10-13\"]').focus()")
    for key in ("ArrowUp", "ArrowLeft", "ArrowRight"):
        page.press(key)
    assert page.value("document.activeElement.dataset.day") == "2026-10-06"
    page.press("Enter")
    page.shown("/list/2026-10-06")
    page.go(f"{address}#/list/2026-10-11")  # a day without a list opens too
    assert "0 papers, counts as last seen. Captured: no list expected." in page.main


def test_a_paper_by_another_name_with_its_claims_versions_and_citation(page: Page, address: str) -> None:
    page.open(f"{address}#/paper/2610.77777")
    assert "2610.77777 is another name of 2610.00001" in page.main
    assert page.texts(".abstract mark") == [
        "2x longer",
        "Kettlebench",
    ]  # by code points; one that is not there is left out
    page.value("document.querySelectorAll('.lazy').forEach((one) => one.scrollIntoView())")
    for ends in ("versions", "bibtex", "papers.similar li:nth-child(2)"):
        page.value("document.querySelectorAll('.lazy').forEach((one) => one.scrollIntoView())")
        page.until(f"document.querySelector('.{ends}') !== null")
    assert page.texts(".versions ins") == ["Patient "]
    page.until("document.querySelector('.bibtex').textContent === '@misc{lund2026:2610.00001}'")
    assert page.value("document.querySelector('.sources li').id") == "source-1"


def test_a_captured_answer_in_utf_16_is_text(page: Page, address: str) -> None:
    page.open(f"{address}#/evidence")
    for coding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-be"):
        data = "Gärten".encode(coding) if coding != "utf-16-be" else "\ufeffGärten".encode(coding)
        assert page.asks("opened.js", f"m.textOf(new Uint8Array({list(data)}))") == "Gärten"


WAYS = [(390, "dark", "rgb(20, 23, 27)"), (1280, "light", "rgb(251, 250, 248)")]


def test_it_can_be_used_by_everyone(page: Page, address: str) -> None:
    """On a phone in the dark, and on a desktop; in one of both by the rules of axe-core too, where npm brought it:
    `make lint`.
    """
    page.open(f"{address}#/list/2026-10-06")
    try:
        for place, path in enumerate(VIEWS):
            page.go(f"{address}#/{path}")
            for width, scheme, background in WAYS if place % 2 else WAYS[::-1]:
                size = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 500}
                page.send("Emulation.setDeviceMetricsOverride", **size)
                page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
                assert page.value("document.documentElement.scrollWidth") <= width, path
                assert page.value("getComputedStyle(document.body).backgroundColor") == background, path
                assert page.value(TIGHT) == [], path
            assert found_by_axe(page) == [], path
    finally:
        page.send("Emulation.clearDeviceMetricsOverride")
        page.send("Emulation.setEmulatedMedia", features=[])


def found_by_axe(page: Page) -> list[list[str]]:
    if not AXE.exists():
        return []
    skimmed = "document.querySelector('.papers:not(.similar, [data-skimmed], #words ~ *)') === null"
    page.until(skimmed)  # but a search's
    page.value("'axe' in window") or page.value(AXE.read_text() + ";0")
    run = f"axe.run({{ runOnly: {json.dumps(WCAG)} }})"
    return list(page.value(f"{run}.then((found) => found.violations.map((one) => [one.id, one.nodes[0].html]))"))


def test_a_missing_or_truncated_file_gives_a_message(page: Page, folder: Path, changed_address: str) -> None:
    listings = folder / "data/daily_listings/all.parquet"
    whole = listings.read_bytes()
    listings.write_bytes(whole[:-20])
    page.open(f"{changed_address}#/")
    assert "data/daily_listings/all.parquet" in page.main
    page.complaints.clear()  # Chromium itself tells of an answer that ends too early
    listings.write_bytes(whole)  # of two faults a page tells the one that comes first
    (folder / "data/paper_authors/all.parquet").unlink()
    page.open(f"{changed_address}#/paper/2610.00001")
    assert "data/paper_authors/all.parquet is missing. Load the page again" in page.main
    page.complaints.clear()  # and of a 404
    page.open(f"{changed_address}#/nothing/%ff")
    assert "The explorer has no page at this address: see the newest list, or search." in page.main


def test_what_a_browser_kept_of_before_an_erasure_is_asked_for_anew(page: Page, folder: Path) -> None:
    with plainly_served(folder.parents[1]) as served:
        page.open(f"{served}/releases/{VERSION}/explore/index.html#/")
        for size in (3_000, 2_000):
            (folder / "part").write_bytes(bytes(size))
            os.utime(folder / "part", (0, 0))  # so old that a browser asks no more whether it has changed
            read = f"(await new m.Remote({{key: 'part', bytes: {size}}}).slice(0, {size})).byteLength"
            assert page.asks("remote.js", read) == size
        page.send("Page.navigate", url="about:blank")


def test_a_missing_module_leaves_words(page: Page, folder: Path, changed_address: str) -> None:
    next(folder.glob("explore/*/page.js")).unlink()
    page.send("Page.navigate", url=changed_address)
    page.until("document.readyState === 'complete'")
    assert "If nothing appears, a file of the explorer is missing" in page.main
    page.complaints.clear()  # Chromium itself tells of a 404


def test_a_part_that_does_not_come_when_it_is_looked_at_says_so(page: Page, folder: Path, changed_address: str) -> None:
    page.open(f"{changed_address}#/")
    for module in folder.glob("explore/*/*.js"):
        module.unlink()
    page.go(f"{changed_address}#/trends")
    assert "A part of the explorer did not come. Load the page again." in page.main
    page.complaints.clear()  # Chromium itself tells of a 404
