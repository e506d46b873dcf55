"""HTML pages of the Hub: their data stands in the page as the JSON that the page's own script starts from.

Of what is said of a paper there are counts alone, and nothing of who wrote or what.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date as date_type
from itertools import islice

import msgspec
from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser

from transforms.readers.hub_items import HubCount, HubItem, HubPaper, on_its_own_day, sighting_of, take_each
from transforms.readers.json_values import BROKEN, around, plain_values
from transforms.readers.reading import Author, PageFact, Reader, Reading, RefusedItem, Reject
from transforms.readers.repositories import add_linked
from transforms.readers.request import Request, day
from warehouse.schema.core.cited_by import PAPER_DISCUSSIONS


class _Reaction(Struct, gc=False):
    count: HubCount = 0


class _Said(Struct, gc=False):
    hidden: bool = False
    reactions: list[_Reaction] = []


class _Writer(Struct, gc=False):
    name: str | None = None


class _Comment(Struct, gc=False):
    """A comment or a reply. `type` may be of an event that is none."""

    author: _Writer | None = None
    type: str = "comment"
    data: _Said = msgspec.field(default_factory=_Said)
    replies: list[_Comment] = []


class _Talk(Struct, gc=False):
    """The start of a paper page's script; without the key nothing is known of a discussion."""

    comments: list[_Comment] | None = None


TALK = msgspec.json.Decoder(_Talk)
DEEPEST = 32  # levels of replies


def add_discussion(reading: Reading, props: bytes, arxiv_id: str, authors: Iterable[Author]) -> None:
    """Add the counts of the page's comments; one that does not fit rejects them all, as counts of some would lie."""
    try:
        comments = TALK.decode(props).comments
    except BROKEN as error:
        reading.reject(error, "PaperContent/comments", props)
        return
    if comments is None:
        return
    accounts = {login for author in authors if author.user for login in (author.user.user, author.user.name) if login}
    told = list(_with_depth(comments, 0))
    logins = [one.author.name if one.author else None for _, one in told]
    counts = {
        "paper_id": arxiv_id,
        "comment_count": sum(depth == 0 for depth, _ in told),
        "reply_count": sum(depth > 0 for depth, _ in told),
        "hidden_count": sum(one.data.hidden for _, one in told),
        "reaction_count": sum(reaction.count for _, one in told for reaction in one.data.reactions),
        "author_comment_count": sum(login in accounts for login in logins),
        "commenter_count": len({login for login in logins if login}),
    }
    reading.facts.append(PageFact(PAPER_DISCUSSIONS, counts))


def _with_depth(comments: Iterable[_Comment], depth: int) -> Iterator[tuple[int, _Comment]]:
    """Every comment with its depth, replies after what they answer."""
    for one in comments:
        if one.type == "comment":
            yield depth, one
        if depth < DEEPEST:
            yield from _with_depth(one.replies, depth + 1)


LIST_TARGET = "DailyPapers"
PAPER_TARGET = "PaperContent"
# As the Hub has it, and as tools write it that save pages without quotes
MARKS = {name: re.compile(rb"data-target=[\"']?%b(?=[\"'\s>])" % name.encode()) for name in (LIST_TARGET, PAPER_TARGET)}
MOST_MARKS = 8  # of a page that are looked at; a script or a comment may have one before the element
TAG = re.compile(rb"""<[a-zA-Z][^\s>]*+(\s(?:[^>"']++|"[^"]*+"|'[^']*+')*+)>""")  # possessive: linear on any bytes
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
PERIODS = ("weekly", "monthly")


class ListProps(Struct, gc=False):
    """The data that a list page's script starts from.

    `date` names the list that is shown: on a day without a list the page shows the one before (docs/source.md §1), so
    the address does not say it.
    """

    dailyPapers: list[msgspec.Raw]  # noqa: N815
    date: str | None = None
    dateString: str | None = None  # noqa: N815
    periodType: str | None = None  # noqa: N815
    query: str | None = None
    isTrending: bool | None = None  # noqa: N815

    @property
    def shown_on(self) -> date_type | None:
        return day(self.date) or day(self.dateString)

    def kind(self, request: Request) -> str:
        """Which list it is: what the page says itself goes before the address."""
        if self.isTrending:
            return "trending"
        if self.query or request.list_query:
            return "search"
        if self.periodType in PERIODS:
            return self.periodType
        if self.shown_on and request.list_kind in (None, "daily"):
            return "daily"
        return request.list_kind or "latest"


