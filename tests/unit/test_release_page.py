"""The page of a release: what it shows of its rows, all of which stay text."""

import base64
import hashlib
import re
from dataclasses import replace
from datetime import date
from itertools import pairwise
from typing import Any

import pytest

from expectations.report import CheckResult, Report
from flows.documents.notes import Loss, Notes, TableNote
from flows.documents.page import charts
from flows.documents.page.beside import checks_page, dictionary_page, notes_page, quality_page
from flows.documents.page.page import PaperLink
from tests.release_page import HELD, Elements, coverage, days, figures, keyword, page, paper, releases
from warehouse.printable import printable
from warehouse.release.manifest import Decision, Draft, Erratum, TableFiles
from warehouse.schema.catalog import ABOUT_TABLES, ALL_TABLES, MACROS
from warehouse.schema.daily_lists import EARLY, NEVER_FETCHED
from warehouse.schema.mart import Mart
from warehouse.schema.marts.by_period import KEYWORDS_BY_MONTH, ORGANIZATIONS_BY_MONTH, PAPERS_BY_MONTH
from warehouse.schema.marts.source_fields import FIELD_AVAILABILITY
from warehouse.tex import untexed

HOSTILE = '<script>alert(1)</script><img src=http://evil.example/x onerror=alert(1)> & "quoted" {{ 7 * 7 }}'
TITLES = [
    HOSTILE,
    r"$\ell_p$ and $O(n^{\frac{1}{2}})$: {LaTeX} stays \textbf{text}",
    "Ein Ü, 大規模言語モデルの事前学習, Обучение с подкреплением",  # noqa: RUF001 - as they come
    "تعلم الآلة (CLIP) العميق",
    "one\u202ethat turns around",
    "W" * 1000,
]
WEEK = days("complete", "partial", "missing", "empty", first=date(2025, 12, 30), reason=HOSTILE * 20)
GOOD = CheckResult("papers", "title_not_null", "values", "title is missing", True, 8000)
BAD_NAME = CheckResult("authors", "name_length", "values", "name is too long", False, 1234, 7, ("author_id=ada",))
SHAPE = CheckResult("authors", "schema", "shape", "columns are wrong", False, 1234, 1234, ("name is missing",))
HARMED = CheckResult(HOSTILE, HOSTILE, "rule", HOSTILE, False, 2, 2, (f"title={HOSTILE}",))
ASIDE = (Decision("a" * 20, "set_aside", "false", ""), Decision("b" * 20, "confirmed", "true", ""))
CHECKED = (TableFiles("papers", 8017, ()), TableFiles("authors", 1234, ()))
DRAFT = Draft("a", 2, "0.1.0", None, 2, "c" * 64, CHECKED, decisions=ASIDE)
BAD = CheckResult("papers", "title_length", "history", f"title is longer {HOSTILE}", False, 3, 1, (f"title={HOSTILE}",))


def busy() -> bytes:
    """Everything that can be on a page, and hostile."""
    listed = [paper(rank, title, organization_name=HOSTILE, github=HOSTILE) for rank, title in enumerate(TITLES, 1)]
    listed += [paper(None, "no rank", project="https://a.example/x?y=1&z=2", abstract=HOSTILE * 3)]
    over = (*releases(60)[:-1], figures("2026.12.31.1", accepted_loss=HOSTILE, failed_check_count=1))
    quarantine = [{"rule": "python_repr", "detail": HOSTILE}]
    report = Report((HELD, BAD), accepted_loss=HOSTILE)
    return page(listed, WEEK, over=over, report=report, marts=said(HOSTILE), quarantine=quarantine, files=12)


JULY, AUGUST, OCTOBER = date(2026, 7, 1), date(2026, 8, 1), date(2026, 10, 1)


