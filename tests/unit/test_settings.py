"""Settings, above all of a lake in a bucket: each reaches the store, a wrong one is named, no secret is shown. What processes
that paperlake starts get of its environment, and what a deployed run may be given.
"""

import json
import os
import sys
import traceback
from pathlib import Path
from urllib.request import proxy_bypass

import httpx
import pytest

from flows.running.deployed import require_own, require_there
from flows.running.run_statistics import recorded
from flows.runtime.environment import (
    SERVER,
    passed_on,
    reach_this_machine_directly,
    run_environment,
    take_secret,
    variable,
)
from flows.runtime.lake import open_lake
from flows.runtime.progress import configure, log, say_error
from flows.runtime.settings import AGES, SECRETS, Settings, load
from paperlake.cli.app import app
from tests.hub.server import StandIn
from warehouse.errors import StoreFailed, UsageError
from warehouse.store.objects import S3Options

SECRET = "do-not-show-this"


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("PAPERLAKE_")]:
        monkeypatch.delenv(name)


def test_every_setting_is_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load().s3_options() == S3Options()
    for name, value in {
        "ENDPOINT_URL": "http://127.0.0.1:8333/",
        "REGION": "eu-central-1",
        "ACCESS_KEY_ID": "key",
        "SECRET_ACCESS_KEY": SECRET,
    }.items():
        monkeypatch.setenv(f"PAPERLAKE_S3_{name}", value)
    options = load().s3_options()
    assert options == S3Options(
        endpoint_url="http://127.0.0.1:8333", region="eu-central-1", access_key_id="key", secret_access_key=SECRET
    )
    assert SECRET not in repr(options)
    assert open_lake("s3://bucket/lake/").url == "s3://bucket/lake"


def test_an_empty_variable_is_one_that_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    unset = load()
    for name in set(Settings.model_fields) - AGES:
        monkeypatch.setenv(variable(name), "")
    assert load() == unset


