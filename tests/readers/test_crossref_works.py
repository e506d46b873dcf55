"""Answers of Crossref: what a record says of a work, and what is refused by name."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from tests.collected import capture_of, collected, page, rejects
from tests.works.messages import NO_SUCH, Message, Update, work_url
from transforms.collect.collect import Collected

DOI = "10.5555/loom.7"
NOTICE = "10.5555/notice.1"


def read(message: Message, doi: str = DOI) -> Collected:
    return collected(page(message.answer, work_url(doi)))


def changed(**more: Any) -> Collected:
    return read(Message(DOI, more=more))


def test_what_a_record_says() -> None:
    found = read(Message(DOI))
    (row,) = found.published_works.iter_rows(named=True)
    assert {name: row[name] for name in ("registry", "doi", "answer", "work_type", "published", "pages", "issue")} == {
        "registry": "crossref",
        "doi": DOI,
        "answer": "known",
        "work_type": "journal-article",
        "published": "2026-03",
        "pages": "7-19",
        "issue": None,
    }
    assert (row["venue"], row["publisher"]) == ("Journal of <i>Looms</i> & Tides", "Tide Press")
    assert row["bibtex_fields"].splitlines()[:2] == [
        "article",
        r"  journal = {Journal of Looms \& Tides},",
    ]
    assert (capture_of(found)["state"], capture_of(found)["list_kind"]) == ("read", "crossref")
    assert found.sightings.is_empty()


def test_relations_and_updates_in_both_directions() -> None:
    message = Message(
        DOI,
        preprints=[
            ("arxiv", "2512.01234v2"),
            ("doi", "10.48550/arXiv.2512.05678"),
            ("doi", "https://doi.org/10.5555/Pre.1"),
            ("uri", "https://elsewhere.example/7"),
        ],
        preprint_of=[("doi", "10.5555/book.2")],
        update_to=[Update("10.5555/old", "correction", on=None)],
        updated_by=[Update(NOTICE), Update(NOTICE.upper(), "expression-of-concern", "retraction-watch")],
    )
    found = read(message).work_relations.select(
        "relation", "other_doi", "arxiv_id", "update_type", "asserted_by", "stated_on"
    )
    assert found.rows() == [
        ("has-preprint", None, "2512.01234", None, "subject", None),
        ("has-preprint", "10.48550/arxiv.2512.05678", "2512.05678", None, "subject", None),
        ("has-preprint", "10.5555/pre.1", None, None, "subject", None),
        ("is-preprint-of", "10.5555/book.2", None, None, "subject", None),
        ("update-to", "10.5555/old", None, "correction", "publisher", None),
        ("updated-by", NOTICE, None, "retraction", "publisher", date(2026, 5, 9)),
        ("updated-by", NOTICE, None, "expression_of_concern", "retraction-watch", date(2026, 5, 9)),
    ]


def test_a_doi_that_is_not_known_is_an_answer_too() -> None:
    found = collected(page(NO_SUCH, work_url("10.48550/arXiv.2512.01234"), http_status=404))
    assert found.published_works.select("doi", "answer").rows() == [("10.48550/arxiv.2512.01234", "unknown")]
    assert capture_of(found)["state"] == "error"
    busy = collected(page(b"busy", work_url(DOI), http_status=503))
    assert busy.published_works.is_empty()


@pytest.mark.parametrize(
    ("parts", "published"),
    [
        ([2026, 3, 9], "2026-03-09"),
        ([2026], "2026"),
        ([2026, None, 3], "2026"),
        ([None], None),
        ([2026, 13], None),
        ([1066, 1, 1], None),
        ([], None),
    ],
)
def test_days_as_far_as_they_are_stated(parts: list[int | None], published: str | None) -> None:
    assert read(Message(DOI, published=parts)).published_works["published"].to_list() == [published]


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (b"<html>busy</html>", "malformed_json"),
        (Message(DOI).answer[:200], "malformed_json"),
        ([1], "item_type"),
        ({"message-type": "work-list", "message": {"items": []}}, "crossref_message"),
        ({"message-type": "work", "message": {"title": ["Looms"]}}, "item_type"),
        (json.loads(Message("10.5555/other").answer), "crossref_other_work"),
        (json.loads(Message(DOI, title="x" * 1001).answer), "too_long"),
        (json.loads(Message(DOI, more={"update-to": {"DOI": NOTICE}}).answer), "item_type"),
        (json.loads(Message(DOI, more={"published": {"date-parts": [["2026"]]}}).answer), "item_type"),
    ],
)
def test_what_is_no_record_is_refused_by_name(content: object, rule: str) -> None:
    found = collected(page(content, work_url(DOI)))
    assert ([one[1] for one in rejects(found)], found.published_works.height) == ([rule], 0)
    assert capture_of(found)["state"] == "rejected"


def test_a_relation_to_nothing_is_set_aside_and_the_rest_is_kept() -> None:
    broken = [{"DOI": "no doi", "type": "retraction"}, {"DOI": NOTICE}, 7, Update(NOTICE).listed]
    found = changed(**{"updated-by": broken})
    assert [one[1] for one in rejects(found)] == ["crossref_relation", "crossref_update", "item_type"]
    assert found.work_relations["other_doi"].to_list() == [NOTICE]
    assert (capture_of(found)["state"], found.published_works.height) == ("partial", 1)
