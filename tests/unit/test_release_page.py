"""The page of a release: what it tells of its rows, and that nothing in them can be more than text."""

from __future__ import annotations

import base64
import hashlib
import re
from datetime import date
from itertools import pairwise

import pytest

from expectations.report import CheckResult, Report
from flows.documents.page import charts
from flows.documents.page.content import Link
from tests.release_page import HELD, Elements, days, figures, page, paper, releases
from warehouse.printable import printable
from warehouse.schema.about_tables import ABOUT_TABLES
from warehouse.schema.tables import ALL_TABLES, MACROS

HOSTILE = '<script>alert(1)</script><img src=http://evil.example/x onerror=alert(1)> & "quoted" {{ 7 * 7 }}'
TITLES = [
    HOSTILE,
    r"$\ell_p$ and $O(n^{\frac{1}{2}})$: {LaTeX} stays \textbf{text}",
    "Ein Ü, 大規模言語モデルの事前学習, Обучение с подкреплением",  # noqa: RUF001 - as they come
    "تعلم الآلة (CLIP) العميق",
    "one\u202ethat turns around",
    "W" * 1000,
]
BAD = CheckResult("papers", "title_length", "history", f"title is longer {HOSTILE}", False, 3, 1, (f"title={HOSTILE}",))


def busy() -> bytes:
    """Everything that can be on a page, and hostile."""
    listed = [paper(rank, title, organization_name=HOSTILE, github=HOSTILE) for rank, title in enumerate(TITLES, 1)]
    listed += [paper(None, "no rank", project="https://a.example/x?y=1&z=2")]
    coverage = days("complete", "partial", "missing", "empty", first=date(2025, 12, 30), reason=HOSTILE * 20)
    over = (*releases(60)[:-1], figures("2026.12.31.1", accepted_loss=HOSTILE, failed_check_count=1))
    return page(listed, coverage, over=over, report=Report((HELD, BAD), accepted_loss=HOSTILE))


PAGES = {
    "busy": busy,
    "first": lambda: page([paper(1)], days("complete")),
    "nothing": lambda: page(fetched_at=None, report=Report(())),
}


@pytest.fixture(scope="module", params=PAGES)
def made(request) -> bytes:
    return PAGES[request.param]()


def words(*args, **kwargs) -> str:
    return Elements(page(*args, **kwargs)).words()


def test_it_asks_nothing_of_anybody(made: bytes) -> None:
    elements = Elements(made)
    assert not elements.open
    assert {tag for tag, _ in elements.tags}.isdisjoint({"img", "iframe", "object", "embed", "base", "image", "video"})
    named = {name for _, attributes in elements.tags for name in attributes}
    assert named.isdisjoint({"src", "srcset", "style", "xlink:href", "action"})
    assert not [name for name in named if name.startswith("on")]
    icon, *others = elements.named("link")
    assert icon == {"rel": "icon", "href": "data:,"}
    assert {(link["rel"], link["href"].partition("/")[0]) for link in others} == {("alternate", "feeds")}  # not fetched
    assert [attributes["href"][0] for attributes in elements.named("use")] == ["#"] * len(elements.named("use"))
    assert re.search(rb"url\(|@import|fetch\(|http", inline(made, "style") + inline(made, "script")) is None


def inline(made: bytes, tag: str) -> bytes:
    (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>".encode(), made, re.DOTALL)
    return text


def test_only_its_own_style_and_script_count(made: bytes) -> None:
    (policy,) = (meta["content"] for meta in Elements(made).named("meta") if "http-equiv" in meta)
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert parts.pop("style-src") == allowed(inline(made, "style"))
    assert parts.pop("script-src") == allowed(inline(made, "script"))
    assert parts == {"default-src": "'none'", "img-src": "data:", "base-uri": "'none'", "form-action": "'none'"}


def allowed(text: bytes) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text).digest()).decode()}'"


def test_ids_are_its_own_and_links_in_it_lead_somewhere(made: bytes) -> None:
    elements = Elements(made)
    ids = [attributes["id"] for _, attributes in elements.tags if "id" in attributes]
    assert len(set(ids)) == len(ids)
    links = [attributes["href"] for _, attributes in elements.tags if attributes.get("href", "").startswith("#")]
    assert links
    assert {link[1:] for link in links} <= set(ids)
    labels = [attributes["aria-labelledby"] for _, attributes in elements.tags if "aria-labelledby" in attributes]
    assert {name for label in labels for name in label.split()} <= set(ids)


