"""Settings of a lake in a bucket, from the environment: PAPERLAKE_S3_ and the name in capitals."""

from __future__ import annotations

from typing import Final

from pydantic import HttpUrl, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from warehouse.errors import UsageError
from warehouse.store.store import S3Options

PREFIX: Final = "PAPERLAKE_S3_"


class S3Settings(BaseSettings):
    """How to reach an `s3://` lake. Without an endpoint it is AWS; without keys the usual AWS chain finds them."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, hide_input_in_errors=True)

    endpoint_url: HttpUrl | None = None
    region: str | None = None
    access_key_id: str | None = None
    secret_access_key: SecretStr | None = None

    def options(self) -> S3Options:
        """The same as plain values; UsageError where they do not go together."""
        url, secret = self.endpoint_url, self.secret_access_key
        if (self.access_key_id is None) != (secret is None):
            raise UsageError(f"{PREFIX}ACCESS_KEY_ID and {PREFIX}SECRET_ACCESS_KEY go together; set both or neither")
        if url is not None and (url.username or url.password or url.query or url.fragment):
            raise UsageError(f"{PREFIX}ENDPOINT_URL is https://host:port; the keys are settings of their own")
        return S3Options(
            endpoint_url=str(url).rstrip("/") if url else None,
            region=self.region,
            access_key_id=self.access_key_id,
            secret_access_key=secret.get_secret_value() if secret else None,
        )


def load_s3() -> S3Options:
    """How this process reaches a bucket; a wrong setting is a UsageError that names the variable."""
    try:
        settings = S3Settings()
    except ValidationError as error:
        wrong = (f"{PREFIX}{'_'.join(map(str, part['loc'])).upper()}: {part['msg']}" for part in error.errors())
        raise UsageError("; ".join(wrong)) from error
    return settings.options()
