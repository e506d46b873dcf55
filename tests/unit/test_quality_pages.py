"""The report as a page: hostile text stays text, nothing is loaded, the same bytes every time."""

from __future__ import annotations

import dataclasses
import re

import pytest

from expectations.report import CheckResult, Report
from flows.documents.quality import checks_page, quality_page
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
def page(request):
    return quality_page(Report(request.param), f"Release {HOSTILE}", DRAFT)


def test_the_page_stands_alone(page):
    elements = Elements(page)
    assert not elements.open
    assert {tag for tag, _ in elements.tags} <= set(TAGS.split())
    assert elements.named("link") == [{"rel": "icon", "href": ICON}]
    assert {name for _, attributes in elements.tags for name in attributes}.isdisjoint({"src", "style", "srcset"})
    style = re.search(rb"<style>(.*?)</style>", page, re.DOTALL).group(1)
    assert b"url(" not in style
    assert b"@import" not in style


@pytest.mark.parametrize("results", [(GOOD,), (GOOD, BAD, SHAPE), (HARMED,), ()])
def test_links_lead_to_parts_that_are_there(results):
    elements = Elements(quality_page(Report(results), "x", DRAFT))
    beside = Elements(checks_page(Report(results)))
    anchors = {attributes.get("id") for attributes in beside.named("h2")}
    assert {link["href"].removeprefix("checks.html#") for link in elements.named("a")} == anchors


def test_hostile_text_stays_text():
    page = quality_page(Report((HARMED,)), HOSTILE, DRAFT)
    for one in (page, checks_page(Report((HARMED,)))):
        assert b"<script" not in one
        assert b"<img" not in one
    assert " ".join(HOSTILE.split()) in Elements(page).words()


def test_the_same_report_gives_the_same_bytes():
    report = Report((GOOD, BAD))
    assert quality_page(report, "x", DRAFT) == quality_page(Report.from_json(report.to_json()), "x", DRAFT)


def test_failed_checks_and_tables_come_first():
    key = CheckResult("authors", "key", "values", "shared", True, 1234)
    page = Elements(quality_page(Report((GOOD, key, BAD)), "x", DRAFT))
    assert [link["href"] for link in page.named("a")] == ["checks.html#of-authors", "checks.html#of-papers"]
    words = page.words()
    assert words.index("Failed checks") < words.index("Tables Every")
    assert "7 of 1,234 rows, among them:" in words


def test_what_is_checked_is_one_page_whatever_was_found():
    key = CheckResult("authors", "key", "values", "shared", True, 1234)
    report = Report((GOOD, key, BAD))
    page = checks_page(report)
    passed = dataclasses.replace(BAD, passed=True, failed_count=0, examples=())
    assert page == checks_page(Report((GOOD, passed, key)))
    assert "key shared name_length name is too long" in Elements(page).words()
    assert not Elements(page).open


def test_verdicts_are_in_words():
    words = Elements(quality_page(Report((GOOD, BAD, SHAPE)), "x", DRAFT)).words()
    assert "2 of 3 checks failed." in words
    told = Elements(quality_page(Report((GOOD, BAD), quarantined_count=492), "x", DRAFT)).words()
    assert "1 of 2 checks failed; 492 rows quarantined." in told
    assert "7 of 1,234 rows, among them: author_id=ada" in words
    assert "columns are wrong No other check of this table was run: name is missing" in words
    assert "papers 8,017 1 0 ✓ passed" in words
    assert "Tables 2 Rows 9,251 Checks 3 Failed 2 Pages set aside 1" in words


def test_the_page_works_with_a_screen_reader():
    elements = Elements(quality_page(Report((GOOD, BAD)), "x", DRAFT))
    assert elements.named("html") == [{"lang": "en"}]
    assert len(elements.named("caption")) == len(elements.named("table")) > 0
    assert all(attributes["scope"] in {"col", "row"} for attributes in elements.named("th"))
    assert len(elements.named("main")) == len(elements.named("h1")) == 1


def test_the_page_has_dark_colours():
    assert b"prefers-color-scheme: dark" in quality_page(Report((GOOD,)), "x", DRAFT)
