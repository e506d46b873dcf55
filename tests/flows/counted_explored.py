"""The explorer of a release in Chromium: its calendar, lists, weeks, months, trends and papers, beside SQL."""

import re
from collections import Counter
from pathlib import Path

from flows.runtime.lake import open_lake
from paperlake.explore import ReleaseServer
from tests.browser import Page, browsing
from tests.flows.counted import NUMBER, OUTCOME, Reader, number
from tests.serving import serving
from warehouse.release.manifest import Manifest, decode

CELLS = """[...document.querySelectorAll('.month a[data-day]')].map((one) =>
    [one.dataset.day, one.ariaLabel, one.closest('td').className.split(' ')[0]])"""
ITEMS = """[...document.querySelectorAll('.papers li')].map((one) =>
    [decodeURIComponent(one.querySelector('a').hash.slice(8)), one.querySelector('.about').innerText,
        one.querySelector('.by')?.innerText, one.querySelectorAll('.by bdi').length])"""
SKIMMED = "document.querySelector('.papers').dataset.skimmed !== undefined"
FACTS = """[...document.querySelectorAll(".facts dt")].map((one) =>
    [one.innerText, one.nextSibling.innerText.replace(/ evidence$/, "")])"""
POINTS = """[...document.querySelectorAll('.trend')].flatMap((chart) => [...chart.querySelectorAll('.dot')].map((one) =>
    [chart.id, one.querySelector('title').textContent, one.classList.contains('partial')]))"""
# A day after the last of `coverage` was not fetched any more; of one after the release nothing is expected
DAYS = f"""WITH known AS (SELECT listed_on, {OUTCOME} AS became FROM coverage WHERE source = 'api')
    SELECT day::DATE::VARCHAR, coalesce(known.became, if(day < DATE '{{}}' AND isodow(day) < 6
        AND day > (SELECT max(listed_on) FROM known), 'not fetched', 'no list expected')), count(paper_id)
    FROM range(DATE '2023-01-01', DATE '2028-01-01', INTERVAL 1 DAY) AS one (day)
    LEFT JOIN known ON known.listed_on = day LEFT JOIN daily_listings ON daily_listings.listed_on = day GROUP BY ALL"""
# The months that are drawn hollow
HOLLOW = """SELECT strftime(month_on, '%B %Y') FROM papers_by_month
    WHERE NOT is_over OR day_count < expected_day_count"""
# What the points of a chart say, in order
TRENDS = {
    "volume": "SELECT month_on, paper_count, day_count, complete_day_count, expected_day_count FROM papers_by_month",
    "code": """SELECT month_on, round(100 * share, 1), shown_paper_count, known_paper_count, paper_count
        FROM field_availability WHERE field = 'github_url' AND share IS NOT NULL""",
    "lag": """SELECT date_trunc('month', listed_on), median(published_to_listed_days), count(published_to_listed_days),
        count(*) FROM listing_lag GROUP BY 1 HAVING count(published_to_listed_days) > 0""",
}
COUNTS = {"Upvotes": "upvote_count", "Comments": "comment_count", "GitHub stars": "github_star_count"}
Days = dict[str, tuple[str, int]]


def explorer(release: Reader, lake: str, profile: Path) -> None:
    manifest = decode((release.folder / "manifest.json").read_bytes(), Manifest, "manifest.json")
    server = ReleaseServer(open_lake(lake), manifest, 0)
    published = "-".join(manifest.version.split(".")[:3])
    days = {day: (became, count) for day, became, count in release.ask(DAYS.format(published))}
    with serving(server), browsing(profile) as page:
        page.open(f"{server.address}#/")
        calendar(release, page, days)
        lists(release, page, days)
        periods(release, page, days)
        trends(release, page)
        papers(release, page)


def goto(page: Page, path: str) -> str:
    """The words that stand there."""
    page.value(f"location.hash = '/{path}'")
    page.shown(f"/{path}")
    return " ".join(page.value("document.querySelector('main').textContent").split())


def calendar(release: Reader, page: Page, days: Days) -> None:
    """Every day of every month that it has: how many papers, what became of the list, and how it is drawn."""
    for year in sorted({day[:4] for day, (_, count) in days.items() if count}):
        goto(page, f"calendar/{year}")
        cells = page.value(CELLS)
        assert len(cells) > 27
        for day, label, drawn in cells:
            found = re.fullmatch(rf".*: {NUMBER} papers?, (.+)", label)
            release.same(f"explorer calendar {day}", (found[2], number(found[1])), days[day])
            release.same(f"explorer calendar {day} drawn", drawn, DRAWN[found[2]])


DRAWN = {
    "complete": "complete", "fetched on its day": "early", "partial": "partial", "not fetched": "unfetched",
    "the source gave an empty list": "empty", "nothing could be read": "failed", "no list expected": "unexpected",
}  # fmt: skip


