"""The pages of the digest: subscribe, confirm, preferences, unsubscribe. No cookie, no script, nothing of another host.

They answer to the host of their address, and on this machine to its own names: under another name no page of another
host can read them (DNS rebinding). A POST that a browser sends for a page of another origin is refused.
GET and HEAD change nothing: mail scanners follow every link. A POST with an address is answered before the address is
looked up, so that the answer, and its time, are the same for one that is known and one that is not.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlsplit
from zoneinfo import available_timezones

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from flows.documents.rendering import inlined
from flows.running.mail_config import DigestConfig
from flows.runtime.progress import log
from paperlake.digest import state
from paperlake.digest import subscribers as people
from paperlake.digest.letters import Envelope, note, web_page
from paperlake.digest.pages.register import HOURS, WEEKDAYS, address_of, wishes_of
from paperlake.digest.relaying import client_of, connect, hand_over
from paperlake.digest.signed import Purpose, link, number_of
from paperlake.digest.state import opened
from warehouse.errors import MailFailed, PaperlakeError, UsageError

FORM_STYLE: Final = str(Path(__file__).with_name("form.css"))
MOST_BODY: Final = 16 * 1024
MOST_FIELDS: Final = 20
IPV6_NETWORK: Final = 64  # bits: what one customer has
SENT: Final = ("If this address may get letters, one arrives in a minute. Follow the link in it.",)
GONE: Final = ("Your address is deleted, and so is the record of what was sent to it.",)
LOOPBACK_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")
NO_FORM: Final[Mapping[str, object]] = {"form": ""}
UNKNOWN: Final = ("This link is not valid, or too old. Ask for a new one on the first page.",)


def create_app(config: DigestConfig, clock: Callable[[], datetime]) -> Starlette:
    """The application, with its pages at the root."""
    pages = Pages(config, clock)
    return Starlette(
        routes=[
            Route("/", pages.home),
            Route("/subscribe", pages.subscribe, methods=["POST"]),
            Route("/confirm/{token}", pages.confirm, methods=["GET", "POST"]),
            Route("/preferences/{token}", pages.preferences, methods=["GET", "POST"]),
            Route("/unsubscribe/{token}", pages.unsubscribe, methods=["GET", "POST"]),
        ],
        exception_handlers={HTTPException: refused, PaperlakeError: failed},
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=[host_of(config.url), *LOOPBACK_NAMES], www_redirect=False),
            Middleware(OwnFormsOnly, url=config.url),
        ],
    )


def host_of(url: str) -> str:
    """The host of an address, without its port."""
    return urlsplit(url).hostname or ""


class OwnFormsOnly:
    """Refuses a POST from a page of another origin; mail programs, which send no such header, may unsubscribe.

    A form of ours says that it is of the same origin; in `Origin` it says `null`, since no page sends a referrer.
    """

    def __init__(self, app: ASGIApp, url: str) -> None:
        self._app, self._origins = app, (None, "null", "{0.scheme}://{0.netloc}".format(urlsplit(url)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "POST" and not self._is_own(Headers(scope=scope)):
            answer = page("Forbidden", ("Open the page itself, and try again.",), status=HTTPStatus.FORBIDDEN)
            await answer(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _is_own(self, headers: Headers) -> bool:
        if site := headers.get("Sec-Fetch-Site"):
            return site in {"same-origin", "none"}
        return headers.get("Origin") in self._origins


@dataclass(frozen=True, slots=True)
class Pages:
    """The handlers of the pages."""

    config: DigestConfig
    clock: Callable[[], datetime]

    async def home(self, _: Request) -> Response:
        action = f"{self.config.url}/subscribe"
        lines = ("Get a letter when there is a new list of papers. You will be asked to confirm your address.",)
        return page("Daily papers by mail", lines, {"form": "address", "action": action})

    async def subscribe(self, request: Request) -> Response:
        """Have a letter sent with a link: to confirm a new address, or to the preferences of an active one."""
        try:
            address = address_of((await form_of(request)).get("address", ""))
        except UsageError as error:
            raise HTTPException(HTTPStatus.BAD_REQUEST, str(error)) from None
        with opened(self.config.folder) as connection:
            ip = state.hashed(self.config.secret, network_of(request))
            if not state.allow_request(connection, ip, state.OF_IP, self.clock()):
                raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, "Too many requests from here; try again in an hour.")
        return page("Check your mail", SENT, after=BackgroundTask(self.write_to, address))

    async def write_to(self, address: str) -> None:
        """Send the letter that was asked for, if the address may get one; a failure is logged without the address."""
        hash_, now = state.hashed(self.config.secret, address), self.clock()
        with opened(self.config.folder) as connection:
            is_barred = state.suppressed(connection, hash_) in {"erased", "bounced"}
            if is_barred or not state.allow_request(connection, hash_, state.OF_ADDRESS, now):
                return
            subscriber = people.sign_up(connection, address, now)
        purpose = Purpose.PREFERENCES if subscriber.state == "active" else Purpose.CONFIRM
        message_id = f"<{secrets.token_hex(16)}@{self.config.sender.domain}>"
        url = link(self.config.url, self.config.secret, purpose, subscriber.number)
        letter = note(self.config, purpose, Envelope(address, message_id, now, url))
        try:
            async with client_of(self.config.relay) as client:
                await connect(client, self.config.relay)
                outcome = await hand_over(client, self.config.sender.addr_spec, address, letter)
        except MailFailed as error:
            log.warning("%s", error)
            return
        if outcome.state != "sent":
            log.warning("a link to %r: %s, %s", subscriber, outcome.state, outcome.status)

    async def confirm(self, request: Request) -> Response:
        """GET shows a button; POST makes the subscriber active."""
        number = self.subscriber_of(request, Purpose.CONFIRM).number
        if request.method != "POST":
            lines = ("One more step: this address gets a letter when there is a new list of papers.",)
            return self.button("Confirm", lines, "Yes, send me letters", request)
        with opened(self.config.folder) as connection:
            if not people.confirm(connection, number, self.clock()):
                raise HTTPException(HTTPStatus.NOT_FOUND)
            if subscriber := people.find(connection, number):
                state.allow(connection, state.hashed(self.config.secret, subscriber.address))
        lines = ("You are subscribed. Choose what your letters contain, now or later.",)
        return self.choices("Confirmed", lines, number, people.Wishes())

    async def preferences(self, request: Request) -> Response:
        """GET shows the form; POST stores what is chosen in it."""
        subscriber = self.subscriber_of(request, Purpose.PREFERENCES)
        if request.method != "POST":
            return self.choices("Preferences", (), subscriber.number, subscriber.wishes)
        try:
            wishes = wishes_of(await form_of(request))
        except UsageError as error:
            answer = self.choices("Not saved", (str(error),), subscriber.number, subscriber.wishes)
            answer.status_code = HTTPStatus.BAD_REQUEST
            return answer
        with opened(self.config.folder) as connection:
            people.set_wishes(connection, subscriber.number, wishes)
        return self.choices("Saved", (), subscriber.number, wishes)

    async def unsubscribe(self, request: Request) -> Response:
        """GET shows a button; POST, which a mail reader may send at once (RFC 8058), forgets the address."""
        number = number_of(self.config.secret, Purpose.UNSUBSCRIBE, request.path_params["token"])
        if number is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        if request.method != "POST":
            return self.button("Unsubscribe", (), "Unsubscribe", request)
        with opened(self.config.folder) as connection:
            people.remove(connection, number, self.config.secret, "unsubscribed", self.clock())
        return page("You are unsubscribed", GONE)

    def subscriber_of(self, request: Request, purpose: Purpose) -> people.Subscriber:
        """The subscriber whose link was followed; 404 where it is forged or too old, or the subscriber is gone."""
        number = number_of(self.config.secret, purpose, request.path_params["token"])
        if number is not None:
            with opened(self.config.folder, is_reading=True) as connection:
                found = people.find(connection, number)
            if found is not None and (found.state == "active" or (found.state, purpose) == ("asked", Purpose.CONFIRM)):
                return found
        raise HTTPException(HTTPStatus.NOT_FOUND)

    def choices(self, title: str, lines: tuple[str, ...], number: int, wishes: people.Wishes) -> Response:
        """The form of the preferences."""
        action, leave = (
            link(self.config.url, self.config.secret, purpose, number)
            for purpose in (Purpose.PREFERENCES, Purpose.UNSUBSCRIBE)
        )
        form = {"form": "preferences", "action": action, "leave": leave, "wishes": wishes}
        zones = sorted(available_timezones())
        return page(title, lines, {**form, "zones": zones, "hours": HOURS, "weekdays": WEEKDAYS})

    def button(self, title: str, lines: tuple[str, ...], button: str, request: Request) -> Response:
        """A page whose button sends a POST to the same address, as it is seen from outside."""
        return page(
            title, lines, {"form": "button", "button": button, "action": f"{self.config.url}{request.url.path}"}
        )


def page(
    title: str,
    lines: tuple[str, ...] = (),
    words: Mapping[str, object] = NO_FORM,
    *,
    status: int = HTTPStatus.OK,
    after: BackgroundTask | None = None,
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
    return HTMLResponse(text, status, headers, background=after)


async def refused(_: Request, error: Exception) -> Response:
    """The page of an HTTP error, with its reason."""
    code = error.status_code if isinstance(error, HTTPException) else HTTPStatus.INTERNAL_SERVER_ERROR
    phrase = HTTPStatus(code).phrase
    words = error.detail if isinstance(error, HTTPException) else ""
    return page(phrase, UNKNOWN if code == HTTPStatus.NOT_FOUND else (words,) if words != phrase else (), status=code)


async def failed(_: Request, error: Exception) -> Response:
    """The page of an error on this side, which is logged."""
    log.warning("%s", error)
    return page("Not available now", ("Please try again later.",), status=HTTPStatus.SERVICE_UNAVAILABLE)


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form, of a name the last value; 413 for a form that is too long, 400 for none."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BODY:
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS))
    except ValueError:
        raise HTTPException(HTTPStatus.BAD_REQUEST) from None


def network_of(request: Request) -> str:
    """By what requests are counted: the client's IP, of IPv6 its /64 network."""
    host = request.client.host if request.client else ""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    return str(ip_network((address, IPV6_NETWORK), strict=False)) if address.version == 6 else host  # noqa: PLR2004 - IPv6
