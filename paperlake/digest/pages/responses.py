"""What requests to the pages of the digest are read and answered by: forms, pages, and errors as pages."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from flows.documents.rendering import inlined
from flows.runtime.progress import log
from paperlake.digest import subscribers as people
from paperlake.digest.letters import web_page

FORM_STYLE: Final = str(Path(__file__).with_name("form.css"))
MOST_BODY: Final = 16 * 1024
MOST_FIELDS: Final = 80  # a box for each name that is followed
AGAIN: Final = {"Retry-After": "30"}
NO_FORM: Final[Mapping[str, object]] = {"form": ""}
UNKNOWN: Final = ("This link is not valid, or too old. Ask for a new one on the first page.",)


def page(
    title: str,
    lines: tuple[str, ...] = (),
    words: Mapping[str, object] = NO_FORM,
    *,
    status: int = HTTPStatus.OK,
    more: Mapping[str, str] | None = None,
) -> Response:
    """A page that loads nothing, is kept in no cache, and sends no referrer."""
    style = inlined("style.css", FORM_STYLE)
    text = web_page({"title": title, "lines": lines, "style": style, **words})
    policy = f"default-src 'none'; style-src 'sha256-{style.sha256}'; form-action 'self'; frame-ancestors 'none'"
    headers = {
        "Content-Security-Policy": policy,
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }
    return HTMLResponse(text, status, headers | dict(more or {}))


async def refused(_: Request, error: Exception) -> Response:
    """The page of an HTTP error, with its reason."""
    found = error if isinstance(error, HTTPException) else HTTPException(HTTPStatus.INTERNAL_SERVER_ERROR)
    phrase = HTTPStatus(found.status_code).phrase
    words = (found.detail,) if found.detail != phrase else ()
    lines = UNKNOWN if found.status_code == HTTPStatus.NOT_FOUND else words
    return page(phrase, lines, status=found.status_code, more=found.headers)


async def failed(_: Request, error: Exception) -> Response:
    """The page of an error on this side, which is logged."""
    log.warning("%s", error)
    lines = ("Please try again in a minute.",)
    return page("Not available now", lines, status=HTTPStatus.SERVICE_UNAVAILABLE, more=AGAIN)


async def left(_: Request, __: Exception) -> Response:
    """What nobody reads: the client has gone away in the midst of its request."""
    return Response(status_code=HTTPStatus.BAD_REQUEST)


async def body_of(request: Request) -> bytes:
    """The body of a request; 413 for one that is too long."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BODY:
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return body


def fields_of(body: bytes) -> dict[str, str]:
    """The fields of a form, of names that are followed all values, else the last; 400 for what is no form."""
    found: dict[str, str] = {}
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise HTTPException(HTTPStatus.BAD_REQUEST) from None
    for name, value in pairs:
        found[name] = f"{found[name]},{value}" if name in people.LISTED_WISHES and name in found else value
    return found