def said(name: str) -> dict[Mart, list[dict[str, Any]]]:
    """Two whole months, one without lists, and one that is not over and lacks a list."""
    days = {"day_count": 23, "expected_day_count": 23}
    months = [
        {"month_on": JULY, "paper_count": 1_500, "repository_paper_count": 300, "repository_share": 0.2} | days,
        {"month_on": AUGUST, "paper_count": 1_000, "repository_paper_count": 500, "repository_share": 0.5} | days,
        {"month_on": OCTOBER, "paper_count": 40, "repository_paper_count": 10, "repository_share": 0.25}
        | {"day_count": 4, "expected_day_count": 5},
    ]
    known = {"field": "github_url", "known_paper_count": 1_234}
    organization = {"organization_id": "x", "group_name": name, "paper_count": 25, "known_paper_count": 500}
    return {
        PAPERS_BY_MONTH: [month | {"is_over": month["month_on"] < OCTOBER} for month in months],
        FIELD_AVAILABILITY: [known | {"month_on": month["month_on"]} for month in months],
        KEYWORDS_BY_MONTH: [
            *(keyword(on, name, 30, 300) for on in (JULY, AUGUST, OCTOBER)),
            keyword(date(2025, 7, 1), "else", 9, 300),
        ],
        ORGANIZATIONS_BY_MONTH: [organization | {"month_on": on} for on in (JULY, AUGUST)],
    }


def news() -> bytes:
    """What is new, of which all words are hostile."""
    counts = TableNote("papers", 3, 1, 0, None)
    loss = Loss("papers.guard", HOSTILE, 1, 3, (HOSTILE,))
    erratum = Erratum("2026.10.08.1", "2026-10-09T00:00:00Z", f"[click]({HOSTILE}) <https://evil.example/>")
    changed = (HOSTILE, "![x](http://evil.example/x.png)", "| a | b |")
    notes = Notes("2026.10.09.1", "2026.10.08.1", 2, (counts,), None, (), changed, HOSTILE, (loss,), (erratum,))
    return notes_page(notes)


PAGES = {
    "dictionary": dictionary_page,
    "coverage": lambda: coverage(WEEK),
    "notes": news,
    "busy": busy,
    "first": lambda: page([paper(1)], days("complete")),
    "nothing": lambda: page(fetched_at=None, report=Report(())),
}
OF_CHECKS = {
    "quality": lambda: quality_page(Report((GOOD, BAD_NAME, SHAPE, HARMED)), f"Release {HOSTILE}", DRAFT),
    "quality of nothing": lambda: quality_page(Report(()), "x", DRAFT),
    "checks": lambda: checks_page(Report((GOOD, BAD_NAME, HARMED))),
}


@pytest.fixture(scope="module", params=PAGES | OF_CHECKS)
def made(request) -> bytes:
    return (PAGES | OF_CHECKS)[request.param]()


def words(*args, **kwargs) -> str:
    return Elements(page(*args, **kwargs)).words()


def test_it_loads_nothing(made: bytes) -> None:
    elements = Elements(made)
    assert not elements.open
    assert {tag for tag, _ in elements.tags}.isdisjoint({"img", "iframe", "object", "embed", "base", "image", "video"})
    named = {name for _, attributes in elements.tags for name in attributes}
    assert named.isdisjoint({"src", "srcset", "style", "xlink:href", "action"})
    assert not [name for name in named if name.startswith("on")]
    icon, *others = elements.named("link")
    assert icon["rel"] == "icon"
    assert icon["href"].startswith("data:image/svg+xml,")
    assert {(link["rel"], link["href"].partition("/")[0]) for link in others} <= {("alternate", "feeds")}  # not fetched
    assert [attributes["href"][0] for attributes in elements.named("use")] == ["#"] * len(elements.named("use"))
    assert re.search(rb"url\(|@import|fetch\(|http", inline(made, "style") + (inline(made, "script") or b"")) is None


def inline(made: bytes, tag: str) -> bytes | None:
    texts = re.findall(rf"<{tag}>(.*?)</{tag}>".encode(), made, re.DOTALL)
    assert len(texts) <= 1
    return texts[0] if texts else None


def test_its_policy_allows_its_own_style_and_script_only(made: bytes) -> None:
    (policy,) = (meta["content"] for meta in Elements(made).named("meta") if "http-equiv" in meta)
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert parts.pop("style-src") == allowed(inline(made, "style"))
    script = inline(made, "script")
    assert parts.pop("script-src", None) == (allowed(script) if script else None)
    assert parts == {"default-src": "'none'", "img-src": "data:", "base-uri": "'none'", "form-action": "'none'"}


