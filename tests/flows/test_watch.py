"""Monitoring: metrics that parse, rules and a dashboard over them, and each alert fired by its cause and sent."""

import json
import operator
import re
import shutil
import subprocess
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest
import yaml
from click.testing import CliRunner
from prefect.settings import temporary_settings
from prometheus_client import Metric
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from prometheus_client.parser import text_string_to_metric_families as older_families

from flows.hub.budget import Clock
from flows.running.alerts import Alert, send_alert
from flows.running.prefect_server import OwnServer
from flows.running.run_statistics import (
    SUCCEEDED,
    lake_name,
    note_failure,
    record_alert,
    record_end,
    record_step,
    run_statistics,
)
from flows.runtime.environment import utc_now
from flows.runtime.lake import open_lake
from flows.runtime.scope import Scope
from flows.runtime.settings import Settings
from flows.watch.metrics import WatchServer, metrics_text
from paperlake.cli.app import app
from tests.flows import steps
from tests.processes import ROOT, finished
from tests.relay import part_of, relaying
from tests.serving import answering, serving
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture
from warehouse.schema.daily_lists import opens_at

DEPLOY = ROOT / "docs/deploy"
RULES = [
    rule
    for group in yaml.safe_load((DEPLOY / "prometheus/alerts.yaml").read_text())["groups"]
    for rule in group["rules"]
]
DASHBOARD = json.loads((DEPLOY / "grafana/paperlake.json").read_text())
PANELS = [(panel["title"], target["expr"]) for panel in DASHBOARD["panels"] for target in panel["targets"]]
PROMTOOL = shutil.which("promtool")
NAME = re.compile(r"\bpaperlake_[a-z_]+\b")
SIMPLE = re.compile(r"(?P<since>time\(\) - )?(?P<name>[a-z_]+) (?P<how>==|>|<) (?P<than>\d+)")
COMPARED = {"==": operator.eq, ">": operator.gt, "<": operator.lt}
FRIDAY = date(2026, 10, 2)
NOON = datetime(2026, 10, 3, 12)
pytestmark = pytest.mark.usefixtures("own_state")


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A lake of one list, which is released; tests only read it."""
    lake = str(tmp_path_factory.mktemp("fresh") / "lake")
    Archive(open_lake(lake)).write([steps.list_of(FRIDAY)], now=steps.NOW)
    steps.publish_tables(lake)
    return lake


def measured(lake: str, now: datetime = NOON) -> str:
    return metrics_text(lake, Scope(), Clock(now=lambda: now)).decode()


def families(text: str) -> list[Metric]:
    return list(text_string_to_metric_families(text))


def samples(text: str, name: str) -> dict[str, float]:
    """The values of a metric, by its labels' values."""
    found = (sample for family in families(text) for sample in family.samples if sample.name == name)
    return {",".join(sample.labels.values()): sample.value for sample in found}


def fires(expression: str, text: str, now: datetime) -> bool:
    """Whether a rule fires; rules use only simple comparisons and `absent`."""
    if expression.startswith("absent("):
        return not samples(text, NAME.findall(expression)[0])
    found = SIMPLE.fullmatch(expression)
    assert found is not None, expression
    base = now.replace(tzinfo=UTC).timestamp() if found["since"] else None
    values = [value if base is None else base - value for value in samples(text, found["name"]).values()]
    return any(COMPARED[found["how"]](value, float(found["than"])) for value in values)


def firing(text: str, now: datetime = NOON) -> set[str]:
    return {rule["alert"].removeprefix("Paperlake") for rule in RULES if fires(rule["expr"], text, now)}


