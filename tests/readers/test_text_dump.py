from datetime import date, datetime
from pathlib import Path

import pytest

from transforms.readers.reading import Reading, Reject
from transforms.readers.request import Request
from transforms.readers.text.dump import is_text_list, read_text_list

PAGES = Path(__file__).parent / "pages"
START = "Get trending papers in your email inbox!\n"
HEADER = """new

Get trending papers in your email inbox!

Subscribe

Daily Papers

byAK and the research community

Nov 21

"""
KITE_OF = "Kites\n\nKites fly.\n\n  • 2 authors\n·\n"  # a paper up to its day
NET_OF = "Nets\n\nNets hold.\n\n  • 2 authors\n·\n"


def page(name: str, fetched_at: datetime | None = None, request: Request | None = None) -> Reading:
    return read_text_list((PAGES / name).read_bytes(), request or Request(), fetched_at)


def text(body: str, fetched_at: datetime | None = None) -> Reading:
    return read_text_list((HEADER + body).encode(), Request(), fetched_at)


@pytest.mark.parametrize(
    ("plain", "odd"),
    [("\n", "\u200b\n"), ("\n", "\n\ufeff"), ("\n", "\r\n\u200e"), (" ", "\u00a0"), (" ", "\u202f"), ("\n", " \n\t")],
)
def test_signs_that_nobody_sees_change_nothing(plain: str, odd: str) -> None:
    body = f"{KITE_OF}Oct 6, 2022\n\n{NET_OF}Oct 15 2\n"
    usual, saved = text(body), (HEADER + body).replace(plain, odd).encode()
    assert is_text_list(saved)
    assert read_text_list(saved, Request(), None) == usual


@pytest.mark.parametrize("blank", ["", "\n"])
def test_plain_trending_page(blank: str) -> None:
    lines = [
        *("Trending Papers", "Submitted by", "lamplighter", "Lanterns", "Lanterns glow in fog.", "AI at Lamps", "·"),
        *("Published on Sep 23, 2025", "Upvote", "117", "GitHub", "2.63k", "arXiv Page"),
        *("Lanterns", "Lanterns glow in fog.", "AI at Lamps · Sep 23, 2025", "Upvote 117", "GitHub 2.63k"),
    ]
    payload = START + "".join(f"{line}\n{blank}" for line in lines)
    first, second = read_text_list(payload.encode(), Request(), None).sightings
    assert (first.submitter_login, second.submitter_login) == ("lamplighter", None)
    for sighting in (first, second):
        assert (sighting.title, sighting.description) == ("Lanterns", "Lanterns glow in fog.")
        assert (sighting.organization_login, sighting.organization_name) == (None, "AI at Lamps")
        assert (sighting.upvote_count, sighting.github_star_count) == (117, 2630)
        assert (sighting.published_on, sighting.published_basis) == (date(2025, 9, 23), "stated")


@pytest.mark.parametrize("bullet", ["* ", "- ", "• ", "[", "  • ", ""])
def test_bullets_differ_by_extractor(bullet: str) -> None:
    closing = "](/papers/2504.92984)" if bullet == "[" else ""
    reading = text(
        f"12\n\n[Kites](/papers/2504.92984)\n\nKites fly.\n\n{bullet}8 authors{closing}\n\n·\n\n"
        "May 30[6](/papers/2504.92984#community)\n\n-\n\n[Nets](https://huggingface.co/papers/2504.92985)\n\n"
        "Nets hold.\n\n[AI at Nets](/netsbook)\n\n·\n\nMar 8, 2024 [ 3]\n"
    )
    first, second = reading.sightings
    assert (first.title, first.abstract, first.arxiv_id) == ("Kites", "Kites fly.", "2504.92984")
    assert (first.upvote_count, first.author_count, first.comment_count) == (12, 8, 6)
    assert (second.title, second.arxiv_id, second.upvote_count) == ("Nets", "2504.92985", 0)
    assert (second.organization_login, second.organization_name) == ("netsbook", "AI at Nets")
    assert (second.comment_count, second.published_on) == (3, date(2024, 3, 8))