def allowed(text: bytes) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text).digest()).decode()}'"


def test_ids_are_its_own_and_links_in_it_lead_somewhere(made: bytes) -> None:
    elements = Elements(made)
    ids = [attributes["id"] for _, attributes in elements.tags if "id" in attributes]
    assert len(set(ids)) == len(ids)
    links = [attributes["href"] for _, attributes in elements.tags if attributes.get("href", "").startswith("#")]
    assert {link[1:] for link in links} <= set(ids)
    labels = [attributes["aria-labelledby"] for _, attributes in elements.tags if "aria-labelledby" in attributes]
    assert {name for label in labels for name in label.split()} <= set(ids)


def test_it_works_with_a_screen_reader(made: bytes) -> None:
    elements = Elements(made)
    assert elements.named("html") == [{"lang": "en"}]
    assert [len(elements.named(tag)) for tag in ("main", "h1", "header", "footer")] == [1] * 4
    assert all(attributes["scope"] in {"col", "row"} for attributes in elements.named("th"))
    drawn = [attributes for attributes in elements.named("svg") if attributes.get("class", "").startswith("chart")]
    named = {attributes["id"] for tag, attributes in elements.tags if tag in {"title", "desc"} and "id" in attributes}
    assert all(chart["role"] == "img" and set(chart["aria-labelledby"].split()) <= named for chart in drawn)
    small = [svg for svg in elements.named("svg") if svg.get("class") in {"logo", "sign", "spark"}]
    assert all(svg["aria-hidden"] == "true" for svg in small)
    outer = [svg for svg in elements.named("svg") if "class" in svg]
    assert len(outer) == len(drawn) + len(small)
    assert made.count(b"<title") >= len(outer)  # that of the page, and of each but the logo
    levels = [int(tag[1]) for tag, _ in elements.tags if re.fullmatch("h[1-6]", tag)]
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_hostile_text_stays_text() -> None:
    made = busy()
    text = Elements(made).words()
    assert made.count(b"<script") == 1
    assert b"<img" not in made
    assert all(printable(untexed(" ".join(title.split()))) in text for title in TITLES)
    assert made.decode().replace("\n", "").isprintable()
    assert text.count(" ".join(HOSTILE.split())) >= len(TITLES) + 3
    assert made.count(b'dir="auto"') >= len(TITLES)
    for of_checks in (made() for made in OF_CHECKS.values()):
        assert b"<script" not in of_checks
        assert b"<img" not in of_checks
    assert " ".join(HOSTILE.split()) in Elements(OF_CHECKS["quality"]()).words()


ADDRESSES = {
    "https://github.com/ada/engine": "github.com",
    "http://a.example:8080/@who?x=<b>": "a.example",
    "HTTPS://A.example": "a.example",
    "javascript:alert(1)": None,
    "data:text/html,x": None,
    "//evil.example/x": None,
    "github.com/ada/engine": None,
    "https://": None,
    "https:evil.example": None,
    "https://github.com@evil.example/": None,
    "https://github.com\\@evil.example/": None,
    "https://a.example/two words": None,
    "https://a.example/\u202efdp.exe": None,
    "https://[::1": None,
    HOSTILE: None,
}  # and their hosts, if they are safe


def test_only_safe_addresses_are_links() -> None:
    assert {url: PaperLink("", url).host for url in ADDRESSES} == ADDRESSES
    listed = [paper(rank, github=url) for rank, url in enumerate(ADDRESSES, 1)]
    elements, safe = Elements(page(listed, days("complete"))), [url for url, host in ADDRESSES.items() if host]
    outer = [link for link in elements.named("a") if "rel" in link]
    assert [link["href"] for link in outer] == safe
    assert all(link["rel"] == "noopener noreferrer nofollow" for link in outer)
    assert [link["data-source"] for link in elements.named("a") if "data-source" in link] == safe