def lists(release: Reader, page: Page, days: Days) -> None:
    """Every list: how many papers, what became of it, how many joined late, and the counts of each paper."""
    sql = "SELECT paper_id, upvote_count, author_count FROM papers"
    true = {paper: [*counts] for paper, *counts in release.ask(sql)}
    late = dict(
        release.ask(
            """SELECT listed_on::VARCHAR, count(*) FILTER (first_seen_at > begun) FROM daily_listings JOIN
            (SELECT listed_on, min(fetched_at) AS begun FROM captures WHERE list_kind = 'daily' AND state IN
            ('read', 'partial', 'empty') GROUP BY 1) USING (listed_on) GROUP BY 1"""
        )
    )
    for day, (became, count) in days.items():
        if not count:
            continue
        text = goto(page, f"list/{day}")
        found = re.search(rf"{NUMBER} papers?, counts as last seen\. Captured: ([a-z ]+)", text)
        release.same(f"explorer list {day}", (found[2], number(found[1])), (became, count))
        joined = re.search(rf"{NUMBER} papers? joined after", text)
        release.same(f"explorer list {day} late", number(joined[1]) if joined else 0, late.get(day, 0))
        page.until(SKIMMED)
        for paper, about, by, names in page.value(ITEMS):
            upvotes = re.search(rf"{NUMBER} upvote", about)
            more = re.search(rf"{NUMBER} (?:more|author)", by or "")
            authors = None if by is None else names + (number(more[1]) if more else 0)
            release.same(f"explorer list {day} {paper}", [upvotes and number(upvotes[1]), authors], true[paper])


def periods(release: Reader, page: Page, days: Days) -> None:
    """Every week and month with papers: how many, and which of its lists are not complete."""
    for path, format_ in (("week", "%G-W%V"), ("month", "%Y-%m")):
        sql = f"""SELECT strftime(listed_on, '{format_}'), count(DISTINCT paper_id) FROM daily_listings GROUP BY 1"""
        expected = f"""SELECT strftime(listed_on, '{format_}'), listed_on::VARCHAR FROM coverage
            WHERE source = 'api' AND is_expected ORDER BY 2"""
        for name, count in release.ask(sql):
            true = [day for period, day in release.ask(expected) if period == name]
            whole = sum(days[day][0] == "complete" for day in true)
            text = goto(page, f"{path}/{name}")
            found = re.search(rf"{NUMBER} papers?, most .*? Complete lists: {NUMBER} of {NUMBER} expected", text)
            release.same(f"explorer {path} {name}", [*map(number, found.groups())], [count, whole, len(true)])
            for day, became in re.findall(r"(\d{4}-\d\d-\d\d): ([a-z ]+)(?=\d{4}|[A-Z]|\d+ )", text):
                release.same(f"explorer {path} {day}", became, days[day][0])


def trends(release: Reader, page: Page) -> None:
    """Every point of every chart, and which of them are hollow: those of the release page's months, too."""
    goto(page, "trends")
    hollow = {month for (month,) in release.ask(HOLLOW)}
    charts = Counter(chart for chart, *_ in page.value(POINTS))
    true = {name: {f"{at:%B %Y}": told for at, *told in release.ask(sql)} for name, sql in TRENDS.items()}
    for chart, words, is_hollow in page.value(POINTS):
        month, told = words.split(": ", 1)
        release.same(f"explorer trends {words}", is_hollow, month in hollow)
        release.same(f"explorer trends {words}", told.endswith("; month not complete"), month in hollow)
        if chart in true:
            shown = [float(one.replace(",", "")) for one in re.findall(r"\d[\d,.]*", told)]
            release.same(f"explorer trends {words}", shown, true[chart][month])
    for name, rows in true.items():
        release.same(f"explorer trends {name}", charts[name], len(rows))
    drawn = re.findall(r'<g class="point (\w+)"><title>([A-Z]\w+ \d{4}):', release.text("index.html"))
    assert drawn
    for how, month in drawn:
        release.same(f"explorer months {month}", how, "open" if month in hollow else "over")


def papers(release: Reader, page: Page) -> None:
    """The pages of some papers: their counts as last seen, and their places on lists."""
    columns = ", ".join(COUNTS.values())
    sql = f"SELECT paper_id, {columns} FROM papers ORDER BY hash(paper_id) LIMIT 12"
    for paper, *counts in release.ask(sql):
        goto(page, f"paper/{paper}")
        shown = page.value(FACTS)
        true = {name: f"{count:,}" for name, count in zip(COUNTS, counts, strict=True) if count is not None}
        release.same(f"explorer paper {paper}", {name: told for name, told in shown if name in COUNTS}, true)
        places = f"SELECT listed_on || coalesce(', place ' || rank, '') FROM daily_listings WHERE paper_id = '{paper}'"
        release.same(
            f"explorer paper {paper} places",
            sorted(told for name, told in shown if name == "Listed"),
            sorted(place for (place,) in release.ask(places)),
        )