def test_links_part_papers_that_have_neither_votes_nor_footers() -> None:
    reading = text("[A](/papers/2504.92984)\n\nOf A.\n\n[B](/papers/2503.0213)\n\nOf B.\n\n[C](/papers/2504.92986v2)\n")
    assert [(s.arxiv_id, s.title, s.abstract) for s in reading.sightings] == [
        ("2504.92984", "A", "Of A. B Of B."),
        ("2504.92986", "C", None),
    ]


def test_addresses_of_other_hosts_are_no_ids() -> None:
    (sighting,) = text("# [Kites](https://evil.example/papers/2504.92984)\n\nKites fly.\n").sightings
    assert (sighting.title, sighting.arxiv_id) == ("Kites", None)


def test_daily_list_without_abstracts() -> None:
    reading = text("Submitted by\nkestrel\n33\nKites\n·\n8 authors\n2\nSubmitted by\nlark\n-\nNets\n·\n1 authors\n")
    first, second = reading.sightings
    assert (first.title, first.abstract, first.submitter_login) == ("Kites", None, "kestrel")
    assert (first.upvote_count, first.author_count, first.comment_count) == (33, 8, 2)
    assert (second.title, second.submitter_login, second.upvote_count) == ("Nets", "lark", 0)
    assert (second.author_count, second.comment_count) == (1, None)


@pytest.mark.parametrize(
    "dropped",
    [
        "new\n\n",
        "Get trending papers in your email inbox!\n\n",
        "Subscribe\n\n",
        "Daily Papers\n\n",
        "Nov 21\n\n",
        "byAK and the research community\n\n",
    ],
)
def test_a_missing_header_line_breaks_nothing(dropped: str) -> None:
    payload = (HEADER.replace(dropped, "") + f"{KITE_OF}May 2, 2024 3\n").encode()
    assert is_text_list(payload)
    (sighting,) = read_text_list(payload, Request(), None).sightings
    assert (sighting.title, sighting.abstract, sighting.comment_count) == ("Kites", "Kites fly.", 3)


KITES, NETS = ("Kites", "Kites fly."), ("Nets", "Nets hold.")
PLAIN = "Kites\n\nKites fly.\n\nNets\n\nNets hold.\n"
HIGH, ON = f"Kites fly {'high ' * 60}up.", f"Looms weave {'on ' * 60}and on."
REWORDED = [
    "Receive hot trending papers to your inbox now!\nSign up\nby AK & the research community\nNov 21\n\n",
    "Get trending papers in your email inbox once a week\n\nSubscribe!\n\nPapers of the Day\n\nNov 21\n\n",
    "newGet trending papers in your email inbox!\n\nSubscribe\n\nWeek 47, 2025\n\n",
]
RUN_ON = {
    "Subscribecode2kite: Kites": "code2kite: Kites",
    "SubscribeSubscribe: Kites": "Subscribe: Kites",
    "Subscribe\nSubscribers of Kites": "Subscribers of Kites",
    "Subscribe to Kites": "Subscribe to Kites",
    "Subscribers of Kites": "Subscribers of Kites",
    "Subscribedots.kite: Kites": "dots.kite: Kites",
    "Kites without it": "Kites without it",
}


def anchored(number: int, title: str, abstract: str) -> str:
    return f'<a id="source-section-{number}"></a>\n\n### [{title}](/papers/2610.9560{number})\n\n{abstract}\n\n'


READ = {
    **{header: (header + PLAIN, [KITES, NETS]) for header in REWORDED},
    **{
        line: (f"{START}{line}\nKites fly.\nNets\nNets hold.", [(title, "Kites fly."), NETS])
        for line, title in RUN_ON.items()
    },
    "a title breaks before two spaces": (
        f"{HEADER}Kites for\n  Everyone\n\nKites fly\nhigh.\n\n  • 2 authors\n·\nMay 2, 2024\n\nNets\n\nNets hold.\n",
        [("Kites for Everyone", "Kites fly high."), NETS],
    ),
    "brackets of a plain page stay": (
        f"{HEADER}[Kites without end\n\n[1] Kites fly.\n\n[\n\nNets hold [2].\n",
        [("[Kites without end", "[1] Kites fly."), ("[", "Nets hold [2].")],
    ),
    "a title that lost its abstract shifts no other": (
        f"{START}Kites\n{HIGH}\nNets\nLooms\n{ON}",
        [("Kites", HIGH), ("Nets", None), ("Looms", ON)],
    ),
    "an abstract that begins like the header stays one": (
        f"{START}Kites\nSubscribeable kites fly.\nNets\nNets hold.\n",
        [("Kites", "Subscribeable kites fly."), NETS],
    ),
    "anchors before headings are no papers": (
        f"# Trending Papers\n\n{START}\n{anchored(1, *KITES)}{anchored(2, *NETS)}",
        [KITES, NETS],
    ),
}


