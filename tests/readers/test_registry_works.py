"""Works of OpenAlex and Crossref: what each says, which papers it holds, what is not there, and what is refused by name."""

import json
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from flows.plan.others_due import doi_filter, paper_filter
from tests.collected import capture_of, collected, page, rejects
from tests.works.messages import NO_SUCH, Message, Update, work_url
from tests.works.openalex import OpenWork, list_url, listed
from transforms.collect.collect import Collected

LOOMS, TIDES, KILNS = "2512.01234", "2512.05678", "2512.09999"
DOI, OTHER = "10.5555/loom.7", "10.5555/tide.2"
BY_PAPER, BY_DOI = paper_filter([LOOMS, TIDES]), doi_filter([DOI, OTHER])
WORK = OpenWork(DOI.upper(), [LOOMS])


def read(*works: OpenWork, named: str = BY_PAPER, count: int | None = None) -> Collected:
    return collected(page(listed(works, count), list_url(named)))


def answers(found: Collected) -> list[tuple[str, str]]:
    return list(found.published_works.select("doi", "answer").sort("doi").iter_rows())


def papers(found: Collected) -> list[tuple[str, str | None, str | None]]:
    return list(found.work_relations.select("relation", "arxiv_id", "update_type").iter_rows())


def test_what_a_work_says() -> None:
    found = read(WORK)
    (row,) = found.published_works.filter(answer="known").iter_rows(named=True)
    assert {name: row[name] for name in row if name not in {"capture_id", "observed_at", "bibtex_fields"}} == {
        "registry": "openalex",
        "doi": DOI,
        "answer": "known",
        "work_type": "journal-article",
        "title": "Woven Looms",
        "venue": "Journal of Looms",
        "publisher": "Tide Press",
        "published": "2026-03-09",
        "volume": "3",
        "issue": None,
        "pages": "7-19",
    }
    assert row["bibtex_fields"].splitlines()[:2] == ["article", "  journal = {Journal of Looms},"]
    assert (capture_of(found)["state"], capture_of(found)["list_kind"]) == ("read", "openalex")
    assert found.sightings.is_empty()
    assert papers(found) == [("has-preprint", LOOMS, None)]


@pytest.mark.parametrize(
    ("work", "kind", "venue"),
    [
        (replace(WORK, venue_type="conference"), "proceedings-article", "Journal of Looms"),
        (replace(WORK, type="book-chapter", venue_type="ebook platform"), "book-chapter", "Journal of Looms"),
        (replace(WORK, type="preprint"), "posted-content", None),
        (replace(WORK, venue_type="repository"), "posted-content", None),
        (replace(WORK, venue=None), "posted-content", None),
    ],
)
def test_kinds_are_told_in_the_words_of_the_other_registry(work: OpenWork, kind: str, venue: str | None) -> None:
    (row,) = read(work).published_works.filter(answer="known").iter_rows(named=True)
    assert (row["work_type"], row["venue"]) == (kind, venue)


@pytest.mark.parametrize("form", ["id", "address", "doi"])
def test_a_paper_is_told_by_the_id_or_the_address_of_a_location(form: str) -> None:
    assert papers(read(replace(WORK, form=form))) == [("has-preprint", LOOMS, None)]


@pytest.mark.parametrize(
    "place",
    [
        {"landing_page_url": f"https://elsewhere.example/arxiv.org/abs/{LOOMS}"},
        {"landing_page_url": f"https://arxiv.org/abs/{LOOMS}/more"},
        {"id": f"pmh:oai:elsewhere.example:{LOOMS}"},
        {"landing_page_url": f"https://arxiv.org.example/abs/{LOOMS}"},
    ],
)
def test_what_only_looks_like_a_paper_is_none(place: dict[str, str]) -> None:
    found = read(replace(WORK, papers=(), more={"locations": [place]}), named=BY_DOI)
    assert papers(found) == []


def test_the_id_of_a_location_goes_before_its_address() -> None:
    place = {"id": f"pmh:oai:arXiv.org:{TIDES}", "landing_page_url": f"https://arxiv.org/abs/{LOOMS}v3"}
    assert papers(read(replace(WORK, papers=(), more={"locations": [place]}))) == [("has-preprint", TIDES, None)]


