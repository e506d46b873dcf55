"""Settings of a lake in a bucket: every one reaches the store, a wrong one is named, the secret is nowhere shown."""

from __future__ import annotations

import os
import traceback

import pytest

from flows.runtime.lake import open_lake
from flows.runtime.s3_settings import load_s3
from warehouse.errors import UsageError
from warehouse.store.store import S3Options

SECRET = "do-not-show-this"


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("PAPERLAKE_S3_")]:
        monkeypatch.delenv(name)


def test_every_setting_is_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_s3() == S3Options()
    for name, value in {
        "ENDPOINT_URL": "http://127.0.0.1:8333/",
        "REGION": "eu-central-1",
        "ACCESS_KEY_ID": "key",
        "SECRET_ACCESS_KEY": SECRET,
    }.items():
        monkeypatch.setenv(f"PAPERLAKE_S3_{name}", value)
    options = load_s3()
    assert options == S3Options(
        endpoint_url="http://127.0.0.1:8333", region="eu-central-1", access_key_id="key", secret_access_key=SECRET
    )
    assert SECRET not in repr(options)
    assert open_lake("s3://bucket/lake/").url == "s3://bucket/lake"


def test_an_empty_variable_is_one_that_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ENDPOINT_URL", "REGION", "ACCESS_KEY_ID", "SECRET_ACCESS_KEY"):
        monkeypatch.setenv(f"PAPERLAKE_S3_{name}", "")
    assert load_s3() == S3Options()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ENDPOINT_URL", f"http://key:{SECRET}@127.0.0.1:8333"),
        ("ENDPOINT_URL", f"http://127.0.0.1:8333?secret={SECRET}"),
        ("ENDPOINT_URL", f"http://127.0.0.1:8333/#{SECRET}"),
        ("ENDPOINT_URL", SECRET),
        ("ENDPOINT_URL", f"ftp://{SECRET}"),
        ("SECRET_ACCESS_KEY", SECRET),
        ("ACCESS_KEY_ID", "key without its secret"),
    ],
)
def test_a_wrong_setting_is_named_and_not_shown(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"PAPERLAKE_S3_{name}", value)
    with pytest.raises(UsageError, match=f"PAPERLAKE_S3_{name}") as caught:
        open_lake("s3://bucket/lake")
    assert SECRET not in "".join(traceback.format_exception(caught.value))


def test_a_local_lake_looks_at_none_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERLAKE_S3_ENDPOINT_URL", "nonsense")
    assert open_lake("./lake").url == "./lake"
