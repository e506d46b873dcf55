"""The daily list as another archive keeps it: an array of flat items, without the inner object `paper`.

What has the Hub's own name means what it means there. `publishedAt` may be the inner or the outer one, which are days
apart, so it is not read (docs/source.md §5); the place in the array need not be the rank, so the list is a saved one.
"""

from __future__ import annotations

import re

import msgspec

from transforms.readers.hub_api import Shape, answer_of, shape_of
from transforms.readers.hub_items import Item, Paper, Person, Total, on_its_own_day, sighting_of
from transforms.readers.json_values import BROKEN, detail_of, elements_of, plain_values, rule_of
from transforms.readers.reader import Page, Reader
from transforms.readers.reading import Author, Reading, Reject, Sighting
from transforms.readers.request import Request
from warehouse.schema.precedence import COPY

INNER = re.compile(rb'"paper"\s*+:\s*+\{')  # no page of the API is without
KEPT = ("search", "trending", "weekly", "monthly")  # kinds that the address asked for; any other list is a saved one


class FlatItem(Paper, gc=False):
    """A paper with what the Hub has around it. Authors may be mere names."""

    authors: list[Author | str] | None = None  # type: ignore[assignment]
    numComments: Total = None  # noqa: N815
    submittedBy: Person | None = None  # noqa: N815
    isAuthorParticipating: bool | None = None  # noqa: N815


ITEM = msgspec.json.Decoder(Item)
FLAT = msgspec.json.Decoder(FlatItem)


def is_flat(text: bytes) -> bool:
    """Whether a JSON text is an object with id and title of its own."""
    shape = shape_of(text) or Shape()
    return bool(bytes(shape.id)) and bool(bytes(shape.title))


def is_flat_list(page: Page) -> bool:
    """Whether a page is an array of which no item has an inner object, and one is a flat item."""
    if answer_of(page) != "list" or INNER.search(page.payload):
        return False
    return any(map(is_flat, elements_of(page.payload) or ()))


def read_copied_list(elements: list[bytes], folder: str, request: Request) -> Reading:
    """The items of an archive's list, each flat or as the API has it; they lie in `folder` of the page. Items that do
    not fit are rejected one by one.
    """
    reading = Reading(
        list_kind=request.list_kind if request.list_kind in KEPT else "saved",
        listed_on=request.listed_on,
        listed_basis="request" if request.listed_on else None,
        list_period=request.list_period,
        list_query=request.list_query,
        json_items=plain_values(elements),
    )
    for place, raw in enumerate(elements, 1):
        pointer = f"{folder}/{place - 1}"
        try:
            reading.sightings.append(_sighting_of(raw, place, pointer))
        except BROKEN as error:
            rejected = Reject(position=place, pointer=pointer, rule=rule_of(error, raw), detail=detail_of(error, raw))
            reading.rejects.append(rejected)
    return reading


def _sighting_of(raw: bytes, place: int, pointer: str) -> Sighting:
    if not is_flat(raw):
        return sighting_of(ITEM.decode(raw), place, pointer)
    flat = FLAT.decode(raw)
    flat.authors = [Author(one) if isinstance(one, str) else one for one in flat.authors or ()]
    flat.publishedAt = None
    item = Item(
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
