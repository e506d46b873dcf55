"""Papers that were never written, put on pages as extractors put them, and read back."""

from __future__ import annotations

from datetime import date, datetime
from typing import NamedTuple

from hypothesis import example, given, settings
from hypothesis import strategies as st

from transforms.readers.reading import Reading
from transforms.readers.request import Request
from transforms.readers.text.dump import is_text_list, read_text_list
from transforms.readers.text.paper import is_text_paper, read_text_paper

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
PAGE_YEAR = 2025
quick = settings(deadline=None, max_examples=50)
TRAPS = [
    "8 authors",
    "authors",
    "Subscribe",
    "·",
    "-",
    "•",
    "3",
    "2024",
    "Oct",
    "[1]",
    "$x_i$",
    "{ell}_p",
    "Daily",
    "#",
    "(a)",
]

words = st.one_of(st.sampled_from(TRAPS), st.text("abcdefgXYZäλ", min_size=2, max_size=12))
phrases = st.lists(words, min_size=2, max_size=12).map(" ".join)
titles = st.one_of(phrases.map("Kites ".__add__), phrases.map("- {} of Looms".format), phrases.map("7 {} Nets".format))
abstracts = st.lists(phrases.map("We fly {}.".format), min_size=1, max_size=30).map(" ".join)
names = st.text("abcdeXYZ", min_size=2, max_size=8)


class Footer(NamedTuple):
    authors: int | None
    login: str | None
    name: str | None
    day: date
    comments: int | None


class Paper(NamedTuple):
    title: str
    abstract: str
    footer: Footer | None


counted = st.tuples(st.integers(1, 700), st.none(), st.none())
named = st.tuples(st.none(), names, st.lists(names, min_size=1, max_size=3).map(" ".join))
footers = st.builds(
    lambda who, day, comments: Footer(*who, day, comments),
    st.one_of(counted, named),
    st.dates(date(2015, 1, 1), date(PAGE_YEAR, 12, 31)),
    st.one_of(st.none(), st.integers(1, 99)),
)
papers = st.builds(Paper, titles, abstracts, st.one_of(st.none(), footers))
bare_papers = st.builds(Paper, titles, abstracts, st.none())


def shown(day: date) -> str:
    text = f"{MONTHS[day.month - 1]} {day.day}"
    return text if day.year == PAGE_YEAR else f"{text}, {day.year}"


def layout_a(page: list[Paper]) -> str:
    blocks = ["new", "Get trending papers in your email inbox!", "Subscribe", "Daily Papers"]
    blocks += ["byAK and the research community", "Dec 31"]
    for paper in page:
        blocks += [paper.title, paper.abstract]
        if paper.footer is not None:
            who = (
                f"  • {paper.footer.authors} authors"
                if paper.footer.authors
                else f"{paper.footer.login} {paper.footer.name}"
            )
            comments = f" {paper.footer.comments}" if paper.footer.comments else ""
            blocks.append(f"{who}\n·\n{shown(paper.footer.day)}{comments}")
    return "\n\n".join(blocks)


def layout_b(page: list[Paper]) -> str:
    first, *more = [text for paper in page for text in (paper.title, paper.abstract)]
    header = ["Get trending papers in your email inbox once a day!", "Get trending papers in your email inbox!"]
    return "\n".join([*header, f"Subscribe{first}", *more])


def layout_c(page: list[Paper]) -> str:
    header = [
        "new",
        "Get trending papers in your email inbox!",
        "Subscribe",
        "byAK and the research community",
        "Mar 12",
    ]
    return "\n\n".join([*header, *(text for paper in page for text in (paper.title, paper.abstract))])


def read(text: str, fetched_at: datetime | None = None) -> Reading:
    payload = text.encode()
    assert is_text_list(payload)
    assert not is_text_paper(payload)
    return read_text_list(payload, Request(), fetched_at)


def places(reading: Reading) -> list[int]:
    return sorted(item.position for item in (*reading.sightings, *reading.rejects))


