from __future__ import annotations

from datetime import date, datetime

import pytest

from transforms.readers.reading import Reading, Reject, Sighting
from transforms.readers.request import Request
from transforms.readers.text.paper import is_text_paper, read_text_paper

PLAIN = """arxiv:2512.95603

Kettles

Published on Dec 17

Submitted by
kestrel
on Dec 18

Upvote
34
+26

Authors:

Oma Lantern
,
Zekai Fog

Abstract

Kettles, briefly.

AI-generated summary

Kettles whistle.

Community
"""


def plain(old: str = "", new: str = "", fetched_at: datetime | None = None, request: Request | None = None) -> Reading:
    assert old in PLAIN
    return read_text_paper(PLAIN.replace(old, new, 1).encode(), request or Request(), fetched_at)


@pytest.mark.parametrize(
    ("old", "new", "fetched_at", "published_on", "basis"),
    [
        ("", "", None, None, None),
        ("", "", datetime(2025, 12, 20), date(2025, 12, 17), "inferred"),
        ("", "", datetime(2026, 1, 2), date(2025, 12, 17), "inferred"),
        ("Dec 17", "Dec 17, 2023", None, date(2023, 12, 17), "stated"),
        ("Dec 17\n", "Dec 17, 2023\n", datetime(2026, 1, 2), date(2023, 12, 17), "stated"),
        ("Published on Dec 17\n", "", datetime(2026, 1, 2), None, None),
    ],
)
def test_year_of_publication(
    old: str, new: str, fetched_at: datetime | None, published_on: date | None, basis: str | None
) -> None:
    (sighting,) = plain(old, new, fetched_at).sightings
    assert (sighting.title, sighting.published_on, sighting.published_basis) == ("Kettles", published_on, basis)


def test_without_the_mark_everything_is_abstract() -> None:
    (sighting,) = plain("AI-generated summary\n", "").sightings
    assert (sighting.ai_summary, sighting.abstract) == (None, "Kettles, briefly. Kettles whistle.")


def test_what_is_missing_is_not_made_up() -> None:
    (sighting,) = read_text_paper(b"arxiv:2512.95603\nKettles\nPublished on Dec 17\n", Request(), None).sightings
    assert sighting == Sighting(position=1, pointer="line 2", title="Kettles", arxiv_id="2512.95603")


def test_the_address_tells_the_id_where_the_page_does_not() -> None:
    asked = Request(path="/papers/2512.95603", list_kind="paper")
    (sighting,) = plain("arxiv:2512.95603\n", "", request=asked).sightings
    assert (sighting.arxiv_id, sighting.title) == ("2512.95603", "Kettles")
    (sighting,) = plain("2512.95603", "2512.95604", request=asked).sightings
    assert sighting.arxiv_id == "2512.95604"


def test_an_impossible_date_rejects_the_paper() -> None:
    reading = plain("Dec 17", "Feb 30")
    assert reading.sightings == []
    assert reading.rejects == [
        Reject(
            position=1,
            pointer="line 3",
            rule="published_on_impossible",
            detail="line 5: no calendar has the day of `Published on Feb 30`",
        )
    ]


def test_a_page_without_a_title_is_rejected() -> None:
    assert [(r.rule, r.position) for r in plain("Kettles\n", "").rejects] == [("no_title", 1)]


@pytest.mark.parametrize(("name", "line"), [("Kettles\n", 3), ("kestrel", 8), ("Zekai", 19), ("whistle", 27)])
def test_bytes_that_are_no_utf_8_reject_the_paper(name: str, line: int) -> None:
    payload = PLAIN.encode().replace(name.encode(), b"\xff" + name.encode(), 1)
    (reject,) = read_text_paper(payload, Request(), None).rejects
    assert (reject.rule, reject.detail) == ("invalid_utf8", f"line {line} holds bytes that are no UTF-8")


def test_broken_bytes_in_a_comment_harm_nothing() -> None:
    reading = read_text_paper(PLAIN.encode() + b"\xff\n\nModels citing this paper 3\n", Request(), None)
    assert [sighting.model_count for sighting in reading.sightings] == [3]


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        bytes(50_000),
        b"Published on Dec 17\n",
        b"see arxiv:2512.95603 for more\nPublished on Dec 17\n",
        b"<p>\n" + PLAIN.encode(),
    ],
    ids=["empty", "zeros", "date", "mention", "markup"],
)
def test_other_bytes_are_no_papers(payload: bytes) -> None:
    assert not is_text_paper(payload)


@pytest.mark.parametrize(
    "body", ["x" * 10_000_000, "[" * 3_000_000, "a\n" * 40_000, "Submitted by " * 200_000, "\n" * 1_000_000]
)
@pytest.mark.timeout(20)
def test_large_pages_take_linear_time(body: str) -> None:
    for place in ("Kettles whistle.", "Authors:", "kestrel"):
        reading = plain(place, f"{place}\n{body}")
        assert len(reading.sightings) + len(reading.rejects) == 1