def test_a_retraction_is_told_without_a_notice() -> None:
    found = read(replace(WORK, is_retracted=True))
    assert papers(found) == [("has-preprint", LOOMS, None), ("updated-by", None, "retraction")]
    assert found.work_relations["position"].to_list() == [1, 2]


def test_a_work_without_a_doi_has_that_of_arxiv() -> None:
    found = read(replace(WORK, doi=None, venue="Proceedings of Tides", venue_type="conference"))
    assert answers(found) == [(f"10.48550/arxiv.{LOOMS}", "known"), (f"10.48550/arxiv.{TIDES}", "unknown")]
    (row,) = found.published_works.filter(answer="known").iter_rows(named=True)
    assert (row["work_type"], row["venue"]) == ("proceedings-article", "Proceedings of Tides")


def test_what_was_asked_for_and_is_not_there_is_unknown() -> None:
    assert answers(read(WORK)) == [
        (f"10.48550/arxiv.{LOOMS}", "unknown"),
        (f"10.48550/arxiv.{TIDES}", "unknown"),
        (DOI, "known"),
    ]
    assert answers(read(WORK, named=BY_DOI)) == [(DOI, "known"), (OTHER, "unknown")]
    assert answers(read(named=BY_DOI)) == [(DOI, "unknown"), (OTHER, "unknown")]


def test_a_list_that_is_cut_says_so_and_of_nothing_that_it_is_not_there() -> None:
    found = read(WORK, named=BY_DOI, count=101)
    assert answers(found) == [(DOI, "known")]
    assert found.quarantine.select("rule", "detail").rows() == [("openalex_cut", "1 of 101 works")]
    assert capture_of(found)["state"] == "partial"


@pytest.mark.parametrize(
    ("works", "rule"),
    [
        ([WORK, WORK], "openalex_twice"),
        ([WORK, OpenWork("10.5555/else", [KILNS])], "openalex_other_work"),
        ([WORK, OpenWork(None)], "openalex_doi"),
        ([WORK, OpenWork("no doi", [LOOMS])], "openalex_doi"),
        ([WORK, replace(WORK, title="x" * 1_001, doi=OTHER)], "too_long"),
        ([WORK, replace(WORK, doi=OTHER, more={"is_retracted": "yes"})], "item_type"),
        ([WORK, replace(WORK, doi=OTHER, more={"locations": [{"id": 7}]})], "item_type"),
    ],
)
def test_what_is_of_another_shape_is_refused_by_name(works: list[OpenWork], rule: str) -> None:
    found = read(*works)
    assert [row["rule"] for row in found.quarantine.iter_rows(named=True)] == [rule]
    assert found.quarantine["pointer"].to_list() == ["results/1"]
    assert answers(found) == [(DOI, "known")], "the list is not whole"
    assert capture_of(found)["state"] == "partial"


@pytest.mark.parametrize("payload", [b'{"results": []}', b'{"meta": {"count": "x"}, "results": []}', b'{"meta": {"cou'])
def test_what_is_no_list_is_rejected_whole(payload: bytes) -> None:
    found = collected(page(payload, list_url(BY_DOI)))
    assert (capture_of(found)["state"], len(rejects(found))) == ("rejected", 1)
    assert found.published_works.is_empty()


@pytest.mark.parametrize(("stated", "told"), [("2026-01-01", "2026"), ("2026-02-30", None), (None, None), ("x", None)])
def test_the_first_of_january_is_a_year(stated: str | None, told: str | None) -> None:
    (row,) = read(replace(WORK, published=stated)).published_works.filter(answer="known").iter_rows(named=True)
    assert row["published"] == told


NOTICE = "10.5555/notice.1"


def record(message: Message, doi: str = DOI) -> Collected:
    return collected(page(message.answer, work_url(doi)))


def changed(**more: Any) -> Collected:
    return record(Message(DOI, more=more))


def test_what_a_record_says() -> None:
    found = record(Message(DOI))
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
    assert row["bibtex_fields"].splitlines()[:2] == ["article", r"  journal = {Journal of Looms \& Tides},"]
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
    found = record(message).work_relations.select(
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
    assert record(Message(DOI, published=parts)).published_works["published"].to_list() == [published]


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
