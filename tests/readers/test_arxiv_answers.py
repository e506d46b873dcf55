"""Answers of arXiv: what a record says of a paper, its withdrawal by two signs, and what is refused by name."""

import operator
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import cache

import pytest

from tests.arxiv.labelled import OTHER, SETS, Labelled
from tests.arxiv.records import (
    GONE,
    NOW,
    RAW,
    Record,
    Version,
    changes_url,
    envelope,
    error,
    of_changes,
    of_paper,
    paper_url,
    token_url,
)
from tests.collected import capture_of, collected, of_page, page, rejects
from transforms.collect.collect import Collected
from warehouse.archive.captured import Capture

ID = "2609.00001"
SOUND = Record(ID, versions=[Version(), Version(9, "1234kb")], journal_ref="J. Looms 3 (2026)", doi="10.5555/looms")


def answered(record: Record, at: datetime = NOW) -> Capture:
    return page(of_paper(record, at), paper_url(record.arxiv_id), at)


def read(record: Record) -> Collected:
    return collected(answered(record))


def test_what_a_record_says() -> None:
    found = read(SOUND)
    (row,) = found.arxiv_records.iter_rows(named=True)
    assert {name: row[name] for name in ("paper_id", "changed_on", "status", "version_count", "comments")} == {
        "paper_id": ID,
        "changed_on": date(2026, 9, 2),
        "status": "present",
        "version_count": 2,
        "comments": "12 pages, 3 figures",
    }
    assert (row["journal_ref"], row["doi"], row["categories"]) == (
        "J. Looms 3 (2026)",
        "10.5555/looms",
        ["cs.LG", "cs.CL"],
    )
    assert row["title"] == f"Woven Looms of {ID}"
    assert row["license_url"] == "http://creativecommons.org/licenses/by/4.0/"
    assert found.arxiv_versions.select("version_number", "version_at", "size_kb", "source_type").rows() == [
        (1, datetime(2026, 9, 1, 17, 54, 29), 280, "D"),
        (2, datetime(2026, 9, 10, 17, 54, 29), 1234, "D"),
    ]
    assert (capture_of(found)["state"], found.sightings.height) == ("read", 0)


def test_a_text_with_elements_in_it_is_read_whole() -> None:
    answer = answered(SOUND)
    marked = replace(answer, payload=answer.payload.replace(b"Woven Looms", b"Woven <i>Silk</i> Looms"))
    assert collected(marked).arxiv_records["title"].to_list() == [f"Woven Silk Looms of {ID}"]


@pytest.mark.parametrize("name", SETS)
def test_labelled_records_are_told_apart(name: str) -> None:
    records: list[Labelled] = SETS[name]
    assert len(records) == 200
    found = collected(*(answered(one.record) for one in records)).arxiv_records
    said = {row["paper_id"]: row for row in found.iter_rows(named=True)}
    is_said = [said[one.record.arxiv_id]["status"] == "withdrawn" for one in records]
    is_so = [one.status == "withdrawn" for one in records]
    right = sum(map(operator.and_, is_so, is_said))
    assert right == sum(is_said), "precision is 1"
    assert right >= 0.95 * sum(is_so), "recall"
    others = {one.record.arxiv_id: one.status for one in records if one.status != "withdrawn"}
    assert {paper: said[paper]["status"] for paper in others} == others
    for one, told in zip(records, is_said, strict=True):
        row = said[one.record.arxiv_id]
        assert row["superseded_by"] == (one.superseded_by if told else None), row["comments"]
        if row["superseded_by"]:
            assert row["comments"][row["superseded_start"] : row["superseded_end"]].endswith(OTHER)


@pytest.mark.parametrize(
    ("versions", "comments", "status"),
    [
        ([Version(), GONE], "12 pages", "suspected"),
        ([Version()], "This paper has been withdrawn", "suspected"),
        ([Version(), GONE], None, "suspected"),
        ([Version(), Version(40, "0kb", "D")], "12 pages", "present"),
        ([Version(), Version(40, "12kb", "I")], "12 pages", "present"),
        ([Version(), GONE, Version(50)], "12 pages", "present"),
        ([Version(), GONE], "Supersedes 2101.00001, which has been withdrawn", "suspected"),
    ],
)
def test_one_sign_alone_is_a_suspicion(versions: list[Version], comments: str | None, status: str) -> None:
    assert read(Record(ID, versions=versions, comments=comments)).arxiv_records["status"].to_list() == [status]


def test_a_deleted_record_says_nothing_else() -> None:
    found = read(replace(SOUND, is_deleted=True))
    assert found.arxiv_records.select("status", "is_emptied", "title", "version_count").rows() == [
        ("deleted", None, None, None)
    ]
    assert found.arxiv_versions.is_empty()


def test_a_paper_that_arxiv_does_not_know() -> None:
    found = collected(page(error("idDoesNotExist"), paper_url(ID), NOW))
    assert (found.arxiv_looks["answer"].to_list(), rejects(found)) == (["unknown"], [])