class PaperProps(Struct, gc=False):
    """The data that a paper page's script starts from."""

    paper: HubPaper


class RawProps(Struct, gc=False):
    """As `PaperProps`, with the paper as raw JSON."""

    paper: msgspec.Raw


LIST_PROPS = msgspec.json.Decoder(ListProps)
PAPER_PROPS = msgspec.json.Decoder(PaperProps)
RAW_PROPS = msgspec.json.Decoder(RawProps)


def read_list_page(payload: bytes, request: Request) -> Reading:
    """A list page: its items are the API's, but that `summary` stands in `paper` only."""
    reading = Reading(list_kind=request.list_kind or "latest")
    try:
        text = _props(reading, payload, LIST_TARGET)
        props = LIST_PROPS.decode(text)
    except BROKEN as error:
        reading.rejects = [Reject(rule="malformed_props", detail=f"{LIST_TARGET}: {error}")]
        return reading
    kind, shown_on = props.kind(request), props.shown_on
    reading.list_kind, reading.list_period = kind, request.list_period
    reading.list_query = props.query or request.list_query
    reading.page_on, reading.page_basis = shown_on, "stated" if shown_on else None
    # The page's own day before that of its address, which shows the list before where there is none (docs/source.md §1)
    if kind == "daily":
        reading.listed_on, reading.listed_basis = shown_on or request.listed_on, "page" if shown_on else "request"
    reading.json_items = plain_values(map(bytes, props.dailyPapers))
    reading.json_around = around(text, "dailyPapers")
    take_each(reading, map(bytes, props.dailyPapers), f"{LIST_TARGET}/dailyPapers")
    return on_its_own_day(reading)


def read_paper_page(payload: bytes) -> Reading:
    """A paper's own page."""
    reading = Reading(list_kind="paper")
    try:
        text = _props(reading, payload, PAPER_TARGET)
        paper = PAPER_PROPS.decode(text).paper
    except BROKEN as error:
        reading.rejects = [Reject(rule="malformed_props", detail=f"{PAPER_TARGET}: {error}")]
        return reading
    reading.json_around = plain_values([text])
    reading.sightings = [sighting_of(HubItem(paper=paper), 1, f"{PAPER_TARGET}/paper")]
    add_linked(reading, bytes(RAW_PROPS.decode(text).paper), paper.id, f"{PAPER_TARGET}/paper")
    add_discussion(reading, text, paper.id, paper.authors or ())
    return reading


def _props(reading: Reading, payload: bytes, target: str) -> bytes:
    """The JSON of a page's part; empty where there is none, so that decoding it says so.

    Of a page with several such parts the first is read, and the others are rejected.
    """
    marks = islice(MARKS[target].finditer(payload), MOST_MARKS)
    props = dict.fromkeys(filter(None, (props_at(payload, found.start(), target) for found in marks)))
    if len(props) > 1:
        detail = f"{target}: the page has {len(props)} parts of that name with different data; the first is read"
        reading.reject(RefusedItem("several_parts", detail), position=0)
    return next(iter(props), b"")


def props_at(payload: bytes, mark: int, target: str) -> bytes:
    """The JSON of the element whose tag has the mark.

    Only its tag is parsed: a page of a million open tags would keep the parser busy for hours.
    """
    tag = TAG.match(payload, max(0, payload.rfind(b"<", 0, mark)))
    node = LexborHTMLParser(b"<div%s>" % tag[1]).css_first(f'[data-target="{target}"]') if tag else None
    props = (node.attributes.get("data-props") if node is not None else None) or ""
    try:
        payload.decode()
    except UnicodeDecodeError:  # undo the parser's repair, so that what was broken is rejected where it stands
        props = props.replace(REPLACEMENT, "\udcff")
    return props.encode("utf-8", "surrogateescape")


LIST_PAGE = Reader(
    name="list_page",
    source="html",
    accepts=lambda page: page.form == "html" and MARKS[LIST_TARGET].search(page.payload) is not None,
    read=lambda page: read_list_page(page.payload, page.request),
    has_json=True,
    is_list=True,
)
PAPER_PAGE = Reader(
    name="paper_page",
    source="html",
    accepts=lambda page: page.form == "html" and MARKS[PAPER_TARGET].search(page.payload) is not None,
    read=lambda page: read_paper_page(page.payload),
    has_json=True,
)
