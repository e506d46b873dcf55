"""Alerts that a run failed, or that a lake has grown old: to a webhook and by mail, as the settings say."""

from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import parseaddr
from typing import Final

import httpx

from flows.running.mail import connected, relay_of
from flows.runtime.environment import variable
from flows.runtime.progress import log
from flows.runtime.setting_types import mounts_of
from flows.runtime.settings import Settings
from warehouse.errors import UsageError

SECONDS: Final = 10.0
NEEDED: Final = ("digest_from", "digest_smtp_url")  # the relay is the digest's: an owner has one


@dataclass(frozen=True, slots=True)
class Alert:
    """What failed in which lake: the flow, the kind of error, and its message, which names the next step."""

    lake: str
    flow: str
    kind: str
    message: str

    @property
    def subject(self) -> str:
        return f"paperlake: {self.kind} in {self.flow}"

    @property
    def text(self) -> str:
        return f"{self.subject}\n\nlake: {self.lake}\n{self.message}\n"


def is_alerting(settings: Settings) -> bool:
    """Whether alerts are set up; UsageError where they are to be mailed and no relay or sender is set."""
    if settings.alert_mail and (missing := [variable(name) for name in NEEDED if getattr(settings, name) is None]):
        raise UsageError(f"{variable('alert_mail')}: a letter needs a relay and a sender; set {', '.join(missing)}")
    return settings.alert_mail is not None or settings.alert_webhook is not None


def send_alert(alert: Alert, settings: Settings) -> bool:
    """Send an alert to the webhook and the mailbox that are set; whether one took it. A failure is a warning."""
    hook, mailbox = settings.alert_webhook, settings.alert_mail
    is_posted = hook is not None and _post(alert, hook.get_secret_value())
    is_mailed = mailbox is not None and _mail(alert, settings, mailbox)
    return is_posted or is_mailed


def _post(alert: Alert, url: str) -> bool:
    """Post an alert as JSON: `text`, which chat services show, and its parts. A warning shows no address."""
    fields = {"text": alert.text, "lake": alert.lake, "flow": alert.flow, "kind": alert.kind, "message": alert.message}
    try:
        with (
            httpx.Client(timeout=SECONDS, mounts=mounts_of(url)) as client,
            client.stream("POST", url, json=fields) as said,
        ):
            said.raise_for_status()  # the rest of the answer, which may never end, is not read
            return True
    except httpx.HTTPStatusError as error:
        log.warning("an alert was not accepted: %s says %s", variable("alert_webhook"), error.response.status_code)
    except httpx.HTTPError as error:
        log.warning("an alert was not accepted: %s: %s", variable("alert_webhook"), type(error).__name__)
    return False


def _mail(alert: Alert, settings: Settings, to: str) -> bool:
    """Mail an alert by the digest's relay. A warning shows no address."""
    letter = EmailMessage()
    letter["From"], letter["To"] = settings.digest_from, to
    letter["Subject"], letter["Auto-Submitted"] = alert.subject, "auto-generated"
    letter.set_content(alert.text)
    try:
        with connected(relay_of(settings), SECONDS) as relay:
            relay.send_message(letter, parseaddr(settings.digest_from or "")[1], [to])
            return True
    except OSError as error:  # as is what a relay refuses
        log.warning("an alert was not sent: %s: %s", variable("digest_smtp_url"), type(error).__name__)
    return False
