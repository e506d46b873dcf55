"""Settings, from the environment: every one is PAPERLAKE_ and its name in capitals."""

from __future__ import annotations

from typing import Final

from pydantic import ByteSize, Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from flows.hub_settings import Contact, HubToken, HubUrl
from warehouse.capture import Limits
from warehouse.errors import UsageError

PREFIX: Final = "PAPERLAKE_"
LIMITS: Final = Limits()


class Settings(BaseSettings):
    """What an operator may choose: the source, and limits on what one input may ask of this machine.

    Sizes may be written `64MiB`. `contact` is a page or mail address, told to the Hub with every call. `hub_token`
    is a secret: its text is only ever in the header it is sent in.
    """

    model_config = SettingsConfigDict(env_prefix=PREFIX, hide_input_in_errors=True)

    hub_url: HubUrl = "https://huggingface.co"
    hub_token: HubToken = None
    contact: Contact = None
    payload_bytes: ByteSize = Field(default=ByteSize(LIMITS.payload_bytes), gt=0)
    inflated_bytes: ByteSize = Field(default=ByteSize(LIMITS.inflated_bytes), gt=0)
    inflated_ratio: int = Field(default=LIMITS.inflated_ratio, gt=0)

    def limits(self) -> Limits:
        return Limits(**self.model_dump(include=set(Limits.__dataclass_fields__)))


def load() -> Settings:
    """The settings of this process; a wrong one is a UsageError that names the variable."""
    try:
        return Settings()
    except ValidationError as error:
        wrong = (f"{PREFIX}{'_'.join(map(str, part['loc'])).upper()}: {part['msg']}" for part in error.errors())
        raise UsageError("; ".join(wrong)) from error