def test_the_metrics_of_a_lake_have_their_values(fresh: str) -> None:
    record_step(fresh, "make draft", 2.5)
    record_step(fresh, "make draft", 1.5)
    record_end(fresh, "daily", "StoreFailed")
    record_end(fresh, "daily", "")
    text = measured(fresh)
    assert samples(text, "paperlake_lake_state") == {"": 2}
    assert samples(text, "paperlake_last_capture_timestamp_seconds") == {
        "": datetime(2026, 10, 2, 18, 30, tzinfo=UTC).timestamp()
    }
    assert samples(text, "paperlake_last_list_timestamp_seconds") == {
        "": opens_at(FRIDAY).replace(tzinfo=UTC).timestamp()
    }
    assert samples(text, "paperlake_last_release_timestamp_seconds") == {"": steps.NOW.replace(tzinfo=UTC).timestamp()}
    assert samples(text, "paperlake_expected_lists")["early"] == 1
    assert samples(text, "paperlake_hub_calls_left") == {"api": 500, "pages": 100}
    assert samples(text, "paperlake_rows")["papers"] == 3
    assert samples(text, "paperlake_quarantined_rows") == samples(text, "paperlake_set_aside_captures") == {"": 0}
    assert samples(text, "paperlake_unreleased_captures") == {"": 0}
    assert samples(text, "paperlake_step_seconds_sum") == {"make draft": 4}
    assert samples(text, "paperlake_step_seconds_count") == {"make draft": 2}
    assert samples(text, "paperlake_step_last_seconds") == {"make draft": 1.5}
    assert samples(text, "paperlake_failures_total") == {"daily,StoreFailed": 1}
    assert samples(text, "paperlake_last_run_failed") == {"daily": 0}
    assert firing(text) == set()


def test_both_parsers_read_the_metrics(fresh: str) -> None:
    """Prometheus asks for OpenMetrics; a node exporter reads its folder as the older text."""
    record_end(fresh, "daily", "StoreFailed")
    text = measured(fresh)
    old = {sample.name: sample.value for family in older_families(text) for sample in family.samples}
    new = {sample.name: sample.value for family in families(text) for sample in family.samples}
    assert old == new
    assert not {"info", "stateset", "unknown"} & set(re.findall(r"^# TYPE \S+ (\w+)$", text, re.MULTILINE))


def test_every_metric_of_the_rules_and_the_dashboard_is_one(fresh: str) -> None:
    known = {name for family in families(measured(fresh)) for name in (family.name, f"{family.name}_total")}
    for where, expression in [*PANELS, *((rule["alert"], rule["expr"]) for rule in RULES)]:
        assert set(NAME.findall(expression)) <= known, where
        assert NAME.findall(expression), where
    shown = {name for _, expression in PANELS for name in NAME.findall(expression)}
    every = {family.name for family in families(measured(fresh))}
    assert {name.removesuffix("_total") for name in shown} >= every - {"paperlake_step_seconds"}


@pytest.mark.skipif(PROMTOOL is None, reason="no promtool on this machine: it is in Debian's `prometheus`")
def test_prometheus_takes_the_rules_and_the_dashboards_questions(tmp_path: Path) -> None:
    asked = [{"record": f"panel:{number}", "expr": expression} for number, (_, expression) in enumerate(PANELS)]
    (tmp_path / "panels.yaml").write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": asked}]}))
    for rules in (DEPLOY / "prometheus/alerts.yaml", tmp_path / "panels.yaml"):
        done = finished(PROMTOOL, "check", "rules", rules)
        assert done.returncode == 0, done.stdout + done.stderr


def caused(alert: str, lake: str, fresh: str) -> tuple[str, datetime]:  # noqa: C901 - a case an alert
    """The metrics of a lake after a cause, and their time."""
    match alert:
        case "MetricsGone":
            return "# EOF\n", NOON
        case "LakeUnreadable":
            shutil.copytree(fresh, lake)
            Path(lake, "releases/latest.json").write_bytes(b"{")
        case "NoRelease":
            Archive(open_lake(lake)).write([steps.list_of(FRIDAY)], now=NOON)
        case "CaptureOld":
            return measured(fresh, NOON + timedelta(days=1)), NOON + timedelta(days=1)
        case "ListMissing":
            return measured(fresh, NOON + timedelta(days=2, hours=4)), NOON
        case "NotReleased":
            shutil.copytree(fresh, lake)
            Archive(open_lake(lake)).write([steps.list_of(date(2026, 10, 1))], now=NOON)
        case "HubBudgetUsedUp":
            used = {"RateLimit": '"api";r=0;t=200', "RateLimit-Policy": '"fixed window";"api";q=500;w=300'}
            at = NOON - timedelta(minutes=1)
            url = f"{steps.invented.HUB}/api/daily_papers?date={FRIDAY}"
            page = Capture(payload=b"[]", url=url, fetched_at=at, http_status=200, headers=tuple(used.items()))
            Archive(open_lake(lake)).write([page], now=NOON)
        case "RunFailed":
            shutil.copytree(fresh, lake)
            record_end(lake, "daily", "GateClosed")
        case "Large":
            shutil.copytree(fresh, lake)
            with Path(lake, "releases/large").open("wb") as sparse:
                sparse.truncate(100_000_000_001)
        case "StepSlow":
            shutil.copytree(fresh, lake)
            record_step(lake, "capture", 1801)
    return measured(lake), NOON


