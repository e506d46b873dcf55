"""All settings, from the environment: each is PAPERLAKE_ and its name in capitals.

pydantic takes a quarter of a second to import: a command that only reads a lake on this machine does without.
"""

import json
import re
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import ByteSize, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from flows.runtime import setting_types as types
from flows.runtime.environment import (
    FILE,
    LAKE,
    PREFIX,
    SQL_MEMORY,
    SQL_SECONDS,
    our_variables,
    require_utf8,
    secret_of_file,
    variable,
)
from flows.runtime.scope import DETAILS_AFTER, REFETCH_AFTER, Scope
from warehouse.archive.captured import Limits
from warehouse.errors import UsageError
from warehouse.store.objects import S3Options

LIMITS: Final = Limits()
MOST_BYTES: Final = 1 << 50
PYDANTIC_PREFIX: Final = "Value error, "  # pydantic puts it before the words of our own validators
WORDS: Final = {"bool_parsing": "it must be 1 or 0", "byte_size": "it must be a size, for example 64MiB"}
AGES: Final = {"refetch_after", "details_after"}
# Settings that a file may hold instead, which PAPERLAKE_…_FILE names: a container's secret, a systemd credential
SECRETS: Final = (
    "hub_token",
    "push_token",
    "s3_access_key_id",
    "s3_secret_access_key",
    "digest_secret",
    "digest_smtp_password",
    "alert_webhook",
    "lineage_key",
    "dask_options",
)
CLUSTER: Final = re.compile(r"(tcp|tls)://[^\s/?#@]+:\d{1,5}|[A-Za-z_][\w.]*:[A-Za-z_]\w*")
ClusterAt: TypeAlias = Annotated[
    str,
    types.must(
        lambda where: bool(CLUSTER.fullmatch(where)),
        "it must be the address of a scheduler, tcp://host:8786 or tls://host:8786, or a class of clusters, "
        "dask_kubernetes.operator:KubeCluster",
    ),
]
ClusterOptions: TypeAlias = Annotated[
    SecretStr,
    types.must(lambda text: is_object(text.get_secret_value()), "it must be a JSON object, of keywords of the class"),
]


def is_object(text: str) -> bool:
    """Whether a text is a JSON object.

    >>> is_object('{"n_workers": 2}'), is_object("n_workers=2"), is_object("2")
    (True, False, False)
    """
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


