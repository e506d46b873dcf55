"""Settings, from the environment: every one is PAPERLAKE_ and its name in capitals."""

from __future__ import annotations

from typing import Final

from pydantic import ByteSize, Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from warehouse.capture import Limits
from warehouse.errors import UsageError

PREFIX: Final = "PAPERLAKE_"
LIMITS: Final = Limits()


class Settings(BaseSettings):
    """Limits on what one input may ask of this machine. Sizes may be written `64MiB`."""

    model_config = SettingsConfigDict(env_prefix=PREFIX)

    payload_bytes: ByteSize = Field(default=ByteSize(LIMITS.payload_bytes), gt=0)
    inflated_bytes: ByteSize = Field(default=ByteSize(LIMITS.inflated_bytes), gt=0)
    inflated_ratio: int = Field(default=LIMITS.inflated_ratio, gt=0)

    def limits(self) -> Limits:
        return Limits(**self.model_dump())


def load() -> Settings:
    """The settings of this process; a wrong one is a UsageError that names the variable."""
    try:
        return Settings()
    except ValidationError as error:
        wrong = (f"{PREFIX}{'_'.join(map(str, part['loc'])).upper()}: {part['msg']}" for part in error.errors())
        raise UsageError("; ".join(wrong)) from error
