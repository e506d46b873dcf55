"""`paperlake explore` on a release of the sample: a browser shows what the commands answer."""

import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote
from urllib.request import urlopen

import pytest

from flows.documents.site_files import ASSETS, SQL_LAYER
from flows.runtime.lake import open_lake
from paperlake.explore import ReleaseServer
from paperlake.find.reasons import facets
from tests.browser import Page, browsing
from tests.chromium import CHROMIUM
from tests.flows.counted_explored import SKIMMED
from tests.processes import PAPERLAKE
from tests.real.explore_queries import ALL_WRITTEN
from tests.serving import serving
from warehouse.errors import QueryFailed
from warehouse.release.latest import manifest_of, require_latest
from warehouse.release.query import Database

MINUS = chr(0x2212)
NEEDS_BROWSER = pytest.mark.skipif(
    CHROMIUM is None or not ASSETS.exists(), reason="no Chromium, or no assets of the explorer: make assets"
)
NEEDS_DUCKDB = pytest.mark.skipif(
    not (ASSETS / SQL_LAYER).exists(), reason="what answers SQL in a browser is not there: make explore"
)
FIRST_CODE = 150_000  # bytes of the first page and what it loads; on all captures tests/real counts the data too
POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"  # of a host, on top of the page's own
SHOWN = """[...document.querySelectorAll('.papers li')].map((one) => [
    decodeURIComponent(one.querySelector('a').hash.slice(8)), one.querySelector('.title').textContent,
    Number(one.querySelector('.about').textContent.match(/([\\d,]+) upvote/)?.[1].replace(',', '') ?? -1)])"""


TRENDS = """[...document.querySelectorAll('.trend')].map((one) => ({
    id: one.id, sql: one.querySelector('.query').textContent,
    columns: [...one.querySelectorAll('thead th')].map((cell) => cell.textContent),
    rows: [...one.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent)),
    titles: one.querySelectorAll('svg title').length, points: one.querySelectorAll('.dot').length,
    charts: one.querySelectorAll('svg').length }))"""
ANSWER = """[...document.querySelectorAll('#answer tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"""
FOUND = "SELECT paper_id FROM find_papers($1, NULL) ORDER BY rank"
ASKED = """m.found(QUERY).then(
    ({ hits, name }) => ({ ids: hits.map((row) => row.paper_id), name: name && [name.field, name.values] }),
    (error) => { if (error.constructor.name !== 'QueryFault') throw error; return { error: error.message } })"""


@NEEDS_BROWSER
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("list/2026-02-31", "A day is written as"),
        ("trending/2026-02-31", "A day is written as"),
        ("list/2026-10-02/2026-10-02T08:05:00", "A moment is written as"),
    ],
)
def test_a_link_to_no_day_or_moment_is_answered(explorer: tuple[Page, str], asked: str, said: str) -> None:
    page, address = explorer
    page.go(f"{address}#/{asked}")
    assert said in page.main


QUERIES = (
    "harbours", "slow reasoning", "Woven Harbours for Slow Reasoning: Part 2.6", "patiant beacons", "unlabelled-birds",
    "letters -gardens", "title:candid", "long letters sort:upvotes", "tides sort:date", "since:2026-10-01 ledgers", "since:2026-10 ledgers", "until:2025", "-list:2026-10 letters",
    '"counting stars"', "has:code", "until:2026-04-30", "zzzz", "", "word:word", "harbours: slow reasoning", "-", "?!",
    " slow \t reasoning ", '"slow reasoning', 'slow"', "words:harbours", '"slow-reasoning"', "sort:date",
    "sort:upvotes year:2026", "-year:2026", "-has:code letters sort:upvotes", "2026", "papers of 2026", "2026-10-01",
    "October 2026", "2026-10", "papers from sept. 2026", "january 1900",
    "Oct 1, 2026", "papers of 1st October 2026", "2026-10-03", "2026-02-30", '"2699.99999"', '"arXiv:2610.02204v2"',
    "id:2699.99999", "2699.99999", "arXiv:2699.99999v2 [cs.CL]", "2610.022041", "id:2610.022041", "2610.0220", "https://arxiv.org/abs/2699.99999v1",
    'title:""', "since:2026-02-30", "until:2026-13", "year:26", "sort:name", "-sort:date", "has:video", "like:none", "-like:none", "like:arXiv:math.GT/0309136v1",
    "harbours\u7684\u6e29\u5ea6 \u30c7\u30fc\u30bf",
)  # fmt: skip


