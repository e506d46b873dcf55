"""What processes that paperlake starts get of its environment, and what a deployed run may be given."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.request import proxy_bypass

import httpx
import pytest

from flows.running.deployed import require_own
from flows.runtime.environment import reach_this_machine_directly, run_environment, server_environment, take_secret
from tests.hub.server import StandIn
from warehouse.errors import UsageError

GIVEN = {
    "PATH": "/bin",
    "HOME": "/home/ada",
    "LC_ALL": "C.UTF-8",
    "PREFECT_HOME": "/home/ada/.prefect",
    "PREFECT_SERVER_DATABASE_TIMEOUT": "20",
    "PREFECT_API_AUTH_STRING": "secret",
    "PREFECT_SERVER_API_AUTH_STRING": "secret",
    "PREFECT_SERVER_API_AUTH_STRING_FILE": "/run/secrets/prefect",
    "PREFECT_API_KEY": "secret",
    "PAPERLAKE_HUB_TOKEN": "secret",
    "PAPERLAKE_PUSH_TOKEN": "secret",
    "PAPERLAKE_PUSH_TOKEN_FILE": "/run/secrets/push",
    "PAPERLAKE_DIGEST_SECRET": "secret",
    "PAPERLAKE_DIGEST_SMTP_PASSWORD_FILE": "/run/secrets/smtp",
    "AWS_PROFILE": "lakes",
    "HTTPS_PROXY": "http://127.0.0.1:3128",
    "GITHUB_TOKEN": "secret",
    "DATABASE_URL": "secret",
}


def test_prefects_server_gets_no_secret_but_its_own() -> None:
    assert server_environment(GIVEN).keys() == {
        "PATH",
        "HOME",
        "LC_ALL",
        "PREFECT_HOME",
        "PREFECT_SERVER_DATABASE_TIMEOUT",
    }


def test_runs_get_what_they_need() -> None:
    kept = run_environment(GIVEN, is_mailing=False, is_alerting=False, is_pushing=False).keys()
    assert GIVEN.keys() - kept == {
        "PREFECT_SERVER_API_AUTH_STRING",
        "PREFECT_SERVER_API_AUTH_STRING_FILE",
        "PAPERLAKE_PUSH_TOKEN",
        "PAPERLAKE_PUSH_TOKEN_FILE",
        "PAPERLAKE_DIGEST_SECRET",
        "PAPERLAKE_DIGEST_SMTP_PASSWORD_FILE",
        "GITHUB_TOKEN",
        "DATABASE_URL",
    }
    alerting = run_environment(GIVEN, is_mailing=False, is_alerting=True, is_pushing=False).keys()
    assert alerting - kept == {"PAPERLAKE_DIGEST_SMTP_PASSWORD_FILE"}
    mailing = run_environment(GIVEN, is_mailing=True, is_alerting=False, is_pushing=False).keys()
    assert mailing - alerting == {"PAPERLAKE_DIGEST_SECRET"}
    pushing = run_environment(GIVEN, is_mailing=False, is_alerting=False, is_pushing=True).keys()
    assert pushing - kept == {"PAPERLAKE_PUSH_TOKEN", "PAPERLAKE_PUSH_TOKEN_FILE"}


def test_a_secret_is_read_from_the_file_that_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret").write_text("by chance\n")
    monkeypatch.setenv("OURS", "")
    monkeypatch.setenv("OURS_FILE", str(tmp_path / "secret"))
    take_secret("OURS")
    assert (os.environ["OURS"], "OURS_FILE" in os.environ) == ("by chance", False)
    monkeypatch.setenv("OURS_FILE", str(tmp_path / "secret"))
    with pytest.raises(UsageError, match="OURS is set too"):
        take_secret("OURS")


def test_a_proxy_of_the_environment_is_told_nothing_of_a_server_on_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Prefect's client is httpx's, that of its events asks urllib; both read the environment."""
    monkeypatch.setenv("no_proxy", "intern.example")
    with StandIn() as proxy, StandIn() as server:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        reach_this_machine_directly()
        assert httpx.get(server.url, headers={"Authorization": "secret"}).status_code
        assert (len(server.calls), proxy.calls) == (1, [])
        assert all(map(proxy_bypass, ("intern.example", "127.0.0.1", "localhost")))


def test_a_deployed_run_is_of_its_own_lake_and_lands_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERLAKE_LAKE", "s3://lakes/papers")
    require_own("s3://lakes/papers/", None)
    for lake, paths, why in (
        ("s3://lakes/other", None, "is of the lake of its worker"),
        ("lake", None, "a path from the root"),
        ("s3://lakes/papers", ["/etc/passwd"], "lands no files"),
    ):
        with pytest.raises(UsageError, match=why):
            require_own(lake, paths)
