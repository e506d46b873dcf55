"""The metrics of a lake: of its latest release, its archive and this machine's runs; and the address that serves them.

Times are instants, not ages: an age in a file is wrong a minute later. Of a lake that cannot be read there is only
the metric that says so.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from http import HTTPStatus
from importlib.metadata import version
from typing import Final

import httpx
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric, SummaryMetricFamily
from prometheus_client.openmetrics.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector, CollectorRegistry

from flows.hub.budget import Budget, CallKind, Clock
from flows.plan.due import missing_list_of_latest
from flows.plan.past_calls import PastCalls
from flows.running.run_statistics import SUCCEEDED, run_statistics
from flows.runtime.lake import open_lake
from flows.runtime.scope import Scope
from flows.runtime.web_servers import BoundedHandler, BoundedServer
from flows.watch.status import Status, status_of
from warehouse.archive.archive import Archive
from warehouse.archive.captured import instant_of
from warehouse.errors import NothingThere, PaperlakeError
from warehouse.release.latest import LAKE_FORMAT, latest_manifest
from warehouse.release.manifest import Manifest
from warehouse.schema.catalog import SCHEMA_VERSION
from warehouse.schema.daily_lists import opens_at
from warehouse.store.local_files import local_files
from warehouse.store.store import Store

KINDS: Final[tuple[CallKind, ...]] = ("api", "pages")
UNREADABLE, EMPTY, PUBLISHED = 0, 1, 2


def metrics_text(lake: str, scope: Scope, clock: Clock) -> bytes:
    """All metrics as OpenMetrics 1.0, which Prometheus' older text parser reads too. A faulty lake is no error here."""
    registry = CollectorRegistry()
    registry.register(_Measured([*_of_lake(lake, scope, clock), *_of_runs(lake)]))
    return bytes(generate_latest(registry))  # type: ignore[no-untyped-call]


class _Measured(Collector):
    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = list(families)

    def collect(self) -> Iterable[Metric]:
        return self._families


def gauge(name: str, words: str, values: float | Mapping[str, float], label: str = "") -> Metric:
    """A metric of one number, or of one for each value of a label."""
    family = GaugeMetricFamily(f"paperlake_{name}", words, labels=[label] if label else [])
    for value, number in values.items() if isinstance(values, Mapping) else (("", values),):
        family.add_metric([value] if label else [], number)
    return family


def _of_lake(lake: str, scope: Scope, clock: Clock) -> Iterator[Metric]:
    build = {"version": version("paperlake"), "schema_version": str(SCHEMA_VERSION), "lake_format": str(LAKE_FORMAT)}
    info = GaugeMetricFamily("paperlake_build_info", "The software that measured this.", labels=[*build])
    info.add_metric([*build.values()], 1)
    yield info
    state, found = PUBLISHED, list[Metric]()
    try:
        store = open_lake(lake)
        found += _of_archive(store, clock)
        found += _of_release(store, scope, clock.now())
    except NothingThere:
        state = EMPTY
    except PaperlakeError:
        state, found = UNREADABLE, []
    yield gauge("lake_state", "Of the lake: 0 it cannot be read, 1 no release yet, 2 there is a release.", state)
    yield from found


def _of_release(store: Store, scope: Scope, now: datetime) -> Iterator[Metric]:
    status = status_of(store, scope, now)
    manifest = latest_manifest(store)
    assert manifest is not None
    with local_files(store) as files:
        is_missing = missing_list_of_latest(files, now) is not None
    yield from _moments(status)
    yield gauge("list_missing", "1 where the newest list that should be there by now is not.", int(is_missing))
    yield gauge("expected_lists", "Lists that the release should have, by what became of them.", status.days, "state")
    yield gauge("unreleased_captures", "Captures that no release has yet.", status.unreleased_capture_count)
    yield gauge("due_calls", "Calls of the Hub that a run would make now.", status.due.count)
    set_aside = status.release.set_aside_count
    yield gauge("set_aside_captures", "Captures from which the latest release takes nothing.", set_aside)
    held = {"releases": status.held.release_bytes, "captures": status.held.capture_bytes}
    yield gauge(
        "lake_bytes",
        "Bytes that all releases take, what they share once, and of captured pages as archived.",
        held,
        "part",
    )
    yield gauge("releases", "Releases that are there.", status.held.release_count)
    yield from _sizes(manifest)


def _moments(status: Status) -> Iterator[Metric]:
    """When the newest page, list and release came; what is not known has no metric."""
    listed = status.last_list
    moments: dict[str, tuple[str, datetime | None]] = {
        "last_capture": ("When the newest page was fetched.", status.captured_at),
        "last_list": ("When the newest list with papers opened.", opens_at(listed.listed_on) if listed else None),
        "last_release": (
            "When the latest release became the latest.",
            instant_of(status.release.moved_at) if status.release.moved_at else None,
        ),
    }
    for name, (words, at) in moments.items():
        if at is not None:
            yield gauge(f"{name}_timestamp_seconds", words, seconds(at))


