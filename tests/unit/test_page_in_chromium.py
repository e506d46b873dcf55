"""The pages of a release, and a letter, in a browser: on a desktop, a phone, a dark screen and without scripts, asking for nothing."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from flows.documents.page import beside
from flows.documents.release_index import leading_pages
from paperlake.digest.letter_papers import NewsPaper
from paperlake.digest.letters import Links, parts
from paperlake.digest.news import News, NewsList
from tests.browser import Page, browsing
from tests.chromium import CHROMIUM, served
from tests.unit.test_release_page import PAGES
from warehouse.release.latest import LEADING
from warehouse.schema.core.papers import PAPERS

PROBE = (Path(__file__).parents[1] / "probe.html").read_bytes()
VIEWS = ("desktop", "phone", "narrow", "scriptless")

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: install Debian's `chromium`")

BACKGROUND = {"light": "rgb(251, 250, 248)", "dark": "rgb(20, 23, 27)"}


def letter() -> bytes:
    titles = ("A Title of Some Length That Is Broken", "Withoutanybreaks" * 12, "مقدمة", "<script>alert(1)</script>")
    papers = [
        NewsPaper(f"2610.{number:05}", title, ["Ada Lund", "Bruno Holm"], 9, "Lab" * 40, 3, f"2610.{number:05}")
        for number, title in enumerate(titles)
    ]
    day = NewsList(date(2026, 10, 2), "fetched before the list was closed", tuple(papers))
    news = News([day], [NewsList(date(2026, 10, 1), "failed: HTTP 503")], papers)
    site = "https://papers.example.org"
    return parts(news, Links(site, f"{site}/unsubscribe/token", f"{site}/preferences/token"))[1].encode()


def short_dictionary() -> bytes:
    """Of one mart, table and macro: all colours of the long one, for a tenth of what Chromium does with that."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("MART_TABLES", "ABOUT_TABLES", "MACROS"):
            patch.setattr(beside, name, getattr(beside, name)[:1])
        patch.setattr(beside, "CORE_TABLES", (PAPERS,))
        return beside.dictionary_page.__wrapped__()


SHOWN = PAGES | {"letter": letter, "short dictionary": short_dictionary}


class Seen(NamedTuple):
    """What the probe found in a page, what was asked for meanwhile, and what the browser complained of."""

    found: dict[str, Any]
    asked: list[str]
    complaints: list[str]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browsing(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture(scope="module")
def look(browser: Page) -> Callable[[str, str], Seen]:
    """Each page is looked at once in light and once in dark."""

    @cache
    def seen(name: str, scheme: str) -> Seen:
        browser.complaints.clear()
        browser.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        with served({"/index.html": SHOWN[name](), "/probe.html": PROBE, "/favicon.ico": b""}) as site:
            found = browser.probe(f"{site.address}/probe.html")
        assert found["desktop"]["background"] == BACKGROUND[scheme]
        return Seen(found, site.asked, [json.dumps(one) for one in browser.complaints])

    return seen


# What "first" and "nothing" have, "busy" has too: their colours
LOOKS = [
    *((name, "light") for name in (*PAGES, "letter")),
    *((name, "dark") for name in ("short dictionary", "coverage", "notes", "busy", "letter")),
]


@pytest.fixture(scope="module", params=LOOKS, ids="-".join)
def seen(request: pytest.FixtureRequest, look: Callable[[str, str], Seen]) -> Seen:
    return look(*request.param)


@pytest.fixture(scope="module")
def release(look: Callable[[str, str], Seen]) -> dict[str, Any]:
    return look("busy", "light").found


@pytest.fixture(scope="module")
def dictionary(look: Callable[[str, str], Seen]) -> dict[str, Any]:
    return look("dictionary", "light").found


def test_it_asks_for_nothing_and_complains_of_nothing(seen: Seen) -> None:
    assert sorted(set(seen.asked) - {"/favicon.ico"}) == ["/index.html", "/probe.html"]
    # That the sandbox of the view without scripts holds is no complaint of the page's.
    assert [line for line in seen.complaints if "sandboxed" not in line] == []


@pytest.mark.parametrize("view", VIEWS)
def test_nothing_reaches_over_the_edge_and_everything_can_be_read(seen: Seen, view: str) -> None:
    assert seen.found[view]["wide"] == {"by": 0, "over": []}
    assert seen.found[view]["pale"] == []
    assert seen.found[view]["tight"] == []
    assert seen.found[view]["small"] == 0
    assert seen.found[view]["lowest"] > 8


def test_the_search_is_there_with_scripts_only_and_the_dictionary_always(dictionary: dict[str, Any]) -> None:
    assert [dictionary[view]["form"] for view in ("desktop", "phone", "scriptless")] == [True, True, False]
    assert len({dictionary[view]["all"] for view in VIEWS}) == 1


def test_the_search_finds(dictionary: dict[str, Any]) -> None:
    some, none, all_again = dictionary["searches"]
    total = dictionary["phone"]["all"]
    assert (none["told"], none["shown"], none["open"]) == (f"0 of {total} columns", 0, [])
    assert 0 < some["shown"] < total
    assert some["told"] == f"{some['shown']} of {total} columns"
    assert "table-papers" in some["open"]
    assert (all_again["told"], all_again["open"]) == ("", [])


def test_a_link_to_a_table_opens_it(dictionary: dict[str, Any]) -> None:
    assert dictionary["target"] is True


def test_what_is_to_be_copied_has_whole_addresses(release: dict[str, Any]) -> None:
    assert [bool(release[view]["copies"]) for view in ("desktop", "phone", "scriptless")] == [True, True, False]
    assert re.search(r"read_parquet\('http://127\.0\.0\.1:\d+/marts/papers_by_month\.parquet'\)", release["whole"])


def test_the_calendar_tells_its_days_on_focus_and_on_hover(release: dict[str, Any]) -> None:
    """The newest half: 1 and 2 January 2026, whose last day has the focus at first."""
    last, before, first, still, hovered = release["told"]
    assert last == hovered == "Fri 2 Jan 2026: the source gave an empty list"
    assert before == first == still
    assert first.startswith("Thu 1 Jan 2026: <script>")


@pytest.mark.parametrize("runs_scripts", [True, False])
def test_the_pages_that_lead_to_a_release_do_under_any_address(browser: Page, runs_scripts: bool) -> None:
    """As a browser resolves them: where scripts run or not."""
    version, at = "2026.10.09.1", "/some/sub%20path"
    leading = {f"{at}/{key}": page for key, page in leading_pages(version).items()}
    targets = {f"{at}/{key}": f"{at}/releases/{version}/{page}" for key, page in LEADING.items()}
    pages = leading | dict.fromkeys(targets.values(), b"<main>here</main>")
    with served(pages) as site:
        browser.send("Emulation.setScriptExecutionDisabled", value=not runs_scripts)
        for path, target in targets.items():
            browser.send("Page.navigate", url=f"{site.address}{path}#/a")
            browser.until(f"location.pathname === '{target}' && document.body?.innerText === 'here'")
            assert browser.value("location.hash") == ("#/a" if runs_scripts and "/explore/" in target else "")
        browser.send("Emulation.setScriptExecutionDisabled", value=False)
