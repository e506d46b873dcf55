"""Readers, one a layout. A reader is chosen by the address and the bytes of a page, never by a file's name."""

from __future__ import annotations

import msgspec

from transforms.readers import hub_api, list_page
from transforms.readers.reading import Reading, Reject
from transforms.readers.request import Request, request_of
from transforms.readers.text import dump, paper
from warehouse.archive.captured import Capture

OK = 200
NOT_MODIFIED = 304  # the archive gives it with the page that is still the same
BLANK = b"\xef\xbb\xbf \t\r\n"
API_LISTS = ("/api/daily_papers", "/api/papers/search")
API_PAPER = "/api/papers/"
ROBOTS = "/robots.txt"


class Shape(msgspec.Struct, gc=False):
    """As much of a JSON object as tells what it is."""

    id: msgspec.Raw = msgspec.Raw(b"")
    title: msgspec.Raw = msgspec.Raw(b"")


SHAPE = msgspec.json.Decoder(Shape)


def read(capture: Capture) -> Reading:
    """What a page says; where it says nothing that a reader knows, the reason in words.

    A page that should be readable by its address but is not gives a Reading that rejects it whole.
    """
    request = request_of(capture.url)
    if capture.failure is not None:
        return _unread(request, capture.failure)
    if capture.http_status is not None and not _has_page(capture):
        return _unread(request, f"HTTP status {capture.http_status}")
    if capture.damage is not None:
        return _rejected(request, "digest", capture.damage)
    if request.path == ROBOTS:
        return _unread(request, "robots.txt: what the Hub lets programs ask for, no papers")
    start = capture.payload[:4096].lstrip(BLANK) or capture.payload.lstrip(BLANK)
    if not start:
        return _rejected(request, "empty_page", "the page has no content")
    return _read(capture, request, start)


def _has_page(capture: Capture) -> bool:
    return capture.http_status == OK or (capture.http_status == NOT_MODIFIED and capture.payload != b"")


def _read(capture: Capture, request: Request, start: bytes) -> Reading:
    if start[:1] in (b"[", b"{") and not _is_markdown(capture, request):
        return _read_json(capture.payload.removeprefix(b"\xef\xbb\xbf"), request)
    if request.path.endswith(API_LISTS) or API_PAPER in request.path:
        return _rejected(request, "malformed_json", "the answer is not JSON")
    if start[:1] == b"<":
        return _read_html(capture.payload, request)
    return _read_text(capture, request)


def _is_markdown(capture: Capture, request: Request) -> bool:
    """A saved page may begin with a link (`[Hub](/)`), as an array does; an answer of the API never is one."""
    return "/api/" not in request.path and dump.is_text_list(capture.payload)


def _unread(request: Request, reason: str) -> Reading:
    """A page that says nothing a reader knows: kept raw, with what its address asked for."""
    return Reading(
        reason=reason,
        list_kind=request.list_kind,
        listed_on=request.listed_on,
        list_period=request.list_period,
        list_query=request.list_query,
    )


def _rejected(request: Request, rule: str, detail: str) -> Reading:
    reading = _unread(request, detail)
    reading.rejects = [Reject(rule=rule, detail=detail)]
    return reading


def _read_json(payload: bytes, request: Request) -> Reading:
    """By the address where it tells; else by the shape: an array is a list, an object with id and title a paper."""
    if request.path.endswith(API_LISTS):
        return hub_api.read_api_list(payload, request)
    if API_PAPER in request.path:
        return hub_api.read_api_paper(payload)
    if payload.lstrip()[:1] == b"[":
        return hub_api.read_api_list(payload, request)
    try:
        shape = SHAPE.decode(payload)
    except hub_api.BROKEN:
        return _unread(request, "no reader knows this page: JSON that is malformed, at an address that tells nothing")
    if bytes(shape.id) and bytes(shape.title):
        return hub_api.read_api_paper(payload)
    return _unread(request, "no reader knows this page: JSON of another shape")


def _read_html(payload: bytes, request: Request) -> Reading:
    if list_page.is_list_page(payload):
        return list_page.read_list_page(payload, request)
    if list_page.is_paper_page(payload):
        return list_page.read_paper_page(payload)
    return _unread(request, "no reader knows this page: HTML without the data of a list or a paper")


def _read_text(capture: Capture, request: Request) -> Reading:
    if dump.is_text_list(capture.payload):
        return dump.read_text_list(capture.payload, request, capture.fetched_at)
    if paper.is_text_paper(capture.payload):
        return paper.read_text_paper(capture.payload, request, capture.fetched_at)
    return _unread(request, "no reader knows this page: text that is no list and no paper")
