"""Settings, from the environment: every one is PAPERLAKE_ and its name in capitals."""

from __future__ import annotations

from datetime import date
from typing import Final

from pydantic import ByteSize, Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from flows.plan.scope import DETAILS_AFTER, REFETCH_AFTER, Scope
from flows.runtime.hub_settings import Ages, Contact, HubToken, HubUrl, Searches, SomeAges
from warehouse.archive.captured import Limits
from warehouse.errors import UsageError

PREFIX: Final = "PAPERLAKE_"
LIMITS: Final = Limits()
SAID_BY_US: Final = "Value error, "  # what pydantic puts before the words of a validator of ours


class Settings(BaseSettings):
    """What an operator may choose: the source, how often it is asked, and limits on what one input may ask of us.

    Sizes may be written `64MiB`, ages `1h,6h,1d`, searches `one query; another`. `contact` is a page or mail address,
    told to the Hub with every call. `hub_token` is a secret: its text is only ever in the header it is sent in.
    """

    model_config = SettingsConfigDict(env_prefix=PREFIX, hide_input_in_errors=True)

    hub_url: HubUrl = "https://huggingface.co"
    hub_token: HubToken = None
    contact: Contact = None
    refetch_after: SomeAges = REFETCH_AFTER
    details_after: Ages = DETAILS_AFTER
    searches: Searches = ()
    payload_bytes: ByteSize = Field(default=ByteSize(LIMITS.payload_bytes), gt=0)
    inflated_bytes: ByteSize = Field(default=ByteSize(LIMITS.inflated_bytes), gt=0)
    inflated_ratio: int = Field(default=LIMITS.inflated_ratio, gt=0)

    def scope(self, since: date | None = None, until: date | None = None, *, with_details: bool = False) -> Scope:
        """What a run is to keep up with; with `since` or `until` a backfill of those days."""
        return Scope(
            since=since,
            until=until,
            with_details=with_details,
            refetch_after=self.refetch_after,
            details_after=self.details_after,
            searches=self.searches,
        )

    def limits(self) -> Limits:
        return Limits(**self.model_dump(include=set(Limits.__dataclass_fields__)))


def load() -> Settings:
    """The settings of this process; a wrong one is a UsageError that names the variable."""
    try:
        return Settings()
    except ValidationError as error:
        wrong = (
            f"{PREFIX}{'_'.join(map(str, part['loc'])).upper()}: {part['msg'].removeprefix(SAID_BY_US)}"
            for part in error.errors()
        )
        raise UsageError("; ".join(wrong)) from error