def test_pages_of_changes() -> None:
    day, later = Record("2609.00001"), Record("hep-th/9901001", changed=date(2026, 9, 4))
    found = collected(
        page(of_changes([day, later], "6|2"), changes_url(date(2026, 9, 1)), NOW),
        page(of_changes([Record("2609.00002")], ""), token_url("6|2"), NOW + timedelta(seconds=3)),
        page(error("noRecordsMatch"), changes_url(date(2026, 10, 7)), NOW + timedelta(days=1)),
    )
    looks = found.arxiv_looks.sort("observed_at").select("from_on", "token", "next_token", "answer", "record_count")
    assert looks.rows() == [
        (date(2026, 9, 1), None, "6|2", "records", 2),
        (None, "6|2", None, "records", 1),
        (date(2026, 10, 7), None, None, "none", 0),
    ]
    assert sorted(found.arxiv_changes.select("changed_on", "record_count").rows()) == [
        (date(2026, 9, 2), 1),
        (date(2026, 9, 2), 1),
        (date(2026, 9, 4), 1),
    ]
    assert found.arxiv_records.is_empty()


def altered(old: str, new: str, record: Record = SOUND) -> bytes:
    text = of_paper(record).decode()
    assert old in text
    return text.replace(old, new).encode()


NESTED = f'<version xmlns="{RAW}" version="v1"><version version="v1"/></version>'
BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>'


SHAPES = [
        ("not_oai_pmh", b"<html><body>busy</body></html>"),
        ("malformed_xml", b"<!doctype html><p>busy"[15:]),
        ("malformed_xml", of_paper(SOUND)[:-20]),
        ("xml_declarations", of_paper(SOUND).replace(b"?>", b"?>" + BOMB.encode(), 1)),
        ("xml_declarations", b"<!doctype html><p>busy"),
        ("invalid_utf8", of_paper(SOUND).replace(b"Woven", b"Wo\xffen")),
        ("oai_badArgument", error("badArgument")),
        ("oai_badResumptionToken", error("badResumptionToken")),
        ("oai_error", error("<b>1".replace("<", "&lt;"))),
        ("oai_verb", envelope("")),
        ("oai_record", envelope("<GetRecord/>")),
        ("oai_response_date", altered("<responseDate>2026-", "<responseDate>12026-")),
        ("oai_element", altered("<responseDate>2026-10-07T12:00:00Z</responseDate>", "")),
        ("oai_header", altered(SOUND.header, "")),
        ("oai_identifier", altered("oai:arXiv.org:2609", "oai:other.org:2609")),
        ("oai_datestamp", altered("<datestamp>2026-09-02", "<datestamp>2026-13-02")),
        ("oai_other_paper", altered("oai:arXiv.org:2609.00001", "oai:arXiv.org:2609.00002")),
        ("oai_other_paper", altered("<id>2609.00001", "<id>2609.00002")),
        ("oai_deleted", altered("<header>", '<header status="deleted">')),
        ("oai_metadata", altered("arXivRaw", "arXivOld")),
        ("arxiv_versions", altered("<submitter>", "<versions><version/></versions><submitter>")),
        ("arxiv_versions", altered('version="v2"', 'version="v3"')),
        ("arxiv_versions", altered("<size>280kb", f"{NESTED}<size>280kb")),
        ("arxiv_versions", of_paper(SOUND).replace(b"<version ", b"<other ").replace(b"</version>", b"</other>")),
        ("arxiv_size", altered("1234kb", "1234")),
        ("arxiv_date", altered("Tue, 01 Sep 2026", "Tue, 41 Sep 2026")),
        ("arxiv_date", altered("Tue, 01 Sep 2026", "Tue, 01 Sep 1926")),
        ("oai_element", altered("<title>", "<title>x</title><title>")),
        ("too_long", altered("12 pages", "x" * 20_001)),
]  # fmt: skip


@cache
def of_other_shapes() -> Collected:
    return collected(*(page(payload, paper_url(ID), NOW) for _, payload in SHAPES))


@pytest.mark.parametrize(("rule", "payload"), SHAPES)
def test_what_is_of_another_shape_is_refused_by_name(rule: str, payload: bytes) -> None:
    found = of_page(of_other_shapes(), page(payload, paper_url(ID), NOW))
    assert [one[1] for one in rejects(found)] == [rule]
    assert (capture_of(found)["state"], found.arxiv_records.height, found.arxiv_looks.height) == ("rejected", 0, 0)


def test_an_answer_at_another_address_is_not_read() -> None:
    """Of the same bytes from elsewhere, or in another format, nobody can say what they answer."""
    for url in (None, "https://oai.example/other", paper_url(ID).replace("arXivRaw", "oai_dc")):
        assert collected(page(of_paper(SOUND), url, NOW)).arxiv_records.is_empty()


def test_one_record_that_does_not_fit_leaves_the_others() -> None:
    url = "https://oai.example/oai?verb=ListRecords&metadataPrefix=arXivRaw&from=2026-09-01"
    some = [SOUND, Record("2609.00002"), Record("2609.00003"), Record("2609.00003")]
    records = "".join(one.record for one in some).replace("<id>2609.00002", "<id>2609.00009")
    found = collected(page(envelope(f"<ListRecords>{records}</ListRecords>"), url, NOW))
    assert found.arxiv_records["paper_id"].to_list() == [ID, "2609.00003"]
    assert [one[1:] for one in rejects(found)] == [("oai_other_paper", "ListRecords/1"), ("oai_twice", "ListRecords/3")]


def test_control_characters_never_leave_raw() -> None:
    found = read(replace(SOUND, comments="12\u0085pages\u200b \x9fand more"))
    assert found.arxiv_records["comments"].to_list() == ["12 pages\u200b \N{REPLACEMENT CHARACTER}and more"]