def test_it_can_be_read_by_ear(made: bytes) -> None:
    elements = Elements(made)
    assert elements.named("html") == [{"lang": "en"}]
    assert [len(elements.named(tag)) for tag in ("main", "h1", "header", "footer", "nav")] == [1] * 5
    assert all(attributes["scope"] in {"col", "row"} for attributes in elements.named("th"))
    drawn = [attributes for attributes in elements.named("svg") if attributes.get("class", "").startswith("chart")]
    named = {attributes["id"] for tag, attributes in elements.tags if tag in {"title", "desc"} and "id" in attributes}
    assert all(chart["role"] == "img" and set(chart["aria-labelledby"].split()) <= named for chart in drawn)
    assert all(sign["aria-hidden"] == "true" for sign in elements.named("svg") if sign.get("class") == "sign")
    levels = [int(tag[1]) for tag, _ in elements.tags if re.fullmatch("h[1-6]", tag)]
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_hostile_text_stays_text() -> None:
    made = busy()
    text = Elements(made).words()
    assert made.count(b"<script") == 1
    assert b"<img" not in made
    assert all(printable(" ".join(title.split())) in text for title in TITLES)
    assert made.decode().replace("\n", "").isprintable()
    assert text.count(" ".join(HOSTILE.split())) >= len(TITLES) + 3
    assert made.count(b'dir="auto"') >= len(TITLES)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://github.com/ada/engine", "github.com"),
        ("http://a.example:8080/@who?x=<b>", "a.example"),
        ("HTTPS://A.example", "a.example"),
        ("javascript:alert(1)", None),
        ("data:text/html,x", None),
        ("//evil.example/x", None),
        ("github.com/ada/engine", None),
        ("https://", None),
        ("https:evil.example", None),
        ("https://github.com@evil.example/", None),
        ("https://github.com\\@evil.example/", None),
        ("https://a.example/two words", None),
        ("https://a.example/\u202efdp.exe", None),
        ("https://[::1", None),
        (HOSTILE, None),
    ],
)
def test_what_may_be_followed(url: str, host: str | None) -> None:
    assert Link("", url).host == host
    elements = Elements(page([paper(1, github=url)], days("complete")))
    outer = [link for link in elements.named("a") if "rel" in link]
    assert [link["href"] for link in outer] == ([url] if host else [])
    assert all(link["rel"] == "noopener noreferrer nofollow" for link in outer)


def test_the_newest_list_in_its_order() -> None:
    first = paper(1, "Best", upvote_count=1200, author_count=1, organization_login="a-lab", arxiv_id="2610.00001")
    text = words([paper(None, "Last"), paper(2, "Second", upvote_count=0, author_count=7), first], days("complete"))
    assert (
        "Newest list: Wednesday 7 October 2026 3 papers, counts as last seen. The list is complete. "
        "1 Best 1,200 upvotes 1 author a-lab arXiv of Best Hugging Face of Best "
        "2 Second 0 upvotes 7 authors Last"
    ) in text
    assert "Newest list 2026-10-07 2 days before the release; complete" in text
    assert "Newest page fetched 2026-10-08 at 02:30 UTC" in text


def test_a_list_that_is_not_whole_says_why() -> None:
    assert "The list is partial: fetched early." in words([paper(1)], days("partial", reason="fetched early"))
    assert "The list is partial: seen only in answers that are not the day's own list." in words([paper(1)])


def test_a_long_list_is_all_there() -> None:
    made = page([paper(rank, f"Title number {rank}.") for rank in range(1, 501)], days("complete"))
    text = Elements(made).words()
    assert "The other 480" in text
    assert [text.count(f"Title number {rank}.") for rank in range(1, 501)] == [1] * 500


def test_coverage_in_words() -> None:
    coverage = days("complete", "partial", "partial", "missing", "empty", first=date(2026, 6, 29))
    made = page([], [*coverage, *days("missing", first=date(2026, 7, 4), is_expected=False)])
    text = Elements(made).words()
    assert "Daily lists 5 expected until 2026-07-03: 1 complete, 2 partial, 1 empty, 1 missing" in text
    assert "2026 1 complete, 2 partial, 1 empty, 1 missing" in text
    assert "2026-06-30 to 2026-07-01 2 partial: a reason 2026-07-03 1 empty: a reason 2026-07-02 1 missing" in text
    assert "January to June 2026 Of the expected lists 1 complete, 1 partial, 0 empty, 0 missing." in text
    assert "July to December 2026 Of the expected lists 0 complete, 1 partial, 1 empty, 1 missing." in text


