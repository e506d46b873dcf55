"""Sends one letter to the relay, by STARTTLS or TLS, and judges the answer. Of a relay's answer only numbers are kept:
its words may repeat an address.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final, Literal, NamedTuple

import aiosmtplib
from aiosmtplib.errors import (
    SMTPDataError,
    SMTPException,
    SMTPRecipientsRefused,
    SMTPResponseException,
)

from flows.running.mail_config import Relay
from flows.runtime.variables import variable
from warehouse.errors import MailFailed

SECONDS: Final = 60.0
ENHANCED: Final = re.compile(r"\s*([245]\.\d{1,3}\.\d{1,3})\b")
# Of RFC 5321: no such mailbox, not here, no mailbox may be called that. The other 5xx are of the letter or the relay
DEAD: Final = frozenset({550, 551, 553})
POLICY, ADDRESS = "5.7.", "5.1."  # of RFC 3463: the relay does not want it; there is no such address


class Relayed(NamedTuple):
    """What became of a letter. A deferred one is tried again; a bounced one went to an address that takes none."""

    state: Literal["sent", "deferred", "bounced"]
    status: str = ""


CUT_OFF: Final = Relayed("deferred", "cut off")


@asynccontextmanager
async def client_of(relay: Relay) -> AsyncIterator[aiosmtplib.SMTP]:
    """A client that is not connected yet. Without TLS it speaks to this machine only: the settings see to that."""
    client = aiosmtplib.SMTP(
        hostname=relay.host,
        port=relay.port,
        username=relay.user,
        password=relay.password,
        use_tls=relay.scheme == "smtps",
        start_tls=relay.scheme == "smtp+starttls",
        timeout=SECONDS,
    )
    try:
        yield client
    finally:
        with suppress(SMTPException):
            await client.quit()
        client.close()
        await asyncio.sleep(0)  # for the loop to see that it is closed


async def connect(client: aiosmtplib.SMTP, relay: Relay) -> None:
    """Connect, if not connected yet; MailFailed where the relay does not answer or refuses us."""
    if client.is_connected:
        return
    try:
        await client.connect()
    except (SMTPException, OSError) as error:
        code = f" ({error.code})" if isinstance(error, SMTPResponseException) else ""
        raise MailFailed(
            f"the mail relay {relay!r} cannot be reached or refuses us: {type(error).__name__}{code}; "
            f"look at {variable('digest_smtp_url')}, {variable('digest_smtp_user')} and "
            f"{variable('digest_smtp_password')}"
        ) from None


async def hand_over(client: aiosmtplib.SMTP, sender: str, address: str, letter: bytes) -> Relayed:
    """Give a letter to the connected relay. Where the connection breaks, it may have taken the letter or not."""
    try:
        await client.sendmail(sender, [address], letter)
    except SMTPRecipientsRefused as error:
        [refused] = error.recipients
        return outcome_of(refused.code, refused.message, is_of_address=True)
    except SMTPResponseException as error:
        return outcome_of(
            error.code, error.message, is_of_address=isinstance(error, SMTPDataError) and ADDRESS in error.message
        )
    except OSError:  # as is what aiosmtplib raises for a lost connection, and for one that does not answer in time
        client.close()
        return CUT_OFF
    return Relayed("sent")


def outcome_of(code: int, words: str, *, is_of_address: bool) -> Relayed:
    """The outcome that a refusal means, by its SMTP code and its enhanced code (RFC 3463).

    >>> outcome_of(550, "5.1.1 <ada@example.org>: no such user", is_of_address=True)
    Outcome(state='bounced', status='550 5.1.1')
    >>> outcome_of(550, "5.7.1 relay access denied", is_of_address=True).state
    'deferred'
    >>> outcome_of(451, "", is_of_address=True).state
    'deferred'
    """
    found = ENHANCED.match(words)
    enhanced = found[1] if found else ""
    is_dead = is_of_address and code in DEAD and not enhanced.startswith(POLICY)
    return Relayed("bounced" if is_dead else "deferred", f"{code} {enhanced}".strip())