def test_a_title_leads_to_the_explorer_else_to_the_source() -> None:
    one = paper(1, "Best", arxiv_id="2610.00001") | {"paper_id": "title:a/b?"}
    explored, sourced = (
        next(link for link in Elements(page([one], has_explorer=has)).named("a") if link["href"].endswith(end))
        for has, end in ((True, "title%3Aa%2Fb%3F"), (False, "abs/2610.00001"))
    )
    source = "https://arxiv.org/abs/2610.00001"
    assert explored == {"href": "explore/index.html#/paper/title%3Aa%2Fb%3F", "data-source": source}
    assert sourced == {"href": source, "rel": "noopener noreferrer nofollow"}
    assert "explore/" not in page([one], days("complete"), has_explorer=False).decode().partition("<h2 id=files")[0]


def test_abstracts_unfold_where_no_explorer_has_them() -> None:
    listed = [paper(1, "Best", abstract="We show it."), paper(2, "Second")]
    assert "Abstract of Best We show it. 2 Second" in words(listed, days("complete"), has_explorer=False)
    text = words(listed, days("complete"))
    assert "We show it" not in text  # the explorer has it


def test_the_newest_list_in_its_order() -> None:
    first = paper(1, "Best", upvote_count=1200, author_count=1, organization_login="a-lab", arxiv_id="2610.00001")
    text = words([paper(None, "Last"), paper(2, "Second", upvote_count=0, author_count=7), first], days("complete"))
    assert (
        "Newest list: Wednesday 7 October 2026 3 papers, counts as last seen. The list is complete. "
        "All lists. 1 Best 1,200 upvotes 1 author a-lab arXiv of Best Hugging Face of Best "
        "2 Second 0 upvotes 7 authors Last"
    ) in text
    assert "Newest list 2026-10-07 3 papers, 2 days before the release" in text
    assert "The newest page was fetched on 2026-10-08 at 02:30 UTC." in text


def test_a_list_that_is_not_whole_says_why() -> None:
    assert "The list is partial: truncated." in words([paper(1)], days("partial", reason="truncated"))
    early = words([paper(1)], days("partial", reason=EARLY))
    assert "The list was fetched on its day: papers that joined it later may be missing." in early
    assert EARLY not in early.partition("Dictionary")[0]
    assert "The list is partial: seen only in answers that are not the day's own list." in words([paper(1)])


def test_a_long_list_is_all_there() -> None:
    made = page([paper(rank, f"Title number {rank}.") for rank in range(1, 501)], days("complete"))
    text = Elements(made).words()
    assert "The other 492" in text
    assert [text.count(f"Title number {rank}.") for rank in range(1, 501)] == [1] * 500


def test_coverage_is_summed_up_in_words() -> None:
    """A list that was fetched on its day is no failure, nor is one that nobody asked for."""
    week = days("complete", "partial", "missing", "missing", "empty", first=date(2026, 6, 29))
    week[1] |= {"reason": EARLY, "paper_count": 34}
    week[3] |= {"reason": NEVER_FETCHED}
    week += days("missing", first=date(2026, 7, 4), is_expected=False)
    made, text = (Elements(one).words() for one in (page([], week), coverage(week)))
    told = "1 complete, 1 fetched on the day, 1 empty, 1 failed, 1 not fetched"
    assert f"Daily lists 3 of 5 until 2026-07-03: {told}" in made
    assert "January to June" not in made  # the page draws the newest half, the page of coverage both
    assert "July to December 2026 Expected lists: 1 empty, 1 failed, 1 not fetched." in made
    assert f"2026 {told}" in text
    assert "January to June 2026 Expected lists: 1 complete, 1 fetched on the day." in text
    assert "July to December 2026 Expected lists: 1 empty, 1 failed, 1 not fetched." in text
    assert "Mon 29 Jun 2026: complete" in text
    assert "Tue 30 Jun 2026: 34 papers, fetched on its day" in text
    assert "Wed 1 Jul 2026: a reason" in text
    assert "Thu 2 Jul 2026: not fetched" in text
    text = Elements(coverage(week)).words()
    assert "asked for, but nothing could be read a reason 1 2026-07-01 " in text
    assert "fetched on its day: papers that joined later may be missing 1 2026-06-30 " in text
    assert "3 gaps, day by day Days Lists What became of them 2026-07-03 1 the source gave an empty list " in text