class Settings(BaseSettings):
    """All settings. An empty variable counts as not set, except for ages, where it means none.

    Sizes may be written `64MiB`, ages `1h,6h,1d`, searches `one query; another`. `contact` is a page or mail address,
    sent to the Hub with every call. `hub_token` is a secret: its text is only ever in the header it is sent in.
    `push` is the dataset repository of the Hub to which `serve` pushes releases, with `push_token`, another secret.
    `cache` and `state` are folders of this machine for a lake in a bucket: fetched databases, and captures that are
    not landed yet; of any lake, `state` has the digest's subscribers and how runs ended. Without `s3_endpoint_url` the
    bucket is at AWS; without keys the usual AWS chain finds them. A language model reads the texts of a `semantic` lake
    (docs/search.md). `alert_webhook` and `alert_mail` get an alert when a run fails, or the lake is older than
    `alert_max_age`; `lineage` is a file, or the address of a service, for OpenLineage events.
    `keep` is the rule by which releases are dropped every day, `30d,26w,20q`: of each of the newest so many days, weeks
    and quarters the last one stays; without it none is. `signing_key` is a private key of ssh, by its path, with which
    releases are signed; `corrections` the path of a file of values to set right (docs/corrections.md).
    `dask` is where builds run, if not here: a scheduler, or a class of clusters with `dask_options`, and `dask_seconds`
    how long a build waits for them.
    """

    model_config = SettingsConfigDict(env_prefix=PREFIX, hide_input_in_errors=True)

    lake: str = LAKE
    cache: Path = Path("~/.cache/paperlake")
    state: Path = Path("~/.local/state/paperlake")
    sql_seconds: float = Field(default=SQL_SECONDS, gt=0)
    sql_memory: types.MemorySize = SQL_MEMORY
    hub_url: types.HubUrl = "https://huggingface.co"
    hub_token: types.HubToken | None = None
    push: types.PushTo | None = None
    push_token: types.HubToken | None = None
    contact: types.Contact | None = None
    refetch_after: types.SomeAges = REFETCH_AFTER
    details_after: types.AgesSetting = DETAILS_AFTER
    searches: types.Searches = ()
    adoption_every: types.Age | None = None
    arxiv: bool = False
    arxiv_url: types.HubUrl = "https://oaipmh.arxiv.org/oai"
    crossref: bool = False
    crossref_url: types.HubUrl = "https://api.crossref.org"
    openalex: bool = False
    openalex_url: types.HubUrl = "https://api.openalex.org"
    github: bool = False
    github_url: types.HubUrl = "https://api.github.com"
    semantic: bool = False
    keep: types.Keep | None = None
    signing_key: Path | None = None
    corrections: Path | None = None
    payload_bytes: ByteSize = Field(default=ByteSize(LIMITS.payload_bytes), gt=0, le=MOST_BYTES)
    inflated_bytes: ByteSize = Field(default=ByteSize(LIMITS.inflated_bytes), gt=0, le=MOST_BYTES)
    inflated_ratio: int = Field(default=LIMITS.inflated_ratio, gt=0)
    s3_endpoint_url: types.S3Endpoint | None = None
    s3_region: types.S3Region | None = None
    s3_access_key_id: str | None = None
    s3_secret_access_key: types.S3Secret = None
    digest_url: types.DigestUrl | None = None
    digest_lake_url: types.DigestUrl | None = None
    digest_from: types.MailFrom | None = None
    digest_secret: types.DigestSecret | None = None
    digest_smtp_url: types.SmtpUrl | None = None
    digest_smtp_user: types.SmtpUser | None = None
    digest_smtp_password: types.SmtpPassword = None
    digest_dkim_key: Path | None = None
    digest_dkim_selector: types.Selector = None
    digest_per_minute: int = Field(default=60, gt=0)
    alert_webhook: types.Webhook | None = None
    alert_mail: types.Mailbox | None = None
    alert_max_age: types.Age = timedelta(hours=30)
    log_format: Literal["text", "json"] = "text"
    lineage: types.LineageTo | None = None
    lineage_key: types.HeaderWord | None = None
    dask: ClusterAt | None = None
    dask_options: ClusterOptions | None = None
    dask_seconds: float = Field(default=120, gt=0)

    @model_validator(mode="before")
    @classmethod
    def _without_empty_ones(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in values.items() if value != "" or name in AGES}

    def scope(self, since: date | None = None, until: date | None = None, *, with_details: bool = False) -> Scope:
        """The scope of a run; with `since` or `until` a backfill of those days."""
        fetched = self.model_dump(include=set(Scope.__dataclass_fields__))
        return Scope(since=since, until=until, with_details=with_details, **fetched)

    def limits(self) -> Limits:
        """The limits of the size of one input."""
        return Limits(**self.model_dump(include=set(Limits.__dataclass_fields__)))

    def s3_options(self) -> S3Options:
        """How to reach a lake in a bucket."""
        secret = self.s3_secret_access_key
        return S3Options(
            endpoint_url=str(self.s3_endpoint_url).rstrip("/") if self.s3_endpoint_url else None,
            region=self.s3_region,
            access_key_id=self.s3_access_key_id,
            secret_access_key=secret.get_secret_value() if secret else None,
        )


def unknown_settings() -> list[str]:
    """Variables of the environment that look like settings, and are none: mistyped, or of another version."""
    known = {variable(name) for name in Settings.model_fields} | {variable(f"{name}{FILE}") for name in SECRETS}
    return sorted(set(our_variables()) - known)


def load() -> Settings:
    """The settings of this process; a wrong one is a UsageError that names the variable."""
    require_utf8()
    files: dict[str, Any] = {name: text for name in SECRETS if (text := secret_of_file(variable(name)))}
    try:
        return Settings(**files)
    except ValidationError as error:
        names = (variable("_".join(map(str, part["loc"]))) for part in error.errors())
        words = (WORDS.get(part["type"], part["msg"]).removeprefix(PYDANTIC_PREFIX) for part in error.errors())
        raise UsageError("; ".join(map(": ".join, zip(names, words, strict=True)))) from error
