"""The daily list as another archive keeps it: `{date, papers}` or `{date, count, papers}`.

Its items are flat (`flat_list`) or as the API has them. `date` is the list's day, unless the items carry another one
or it is a weekend's, which has no list (docs/source.md §1).
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from transforms.readers.flat_list import read_copied_list
from transforms.readers.hub_api import answer_of
from transforms.readers.hub_items import on_its_own_day
from transforms.readers.json_values import BROKEN, around, elements_of
from transforms.readers.reader import Page, Reader
from transforms.readers.reading import Reading, Reject
from transforms.readers.request import Request, day
from warehouse.schema.list_days import SATURDAY
from warehouse.schema.precedence import COPY


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
    """What the list says. If it counts other papers than it has, the page as a whole is rejected besides."""
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
        reading.rejects.append(Reject(rule="count", detail=detail))
    return on_its_own_day(reading)


DATED_LIST = Reader(
    name="dated_list",
    source=COPY,
    accepts=is_dated_list,
    read=lambda page: read_dated_list(page.payload, page.request),
    has_json=True,
)
