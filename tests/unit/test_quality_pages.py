"""The report as pages: hostile text stays text, nothing is loaded, the same bytes every time."""

from __future__ import annotations

import re

import pytest

from expectations.report import CheckResult, Report
from flows.documents.quality import quality_pages
from flows.documents.rendering import ICON
from tests.release_page import Elements
from warehouse.release.manifest import Decision, Draft, TableFiles

HOSTILE = '<script>alert(1)</script><img src=http://evil.example/x onerror=alert(1)> & "quoted" \u202e'
TAGS = """html head meta link title style body header nav p a h1 h2 h3 main span dl div dt dd section article code wbr ul li
table caption thead tbody tr th td footer"""
GOOD = CheckResult("papers", "title_not_null", "values", "title is missing", True, 8000)
BAD = CheckResult("authors", "name_length", "values", "name is too long", False, 1234, 7, ("author_id=ada",))
SHAPE = CheckResult("authors", "schema", "shape", "columns are wrong", False, 1234, 1234, ("name is missing",))
TABLES = (TableFiles("papers", 8017, ()), TableFiles("authors", 1234, ()))
ASIDE = (Decision("a" * 20, "set_aside", "false", ""), Decision("b" * 20, "confirmed", "true", ""))
DRAFT = Draft("a", 2, "0.1.0", None, 2, "c" * 64, TABLES, decisions=ASIDE)
HARMED = CheckResult(HOSTILE, HOSTILE, "rule", HOSTILE, False, 2, 2, (f"title={HOSTILE}",))


@pytest.fixture(params=[(GOOD,), (GOOD, BAD, SHAPE), (HARMED,), ()], ids=["good", "bad", "hostile", "nothing"])
def pages(request):
    return quality_pages(Report(request.param), f"Release {HOSTILE}", DRAFT)


def test_pages_stand_alone(pages):
    for page in pages.values():
        elements = Elements(page)
        assert not elements.open
        assert {tag for tag, _ in elements.tags} <= set(TAGS.split())
        assert elements.named("link") == [{"rel": "icon", "href": ICON}]
        assert all(set(attributes) <= {"href"} for attributes in elements.named("a"))
        assert {name for _, attributes in elements.tags for name in attributes}.isdisjoint({"src", "style", "srcset"})
        style = re.search(rb"<style>(.*?)</style>", page, re.DOTALL).group(1)
        assert b"url(" not in style
        assert b"@import" not in style


def test_links_lead_to_pages_that_are_there(pages):
    for path, page in pages.items():
        for link in Elements(page).named("a"):
            target = link["href"].removeprefix("../")
            assert target in pages
            assert link["href"].startswith("../") == path.startswith("tables/")


def test_hostile_text_stays_text():
    for page in quality_pages(Report((HARMED,)), HOSTILE, DRAFT).values():
        assert b"<script" not in page
        assert b"<img" not in page
        assert " ".join(HOSTILE.split()) in Elements(page).words()


def test_the_same_report_gives_the_same_bytes():
    report = Report((GOOD, BAD))
    assert quality_pages(report, "x", DRAFT) == quality_pages(Report.from_json(report.to_json()), "x", DRAFT)


def test_failed_checks_and_tables_come_first():
    pages = quality_pages(
        Report((GOOD, CheckResult("authors", "key", "values", "shared", True, 1234), BAD)), "x", DRAFT
    )
    index = Elements(pages["index.html"])
    assert [link["href"] for link in index.named("a")] == ["tables/authors.html", "tables/papers.html"]
    assert index.words().index("Failed checks") < index.words().index("Tables Every")
    page = Elements(pages["tables/authors.html"]).words()
    assert page.index("name_length name is too long 7 ✗ failed") < page.index("key shared 0 ✓ passed")


def test_verdicts_are_in_words():
    words = {
        path: Elements(page).words() for path, page in quality_pages(Report((GOOD, BAD, SHAPE)), "x", DRAFT).items()
    }
    assert "2 of 3 checks failed." in words["index.html"]
    told = Elements(quality_pages(Report((GOOD, BAD), quarantined_count=492), "x", DRAFT)["index.html"]).words()
    assert "1 of 2 checks failed; 492 rows quarantined." in told
    assert "7 of 1,234 rows, among them: author_id=ada" in words["index.html"]
    assert "columns are wrong No other check of this table was run: name is missing" in words["index.html"]
    assert "The one check passed." in words["tables/papers.html"]
    assert "Tables 2 Rows 9,251 Checks 3 Failed 2 Pages set aside 1" in words["index.html"]


def test_pages_work_with_a_screen_reader():
    for page in quality_pages(Report((GOOD, BAD)), "x", DRAFT).values():
        elements = Elements(page)
        assert elements.named("html") == [{"lang": "en"}]
        assert len(elements.named("caption")) == len(elements.named("table")) > 0
        assert all(attributes["scope"] in {"col", "row"} for attributes in elements.named("th"))
        assert len(elements.named("main")) == len(elements.named("h1")) == 1


def test_pages_have_dark_colours():
    assert b"prefers-color-scheme: dark" in quality_pages(Report((GOOD,)), "x", DRAFT)["index.html"]