def test_no_gaps_and_no_days() -> None:
    assert "None: every expected list is complete." in words([paper(1)], days("complete"))
    text = words(fetched_at=None, report=Report(()))
    for told in (
        "No list day is known yet.",
        "No daily list has papers yet.",
        "There was nothing to check.",
        "unknown",
    ):
        assert told in text


def test_many_gaps_are_bounded() -> None:
    text = words([], days(*["missing", "complete"] * 200))
    assert "These are the 100 longest of 200" in text
    assert text.count("missing: a reason") == 100


def test_releases_and_their_checks() -> None:
    over = (figures("2026.10.07.1", accepted_loss="a day was vandalised", failed_check_count=1), figures())
    text = words(over=over)
    assert "2026.10.09.1 2 3 30 4.0 kB ✓ 1 held" in text
    assert "2026.10.07.1 2 3 30 4.0 kB ✗ 1 of 1 failed loss accepted: a day was vandalised" in text
    assert text.index("2026.10.09.1 2 3") < text.index("2026.10.07.1 2 3")
    assert "This is the first release: charts begin with the second." in words()


def test_releases_are_bounded() -> None:
    text = words(over=releases(61))
    assert "50 older releases" in text
    assert "2026.10.08.1" in text
    assert "2026.10.07.1" not in text


def test_checks_in_words() -> None:
    assert "✓ Passed: the one check held." in words()
    failed = words(report=Report((HELD, BAD), accepted_loss="known"))
    assert "✗ Failed: 1 of 2 checks did not hold; the loss was accepted: known" in failed
    assert "Checks 1 of 1 held; 492 rows quarantined" in words(over=(figures(quarantined_count=492),))
    assert "✓ 1 held 1 row quarantined" in words(over=(figures(quarantined_count=1),))
    assert "✓ Passed: the one check held; 1 row quarantined." in words(report=Report((HELD,), quarantined_count=1))
    assert "Comparison with the previous release: nothing shrinks, no field empties. 1 1" in failed


def test_the_whole_dictionary_is_there_without_a_script() -> None:
    elements = Elements(page())
    declared = (*ALL_TABLES, *ABOUT_TABLES, *MACROS)
    assert len(elements.named("details")) == len(declared)
    entries = [attributes for attributes in elements.named("div") if attributes.get("class") == "entry"]
    assert len(entries) == sum(len(one.columns) for one in declared)
    assert "hidden" in elements.named("form")[0]


def test_the_same_release_gives_the_same_bytes() -> None:
    assert busy() == busy()


@pytest.mark.parametrize("glyph", charts.GLYPHS)
def test_a_day_stands_in_its_week(glyph: str) -> None:
    """1 July 2026 is a Wednesday: the first column, the third row; a week later one column on."""
    days = {date(2026, 7, 1): glyph, date(2026, 7, 9): glyph}
    chart = charts.HalfYear("id", "title", "text", date(2026, 7, 1), days, row_count=5)
    assert chart.days == {glyph: [(0, 20), (10, 30)]}
    assert chart.months == [(0, "Jul")]
    assert list(chart.weekdays) == [(10, "M"), (50, "W"), (90, "F")]


@pytest.mark.parametrize("year", range(2024, 2034))
def test_half_a_year_has_room_for_its_days(year: int) -> None:
    for first, last in ((date(year, 1, 1), date(year, 6, 30)), (date(year, 7, 1), date(year, 12, 31))):
        chart = charts.HalfYear("id", "title", "text", first, {first: "complete", last: "complete"}, row_count=7)
        assert all(0 <= x < chart.width and 0 <= y < chart.height for x, y in chart.days["complete"])


def test_glyphs_are_told_apart_by_shape() -> None:
    assert len(set(charts.GLYPHS.values())) == len(charts.GLYPHS)


@pytest.mark.parametrize("most", [0, 1, 3, 4, 5, 9, 40, 41, 99, 100, 101, 10_049, 80_942, 12_345_678])
def test_ticks_are_few_and_round_and_reach_the_most(most: int) -> None:
    ticks = charts.round_ticks(most)
    step = ticks[1]
    assert ticks == list(range(0, ticks[-1] + 1, step))
    assert most <= ticks[-1] < most + step or most == 0
    assert len(ticks) <= charts.TICKS + 1
    assert str(step).rstrip("0") in {"1", "2", "5"}


def test_a_line_from_zero() -> None:
    chart = charts.LineChart("id", "title", "text", ("a", "b", "c"), (0, 2_000, 1_000))
    assert chart.points == "0 100L50 0L100 50"
    assert chart.ticks == [(100, "0"), (75, "500"), (50, "1k"), (25, "1.5k"), (0, "2k")]
