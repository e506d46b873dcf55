"""The pages of the digest: subscribe, confirm, preferences, unsubscribe. No cookie, no script, nothing of another host.

They answer to the host of their address, and on this machine to its own names: under another name no page of another
host can read them (DNS rebinding). A POST that a browser sends for a page of another origin is refused.
GET and HEAD change nothing: mail scanners follow every link. A POST with an address puts it into a queue, whatever it
is, so that the answer, and its time, are the same for one that is known and one that is not. What reads or writes the
database does so in a thread, and not for long: where it is locked, other pages are answered all the same.
"""

import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from flows.running.mail import DigestConfig
from flows.runtime.web_servers import OWN_NAMES
from paperlake.digest import state
from paperlake.digest import subscribers as people
from paperlake.digest.asking import address_of, answering, ask, network_of
from paperlake.digest.news import OpenRelease
from paperlake.digest.register import HOURS, WEEKDAYS, wishes_of, zones
from paperlake.digest.responses import body_of, failed, fields_of, following, left, page, refused
from paperlake.digest.sending import send_first
from paperlake.digest.subscribers import Purpose, link, number_of
from warehouse.errors import PaperlakeError, UsageError

WAIT_SECONDS: Final = 2.0  # for the database, while another process writes
IN_AN_HOUR: Final = {"Retry-After": "3600"}
TOO_MANY: Final = "Too many requests from here; try again in an hour."
USED: Final = (
    "You are subscribed already, and this link was used. One that leads to your choices was sent to your address.",
)
HURRIED: Final = (
    "It arrives in a minute, with the newest list of the last two weeks.",
    "If there is none, or no paper of it matches your filters, it comes when one does.",
)
NOT_FIRST: Final = ("Your first letter is sent already, or none can be sent now; the next one comes at your hour.",)
HAD: Final = "SELECT local_on FROM deliveries WHERE subscriber = ? LIMIT 1"
COUNT: Final = "count"
KINDS: Final = {"authors": "Authors", "organizations": "Organizations", "keywords": "Keywords"}
SENT: Final = ("If this address may get letters, one arrives in a minute. Follow the link in it.",)
GONE: Final = ("Your address is deleted, and so is the record of what was sent to it.",)


def create_app(config: DigestConfig, clock: Callable[[], datetime], release: OpenRelease | None = None) -> Starlette:
    """The application, with its pages at the root; by a release it completes names, counts, and sends first letters."""
    pages = Pages(config, clock, release)
    also = partial(send_first, config, release, clock) if release else lambda: None

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        with answering(config, clock, also):
            yield

    return Starlette(
        lifespan=lifespan,
        routes=[
            Route("/", pages.home),
            Route("/subscribe", in_thread(pages.subscribe), methods=["POST"]),
            Route("/confirm/{token}", in_thread(pages.confirm), methods=["GET", "POST"]),
            Route("/preferences/{token}", in_thread(pages.preferences), methods=["GET", "POST"]),
            Route("/first/{token}", in_thread(pages.first), methods=["GET", "POST"]),
            Route("/unsubscribe/{token}", in_thread(pages.unsubscribe), methods=["GET", "POST"]),
        ],
        exception_handlers={HTTPException: refused, PaperlakeError: failed, ClientDisconnect: left},
        middleware=[
            Middleware(
                TrustedHostMiddleware,
                allowed_hosts=[urlsplit(config.url).hostname or "", *OWN_NAMES],
                www_redirect=False,
            ),
            Middleware(OwnFormsOnly, url=config.url),
        ],
    )


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


Handler = Callable[[Request, bytes], Response]


