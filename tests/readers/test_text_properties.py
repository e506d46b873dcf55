"""Papers that were never written, put on pages as extractors put them, and read back."""

from collections.abc import Callable
from datetime import date, datetime
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from transforms.readers.reading import Reading
from transforms.readers.request import Request
from transforms.readers.text.dump import is_text_list, read_text_list
from transforms.readers.text.paper import is_text_paper

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
PAGE_YEAR = 2025
quick = settings(deadline=None, max_examples=25)
TRAPS = [
    "8 authors", "authors", "Subscribe", "·", "-", "•", "3", "2024", "Oct", "[1]", "$x_i$", "{ell}_p", "Daily", "#",
    "(a)",
]  # fmt: skip

words = st.one_of(st.sampled_from(TRAPS), st.text("abcdefgXYZäλ", min_size=2, max_size=12))
phrases = st.lists(words, min_size=2, max_size=12).map(" ".join)
titles = st.one_of(phrases.map("Kites ".__add__), phrases.map("- {} of Looms".format), phrases.map("7 {} Nets".format))
abstracts = st.lists(phrases.map("We fly {}.".format), min_size=1, max_size=8).map(" ".join)
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


@quick
@given(st.lists(papers, min_size=1, max_size=4))
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


@pytest.mark.parametrize(("layout", "first", "each"), [(layout_b, 3, 2), (layout_c, 11, 4)])
@quick
@given(page=st.lists(bare_papers, min_size=1, max_size=4))
def test_a_layout_without_footers_comes_back(
    layout: Callable[[list[Paper]], str], first: int, each: int, page: list[Paper]
) -> None:
    reading = read(layout(page))
    assert reading.rejects == []
    assert [(s.title, s.abstract) for s in reading.sightings] == [(paper.title, paper.abstract) for paper in page]
    assert [s.pointer for s in reading.sightings] == [f"line {first + each * place}" for place in range(len(page))]