@pytest.mark.parametrize(("payload", "papers"), READ.values(), ids=READ)
def test_titles_and_abstracts(payload: str, papers: list[tuple[str, str | None]]) -> None:
    assert is_text_list(payload.encode())
    reading = read_text_list(payload.encode(), Request(), None)
    found = [(one.position, one.title, one.abstract) for one in reading.sightings]
    assert found == [(number, *one) for number, one in enumerate(papers, 1)]
    assert reading.rejects == []


@pytest.mark.parametrize("body", ["", "\n\n", "No papers found\n", "Previous\n\nSystem theme\n\nCompany\n\nTOS\n"])
def test_a_header_without_papers_is_empty(body: str) -> None:
    reading = text(body)
    assert (reading.sightings, reading.rejects) == ([], [])


@pytest.mark.parametrize("below", [f"{START}Nets\n\n", f"Nets\n\n{'They hold. ' * 40}\n\n"])
def test_a_second_page_in_one_file_is_not_dropped_silently(below: str) -> None:
    reading = text(f"{KITE_OF}Oct 6, 2022\n\nSystem theme\n\nCompany\n\n{below}System theme\n")
    assert [one.title for one in reading.sightings] == ["Kites"]
    assert [(one.position, one.rule) for one in reading.rejects] == [(0, "below_the_page")]


def test_last_title_without_abstract_is_kept_and_last_sentence_is_not() -> None:
    start = f"{START}SubscribeKites\nKites fly.\n"
    cut = read_text_list(f"{start}Nets and their Knots".encode(), Request(), None)
    assert [(s.title, s.abstract) for s in cut.sightings] == [("Kites", "Kites fly."), ("Nets and their Knots", None)]
    odd = read_text_list(f"{start}This page was saved by a lighthouse.".encode(), Request(), None)
    assert [s.title for s in odd.sightings] == ["Kites"]
    detail = "line 4 has no other text to go with, and is no title"
    assert odd.rejects == [Reject(position=2, pointer="line 4", rule="text_alone", detail=detail)]


def test_layout_a_without_blank_lines() -> None:
    reading = text(
        "Kites\nKites fly.\nNets\nNets hold.\nnets Net Works\n·\nOct 15 2\nLooms\nLooms weave.\n  • 2 authors\n·\nMay 2, 2024\n"
    )
    assert [(s.title, s.abstract, s.organization_login, s.organization_name) for s in reading.sightings] == [
        ("Kites", "Kites fly.", None, None),
        ("Nets", "Nets hold.", "nets", "Net Works"),
        ("Looms", "Looms weave.", None, None),
    ]


@pytest.mark.parametrize(
    ("fetched_at", "shown_on", "published_on"),
    [
        (None, date(2025, 11, 21), date(2025, 10, 15)),
        (datetime(2025, 11, 21, 12), date(2025, 11, 21), date(2025, 10, 15)),
        (datetime(2027, 12, 1), date(2027, 11, 21), date(2027, 10, 15)),
        (datetime(2026, 1, 3), date(2025, 11, 21), date(2025, 10, 15)),
        (datetime(2025, 11, 20), date(2024, 11, 21), date(2024, 10, 15)),
    ],
)
def test_year_of_the_page(fetched_at: datetime | None, shown_on: date, published_on: date) -> None:
    reading = text(f"{KITE_OF}Oct 15\n\n{NET_OF}May 2, 2024 3\n", fetched_at)
    first, second = reading.sightings
    assert (reading.page_on, reading.page_basis) == (shown_on, "inferred")
    assert (first.published_on, first.published_basis) == (published_on, "inferred")
    assert (second.published_on, second.published_basis) == (date(2024, 5, 2), "stated")


