"""Answers of the Hub's JSON API: daily, weekly, monthly, trending and latest lists, search, one paper."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from transforms.readers.hub_items import HubItem, HubPaper, item_at, on_its_own_day, sighting_of, take_each
from transforms.readers.json_values import (
    BROKEN,
    LARGEST,
    MOST_ITEMS,
    PLAIN,
    around,
    elements_of,
    plain_values,
)
from transforms.readers.known_items import KNOWN_ITEMS
from transforms.readers.reading import Page, Reader, Reading, RefusedItem, Sighting, begun
from transforms.readers.repositories import add_linked
from transforms.readers.request import Request

LISTS = ("/api/daily_papers", "/api/papers/search")
A_PAPER = "/api/papers/"
CUT = f"an array whose brackets or quotes do not pair, or that has more than {MOST_ITEMS:,} items"


class Wrapped(Struct, gc=False):
    """An envelope that some archives put around the answer; the API has none (docs/source.md, head)."""

    data: msgspec.Raw
    status: Any = None
    error: Any = None


class AnswerShape(Struct, gc=False):
    """The keys of a JSON object that show whether it is a paper."""

    id: msgspec.Raw = msgspec.Raw(b"")
    title: msgspec.Raw = msgspec.Raw(b"")


WELL = (None, "success", "ok")
ITEMS = msgspec.json.Decoder(list[HubItem])
PAPER = msgspec.json.Decoder(HubPaper)
WRAPPED = msgspec.json.Decoder(Wrapped)
SHAPE = msgspec.json.Decoder(AnswerShape)


def is_of_api(request: Request) -> bool:
    """Whether an address asks for what the readers of this module read."""
    return request.path.endswith(LISTS) or A_PAPER in request.path or request.citing is not None


def shape_of(payload: bytes) -> AnswerShape | None:
    """The shape of a JSON object; None where the bytes are none."""
    try:
        return SHAPE.decode(payload)
    except BROKEN:
        return None


def is_paper(text: bytes) -> bool:
    """Whether a JSON text is an object with id and title of its own, as a paper is."""
    shape = shape_of(text)
    return shape is not None and bool(bytes(shape.id)) and bool(bytes(shape.title))


def answer_of(page: Page) -> Literal["list", "paper"] | None:
    """Which answer a page is: by the address where it asks for one, else by its form.

    An array is a list, an object with id and title a paper.
    """
    if page.form != "json":
        return None
    # The address before the form: a broken answer of the API is rejected with its fault, not left unread
    if is_of_api(page.request):
        return "list" if page.request.path.endswith(LISTS) else "paper"
    if page.payload.lstrip()[:1] == b"[":
        return "list"
    return "paper" if is_paper(page.payload) else None


def read_api_list(payload: bytes, request: Request) -> Reading:
    """A list answer: a bare array of items. Items that do not fit are rejected one by one."""
    reading = begun(request, request.list_kind or "latest")
    try:
        # Paths of a page over LARGEST are not counted one by one, so its plain values are not needed
        items = ITEMS.decode(payload) if len(payload) > LARGEST else _items_and_values(payload, reading)
        reading.sightings = [sighting_of(item, place, f"/{place - 1}") for place, item in enumerate(items, 1)]
    except BROKEN as error:
        _read_one_by_one(payload, reading, error)
    return on_its_own_day(reading)


def _items_and_values(payload: bytes, reading: Reading) -> Sequence[HubItem]:
    """The items, which are what is counted too where they are of a known form; else plain values are."""
    try:
        items = reading.json_items = KNOWN_ITEMS.decode(payload)
    except msgspec.ValidationError:  # items and plain values from one decoding, faster than two (`bench/read.py`)
        reading.json_items = PLAIN.decode(payload)
        items = msgspec.convert(reading.json_items, list[HubItem])
    return items


def read_api_paper(payload: bytes) -> Reading:
    """The answer of /api/papers/{id}: one bare paper."""
    reading = Reading(list_kind="paper")
    try:
        reading.json_items = plain_values([payload])
        paper = PAPER.decode(payload)
        reading.sightings = [sighting_of(HubItem(paper=paper), 1, "")]
        add_linked(reading, payload, paper.id)
    except BROKEN as error:
        reading.reject(error, raw=payload, position=0)
    return reading


def _read_one_by_one(payload: bytes, reading: Reading, whole: Exception) -> None:
    """The slow path of a page with at least one bad item: keep the good, say of each bad one why.

    `whole` is what is wrong with the page, for one that cannot be parted into items. An item inside an envelope that
    the source never had is not the source's word, whatever it looks like.
    """
    folder, elements = "", elements_of(payload)
    if elements is None:
        folder, elements = "/data", elements_in_envelope(payload)
    if elements is None:
        reading.json_items, reading.json_around = [], plain_values([payload])
        # of an array that is cut off, its first bad item is not the reason
        is_cut = isinstance(whole, msgspec.ValidationError) and payload.lstrip()[:1] == b"["
        reading.reject(RefusedItem("malformed_json", CUT) if is_cut else whole, raw=payload, position=0)
        return
    reading.json_items, reading.json_around = plain_values(elements), around(payload, "data") if folder else []
    take_each(reading, elements, folder, _of_envelope if folder else item_at)


def _of_envelope(raw: bytes, position: int, pointer: str) -> Sighting:
    if raw[:1] == b"{":
        raise msgspec.ValidationError("the item stands in an envelope that the API does not have")
    return item_at(raw, position, pointer)


def elements_in_envelope(payload: bytes) -> list[bytes] | None:
    """The elements inside an envelope, where the page is one; of an error an empty list says nothing."""
    try:
        wrapped = WRAPPED.decode(payload)
    except BROKEN:
        return None
    is_error = wrapped.error is not None or wrapped.status not in WELL
    return None if is_error else elements_of(bytes(wrapped.data))


API_LIST = Reader(
    name="api_list",
    source="api",
    accepts=lambda page: answer_of(page) == "list",
    read=lambda page: read_api_list(page.payload, page.request),
    has_json=True,
    is_list=True,
)
API_PAPER = Reader(
    name="api_paper",
    source="api",
    accepts=lambda page: answer_of(page) == "paper",
    read=lambda page: read_api_paper(page.payload),
    has_json=True,
)
