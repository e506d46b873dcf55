"""Settings, above all of a lake in a bucket: each reaches the store, a wrong one is named, no secret is shown."""

from __future__ import annotations

import json
import os
import sys
import traceback

import pytest

from flows.runtime.environment import variable
from flows.runtime.lake import open_lake
from flows.runtime.progress import configure, log, say_error
from flows.runtime.settings import AGES, SECRETS, Settings, load
from paperlake.cli.app import app
from warehouse.errors import UsageError
from warehouse.store.store import S3Options

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
def test_a_wrong_address_is_refused_before_prefect_keeps_it(
    monkeypatch: pytest.MonkeyPatch, command: str, lake: str
) -> None:
    """It was a parameter of a flow run, so in Prefect's database for good."""
    monkeypatch.setitem(sys.modules, "flows.running.prefect_server", None)
    with pytest.raises(UsageError, match="PAPERLAKE_LAKE") as caught:
        app([command, "pages", "--lake", lake], standalone_mode=False)
    assert SECRET not in str(caught.value)