def test_a_footer_later_than_the_fetch_is_of_the_year_before() -> None:
    reading = text(f"{KITE_OF}Dec 30\n\n{NET_OF}Jan 5\n", datetime(2026, 11, 30))
    assert [sighting.published_on for sighting in reading.sightings] == [date(2025, 12, 30), date(2025, 1, 5)]


def test_without_any_year_no_date_is_guessed() -> None:
    reading = text(f"{KITE_OF}Oct 15 2\n")
    (sighting,) = reading.sightings
    assert (sighting.published_on, sighting.published_basis, sighting.comment_count) == (None, None, 2)
    assert (reading.page_on, reading.page_basis) == (None, None)


def test_a_header_date_with_its_year_is_stated() -> None:
    payload = (HEADER.replace("Nov 21", "Nov 21, 2024") + f"{KITE_OF}Oct 15\n").encode()
    reading = read_text_list(payload, Request(), None)
    assert (reading.page_on, reading.page_basis) == (date(2024, 11, 21), "stated")
    assert reading.sightings[0].published_on == date(2025, 10, 15)


@pytest.mark.parametrize("day", ["Feb 30", "Feb 29", "Feb 29, 2023", "Nov 31, 2024", "Oct 0", "Oct 99", "Oct 6, 0000"])
def test_impossible_dates_reject_their_paper(day: str) -> None:
    reading = text(f"{KITE_OF}{day}\n\n{NET_OF}May 2, 2024 3\n")
    detail = f"line 19: no calendar has the day of `{day}`"
    assert reading.rejects == [Reject(position=1, pointer="line 13", rule="published_on_impossible", detail=detail)]
    assert [(s.position, s.title) for s in reading.sightings] == [(2, "Nets")]


def test_a_footer_that_cannot_be_read_rejects_its_paper() -> None:
    reading = text(f"{KITE_OF}long ago\n\nNets\n\nNets hold.\n")
    assert [(r.position, r.rule, r.detail) for r in reading.rejects] == [
        (1, "footer_unread", "line 19: `long ago` stands where a date should")
    ]
    assert [s.title for s in reading.sightings] == ["Nets"]


def test_a_footer_without_a_title_is_rejected() -> None:
    reading = text("  • 2 authors\n·\nMay 2, 2024\n\nNets\n\nNets hold.\n")
    assert [(r.position, r.rule) for r in reading.rejects] == [(1, "no_title")]
    assert [(s.position, s.title) for s in reading.sightings] == [(2, "Nets")]


@pytest.mark.parametrize(("name", "line"), [(b"Kites", 13), (b"Kites fly.", 15), (b"kites Kite Works", 17)])
def test_bytes_that_are_no_utf_8_reject_their_paper(name: bytes, line: int) -> None:
    payload = (HEADER + "Kites\n\nKites fly.\n\nkites Kite Works\n·\nOct 15, 2024\n\nNets\n\nNets über all.\n").encode()
    reading = read_text_list(payload.replace(name, name[:3] + b"\xff" + name[3:], 1), Request(), None)
    detail = f"line {line} holds bytes that are no UTF-8"
    assert reading.rejects == [Reject(position=1, pointer="line 13", rule="invalid_utf8", detail=detail)]
    assert [(s.position, s.title, s.abstract) for s in reading.sightings] == [(2, "Nets", "Nets über all.")]


def test_a_heading_whose_second_line_is_no_utf_8_rejects_its_paper() -> None:
    """No frame could hold the title: one such page in a fuzzed hundred thousand stopped the whole build."""
    page = "# Daily Papers\n\n[Subscribe](/login)\n\n### [Kites of\n  Paper](/papers/2503.01234)\n"
    payload = page.encode().replace(b"Paper]", b"Paper\xff]")
    reading = read_text_list(payload, Request(), None)
    assert [(r.rule, r.detail) for r in reading.rejects] == [("invalid_utf8", "line 6 holds bytes that are no UTF-8")]
    assert "Kites" not in str(reading.sightings)