def _sizes(manifest: Manifest) -> Iterator[Metric]:
    tables = (*manifest.tables, *manifest.marts)
    rows = {table.name: table.row_count for table in tables}
    yield gauge("rows", "Rows of a table in the latest release.", rows, "table")
    sizes = {table.name: sum(file.bytes for file in table.files) for table in tables}
    yield gauge("table_bytes", "Bytes of Parquet of a table in the latest release.", sizes, "table")
    yield gauge("release_bytes", "Bytes of the latest release.", sum(file.bytes for file in manifest.files))
    yield gauge("quarantined_rows", "Rows in quarantine in the latest release.", rows.get("quarantine", 0))


def _of_archive(store: Store, clock: Clock) -> Iterator[Metric]:
    """The calls that the Hub still allows, by the headers of its last answer; the whole quota where that is old."""
    archive = Archive(store)
    history, budget = PastCalls(archive.index(), clock.now()), Budget(clock)
    if history.latest is not None and history.latest.fetched_at is not None:
        age = (clock.now() - history.latest.fetched_at).total_seconds()
        headers = httpx.Headers(list(archive.read(history.latest).headers))
        budget.learn("api", headers, age_seconds=age)
    left: dict[str, float] = {kind: budget.left(kind) for kind in KINDS}
    yield gauge("hub_calls_left", "Calls that the Hub allows without a wait.", left, "kind")


def _of_runs(lake: str) -> Iterator[Metric]:
    """Metrics of this machine's runs on the lake, all in all since the first."""
    steps, ends = run_statistics(lake)
    took = SummaryMetricFamily("paperlake_step_seconds", "What a step takes.", labels=["step"])
    for step in steps:
        took.add_metric([step.step], step.times, step.seconds)
    yield took
    last = {step.step: step.last_seconds for step in steps}
    yield gauge("step_last_seconds", "What a step took the last time.", last, "step")
    failed = CounterMetricFamily("paperlake_failures", "Runs that failed, by error.", labels=["flow", "kind"])
    done = {end.flow: seconds(end.last_at) for end in ends if end.kind == SUCCEEDED}
    lost: dict[str, float] = {}
    for end in (one for one in ends if one.kind != SUCCEEDED):
        failed.add_metric([end.flow, end.kind], end.times)
        lost[end.flow] = max(lost.get(end.flow, 0), seconds(end.last_at))
    yield failed
    yield gauge("last_success_timestamp_seconds", "When a run of a flow did what it should.", done, "flow")
    yield gauge("last_failure_timestamp_seconds", "When a run of a flow failed.", lost, "flow")
    is_lost = {flow: lost.get(flow, 0) > done.get(flow, 0) for flow in done | lost}
    yield gauge("last_run_failed", "1 where no run of a flow did what it should since one failed.", is_lost, "flow")


def seconds(at: datetime) -> float:
    """An instant in UTC without zone as seconds since 1970."""
    return at.replace(tzinfo=UTC).timestamp()


FRESH_SECONDS: Final = 60.0  # a measure reads the archive's index; Prometheus asks every 15 s, and others too
READY: Final = b"paperlake_lake_state 2"


class WatchServer(BoundedServer):
    """Serves the text that `measure` returns, which may take a second to make."""

    def __init__(self, measure: Callable[[], bytes], host: str, port: int) -> None:
        self._measure, self._lock = measure, threading.Lock()
        self._measured, self._at = b"", -FRESH_SECONDS
        super().__init__(host, port, _MetricsHandler)

    def measured(self) -> bytes:
        """The metrics, at most FRESH_SECONDS old; a request that comes while they are measured waits for them."""
        with self._lock:
            if time.monotonic() - self._at >= FRESH_SECONDS:
                self._measured, self._at = self._measure(), time.monotonic()
            return self._measured


class _MetricsHandler(BoundedHandler):
    server: WatchServer

    def give(self, path: str) -> None:
        """Answer one of the three paths."""
        match path:
            case "healthz":
                self.say(HTTPStatus.OK, "alive")
            case "readyz":
                is_ready = any(line.startswith(READY) for line in self.server.measured().splitlines())
                words = "a release is published" if is_ready else 'nothing can be read: "paperlake doctor" says why'
                self.say(HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE, words)
            case "metrics":
                self.answer(HTTPStatus.OK, CONTENT_TYPE_LATEST, self.server.measured())
            case _:
                self.say(HTTPStatus.NOT_FOUND, "here are /metrics, /healthz and /readyz")


@contextmanager
def metrics_server(measure: Callable[[], bytes], host: str, port: int) -> Iterator[str]:
    """Serve the metrics from a thread of its own; yields their address."""
    server = WatchServer(measure, host, port)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://{server.host}/metrics"
    finally:
        server.shutdown()
        server.server_close()
