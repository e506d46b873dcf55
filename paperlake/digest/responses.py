"""How requests to the pages of the digest are read and answered: forms, pages, and errors as pages.

The preferences say of a release which names there are, and what each filter would have found.
"""

from collections.abc import Mapping
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from flows.documents.rendering import inlined
from flows.runtime.progress import log
from paperlake.digest import subscribers as people
from paperlake.digest.letter_papers import DAYS, KEYWORDS, LISTED, Filter, LastMonth
from paperlake.digest.letters import web_page
from paperlake.digest.news import OpenRelease, newest_list
from paperlake.digest.subscribers import LISTED_WISHES, Wishes
from warehouse.errors import PaperlakeError
from warehouse.printable import counted
from warehouse.release.query import Database

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
    """The answer to a client that has gone away in the midst of its request; nobody reads it."""
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
    """The fields of a form: all values of one that lists names, the last of any other; 400 for what is no form."""
    found: dict[str, str] = {}
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise HTTPException(HTTPStatus.BAD_REQUEST) from None
    for name, value in pairs:
        found[name] = f"{found[name]},{value}" if name in people.LISTED_WISHES and name in found else value
    return found


MOST_NAMES: Final = 300  # of a kind: of a longer list a page is slow on a phone
# Names of many papers first; those of the newest lists before others, since they are what comes
NAMES: Final = {
    "authors": "SELECT name, paper_id FROM core.paper_authors",
    "organizations": "SELECT organization_name AS name, paper_id FROM mart.daily_papers",
    "keywords": f"SELECT list_last({KEYWORDS}) AS name, paper_id FROM core.paper_keywords",  # noqa: S608
}
MOST_USED: Final = f"""
SELECT name FROM ({{}}) WHERE name IS NOT NULL AND name NOT LIKE '%,%' AND length(name) <= 100
GROUP BY name
ORDER BY count(DISTINCT paper_id) FILTER (WHERE paper_id IN ({LISTED})) DESC, count(DISTINCT paper_id) DESC, name
LIMIT {MOST_NAMES}
"""  # noqa: S608


class Choices(NamedTuple):
    """Names to complete by kind, and lines on what was found, by filter and in all; empty without a release."""

    names: dict[str, list[str]]
    counts: dict[Filter, str]
    total: str = ""


NO_RELEASE: Final = Choices({kind: [] for kind in LISTED_WISHES}, {})


def following(release: OpenRelease | None, wishes: Wishes) -> Choices:
    """The matches of some wishes in the release; none where there is no release, or it cannot be read now."""
    if release is None:
        return NO_RELEASE
    try:
        with release() as database:
            return _following(database, wishes)
    except PaperlakeError as error:
        log.warning("preferences without counts: %s", error)
        return NO_RELEASE


def _following(database: Database, wishes: Wishes) -> Choices:
    newest = newest_list(database)
    if newest is None:
        return NO_RELEASE
    days = [newest - timedelta(days=back) for back in range(DAYS)]
    names = {kind: [name for (name,) in database.rows(MOST_USED.format(NAMES[kind]), [days]).rows] for kind in NAMES}
    month = LastMonth(database, newest)
    silent, counts = set(month.silent(wishes.filters)), dict[Filter, str]()
    for one in wishes.filters:
        count = month.week_count([one])
        counts[one] = f"nothing in {DAYS} days" if one in silent else f"{counted(count, 'paper')} last week"
    total = month.week_count(wishes.filters)
    return Choices(names, counts, f"In the week up to {newest} you would have got {counted(total, 'paper')}.")