def in_thread(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """Run a handler of a request and its body in a thread, since it waits for the database."""

    async def answer(request: Request) -> Response:
        return await run_in_threadpool(handler, request, await body_of(request))

    return answer


@dataclass(frozen=True, slots=True)
class Pages:
    """The handlers of the pages."""

    config: DigestConfig
    clock: Callable[[], datetime]
    release: OpenRelease | None = None

    async def home(self, _: Request) -> Response:
        action = f"{self.config.url}/subscribe"
        lines = ("Get a letter when there is a new list of papers. You will be asked to confirm your address.",)
        return page("Daily papers by mail", lines, {"form": "address", "action": action})

    def subscribe(self, request: Request, body: bytes) -> Response:
        """Have a letter sent with a link: to confirm a new address, or to the preferences of an active one."""
        try:
            address = address_of(fields_of(body).get("address", ""))
        except UsageError as error:
            raise HTTPException(HTTPStatus.BAD_REQUEST, str(error)) from None
        with self.opened() as connection:
            self.ask(connection, address, request)
        return page("Check your mail", SENT)

    def ask(self, connection: sqlite3.Connection, address: str, request: Request) -> None:
        """Queue a request for a link; 429 where there were too many."""
        network = network_of(request.client.host if request.client else "")
        if not ask(connection, self.config.secret, address, network, self.clock()):
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, TOO_MANY, IN_AN_HOUR)

    def confirm(self, request: Request, _: bytes) -> Response:
        """GET shows a button; POST makes the subscriber active. A link that was used shows nobody's choices."""
        subscriber = self.subscriber_of(request, Purpose.CONFIRM)
        if request.method != "POST":
            lines = ("One more step: this address gets a letter when there is a new list of papers.",)
            return self.button("Confirm", lines, "Yes, send me letters", request)
        with self.opened() as connection:
            if not people.confirm(connection, subscriber.number, self.clock()):
                self.ask(connection, subscriber.address, request)
                return page("Already confirmed", USED)
            state.allow(connection, state.hashed(self.config.secret, subscriber.address))
        lines = ("You are subscribed. Choose what your letters contain, now or later.",)
        return self.choices("Confirmed", lines, subscriber.number, subscriber.wishes)

    def preferences(self, request: Request, body: bytes) -> Response:
        """GET shows the form; POST stores what is chosen in it."""
        subscriber = self.subscriber_of(request, Purpose.PREFERENCES)
        if request.method != "POST":
            return self.choices("Preferences", (), subscriber.number, subscriber.wishes)
        try:
            fields = fields_of(body)
            wishes = wishes_of(fields)
        except UsageError as error:
            answer = self.choices("Not saved", (str(error),), subscriber.number, subscriber.wishes)
            answer.status_code = HTTPStatus.BAD_REQUEST
            return answer
        if COUNT in fields:
            return self.choices("Not saved yet", (), subscriber.number, wishes)
        with self.opened() as connection:
            people.set_wishes(connection, subscriber.number, wishes)
        return self.choices("Saved", (), subscriber.number, wishes)

    def first(self, request: Request, _: bytes) -> Response:
        """GET shows a button; POST asks for the first letter at once."""
        subscriber = self.subscriber_of(request, Purpose.FIRST)
        if request.method != "POST":
            return self.button("Your first letter", (), "Send it now", request)
        with self.opened() as connection:
            is_asked = self.release is not None and people.hurry(connection, subscriber.number)
        return page("Your first letter", HURRIED if is_asked else NOT_FIRST)

    def unsubscribe(self, request: Request, _: bytes) -> Response:
        """GET shows a button; POST, which a mail reader may send at once (RFC 8058), forgets the address."""
        number = number_of(self.config.secret, Purpose.UNSUBSCRIBE, request.path_params["token"])
        if number is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        if request.method != "POST":
            return self.button("Unsubscribe", (), "Unsubscribe", request)
        with self.opened() as connection:
            people.remove(connection, number, self.config.secret, "unsubscribed", self.clock())
        return page("You are unsubscribed", GONE)

    def opened(self, *, is_reading: bool = False) -> AbstractContextManager[sqlite3.Connection]:
        """The database, for which a page does not wait for long."""
        return state.opened(self.config.folder, is_reading=is_reading, wait_seconds=WAIT_SECONDS)

    def subscriber_of(self, request: Request, purpose: Purpose) -> people.Subscriber:
        """The subscriber whose link was followed; 404 where it is forged or too old, or the subscriber is gone."""
        number = number_of(self.config.secret, purpose, request.path_params["token"])
        if number is not None:
            with self.opened(is_reading=True) as connection:
                found = people.find(connection, number)
            if found is not None and (found.state == "active" or (found.state, purpose) == ("asked", Purpose.CONFIRM)):
                return found
        raise HTTPException(HTTPStatus.NOT_FOUND)

    def choices(self, title: str, lines: tuple[str, ...], number: int, wishes: people.Wishes) -> Response:
        """The form of the preferences."""
        purposes = (Purpose.PREFERENCES, Purpose.FIRST, Purpose.UNSUBSCRIBE)
        action, first, leave = (link(self.config.url, self.config.secret, purpose, number) for purpose in purposes)
        links = {"action": action, "first": first if self.can_hurry(number) else "", "leave": leave}
        found = {"wishes": wishes, "kinds": KINDS, "following": following(self.release, wishes), "zones": zones()}
        form = {"form": "preferences", "hours": HOURS, "weekdays": WEEKDAYS, "count": COUNT}
        return page(title, lines, {**form, **links, **found})

    def can_hurry(self, number: int) -> bool:
        """Whether a subscriber may ask for the first letter at once: there was none yet."""
        with self.opened(is_reading=True) as connection:
            return self.release is not None and not connection.execute(HAD, (number,)).fetchall()

    def button(self, title: str, lines: tuple[str, ...], button: str, request: Request) -> Response:
        """A page whose button sends a POST to the same address, as it is seen from outside."""
        return page(
            title, lines, {"form": "button", "button": button, "action": f"{self.config.url}{request.url.path}"}
        )