def test_a_year_of_which_nothing_was_fetched_is_a_line() -> None:
    never = days("missing", "missing", first=date(2025, 6, 2), reason=NEVER_FETCHED)
    made = coverage([*never, *days("complete", first=date(2026, 6, 1))])
    assert "2025 2 not fetched" in Elements(made).words()
    assert [one["id"] for one in Elements(made).named("title") if "half" in one.get("id", "")] == ["half-2026-01-title"]


def test_what_is_missing_or_empty_is_said() -> None:
    assert "Nothing is missing: every expected list is complete." in words([paper(1)], days("complete"))
    assert "Nothing: every expected list is complete." in Elements(coverage(days("complete"))).words()
    text = words(fetched_at=None, report=Report(()))
    for told in (
        "No list day is known yet.",
        "No daily list has papers yet.",
        "There was nothing to check.",
        "When the newest page was fetched is unknown.",
        "No row is in quarantine.",
    ):
        assert told in text


def test_many_gaps_are_bounded() -> None:
    text = Elements(coverage(days(*["missing", "complete"] * 500))).words()
    assert "400 gaps, day by day: the longest of 500" in text
    assert text.count("failed: a reason") == 400
    assert "asked for, but nothing could be read a reason 500 2026-10-07 to 2029-07-01" in text


def test_releases_and_their_checks() -> None:
    over = (figures("2026.10.07.1", accepted_loss="a day was vandalised", failed_check_count=1), figures())
    text = words(over=over)
    assert "2026.10.09.1 2 3 30 4.0 kB ✓ 1 passed" in text
    assert "2026.10.07.1 2 3 30 4.0 kB ✗ 1 of 1 failed loss accepted: a day was vandalised" in text
    assert text.index("2026.10.09.1 2 3") < text.index("2026.10.07.1 2 3")
    assert "This is the first release: charts begin with the second." in words()


def test_releases_are_bounded() -> None:
    text = words(over=releases(61))
    assert "52 older releases" in text
    assert "2026.10.08.1" in text
    assert "2026.10.07.1" not in text


def test_checks_are_summed_up_in_words() -> None:
    assert "✓ The one check passed." in words()
    failed = words(report=Report((HELD, BAD), accepted_loss="known"))
    assert "✗ 1 of 2 checks failed; the loss was accepted: known" in failed
    assert "Checks 1 of 1 passed; 492 rows quarantined" in words(over=(figures(quarantined_count=492),))
    assert "✓ 1 passed 1 row quarantined" in words(over=(figures(quarantined_count=1),))
    assert "✓ The one check passed; 1 row quarantined." in words(report=Report((HELD,), quarantined_count=1))
    assert "Comparison with the previous release: nothing shrinks, no field empties. 1 1" in failed


def test_the_whole_dictionary_is_there_without_a_script() -> None:
    elements = Elements(dictionary_page())
    declared = (*ALL_TABLES, *ABOUT_TABLES, *MACROS)
    assert len([one for one in elements.named("details") if one.get("class") == "table"]) == len(declared)
    entries = [attributes for attributes in elements.named("div") if attributes.get("class") == "entry"]
    assert len(entries) == sum(len(one.columns) for one in declared)
    assert "hidden" in elements.named("form")[0]


def test_each_figure_has_its_unit_and_denominator() -> None:
    """Each figure has its unit, its denominator and its query."""
    made = page(marts=said("On-policy"))
    text = Elements(made).words()
    assert "Papers on the daily lists, by month Distinct papers that this release has, July to October 2026" in text
    assert "July 2026: 1,500 papers; 23 of 23 lists" in text
    assert "October 2026: 40 papers; 4 of 5 lists, not over yet" in text
    assert "2026-10 so far 40 4 of 5 2026-08 1,000 23 of 23 2026-07 1,500 23 of 23" in text
    assert "of those whose page could show one, July to October 2026" in text
    assert "August 2026: 50.0%, 500 of 1,234 papers; 23 of 23 lists" in text
    assert "Most in August 2026: 50.0%, 500 of 1,234 papers." in text
    assert "July to October 2026 against the months before, from July 2025; of 900 papers with any keyword" in text
    assert "On-policy On-policy, share by month 0.0% 10.0%" in text
    assert "July to August 2026; share of 1,000 papers whose page could show one" in text
    assert "On-policy On-policy 50 5.0%" in text
    assert text.count("SELECT month_on, paper_count AS value") == 1
    assert [one["href"] for one in Elements(made).named("a")].count("marts/papers_by_month.parquet") == 3
    assert (
        text.index("What the data says")
        < text.index("No daily list has papers yet.")
        < text.index("How complete it is")
    )