def test_each_alert_fires_where_its_cause_is_made(fresh: str, tmp_path: Path) -> None:
    alerts = [rule["alert"].removeprefix("Paperlake") for rule in RULES]
    made = {alert: caused(alert, str(tmp_path / alert), fresh) for alert in alerts}
    for alert, (text, now) in made.items():
        assert alert in firing(text, now)
    if PROMTOOL:
        assert fired_by_promtool(made, tmp_path) == set(alerts)


def fired_by_promtool(made: dict[str, tuple[str, datetime]], folder: Path) -> set[str]:
    """The alerts that Prometheus fires after two days of the metrics of each; its clock begins at 0."""
    end, cases = 2 * 86400, []
    for alert, (text, now) in made.items():
        shift = end - now.replace(tzinfo=UTC).timestamp()
        series = []
        for sample in (sample for family in families(text) for sample in family.samples):
            labels = ",".join(f'{name}="{value}"' for name, value in sample.labels.items())
            value = sample.value + (shift if "_timestamp_" in sample.name else 0)
            series.append({"series": f"{sample.name}{{{labels}}}", "values": f"{value:.0f}x288"})
        silent = [{"eval_time": "2d", "alertname": f"Paperlake{alert}", "exp_alerts": []}]
        cases.append({"interval": "10m", "input_series": series, "alert_rule_test": silent})
    tests = {"rule_files": [str(DEPLOY / "prometheus/alerts.yaml")], "evaluation_interval": "10m", "tests": cases}
    (folder / "test.yaml").write_text(yaml.safe_dump(tests))
    command = [PROMTOOL, "test", "rules", folder / "test.yaml"]
    said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
    return set(re.findall(r"alertname: Paperlake(\w+), time", said))


def test_metrics_health_and_readiness(fresh: str, lake: str) -> None:
    with serving(server := WatchServer(lambda: measured(fresh).encode(), "127.0.0.1", 0)):
        url = f"http://{server.host}"
        found = httpx.get(f"{url}/metrics")
        assert found.headers["Content-Type"].startswith("application/openmetrics-text; version=1.0.0")
        assert samples(found.text, "paperlake_rows")["papers"] == 3
        assert httpx.get(f"{url}/healthz").text == "alive\n"
        assert httpx.get(f"{url}/readyz").status_code == 200
        assert httpx.get(f"{url}/").status_code == 404
    with serving(server := WatchServer(lambda: measured(lake).encode(), "127.0.0.1", 0)):
        assert httpx.get(f"http://{server.host}/healthz").status_code == 200
        assert httpx.get(f"http://{server.host}/readyz").status_code == 503


def test_a_measure_is_made_once_a_minute() -> None:
    made = []
    with serving(server := WatchServer(lambda: made.append(1) or b"# EOF\n", "127.0.0.1", 0)):
        for _ in range(3):
            assert httpx.get(f"http://{server.host}/metrics").content == b"# EOF\n"
    assert len(made) == 1