@contextmanager
def exploring(lake: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address that the command prints, and its process."""
    command = [PAPERLAKE, "explore", "--no-browser", "--lake", lake]
    environment = {**os.environ, "COLUMNS": "100"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=environment, text=True, **pipes) as process:
        try:
            yield process.stdout.readline().split(" is at ")[1].split()[0], process
        finally:
            process.kill()


def test_it_serves_the_page_until_it_is_stopped(published: str) -> None:
    with exploring(published) as (address, process):
        with urlopen(address) as answer:
            assert b"Daily papers, release" in answer.read()
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert (process.returncode, told) == (130, "stopped\n")


@pytest.fixture(scope="module")
def explorer(published: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Page, str]]:
    """The explorer of the release in a browser, and its address."""
    store = open_lake(published)
    server = ReleaseServer(store, manifest_of(store, require_latest(store)), 0)
    handler: Any = server.RequestHandlerClass

    def ending(answer: Any) -> None:
        answer.send_header("Content-Security-Policy", POLICY)
        BaseHTTPRequestHandler.end_headers(answer)

    with pytest.MonkeyPatch.context() as patch, serving(server), browsing(tmp_path_factory.mktemp("profile")) as page:
        patch.setattr(handler, "end_headers", ending)
        page.open(f"{server.address}#/")
        yield page, server.address
        assert [
            one for one in page.asked if not one.startswith(("http://127.0.0.1:", "data:", "about:", "blob:"))
        ] == []


@NEEDS_BROWSER
def test_the_first_page_loads_little_code(explorer: tuple[Page, str], published: str) -> None:
    page, address = explorer
    page.asked.clear()
    page.open(f"{address}#/")
    assert "Harbours" in page.main
    release = Path(published) / "releases" / require_latest(open_lake(published)).version
    loaded = {one.partition("/explore/")[2].partition("#")[0] for one in page.asked if "/explore/" in one}
    assert len(loaded) > 3
    assert sum((release / "explore" / (path or "index.html")).stat().st_size for path in loaded) <= FIRST_CODE


@NEEDS_BROWSER
def test_from_list_to_paper_to_similar_to_search_to_sql_by_keyboard(explorer: tuple[Page, str]) -> None:
    """By mouse, on a phone and on a desktop: tests/unit/test_explore_in_chromium.py."""
    page, address = explorer
    page.open(f"{address}#/")
    follow(page, ".papers a")
    page.until("location.hash.startsWith('#/paper/') && document.querySelector('.sources') !== null")
    assert page.value("document.activeElement.id") == "main"
    page.value("document.querySelectorAll('.lazy')[1].scrollIntoView()")
    page.until("document.querySelector('.similar a') !== null")
    before = page.value("location.hash")
    follow(page, ".similar a")
    page.until(f"document.querySelector('main').dataset.shown === location.hash && location.hash !== {before!r}")
    page.value("document.querySelector('header a').focus()")
    follow(page, "[data-part=search]")
    page.shown("/search/")
    assert page.value("document.activeElement.id") == "words"
    page.type("harbours")
    page.until("document.querySelectorAll('.papers li').length === 4")
    page.value("document.querySelector('header a').focus()")
    follow(page, "[data-part=sql]")
    page.shown("/sql/")


def said_of(last: tuple[int, str], before: tuple[int, str] | None = None) -> str:
    gain = last[0] - before[0] if before else 0
    return f"{last[0]:,} upvotes" + (f", {'+' if gain > 0 else MINUS}{abs(gain)} since {before[1]}" if gain else "")


@NEEDS_BROWSER
def test_a_list_says_what_its_papers_built_and_gained(explorer: tuple[Page, str], database: Database) -> None:
    page, address = explorer
    page.open(f"{address}#/list/2026-04-07")
    page.until(SKIMMED)
    looks = database.rows("""
        SELECT list((upvote_count, observed_at::DATE::VARCHAR) ORDER BY observed_at DESC)
        FROM paper_observations JOIN daily_listings USING (paper_id) WHERE listed_on = '2026-04-07'
        GROUP BY paper_id ORDER BY any_value(rank)
    """)
    assert page.texts(".papers .upvotes") == [said_of(*found[:2]) for (found,) in looks.rows]
    assert page.texts(".papers .system:not(:empty)") == ["QuinceFS, library"]


@NEEDS_BROWSER
@pytest.mark.parametrize("view", ["", "search/letters"])
def test_back_and_a_reload_return_to_where_one_was(explorer: tuple[Page, str], view: str) -> None:
    """To the paper that was followed, which has the focus again, however lists are filled above it."""
    page, address = explorer
    page.send("Emulation.setDeviceMetricsOverride", width=1280, height=400, deviceScaleFactor=1, mobile=False)
    try:
        page.open(f"{address}#/{view}")
        page.value("document.querySelectorAll('main .title')[2].scrollIntoView()")
        page.until("document.querySelector('.papers .filled .summary') !== null")
        paper = page.value("document.querySelectorAll('main .title')[2].hash")
        there = f"document.querySelector('main .title[href=\"{paper}\"]').getBoundingClientRect().top"
        before = page.value(there)
        assert page.value("scrollY") > 0
        page.value(
            "const one = document.querySelectorAll('main .title')[2]; one.focus({ preventScroll: true }); one.click()"
        )
        page.until("document.querySelector('main').dataset.shown?.startsWith('#/paper/')")
        assert page.value("scrollY") == 0
        page.value("history.back()")
        page.shown(f"/{view}")
        page.until(f"Math.abs({there} - {before}) < 2 && document.activeElement.hash === {json.dumps(paper)}")
        reloaded(page)
        page.until(f"document.querySelector('.filled') && Math.abs({there} - {before}) < 2")
    finally:
        page.send("Emulation.clearDeviceMetricsOverride")


@NEEDS_BROWSER
def test_the_first_page_names_the_lists_since_the_last_visit(explorer: tuple[Page, str], database: Database) -> None:
    page, address = explorer
    page.open(f"{address}#/")
    named = '[aria-label="Since your last visit"] a'
    assert page.texts(named) == []
    page.value("localStorage.setItem('paperlake-newest-list', '2026-04-01'); sessionStorage.clear()")
    reloaded(page)
    sql = "SELECT listed_on, paper_count FROM coverage WHERE source = 'api' AND paper_count > 0 AND listed_on > '2026-04-01'"
    assert page.texts(named) == [f"{day} ({count})" for day, count in database.rows(f"{sql} ORDER BY 1").rows]
    page.value("localStorage.clear(); sessionStorage.clear()")


def reloaded(page: Page) -> None:
    page.value("window.isOld = true; setTimeout(() => location.reload())")
    page.until("!window.isOld && document.querySelector('main')?.dataset.shown === location.hash")


def follow(page: Page, selector: str) -> None:
    """Tab to an element, checking that the focus is visible, and press Enter."""
    for _ in range(100):
        page.press("Tab")
        if page.value(f"document.activeElement.matches({json.dumps(selector)})"):
            break
    assert page.value("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.press("Enter")


def column(database: Database, sql: str, *parameters: str) -> list[Any]:
    return [row[0] for row in database.rows(sql, parameters).rows]


@NEEDS_BROWSER
def test_every_list_is_that_of_the_database(explorer: tuple[Page, str], database: Database) -> None:
    page, address = explorer
    days = [str(day) for day in column(database, "SELECT DISTINCT listed_on FROM daily_listings ORDER BY 1")]
    question = (
        "SELECT paper_id, title, coalesce(upvote_count, -1) FROM daily_listings JOIN papers USING (paper_id) "
        "WHERE listed_on = '{}' ORDER BY rank NULLS LAST, paper_id"
    )
    asked = {day: [list(row) for row in database.rows(question.format(day)).rows] for day in days}
    shown = {}
    for day in days:
        page.go(f"{address}#/list/{day}")
        shown[day] = page.value(SHOWN)
    assert len(days) > 3
    assert shown == asked


@NEEDS_BROWSER
def test_every_list_as_it_stood_is_that_of_the_macro(explorer: tuple[Page, str], database: Database) -> None:
    looks = database.rows(
        "SELECT DISTINCT listed_on::VARCHAR, fetched_at FROM captures WHERE list_kind = 'daily' AND fetched_at IS NOT NULL"
    ).rows
    count = 0
    for day, moment in looks:
        sql = "SELECT rank, paper_id, upvote_count FROM listing_as_of($1::DATE, $2::TIMESTAMP) ORDER BY rank, paper_id"
        then = [list(row) for row in database.rows(sql, [day, str(moment)]).rows]
        ids = column(database, f"SELECT paper_id FROM daily_listings WHERE listed_on = '{day}'")
        found = explorer[0].asks(
            "history.js",
            f"(await m.asOf(await m.dailyCaptures('{day}'), {json.dumps(ids)}, new Date('{moment.isoformat()}Z')))"
            ".map((row) => [row.rank, row.paper_id, row.upvote_count])",
        )
        assert sorted(found) == then
        count += len(then)
    assert count > 50


@NEEDS_BROWSER
def test_beside_the_newest_list_is_what_trends_of_earlier_ones(explorer: tuple[Page, str], database: Database) -> None:
    page, address = explorer
    newest = "(SELECT max(listed_on) FROM daily_listings)"
    others = f"""SELECT paper_id FROM trending_papers
        WHERE trending_on = (SELECT max(trending_on) FROM trending_papers)
          AND paper_id NOT IN (SELECT paper_id FROM daily_listings WHERE listed_on = {newest}) ORDER BY rank LIMIT 5"""
    page.open(f"{address}#/")
    page.value("document.querySelector('aside').scrollIntoView()")  # where it is below the list, it is read once seen
    page.until("document.querySelector('aside li') !== null")
    shown = "[...document.querySelectorAll('aside li')].map((one) => one.dataset.paper)"
    assert page.value(shown) == column(database, others)


@NEEDS_BROWSER
def test_what_was_trending_is_what_the_mart_says(explorer: tuple[Page, str], database: Database) -> None:
    page, address = explorer
    question = "SELECT paper_id, title, upvote_count FROM trending_papers WHERE trending_on = $1 ORDER BY rank"
    days = [str(day) for day in column(database, "SELECT DISTINCT trending_on FROM trending_papers ORDER BY 1")]
    assert len(days) > 3
    page.open(f"{address}#/trending")
    newest = [list(row) for row in database.rows(question, [days[-1]]).rows]
    assert page.value(SHOWN) == newest
    assert f"less for older lists. {len(newest)} papers.\n" in page.main
    for day in days[:5]:
        page.go(f"{address}#/trending/{day}")
        assert page.value(SHOWN) == [list(row) for row in database.rows(question, [day]).rows]
    page.go(f"{address}#/trending/2001-02-03")
    assert "no trending papers of this day" in page.main


@NEEDS_BROWSER
def test_papers_are_alike_as_the_macro_has_it(explorer: tuple[Page, str], database: Database) -> None:
    page, _ = explorer
    paper_id = column(database, "SELECT paper_id FROM paper_links WHERE kind = 'github' ORDER BY 1")[0]
    reasons = f"SELECT paper_id, coalesce(reasons, '') FROM similar_to('{paper_id}') ORDER BY rank"
    alike = list(database.rows(reasons).rows)
    others = json.dumps([other for other, _ in alike])
    found = page.asks("similar.js", f"[...await m.reasons('{paper_id}', {others})]")
    assert [[one, by_kind(told)] for one, told in found] == [[one, by_kind(told)] for one, told in alike]
    assert any(told for _, told in alike)


def by_kind(reasons: str) -> list[tuple[str, list[str]]]:
    """By kind: the macro has rare keywords first, the page sorts them by the alphabet."""
    kinds = (one.partition(": ") for one in reasons.split("; ") if one)
    return [(kind, sorted(values.split(", "))) for kind, _, values in kinds]


def same_papers(page: Page, database: Database, query: str) -> dict[str, Any]:
    """What the explorer finds, which is what the macro finds; an error is in its words."""
    found: dict[str, Any] = page.asks("search.js", ASKED.replace("QUERY", json.dumps(query)))
    if "error" in found:
        with pytest.raises(QueryFailed, match=re.escape(found["error"])):
            column(database, FOUND, query)
    else:
        assert (query, found["ids"]) == (query, column(database, FOUND, query))
    return {"name": None} | found


@NEEDS_BROWSER
@pytest.mark.slow
def test_search_gives_the_papers_of_the_macro_in_its_order(explorer: tuple[Page, str], database: Database) -> None:
    page = explorer[0]
    ids = column(database, "SELECT paper_id FROM papers WHERE paper_id NOT LIKE 'title:%' ORDER BY 1")
    names = column(database, "SELECT DISTINCT name FROM paper_authors ORDER BY 1 LIMIT 4")
    organizations = column(
        database, "SELECT DISTINCT organization_name FROM papers WHERE organization_name <> '' ORDER BY 1"
    )
    forms = (
        "{}",
        "{}v2",
        "arXiv:{}",
        "arxiv.org/pdf/{}v3.pdf",
        "10.48550/arXiv.{}",
        "arxiv: {} [cs.CL]",
        "like:{} letters",
    )
    turned = [f"{name.split()[-1]}, {' '.join(name.split()[:-1])}" for name in names]
    by_id = [form.format(paper_id) for form, paper_id in zip(forms, ids, strict=False)]
    by_id.append(f"like:{ids[0]},{ids[1]} -like:{ids[2]}")
    for query in (
        *QUERIES,
        *ALL_WRITTEN,
        *by_id,
        *names,
        *turned,
        *(f"new papers by {name}" for name in names),
        f"{names[0]} and {names[1]}",
        f"papers by {turned[2]} & {names[3]} since:2024",
        f"{names[0]} and letters",
        f'"{ids[0]}v3"',
        *organizations,
        *(f"the {name} team" for name in organizations),
    ):
        same_papers(page, database, query)
    assert same_papers(page, database, turned[0])["name"] == ["author", [names[0]]]


@NEEDS_BROWSER
def test_what_matches_is_counted_as_the_command_does(explorer: tuple[Page, str], database: Database) -> None:
    page, address = explorer
    searched = "(await import(new URL('search.js', document.querySelector('script[src]').src))).found({})"
    for query in ("letters", "has:code", "2026", "beacons or harbours", "keyword:nothing"):
        asked = f"[...await m.facets((await {searched.format(json.dumps(query))}).hits)]"
        found = [
            (kind, one["value"], one["count"], one["narrow"])
            for kind, some in page.asks("facets.js", asked)
            for one in some
        ]
        assert found == list(facets(database, query).rows), query
    page.open(f"{address}#/search/letters%20%22")  # a quotation mark that is not closed takes no field
    page.until("document.querySelector('details .names') !== null")
    page.click("details summary")
    link = "[...document.querySelectorAll('details .names a')].find((one) => one.href.includes('keyword'))"
    narrower, count = page.value(f"[{link}.href, Number({link}.nextSibling.textContent)]")
    page.go(narrower)
    shown = [one for one, *_ in page.value(SHOWN)]
    assert shown == column(database, FOUND, unquote(narrower.partition("#/search/")[2]))
    assert len(shown) == count


@NEEDS_BROWSER
def test_a_first_answer_is_the_best_by_words(explorer: tuple[Page, str]) -> None:
    """It is there before the index is, and of what it cannot answer, a slip, a field, an id, it says nothing."""
    page, _ = explorer
    first = "m.firstFound({}).then((rows) => rows && rows.map((row) => [row.paper_id, row.title]))"
    for query in ("harbours", "slow reasoning", "long letters"):
        found = page.asks("first.js", first.format(json.dumps(query)))
        whole = page.asks(
            "search.js",
            f"m.found({json.dumps(query)}).then((found) => found.hits.map((one) => [one.paper_id, one.title]))",
        )
        assert 0 < len(found) <= 5
        assert all(one in whole for one in found)
    for query in ("harbour author:ada", "patiant beacons", "2026", "2699.99999", "-letters", ""):
        assert page.asks("first.js", first.format(json.dumps(query))) is None


@NEEDS_BROWSER
def test_what_a_query_names_stands_above_the_list(explorer: tuple[Page, str], database: Database) -> None:
    page, address = explorer
    [name] = column(database, "SELECT name FROM paper_authors WHERE name LIKE '% %' ORDER BY 1 LIMIT 1")
    for query, told in (
        (name, f"author: {name} · search the words instead · "),
        ("2699.99999", "no paper of this release has the id 2699.99999"),
        ("Jan 1, 1900", "this release has no daily list of 1900-01-01"),
        ("year:26", "year:26 is not a year; write for example year:2026."),
    ):
        page.go(f"{address}#/search/{quote(query)}")
        assert page.value("document.querySelector('.told').textContent").startswith(told)
    page.go(f"{address}#/search/{quote(name)}")
    assert page.value("decodeURIComponent(document.querySelector('.told a').hash)") == f'#/search/words:"{name}"'


@NEEDS_BROWSER
def test_every_trend_is_what_its_sql_gives(explorer: tuple[Page, str], database: Database) -> None:
    page, address = explorer
    page.open(f"{address}#/trends")
    charts = page.value(TRENDS)
    assert [chart["id"] for chart in charts] == ["volume", "keywords", "organizations", "code", "lag"]
    for chart in charts:
        answer = database.rows(chart["sql"])
        rows = [["" if value is None else said(value) for value in row] for row in answer.rows]
        assert (chart["columns"], chart["rows"]) == (list(answer.columns), rows)
        assert chart["rows"]
        assert chart["titles"] == chart["points"] + chart["charts"]  # no chart and no point without its words
    assert page.value("document.querySelectorAll('.dot.partial').length") > 0
    page.value("document.querySelector('#keywords-more').value = 'no such word'")
    page.click("#keywords .adding button")
    page.until("document.querySelector('#keywords [role=status]').textContent === 'No paper has no such word'")


def said(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


@NEEDS_BROWSER
@NEEDS_DUCKDB
@pytest.mark.slow
def test_the_ten_questions_have_the_rows_of_the_command(explorer: tuple[Page, str], database: Database) -> None:
    page, address = explorer
    page.open(f"{address}#/sql/")
    questions = page.asks("questions.js", "m.QUESTIONS")
    for _, sql in questions:
        page.value(f"document.querySelector('#query').value = {json.dumps(sql)}; 0")
        page.click("button.primary")
        page.until("!document.querySelector('button.primary').disabled")
        answer = database.rows(sql)
        rows = [["" if value is None else said(value) for value in row] for row in answer.rows]
        assert (page.value(ANSWER), sql) == ([list(answer.columns), *rows], sql)
    assert unquote(page.value("location.hash").partition("#/sql/")[2]) == questions[-1][1]


@NEEDS_BROWSER
@NEEDS_DUCKDB
@pytest.mark.slow
def test_sql_changes_nothing_reaches_nobody_and_can_be_stopped(explorer: tuple[Page, str]) -> None:
    page, address = explorer
    page.open(f"{address}#/sql/{quote('DELETE FROM core.papers')}")
    for sql, told in (
        (None, "read-only"),
        ("SELECT * FROM read_csv('https://attacker.example/x.csv')", "disabled"),
        ("SET enable_external_access=true", "locked"),
        ("SELECT '<img src=x onerror=document.title=1>' AS \"<b>\"", ""),
        ("SELECT nothing", "nothing"),
    ):
        if sql:
            page.value(f"document.querySelector('#query').value = {json.dumps(sql)}; 0")
        page.click("button.primary")
        page.until("!document.querySelector('button.primary').disabled")
        assert told in page.value("document.querySelector('#answer').innerText")
        assert page.value("document.querySelectorAll('#answer img, #answer b').length") == 0
    endless = "SELECT count(*) FROM range(10000000) AS a, range(10000000) AS b WHERE a.range % 7 = b.range % 11"
    page.value(f"document.querySelector('#query').value = {json.dumps(endless)}; 0")
    page.click("button.primary")
    page.until("document.querySelector('.told').textContent === 'Asking…'")
    page.click("button.primary + button")
    page.until("document.querySelector('.told').textContent === 'Stopped.'")