def test_a_local_lake_ignores_settings_of_s3(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERLAKE_S3_ENDPOINT_URL", "nonsense")
    assert open_lake("./lake").url == "./lake"


@pytest.mark.parametrize("name", [name for name, one in app.commands.items() if not hasattr(one, "commands")])
def test_the_options_of_a_command_have_the_names_and_defaults_of_settings(name: str) -> None:
    defaults = {variable(setting): field.default for setting, field in Settings.model_fields.items()}
    options = app.commands[name].params
    shown = {option.envvar: option.default for option in options if option.envvar and not option.required}
    if name != "copy":  # which names two lakes
        assert shown["PAPERLAKE_LAKE"] == "./lake"
    assert shown.items() <= defaults.items()


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_may_stand_in_a_file(name: str, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    forms = {"alert_webhook": "https://hooks.example.org/in", "dask_options": '{"token": "in"}'}
    secret = forms.get(name, SECRET * 3)
    monkeypatch.setenv("PAPERLAKE_DIGEST_SMTP_USER", "lake")
    others = {"s3_access_key_id": "s3_secret_access_key", "s3_secret_access_key": "s3_access_key_id"}
    if other := others.get(name):
        monkeypatch.setenv(variable(other), "other")
    if name != "digest_smtp_password":
        monkeypatch.setenv("PAPERLAKE_DIGEST_SMTP_PASSWORD", "other")
    (tmp_path / "secret").write_text(f"{secret}\n")
    monkeypatch.setenv(f"{variable(name)}_FILE", str(tmp_path / "secret"))
    found = getattr(load(), name)
    assert (found if isinstance(found, str) else found.get_secret_value()) == secret
    monkeypatch.setenv(variable(name), "too")
    with pytest.raises(UsageError, match=f"{variable(name)}_FILE: {variable(name)} is set too; set one of them"):
        load()


def test_a_file_that_cannot_be_read_is_named_and_not_shown(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERLAKE_HUB_TOKEN_FILE", str(tmp_path / "none"))
    with pytest.raises(UsageError, match=r"^PAPERLAKE_HUB_TOKEN_FILE: cannot read .*none: No such file"):
        load()
    (tmp_path / "none").write_bytes(b"\xff" + SECRET.encode())
    with pytest.raises(UsageError, match="it is no text") as told:
        load()
    assert SECRET not in "".join(traceback.format_exception(told.value))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("S3_ENDPOINT_URL", f"http://key:{SECRET}@127.0.0.1:8333"),
        ("S3_ENDPOINT_URL", f"http://127.0.0.1:8333?secret={SECRET}"),
        ("S3_ENDPOINT_URL", f"http://127.0.0.1:8333/#{SECRET}"),
        ("S3_ENDPOINT_URL", SECRET),
        ("S3_ENDPOINT_URL", f"ftp://{SECRET}"),
        ("S3_REGION", "a b"),
        ("S3_REGION", "12"),
        ("S3_SECRET_ACCESS_KEY", SECRET),
        ("S3_ACCESS_KEY_ID", "key without its secret"),
        ("SQL_SECONDS", "-1"),
        ("PAYLOAD_BYTES", "-1"),
        ("INFLATED_RATIO", "-1"),
        ("ALERT_WEBHOOK", f"http://hooks.example.org/{SECRET}"),
        ("ALERT_WEBHOOK", SECRET),
        ("ALERT_MAIL", "nobody"),
        ("ALERT_MAX_AGE", "soon"),
        ("CONTACT", "me (at home)"),
        ("CONTACT", "a\nb"),
        ("DETAILS_AFTER", "1w"),
        ("HUB_TOKEN", f"{SECRET}\nX-Evil: 1"),
        ("HUB_TOKEN", f"{SECRET} "),
        ("LINEAGE_KEY", f"{SECRET}\nX-Evil: 1"),
        ("HUB_URL", "hub.example"),
        ("HUB_URL", "ftp://hub.example"),
        ("HUB_URL", f"https://user:{SECRET}@hub.example"),
        ("HUB_URL", f"https://hub.example/?token={SECRET}"),
        ("LOG_FORMAT", "xml"),
        ("REFETCH_AFTER", ""),
        ("REFETCH_AFTER", "1h,1h"),
        ("REFETCH_AFTER", "2d,1h"),
        ("REFETCH_AFTER", "1 hour"),
        ("REFETCH_AFTER", "0h"),
        ("REFETCH_AFTER", "366d"),
        ("SEARCHES", ";".join(map(str, range(21)))),
        ("SEARCHES", "x" * 201),
        ("SEARCHES", "a\tb"),
        ("SQL_MEMORY", "lots"),
        ("SQL_MEMORY", "-1"),  # for DuckDB as much as there is
        ("PAYLOAD_BYTES", "9" * 400),
        ("DIGEST_SMTP_USER", "zo\N{LATIN SMALL LETTER E WITH DIAERESIS}"),
        *((name, "\udcff" * 32) for name in ("S3_ACCESS_KEY_ID", "LINEAGE_KEY", "DIGEST_SECRET", "STATE")),
    ],
)
def test_what_no_setting_may_be_is_named_and_not_shown(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"PAPERLAKE_{name}", value)
    with pytest.raises(UsageError, match=f"^PAPERLAKE_{name}: |PAPERLAKE_{name}; set both") as told:
        load()
    assert SECRET not in "".join(traceback.format_exception(told.value))
    assert "Value error" not in str(told.value)


@pytest.mark.parametrize(
    ("name", "value", "words"), [("ARXIV", "x", "it must be 1 or 0"), ("PAYLOAD_BYTES", "big", "it must be a size")]
)
def test_a_wrong_switch_or_size_says_what_to_write(monkeypatch, name: str, value: str, words: str) -> None:
    monkeypatch.setenv(f"PAPERLAKE_{name}", value)
    with pytest.raises(UsageError, match=f"^PAPERLAKE_{name}: {words}"):
        load()


def test_the_log_may_be_json_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PAPERLAKE_LOG_FORMAT", "json")
    configure(quiet=False)
    log.warning('a "quoted" line\nand more')
    say_error(UsageError("wrong"))
    told = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(one["level"], one["message"]) for one in told] == [
        ("warning", 'a "quoted" line\nand more'),
        ("error", "wrong"),
    ]
    monkeypatch.setenv("PAPERLAKE_LOG_FORMAT", "text")
    configure(quiet=False)
    say_error(UsageError("wrong"))
    assert capsys.readouterr().err == "error: wrong\n"


@pytest.mark.parametrize("lake", [f"s3://writer:{SECRET}@lakes/x", f"https://writer:{SECRET}@lakes/x"])
@pytest.mark.parametrize("command", ["run", "land"])
def test_a_wrong_address_is_refused_before_it_is_kept(monkeypatch: pytest.MonkeyPatch, command: str, lake: str) -> None:
    """It was a parameter of a flow run, so in Prefect's database for good."""
    monkeypatch.setitem(sys.modules, "flows.running.prefect_server", None)
    with pytest.raises(UsageError, match="PAPERLAKE_LAKE") as caught:
        app([command, "pages", "--lake", lake], standalone_mode=False)
    assert SECRET not in str(caught.value)


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
    assert passed_on(SERVER, GIVEN).keys() == {
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


def test_a_proxy_of_the_environment_is_told_nothing_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_deployed_run_makes_no_lake_where_one_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As that of a disk which is not mounted: its folder may be there, and is empty."""
    monkeypatch.setenv("PAPERLAKE_STATE", str(tmp_path / "state"))
    lake = tmp_path / "lake"
    require_there(str(lake))  # a first run makes it
    with recorded(str(lake), "daily"):
        (lake / "raw").mkdir(parents=True)
        (lake / "raw/key").touch()
    require_there(str(lake))
    (lake / "raw/key").unlink()
    for gone in (lake / "raw", lake):
        gone.rmdir()
        with pytest.raises(StoreFailed, match="see that its disk is mounted"):
            require_there(str(lake))
