from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import pytest

from transforms.readers.reading import Account, Author, Reading, Reject, Sighting
from transforms.readers.request import Request
from transforms.readers.text.paper import is_text_paper, read_text_paper

PAGES = Path(__file__).parent / "pages"
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


def page(name: str, fetched_at: datetime | None = None) -> Reading:
    return read_text_paper((PAGES / name).read_bytes(), Request(), fetched_at)


def plain(old: str = "", new: str = "", fetched_at: datetime | None = None, request: Request | None = None) -> Reading:
    assert old in PLAIN
    return read_text_paper(PLAIN.replace(old, new, 1).encode(), request or Request(), fetched_at)


def test_markdown() -> None:
    reading = page("paper_marked.md", datetime(2025, 12, 20))
    assert (reading.list_kind, reading.rejects) == ("paper", [])
    assert reading.sightings == [
        Sighting(
            position=1,
            pointer="line 16",
            arxiv_id="2512.95603",
            title="Kettle-Layered: Towards Inherent Steam via Layer Decomposition",
            ai_summary="Kettle-Layered decomposes steam into layers with a kettle model.",
            abstract="Recent kettles struggle. We propose an end-to-end kettle model that decomposes steam into RGBA "
            "layers, enabling inherent steam (PSD). Our kettle model is on "
            "https://github.com/kettles/layered{https://github.com/kettles/layered}",
            published_on=date(2025, 12, 17),
            published_basis="inferred",
            submitter_login="lamplighter",
            author_count=4,
            authors=[
                Author("Oma Lantern", user=Account("oma")),
                Author("Zekai Fog"),
                Author("Heung-Yeung O'Steam"),
                Author("Lionel M. Kettle"),
            ],
            upvote_count=34,
            github_star_count=2630,
            github_url="https://github.com/kettles/layered",
            project_url="https://kettles.example/",
            model_count=2,
            dataset_count=0,
            space_count=1,
            keywords=["kettle model", "RGBA layers", "inherent steam", "PSD"],
        )
    ]


def test_plain_page_without_its_first_line() -> None:
    (sighting,) = page("paper_plain.txt").sightings
    assert sighting == Sighting(
        position=1,
        pointer="line 2",
        arxiv_id="2510.94618",
        title="Restless Context Gardening: Growing Contexts for Patient Looms",
        ai_summary="RCG grows contexts.",
        abstract="Loom applications rely on contexts. RCG prunes them in the spring (and only then).",
        submitter_login="lamplighter",
        author_count=3,
        authors=[Author("Qi Loom"), Author("Changran Fog"), Author("Shubhangi Kite")],
        model_count=0,
        dataset_count=3,
        space_count=0,
    )


def test_printed_page() -> None:
    (sighting,) = page("paper_printed.txt").sightings
    assert sighting == Sighting(
        position=1,
        pointer="line 3",
        arxiv_id="2602.93036",
        title="QuietMem: Customizing Quiet Memory for Multi-Loom Systems",
        ai_summary="QuietMem is a quiet memory.",
        abstract="Looms forget. We propose QuietMem.",
        published_on=date(2025, 2, 2),
        published_basis="inferred",
        submitter_name="Xia Lantern",
        author_count=4,
        authors=[Author("Mu Fog"), Author("Gui Kite"), Author("Siyuan Loom"), Author("Xia Lantern")],
        upvote_count=14,
        github_star_count=27,
        model_count=1,
        dataset_count=0,
        space_count=0,
    )


def test_underlined_headings_and_pictures() -> None:
    (sighting,) = page("paper_underlined.md").sightings
    assert sighting == Sighting(
        position=1,
        pointer="line 8",
        arxiv_id="2310.93714",
        title="Kettles: Compiling Whistles",
        abstract="The whistling community is rapidly boiling.",
        published_on=date(2023, 10, 5),
        published_basis="stated",
        submitter_login="lamplighter",
        submitter_name="Lamp Lighter",
        author_count=2,
        authors=[Author("Omar Kettle", user=Account("okettle")), Author("Zhi Whistle")],
        upvote_count=0,
        model_count=0,
    )


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


@pytest.mark.parametrize("name", sorted(path.name for path in PAGES.iterdir()))
def test_papers_are_told_by_their_bytes(name: str) -> None:
    payload = (PAGES / name).read_bytes()
    other = b"\xef\xbb\xbf" + payload.replace(b"\n", b"\r\n")
    assert is_text_paper(payload) == is_text_paper(other) == name.startswith("paper_")
    assert read_text_paper(other, Request(), None) == read_text_paper(payload, Request(), None)


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
