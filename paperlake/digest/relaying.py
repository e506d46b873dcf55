"""Sends one letter to the relay, by STARTTLS or TLS, and judges the answer. Of a relay's answer only numbers are kept:
its words may repeat an address.
"""

from __future__ import annotations

import re
from contextlib import suppress
from smtplib import SMTP, SMTPDataError, SMTPRecipientsRefused, SMTPResponseException
from typing import Final, Literal, NamedTuple, Self

from flows.running.mail_config import Relay, connected
from flows.runtime.environment import variable
from warehouse.errors import MailFailed

SECONDS: Final = 60.0
ENHANCED: Final = re.compile(r"\s*([245]\.\d{1,3}\.\d{1,3})\b")
# Of RFC 5321: no such mailbox, not here, no mailbox may be called that. The other 5xx are of the letter or the relay
DEAD: Final = frozenset({550, 551, 553})
POLICY, ADDRESS = "5.7.", "5.1."  # of RFC 3463: the relay does not want it; there is no such address


class Relayed(NamedTuple):
    """The outcome of a letter. A deferred one is tried again; a bounced one went to an address that takes none."""

    state: Literal["sent", "deferred", "bounced"]
    status: str = ""


CUT_OFF: Final = Relayed("deferred", "cut off")


class Mailer:
    """Hands letters to the relay, one after the other; a context manager, at whose end it hangs up."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self._client: SMTP | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._client is not None:
            with suppress(OSError):
                self._client.quit()
            self._client.close()

    def connect(self) -> None:
        """Connect, if not connected any more; MailFailed where the relay does not answer or refuses us."""
        if self._client is not None and self._client.sock is not None:
            return
        try:
            self._client = connected(self._relay, SECONDS)
        except OSError as error:  # as is every error of smtplib
            code = f" ({error.smtp_code})" if isinstance(error, SMTPResponseException) else ""
            raise MailFailed(
                f"the mail relay {self._relay!r} cannot be reached or refuses us: {type(error).__name__}{code}; "
                f"look at {variable('digest_smtp_url')}, {variable('digest_smtp_user')} and "
                f"{variable('digest_smtp_password')}"
            ) from None

    def hand_over(self, sender: str, address: str, letter: bytes) -> Relayed:
        """Give a letter to the connected relay. Where the connection breaks, it may have taken the letter or not."""
        client = self._client
        assert client is not None
        try:
            client.sendmail(sender, [address], letter)
        except SMTPRecipientsRefused as error:
            [(code, said)] = error.recipients.values()
            return outcome_of(code, _words(said), is_of_address=True)
        except SMTPResponseException as error:
            words = _words(error.smtp_error)
            is_of_address = isinstance(error, SMTPDataError) and ADDRESS in words
            return outcome_of(error.smtp_code, words, is_of_address=is_of_address)
        except OSError:  # as is what smtplib raises for a lost connection, and for one that does not answer in time
            client.close()
            return CUT_OFF
        return Relayed("sent")


def _words(said: bytes | str) -> str:
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else said


def outcome_of(code: int, words: str, *, is_of_address: bool) -> Relayed:
    """The outcome that a refusal means, by its SMTP code and its enhanced code (RFC 3463).

    >>> outcome_of(550, "5.1.1 <ada@example.org>: no such user", is_of_address=True)
    Relayed(state='bounced', status='550 5.1.1')
    >>> outcome_of(550, "5.7.1 relay access denied", is_of_address=True).state
    'deferred'
    >>> outcome_of(451, "", is_of_address=True).state
    'deferred'
    """
    found = ENHANCED.match(words)
    enhanced = found[1] if found else ""
    is_dead = is_of_address and code in DEAD and not enhanced.startswith(POLICY)
    return Relayed("bounced" if is_dead else "deferred", f"{code} {enhanced}".strip())
