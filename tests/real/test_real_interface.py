"""The real captures by `import paperlake`."""

from __future__ import annotations

from pathlib import Path

import pytest

import paperlake

pytestmark = pytest.mark.usefixtures("let_go")


def test_a_number_leads_to_the_page_that_shows_it(growing: Path) -> None:
    release = paperlake.open(str(growing)).latest()
    days = release.sql(
        "SELECT DISTINCT listed_on FROM coverage WHERE state = 'complete' ORDER BY hash(listed_on) LIMIT 10"
    )
    seen = 0
    for day in days["listed_on"]:
        for row in release.day(day).head(3).iter_rows(named=True):
            page = release.evidence(row)
            if page.content_type == "application/json":
                shown = {item["paper"]["id"]: item["paper"]["upvotes"] for item in page.json()}
                assert shown[row["paper_id"]] == row["upvote_count"]
                seen += 1
    assert seen > 10