def test_topics_are_compared_with_the_months_before() -> None:
    """The last three months with keywords, against those before; a topic has five papers or more."""
    months = [date(2026, month, 1) for month in range(1, 6)]
    rows = [keyword(on, "falling", 20, 100) for on in months[:2]]
    rows += [keyword(on, "rising", count, 100) for on, count in zip(months, (1, 3, 5, 10, 15), strict=True)]
    rows += [keyword(on, "steady", 5, 100) for on in months] + [keyword(months[4], "rare", 4, 100)]
    text = words(marts={KEYWORDS_BY_MONTH: rows})
    assert "March to May 2026 against the months before, from January 2026; of 300 papers with any keyword" in text
    assert "Topics on the rise" not in words(marts={KEYWORDS_BY_MONTH: rows[2:5]})
    assert "rising rising, share by month 2.0% 10.0% Data:" in text


def test_the_files_of_a_table_whatever_their_number() -> None:
    one, many = (Elements(page(files=files)) for files in (1, 12))
    assert "papers One paper. 3 papers.parquet, 4.0 kB" in one.words()
    assert "papers One paper. 3 12 files, 48.0 kB 0 4.0 kB 1 4.0 kB 10 4.0 kB" in many.words()
    links = {link["href"] for link in many.named("a")}
    assert links >= {f"data/papers/{number}.parquet" for number in range(12)}


def test_quarantine_stands_beside_the_checks() -> None:
    rows = [{"rule": "python_repr"}, {"rule": "python_repr"}, {"rule": "a_rule"}]
    assert "Rule that was broken Rows python_repr 2 a_rule 1" in words(quarantine=rows)


def test_corrected_values_are_listed() -> None:
    cell = {"table_name": "papers", "row_key": f'{{"paper_id": "{HOSTILE}"}}', "column_name": "title"}
    text = words(corrections=[cell | {"value_right": HOSTILE, "reason": HOSTILE, "evidence": HOSTILE}])
    assert "Value The source says Corrected to Why papers.title" in text
    assert " nothing <script>" in text
    assert "Corrected to Why" not in words()


def test_releases_that_are_retracted_are_named() -> None:
    errata = [Erratum("2026.10.07.1", "2026-10-08T09:00:00Z", f"wrong {HOSTILE}")]
    text = words(errata=errata)
    assert "Release 2026.10.07.1 was retracted on 2026-10-08: wrong <script>" in text


def test_the_preview_of_a_link_has_title_and_description() -> None:
    told = {meta["property"]: meta["content"] for meta in Elements(page()).named("meta") if "property" in meta}
    assert told["og:title"] == "Daily Papers, release 2026.10.09.1"
    assert told["og:description"].startswith("3 papers. An open data lake")


@pytest.mark.parametrize("glyph", charts.GLYPHS)
def test_a_day_stands_in_its_week(glyph: str) -> None:
    """1 July 2026 is a Wednesday: the first column, the third row; a week later one column on."""
    days = [(date(2026, 7, 1), glyph, "first"), (date(2026, 7, 9), glyph, "second")]
    chart = charts.HalfYear("id", "title", "text", date(2026, 7, 1), days, row_count=5)
    assert list(chart.cells) == [(0, 20, glyph, "first"), (10, 30, glyph, "second")]
    assert chart.months == [(0, "Jul")]
    assert list(chart.weekdays) == [(10, "M"), (50, "W"), (90, "F")]


