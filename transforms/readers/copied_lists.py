"""Daily lists as other archives keep them: arrays of items, flat or as the API has them, alone or in a dated object.

What has the Hub's own name means what it means there. `publishedAt` of a flat item, one without the inner object
`paper`, may be the inner or the outer one, which are days apart, so it is not read (docs/source.md §5); the place in
the array need not be the rank, so the list is a saved one. In `{date, papers}` or `{date, count, papers}`, `date` is
the list's day, unless the items carry another one or it is a weekend's, which has no list (docs/source.md §1).
"""

import re

import msgspec
from msgspec import Struct

from transforms.readers.hub_api import answer_of, is_paper
from transforms.readers.hub_items import (
    HubItem,
    HubPaper,
    HubPerson,
    Total,
    item_at,
    on_its_own_day,
    sighting_of,
    take_each,
)
from transforms.readers.json_values import BROKEN, around, elements_of, plain_values
from transforms.readers.reading import Author, Page, Reader, Reading, RefusedItem, Sighting, begun
from transforms.readers.request import Request, day
from warehouse.schema.daily_lists import SATURDAY
from warehouse.schema.provenance import COPY

INNER = re.compile(rb'"paper"\s*+:\s*+\{')  # no page of the API is without
KEPT = ("search", "trending", "weekly", "monthly")  # kinds that the address asked for; any other list is a saved one


class FlatItem(HubPaper, gc=False):
    """A paper with what the Hub has around it. Authors may be mere names."""

    authors: list[Author | str] | None = None  # type: ignore[assignment]
    numComments: Total = None  # noqa: N815
    submittedBy: HubPerson | None = None  # noqa: N815
    isAuthorParticipating: bool | None = None  # noqa: N815


FLAT = msgspec.json.Decoder(FlatItem)


def is_flat_list(page: Page) -> bool:
    """Whether a page is an array with at least one flat item, and no item with an inner object."""
    if answer_of(page) != "list" or INNER.search(page.payload):
        return False
    return any(map(is_paper, elements_of(page.payload) or ()))


def read_copied_list(elements: list[bytes], folder: str, request: Request) -> Reading:
    """The items of an archive's list, each flat or as the API has it.

    They lie in `folder` of the page. Items that do not fit are rejected one by one.
    """
    reading = begun(request, request.list_kind if request.list_kind in KEPT else "saved")
    reading.json_items = plain_values(elements)
    take_each(reading, elements, folder, _sighting_of)
    return reading


def _sighting_of(raw: bytes, place: int, pointer: str) -> Sighting:
    if not is_paper(raw):
        return item_at(raw, place, pointer)
    flat = FLAT.decode(raw)
    flat.authors = [Author(one) if isinstance(one, str) else one for one in flat.authors or ()]
    # It may be the inner or the outer instant, which are days apart (docs/source.md §5)
    flat.publishedAt = None
    item = HubItem(
        paper=flat,
        numComments=flat.numComments,
        submittedBy=flat.submittedBy,
        isAuthorParticipating=flat.isAuthorParticipating,
    )
    return sighting_of(item, place, pointer)


FLAT_LIST = Reader(
    name="flat_list",
    source=COPY,
    accepts=is_flat_list,
    read=lambda page: on_its_own_day(read_copied_list(elements_of(page.payload) or [], "", page.request)),
    has_json=True,
)


class Dated(Struct, gc=False):
    """The object around the list. `count` is how many papers the archive says there are."""

    date: str
    papers: msgspec.Raw
    count: msgspec.Raw = msgspec.Raw(b"")


DATED = msgspec.json.Decoder(Dated)


def is_dated_list(page: Page) -> bool:
    """Whether a page is an object with a date and an array of papers."""
    if page.form != "json" or page.payload.lstrip()[:1] != b"{" or answer_of(page) == "paper":
        return False
    try:
        return elements_of(bytes(DATED.decode(page.payload).papers)) is not None
    except BROKEN:
        return False


def read_dated_list(payload: bytes, request: Request) -> Reading:
    """Read the list. If its `count` is not the number of its papers, one rejection of the whole page is added."""
    dated = DATED.decode(payload)
    elements = elements_of(bytes(dated.papers)) or []
    reading = read_copied_list(elements, "/papers", request)
    reading.json_around = around(payload, "papers")
    reading.page_on = day(dated.date)
    reading.page_basis = "stated" if reading.page_on else None
    if reading.page_on and reading.list_kind == "saved":
        is_list_day = reading.page_on.weekday() < SATURDAY
        reading.listed_on = reading.page_on if is_list_day else None
        reading.listed_basis = "page" if is_list_day else None
    count = bytes(dated.count)
    if count and count != str(len(elements)).encode():
        detail = f"the list says that it has {count[:100].decode(errors='replace')} papers, and has {len(elements)}"
        reading.reject(RefusedItem("count", detail), position=0)
    return on_its_own_day(reading)


DATED_LIST = Reader(
    name="dated_list",
    source=COPY,
    accepts=is_dated_list,
    read=lambda page: read_dated_list(page.payload, page.request),
    has_json=True,
)