@pytest.mark.parametrize(
    ("asked", "kind", "listed_on"),
    [
        (Request(), "saved", None),
        (Request(list_kind="latest"), "saved", None),
        (Request(list_kind="paper"), "saved", None),
        (Request(list_kind="daily", listed_on=date(2025, 11, 20)), "daily", date(2025, 11, 20)),
        (Request(list_kind="search", list_query="kites"), "search", None),
        (Request(list_kind="weekly", list_period="2025-W09"), "weekly", None),
        (Request(list_kind="monthly", list_period="2025-02"), "monthly", None),
    ],
)
def test_the_address_tells_the_kind(asked: Request, kind: str, listed_on: date | None) -> None:
    reading = page("list_layout_a.txt", request=asked)
    assert (reading.list_kind, reading.listed_on) == (kind, listed_on)
    assert reading.listed_basis == ("request" if listed_on else None)
    assert (reading.list_period, reading.list_query) == (asked.list_period, asked.list_query)


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        bytes(100_000),
        bytes(range(256)) * 400,
        b"All work and no play.\n" * 1000,
        b"| quote: Get trending papers in your email inbox once a day! | S |\n",
        b'  "Get trending papers in your email inbox!\\n"\n',
        b"\n <html>\nGet trending papers in your email inbox!\n</html>\n",
        b"x\n" * 50_000 + b"Get trending papers in your email inbox!\n",
    ],
    ids=["empty", "zeros", "binary", "text", "quoted", "code", "markup", "far below"],
)
def test_other_bytes_are_no_lists(payload: bytes) -> None:
    assert not is_text_list(payload)


@pytest.mark.parametrize(
    "body",
    [
        "x" * 5_000_000,
        "[" * 1_500_000,
        '[](/a "' * 150_000,
        "\\" * 1_500_000 + "a",
        "![a](" * 200_000,
        "a\n" * 20_000,
        "- [" * 250_000,
        "# [\n" * 50_000,
    ],
    ids=["line", "brackets", "quotes", "backslashes", "pictures", "lines", "bullets", "headings"],
)
@pytest.mark.timeout(20)
def test_large_pages_take_linear_time(body: str) -> None:
    for start in ("", "# [Kites](/papers/2504.92984)\n\n"):
        reading = text(start + body)
        places = sorted(item.position for item in (*reading.sightings, *reading.rejects))
        assert places == list(range(1, len(places) + 1))


def test_addresses_within_an_abstract_stay() -> None:
    lines = "Kites fly at\nhttps://huggingface.co/kites\nand at\nhttps://huggingface.co/spaces/kites/high"
    joined = " ".join(lines.split("\n"))
    assert text(f"Kites\n\n{lines}\n").sightings[0].abstract == joined
    assert text(f"### [Kites](/papers/2504.92984)\n\n{lines}\n- 8 authors\n").sightings[0].abstract == joined


@pytest.mark.parametrize(
    ("asked", "below", "said"),
    [
        (None, "", ("abstract",)),
        ("trending", "", ("description",)),
        (None, "[GitHub 2.63k](https://github.com/lamps/fog)\n\n", ("description",)),
        ("trending", "AI-generated summary\n\n", ("ai_summary",)),
        ("trending", "AI-generated summary\n\nWe light lanterns.\n\n", ("ai_summary", "abstract")),
    ],
)
def test_what_may_be_a_summary_is_never_an_abstract(asked: str | None, below: str, said: tuple[str, ...]) -> None:
    body = f"### [Lanterns](/papers/2610.95608)\n\nLanterns glow in fog.\n\n{below}- 8 authors\n"
    payload = f"{START}\n{body}".encode()
    (sighting,) = read_text_list(payload, Request(list_kind=asked), None).sightings
    texts = {name: getattr(sighting, name) for name in ("abstract", "description", "ai_summary")}
    shown = ("Lanterns glow in fog.", "We light lanterns.")
    assert texts == dict.fromkeys(texts) | dict(zip(said, shown, strict=False))


def test_the_place_on_a_page_that_shows_each_paper_twice_counts_papers() -> None:
    names = ["Lanterns", "Kettles", "Nets"]
    papers = "".join(
        f"### {name}\n\n{name} glow in fog.\n- 8 authors\n[LINK: GitHub 11.3k](https://github.com/looms/{name})\n\n"
        for name in names
        for _ in range(2)
    )
    payload = f"{START}\n## Trending Papers\n\n{papers}".encode()
    reading = read_text_list(payload, Request(), None)
    assert [(s.position, s.title) for s in reading.sightings[::2]] == list(enumerate(names, 1))
    assert sorted(s.position for s in reading.sightings) == [1, 2, 3, 4, 5, 6]