@pytest.mark.parametrize("year", range(2024, 2034))
def test_half_a_year_has_room_for_its_days(year: int) -> None:
    for first, last in ((date(year, 1, 1), date(year, 6, 30)), (date(year, 7, 1), date(year, 12, 31))):
        days = [(first, "whole", ""), (last, "whole", "")]
        chart = charts.HalfYear("id", "title", "text", first, days, row_count=7)
        assert all(0 <= x < chart.width and 0 <= y < chart.height for x, y, *_ in chart.cells)


def test_missing_months_break_the_line() -> None:
    values = {JULY: 0.25, AUGUST: 0.5, OCTOBER: 1.0}
    months = [charts.Month(on, value, True, "") for on, value in values.items()]
    chart = charts.MonthChart("id", "title", "text", months, is_share=True)
    assert [one[:3] for one in chart.placed] == [(0, 12.5, 75), (25, 37.5, 50), (75, 87.5, 0)]
    assert chart.lines == ["M12.5 75L37.5 50", "M87.5 0h0"]
    assert chart.ticks == [(100, "0%"), (50, "50%"), (0, "100%")]
    assert chart.years == [(0, "2026")]


@pytest.mark.parametrize("most", [0, 1, 3, 4, 5, 9, 40, 41, 99, 100, 101, 10_049, 80_942, 12_345_678])
def test_ticks_are_few_round_and_reach_the_maximum(most: int) -> None:
    ticks = charts.round_ticks(most)
    step = ticks[1]
    assert ticks == list(range(0, ticks[-1] + 1, step))
    assert most <= ticks[-1] < most + step or most == 0
    assert len(ticks) <= charts.TICKS + 1
    assert str(step).rstrip("0") in {"1", "2", "5"}


def test_a_line_chart_starts_at_zero() -> None:
    chart = charts.LineChart("id", "title", "text", ("a", "b", "c"), (0, 2_000, 1_000))
    assert chart.points == "0 100L50 0L100 50"
    assert chart.ticks == [(100, "0"), (75, "500"), (50, "1k"), (25, "1.5k"), (0, "2k")]


KEY = CheckResult("authors", "key", "values", "shared", True, 1234)


@pytest.mark.parametrize("results", [(GOOD,), (GOOD, BAD_NAME, SHAPE), (HARMED,), ()])
def test_links_lead_to_parts_that_are_there(results):
    elements = Elements(quality_page(Report(results), "x", DRAFT))
    beside = Elements(checks_page(Report(results)))
    anchors = {attributes.get("id") for attributes in beside.named("h2")}
    assert {link["href"].removeprefix("checks.html#") for link in elements.named("a")} == anchors


def test_failed_checks_and_tables_come_first():
    report = Report((GOOD, KEY, BAD_NAME))
    made = quality_page(report, "x", DRAFT)
    page = Elements(made)
    assert [link["href"] for link in page.named("a")] == ["checks.html#of-authors", "checks.html#of-papers"]
    words = page.words()
    assert words.index("Failed checks") < words.index("Tables Every")
    assert "7 of 1,234 rows, among them:" in words
    assert quality_page(Report.from_json(report.to_json()), "x", DRAFT) == made


def test_what_is_checked_is_one_page_whatever_was_found():
    page = checks_page(Report((GOOD, KEY, BAD_NAME)))
    passed = replace(BAD_NAME, passed=True, failed_count=0, examples=())
    assert page == checks_page(Report((GOOD, passed, KEY)))
    assert "key shared name_length name is too long" in Elements(page).words()


def test_verdicts_are_in_words():
    words = Elements(quality_page(Report((GOOD, BAD_NAME, SHAPE)), "x", DRAFT)).words()
    assert "2 of 3 checks failed." in words
    told = Elements(quality_page(Report((GOOD, BAD_NAME), quarantined_count=492), "x", DRAFT)).words()
    assert "1 of 2 checks failed; 492 rows quarantined." in told
    assert "7 of 1,234 rows, among them: author_id=ada" in words
    assert "columns are wrong No other check of this table was run: name is missing" in words
    assert "papers 8,017 1 0 ✓ passed" in words
    assert "Tables 2 Rows 9,251 Checks 3 Failed 2 Pages set aside 1" in words