@quick
@given(st.lists(papers, min_size=1, max_size=8))
@example([Paper("Kites 8 authors", "We fly 8 authors.", None)])
def test_layout_a_comes_back(page: list[Paper]) -> None:
    reading = read(layout_a(page), datetime(PAGE_YEAR, 12, 31))
    assert reading.rejects == []
    assert (reading.page_on, reading.page_basis) == (date(PAGE_YEAR, 12, 31), "inferred")
    assert [(s.title, s.abstract) for s in reading.sightings] == [(paper.title, paper.abstract) for paper in page]
    footers = [
        Footer(s.author_count, s.organization_login, s.organization_name, s.published_on, s.comment_count)
        if s.published_on
        else None
        for s in reading.sightings
    ]
    assert footers == [paper.footer for paper in page]


@quick
@given(st.lists(bare_papers, min_size=1, max_size=8))
def test_layout_b_comes_back(page: list[Paper]) -> None:
    reading = read(layout_b(page))
    assert reading.rejects == []
    assert [(s.title, s.abstract) for s in reading.sightings] == [(paper.title, paper.abstract) for paper in page]
    assert [s.pointer for s in reading.sightings] == [f"line {3 + 2 * place}" for place in range(len(page))]


@quick
@given(st.lists(bare_papers, min_size=1, max_size=8))
def test_layout_c_comes_back(page: list[Paper]) -> None:
    reading = read(layout_c(page))
    assert reading.rejects == []
    assert [(s.title, s.abstract) for s in reading.sightings] == [(paper.title, paper.abstract) for paper in page]


line_bits = st.sampled_from(
    [
        *("Get trending papers in your email inbox!", "Subscribe", "Daily Papers", "Oct 2", "Oct 2, 2024 3", "Feb 30"),
        *(
            "·",
            "-",
            "12",
            "8 authors",
            "  • 3 authors",
            "### [Kites](/papers/2504.92984)",
            "[Nets](/papers/2504.92985)",
        ),
        *(
            "### Looms",
            "[",
            "][3]",
            "[3]: https://huggingface.co/kites",
            "](/papers/2504.92984)",
            "Submitted by",
            "kestrel",
        ),
        *(
            "Upvote",
            "GitHub 2.63k",
            "GitHub",
            "AI-generated summary",
            "Kites fly.",
            "x" * 300,
            "AI at Nets · Oct 2",
            "",
        ),
        *(
            "arxiv:2504.92984",
            "Published on Dec 17",
            "Abstract",
            "Authors:",
            ",",
            "Community",
            "Models citing this paper 3",
        ),
        *(
            "https://huggingface.co/papers/2504.92984",
            "[![a](/b.png)Nets](/nets)",
            "- ![](/c.svg)\\\\",
            "\\",
            "System theme",
        ),
    ]
)
pieces = st.one_of(line_bits.map(str.encode), st.binary(max_size=20))
pages = st.one_of(st.binary(max_size=400), st.lists(pieces, max_size=30).map(b"\n".join))


@quick
@given(pages, st.one_of(st.none(), st.datetimes()))
def test_no_bytes_break_the_list_reader(payload: bytes, fetched_at: datetime | None) -> None:
    is_text_list(payload)
    for page in (payload, b"Get trending papers in your email inbox!\n" + payload):
        reading = read_text_list(page, Request(), fetched_at)
        assert places(reading) == list(range(1, len(places(reading)) + 1))
        assert all(s.title and s.title.encode() for s in reading.sightings)
        assert all(r.detail.encode() and r.pointer.startswith("line ") for r in reading.rejects)


@quick
@given(pages, st.one_of(st.none(), st.datetimes()))
def test_no_bytes_break_the_paper_reader(payload: bytes, fetched_at: datetime | None) -> None:
    is_text_paper(payload)
    for page in (payload, b"arxiv:2504.92984\nKites\nPublished on Dec 17\n" + payload):
        reading = read_text_paper(page, Request(), fetched_at)
        assert places(reading) == [1]
        assert all(s.title and s.title.encode() for s in reading.sightings)