@pytest.mark.slow
@pytest.mark.usefixtures("let_go")
@pytest.mark.filterwarnings("default")  # Prefect's own warnings
def test_an_old_lake_is_reported_once(fresh: str, own_prefect: OwnServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """No run failed and there is no automation: the flow that checks the lake reports that it is old."""
    from flows.verify import freshness

    taken = []

    def keep(_: Any, body: bytes) -> tuple[int, bytes]:
        taken.append(json.loads(body))
        return 204, b""

    with answering(keep) as hook, relaying() as relay, temporary_settings(own_prefect.settings):
        for name, value in {
            "ALERT_WEBHOOK": f"{hook}/secret-path",
            "ALERT_MAIL": "ada@example.org",
            "DIGEST_FROM": "Lake <lake@example.org>",
            "DIGEST_SMTP_URL": f"smtp://127.0.0.1:{relay.port}",
        }.items():
            monkeypatch.setenv(f"PAPERLAKE_{name}", value)
        for _ in range(2):
            state = freshness(fresh, return_state=True)
            assert state.is_failed()
        [letter] = relay.letters
        assert letter["Subject"] == "paperlake: TooOld in freshness"
        assert "the newest page was fetched at 2026-10-02 18:30 UTC" in part_of(letter)
        [told] = taken
        assert (told["kind"], told["flow"], told["lake"]) == ("TooOld", "freshness", lake_name(fresh))
    text = measured(fresh, utc_now())
    assert samples(text, "paperlake_failures_total") == {"freshness,TooOld": 2}
    assert "RunFailed" in firing(text, utc_now())


def test_an_alert_that_nobody_takes_is_a_warning_without_an_address(caplog: pytest.LogCaptureFixture) -> None:
    relay = {"digest_from": "lake@example.org", "digest_smtp_url": "smtp://127.0.0.1:1"}
    with answering(lambda *_: (410, b"")) as hook:
        settings = Settings(alert_webhook=f"{hook}/secret-path", alert_mail="ada@example.org", **relay)
        send_alert(Alert("lake", "daily", "StoreFailed", "the disk is full"), settings)
    assert caplog.messages == [
        "an alert was not accepted: PAPERLAKE_ALERT_WEBHOOK says 410",
        "an alert was not sent: PAPERLAKE_DIGEST_SMTP_URL: ConnectionRefusedError",
    ]


def test_a_failure_of_which_nobody_took_the_alert_is_reported_by_the_next(
    lake: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    statuses, taken = iter([503, 204]), []
    with answering(lambda _, body: (taken.append(json.loads(body)["kind"]) or next(statuses), b"")) as hook:
        monkeypatch.setenv("PAPERLAKE_ALERT_WEBHOOK", hook)
        for _ in range(3):
            note_failure(lake, "daily", "StoreFailed", "the disk is full")
    assert taken == ["StoreFailed"] * 2


def test_an_alert_does_not_wait_for_an_answer_that_never_ends(caplog: pytest.LogCaptureFixture) -> None:
    is_over = Event()

    def without_end(asked: Any, _: bytes) -> tuple[int, bytes]:
        asked.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
        is_over.wait(30)
        return 200, b""

    with answering(without_end) as hook:
        send_alert(Alert("lake", "daily", "StoreFailed", "the disk is full"), Settings(alert_webhook=hook))
        is_over.set()
    assert caplog.messages == []


def test_a_run_that_finds_nothing_new_ends_the_alert(published: str, sample: Path) -> None:
    """It is no run in Prefect, yet it ends the alert of the failed one before."""
    record_end(published, "daily", "StoreFailed")
    assert samples(measured(published), "paperlake_last_run_failed") == {"daily": 1}
    done = CliRunner().invoke(app, ["run", str(sample), "--lake", published, "--quiet"])
    assert (done.exit_code, "nothing new" in done.stdout) == (0, True), done.output
    assert samples(measured(published), "paperlake_last_run_failed") == {"daily": 0}


def test_a_clock_that_was_ahead_hides_no_failure_and_no_alert(lake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now = utc_now()

    def at(days: int) -> None:
        monkeypatch.setattr("flows.running.run_statistics.utc_now", lambda: now + timedelta(days=days))

    at(30)
    record_end(lake, "daily", SUCCEEDED)
    assert record_alert(lake, "retain", "StoreFailed")
    at(0)
    record_end(lake, "daily", "StoreFailed")
    assert record_alert(lake, "retain", "StoreFailed")
    assert not record_alert(lake, "retain", "StoreFailed")
    _, ends = run_statistics(lake)
    assert max(ends, key=lambda one: one.last_at).kind == "StoreFailed"


def test_a_run_does_not_fail_where_its_statistics_cannot_be_kept(
    published: str, sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("PAPERLAKE_STATE", str(tmp_path / "file"))
    for command in (["run", str(sample)], ["land", str(sample)], ["metrics"]):
        done = CliRunner().invoke(app, [*command, "--lake", published])
        assert done.exit_code == 0, done.output
