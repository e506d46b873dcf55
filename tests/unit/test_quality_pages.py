"""The report as pages: what they say, in which order. What every page keeps to: test_release_page.py."""

from __future__ import annotations

from dataclasses import replace

import pytest

from expectations.report import CheckResult, Report
from flows.documents.page.beside import checks_page, quality_page
from tests.release_page import Elements
from tests.unit.test_release_page import BAD_NAME, DRAFT, GOOD, HARMED, SHAPE

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
