"""What stands behind a number, in the explorer: the proof of a place made in the browser, and files looked into there."""

import json
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from flows.documents.site_files import ASSETS
from flows.runtime.lake import open_lake
from paperlake.evidence.check_evidence import Anchors, check, check_rank
from paperlake.evidence.facts import claim_fact, count_fact, listing_fact, rank_certificate
from paperlake.explore import ReleaseServer
from tests.browser import Page, browsing
from tests.chromium import CHROMIUM
from tests.flows import steps
from tests.flows.evidence_source import DAY, PAPER, Source
from tests.serving import serving
from warehouse.release.latest import release_key
from warehouse.release.query import Database

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: install Debian's `chromium`"),
    pytest.mark.skipif(not ASSETS.exists(), reason="the explorer's assets are not there: make assets"),
]
PLACE = f"evidence/listing/{PAPER}/{DAY}"


@pytest.fixture(scope="module")
def page(source: Source, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    server = ReleaseServer(open_lake(source.lake), source.release.of, 0)
    with serving(server), browsing(tmp_path_factory.mktemp("profile")) as page:
        page.open(f"{server.address}#/evidence")
        yield page
        assert page.complaints == []


def shows(page: Page, after: str) -> None:
    page.open(f"{page.value('location.href').partition('#')[0]}#{after}")


def saved(page: Page, words: str) -> str:
    """What a button saves."""
    return str(
        page.value(
            f"[...document.querySelectorAll('main button')].find((one) => one.textContent === {json.dumps(f'Save: {words}')}).dataset.text"
        )
    )


def hand(page: Page, path: Path) -> None:
    """Choose a file in the field of the page."""
    page.send("DOM.enable")
    root = page.send("DOM.getDocument")["root"]["nodeId"]
    node = page.send("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
    page.send("DOM.setFileInputFiles", nodeId=node, files=[str(path)])


def found(page: Page, path: Path) -> str:
    """What the explorer says of a file."""
    shows(page, "/evidence")
    hand(page, path)
    page.until(
        "document.querySelector('#found').textContent.length > 9 && document.querySelector('#found').textContent !== 'Reading…'"
    )
    return str(page.value("document.querySelector('#found').innerText"))


def test_a_place_is_proved_in_the_browser(page: Page, source: Source) -> None:
    """The certificate is the one that the command writes, and the checker takes it."""
    shows(page, f"/paper/{PAPER}")
    page.click(f"a.evidence[href='#/{PLACE}']")
    page.shown(f"/{PLACE}")
    text = page.main
    assert f"Paper {PAPER} was number 1 of 7 on the daily list" in text
    assert "119 upvotes, seen at 2026-04-08 08:05 UTC" in text
    certificate = saved(page, "Rank certificate")
    assert json.loads(certificate) == rank_certificate(source.release, PAPER, date.fromisoformat(DAY))
    roots = source.release.files.store.read(release_key(source.release.of.version, "roots.json"))
    assert "as roots.json says" in str(check_rank(certificate.encode(), Anchors(roots=roots)))
    assert f"#/{PLACE}" in page.value("document.querySelector('main pre').textContent")
    assert (
        page.value("document.querySelector('main svg').getAttribute('aria-label')")
        == f"Daily Papers: #1 of 7 · {DAY} · ▲ 119"
    )


def test_every_number_of_a_paper_has_its_page(page: Page, source: Source) -> None:
    """Each view names the captured page that the command's file has, and the command that makes it."""
    facts = {
        PLACE: listing_fact(source.database, PAPER, DAY),
        f"evidence/upvote_count/{PAPER}/2026-04-08T12:00:00Z": count_fact(source.database, PAPER, "2026-04-08T12:00"),
        f"evidence/claim/{claimed(source.database)[0]}/{claimed(source.database)[1]}": claim_fact(
            source.database, *claimed(source.database)
        ),
    }
    for address, fact in facts.items():
        shows(page, f"/{address}")
        text = page.main
        [(sha256,)] = source.database.rows(
            "SELECT payload_sha256 FROM captures WHERE capture_id = $1", [fact.capture_id]
        ).rows
        assert fact.capture_id in text
        assert sha256 in text
        assert "paperlake evidence" in text


def test_of_a_corrected_value_the_browser_shows_no_proof(source: Source, tmp_path: Path) -> None:
    """A place and a count, each with what its page says; not the other counts of the paper, nor its claims."""
    lake = str(shutil.copytree(source.lake, tmp_path / "lake"))
    told = {"reason": "digits swapped", "source": "https://arxiv.example/abs/1"}
    listing = {"listed_on": DAY, "paper_id": PAPER}
    seen = {"paper_id": PAPER, "observed_at": "2026-04-08T08:05:00"}
    cells = [
        {"table": "daily_listings", "key": listing, "column": "rank", "seen": 1, "right": 2},
        {"table": "paper_observations", "key": seen, "column": "upvote_count", "seen": 119, "right": 120},
    ]
    declared = tmp_path / "corrections.yaml"
    declared.write_text(json.dumps([cell | told for cell in cells]))
    manifest = steps.publish_new(lake, corrections=declared)
    server = ReleaseServer(open_lake(lake), manifest, 0)
    with serving(server), browsing(tmp_path / "profile") as page:
        for says, at in (("1", f"listing/{PAPER}/{DAY}"), ("119", f"upvote_count/{PAPER}/2026-04-08T12:00:00Z")):
            page.open(f"{server.address}#/evidence/{at}")
            text = page.main
            assert f"This value was corrected (digits swapped): the page says {says}. There is no evidence of" in text
            assert "The captured page" in text
            assert page.value("document.querySelector('main button[data-text], main pre')") is None
        for at in (f"upvote_count/{PAPER}/2026-04-07T12:00:00Z", f"claim/{PAPER}/1"):
            page.open(f"{server.address}#/evidence/{at}")
            assert "paperlake evidence" in page.value("document.querySelector('main pre').textContent")


def claimed(database: Database) -> tuple[str, int]:
    [row] = database.rows("SELECT paper_id, position FROM paper_claims ORDER BY ALL LIMIT 1").rows
    return row


def test_a_file_is_looked_into(page: Page, source: Source, tmp_path: Path) -> None:
    """Its statement, and the captured answer as it came; of one that was changed nothing is shown."""
    data = source.package(listing_fact(source.database, PAPER, DAY))
    path = tmp_path / "place.wacz"
    path.write_bytes(data)
    text = found(page, path)
    assert check(data).statement in text
    assert "have the hashes" in text
    assert '"upvotes": 119' in text
    assert "It leads to the root that release" in text
    certificate = tmp_path / "rank.json"
    made = rank_certificate(source.release, PAPER, date.fromisoformat(DAY))
    certificate.write_text(json.dumps(made))
    assert "It leads to the root that release" in found(page, certificate)
    certificate.write_text(json.dumps(made | {"rank": 2}))
    assert "does not lead to the root" in found(page, certificate)


@pytest.mark.parametrize("at", range(10, 100, 20))
def test_a_changed_file_is_refused_or_says_the_same(page: Page, source: Source, tmp_path: Path, at: int) -> None:
    """Of a zip file some bytes are nobody's: of a file's date; what is stated and shown never changes unseen."""
    data = source.package(listing_fact(source.database, PAPER, DAY))
    path = tmp_path / "place.wacz"
    path.write_bytes(data)
    before = found(page, path)
    changed = bytearray(data)
    changed[at * len(data) // 100] ^= 0x55
    path.write_bytes(changed)
    assert found(page, path) == before or page.value("Boolean(document.querySelector('#found p.fault'))")
