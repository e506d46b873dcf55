"""Reads a page: the first reader that accepts it, by its address and its bytes, never by a file's name."""

from codecs import BOM_UTF8
from typing import Final

from msgspec.structs import replace

from transforms.readers import (
    copied_lists,
    crossref_work,
    hub_api,
    list_page,
    oai_pmh,
    openalex_works,
    repositories,
)
from transforms.readers.json_values import keys_of
from transforms.readers.reading import REFUSED, Form, Page, Reader, Reading, ReadOutcome, Reject, begun
from transforms.readers.request import Request, request_of
from transforms.readers.text import dump, paper
from warehouse.archive.captured import Capture
from warehouse.page_text import in_utf8
from warehouse.schema.provenance import COPY

# The first that accepts a page reads it. Copies of other archives come before the API, whose reader takes any array
READERS: Final[tuple[Reader, ...]] = (
    oai_pmh.ARXIV_ANSWER,
    crossref_work.CROSSREF_WORK,
    openalex_works.OPENALEX_WORKS,
    repositories.GITHUB_STARS,
    repositories.REPOSITORY_LIST,
    copied_lists.FLAT_LIST,
    copied_lists.DATED_LIST,
    hub_api.API_LIST,
    hub_api.API_PAPER,
    list_page.LIST_PAGE,
    list_page.PAPER_PAGE,
    dump.TEXT_LIST,
    paper.TEXT_PAPER,
)
OK = 200
NOT_MODIFIED = 304  # the archive gives it with the page that is still the same
MOST_KEYS = 8  # that are named of a layout that no reader knows
BLANK = BOM_UTF8 + b" \t\r\n"
ROBOTS = "/robots.txt"
NEXT = 'rel="next"'
LOOKS: Final[dict[Form, str]] = {
    "html": "HTML without the data of a list or a paper",
    "text": "text that is no list and no paper",
    "json": "JSON of another shape",
}


def read(capture: Capture) -> Reading:
    """Read a page; where no reader knows its form, the reading has the reason in words.

    A page that should be readable by its address but is not gives a Reading that rejects it whole.
    """
    request = request_of(capture.url)
    has_page = capture.http_status in {None, OK} or (capture.http_status == NOT_MODIFIED and capture.payload != b"")
    if capture.failure is not None:
        return _unread(request, "failed", capture.failure)
    if not has_page:
        reading = _unread(request, "http_error", f"HTTP status {capture.http_status}")
        reading.facts = crossref_work.unknown(request, capture.http_status)
        return reading
    if capture.damage is not None:
        return _rejected(request, "digest", capture.damage)
    if request.path == ROBOTS:
        return _unread(request, "no_papers", "robots.txt: what the Hub lets programs ask for, no papers")
    payload = in_utf8(capture.payload)
    start = payload[:4096].lstrip(BLANK) or payload.lstrip(BLANK)
    if not start:
        return _rejected(request, "empty_page", "the page has no content")
    return _read(page_of(capture, payload, request, start[:1]))


def _read(page: Page) -> Reading:
    """Read a page that came whole."""
    # No other reader may take what came in place of an answer, such as the page of a proxy, for a saved page
    if page.form != "json" and hub_api.is_of_api(page.request):
        return _rejected(page.request, "malformed_json", "the answer is not JSON")
    for reader in READERS:
        if reader.accepts(page):
            reading = _read_by(reader, page)
            reading.reader, reading.source = reader.name, COPY if page.request.is_of_mirror else reader.source
            if reading.source == COPY:  # what is around papers is taken from the Hub alone
                reading.facts, reading.arxiv_changes = [], []
            return reading
    is_broken = page.form == "json" and hub_api.shape_of(page.payload) is None
    looks = "JSON that is malformed, at an address that tells nothing" if is_broken else LOOKS[page.form]
    if page.form == "json" and (keys := keys_of(page.payload)):
        looks += f", with the keys {', '.join(keys[:MOST_KEYS])}"
    return _unread(page.request, "unknown_layout", f"no reader knows this page: {looks}")


def _read_by(reader: Reader, page: Page) -> Reading:
    """The reading of a page, which is rejected whole where the reader raises one of REFUSED."""
    try:
        return reader.read(page)
    except REFUSED as error:
        reading = Reading(list_kind=page.request.list_kind)
        reading.reject(error, raw=page.payload)
        return reading


def page_of(capture: Capture, payload: bytes, request: Request, first: bytes) -> Page:
    """A complete page, its bytes in UTF-8, with its format as the first of them tells it.

    A saved page may begin with a link (`[Hub](/)`), as an array does, or with remains of JSON; an answer of the API
    never is one.
    """
    is_json = first in (b"[", b"{")
    if is_json and "/api/" not in request.path:
        is_json = not (dump.is_text_list(payload) or paper.is_text_paper(payload))
    if not is_json:
        return Page(payload, request, capture.fetched_at, "html" if first == b"<" else "text")
    has_next = None  # of a 304, whose headers are fewer, nobody can say
    if capture.headers and capture.http_status == OK:
        has_next = any(name.lower() == "link" and NEXT in value for name, value in capture.headers)
    return Page(payload.removeprefix(BOM_UTF8), request, capture.fetched_at, "json", has_next)


def _unread(request: Request, outcome: ReadOutcome, reason: str) -> Reading:
    """A page that no reader read: kept raw, with what its address asked for."""
    return replace(begun(request, request.list_kind), outcome=outcome, reason=reason)


def _rejected(request: Request, rule: str, detail: str) -> Reading:
    reading = _unread(request, "unreadable", detail)
    reading.rejects = [Reject(rule=rule, detail=detail)]
    return reading
