"""OpenLineage events of whole runs: as the specification has them, whole, and without a secret or a person."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import attr
import pytest
from openlineage.client import event_v2

from flows.running.how import traced
from flows.running.lineage import PRODUCER
from flows.runtime.lake import open_lake
from flows.steps.land_inputs import land_inputs
from tests.flows import steps
from tests.serving import answering
from warehouse.archive.captured import Limits
from warehouse.errors import GateClosed, UsageError
from warehouse.release.latest import latest_manifest
from warehouse.schema.catalog import ALL_TABLES, CORE_TABLES, MART_TABLES

Event = dict[str, Any]
SECRET = "do-not-show-this"


def facets_of(value: Any) -> Iterator[Event]:
    """Every facet at any depth."""
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        if isinstance(one, dict) and "_schemaURL" in one:
            yield one
        yield from facets_of(one)


def validate(event: Event) -> None:
    """By the specification, what no type says: mypy holds the rest against the client's classes."""
    assert event.keys() == {field.name for field in attr.fields(event_v2.RunEvent)}
    assert UUID(event["run"]["runId"])
    assert datetime.fromisoformat(event["eventTime"]).utcoffset() is not None
    assert {facet["_producer"] for facet in facets_of(event)} == {PRODUCER}


def events_of(path: Path) -> list[Event]:
    events = [json.loads(line) for line in path.read_text().splitlines()]
    for event in events:
        validate(event)
    return events


def outputs(event: Event) -> dict[str, Event]:
    return {one["name"]: one for one in event["outputs"]}


@pytest.fixture
def events_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PAPERLAKE_LINEAGE", str(tmp_path / "events.jsonl"))
    monkeypatch.setenv("PAPERLAKE_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("PAPERLAKE_HUB_TOKEN", SECRET)
    return tmp_path / "events.jsonl"


def require_told(lake: str, events_in: Path) -> None:
    """A run sent what it made of what (tests/flows/test_prefect.py)."""
    events = events_of(events_in)
    assert [(one["job"]["name"], one["eventType"]) for one in events] == [
        (f"lake/{job}", kind) for job in ("land", "build", "publish") for kind in ("START", "COMPLETE")
    ]
    assert len({one["run"]["runId"] for one in events}) == 3
    _, land, _, build, _, publish = events
    manifest = latest_manifest(open_lake(lake))
    rows = {f"lake/core/{table.name}": table.row_count for table in manifest.tables}
    assert {name: one["outputFacets"]["outputStatistics"]["rowCount"] for name, one in outputs(build).items()} == rows
    assert {name.partition("/core/")[2] for name in rows} == {table.name for table in CORE_TABLES}
    assert {*outputs(publish)} == {"lake/releases", *(f"lake/mart/{mart.name}" for mart in manifest.marts)}
    assert {mart.name for mart in manifest.marts} <= {mart.name for mart in MART_TABLES}
    assert outputs(publish)["lake/releases"]["facets"]["version"]["datasetVersion"] == manifest.version
    assert outputs(land)["lake/raw"]["outputFacets"]["outputStatistics"]["rowCount"] == manifest.capture_count
    papers = outputs(build)["lake/core/papers"]["facets"]
    title = papers["columnLineage"]["fields"]["title"]
    assert [(one["namespace"], one["name"], one["field"]) for one in title["inputFields"]] == [
        ("file", "lake/raw", "paper.title"),
        ("file", "lake/raw", "title"),
    ]
    assert {"name": "title", "type": "VARCHAR"}.items() <= next(
        one for one in papers["schema"]["fields"] if one["name"] == "title"
    ).items()
    checks = papers["dataQualityAssertions"]["assertions"]
    assert checks
    assert all(one["success"] for one in checks)
    text = events_in.read_text()
    assert SECRET not in text
    assert str(Path(lake).parent) not in text
    people = {name for (name,) in steps.table(lake, "paper_authors").select("name").unique().iter_rows()}
    assert len(people) > 20
    assert not [name for name in people if name in text]


def test_a_failed_run_sends_its_error_and_no_row(lake: str, events_in: Path) -> None:
    with pytest.raises(GateClosed), traced(open_lake(lake), "build"):
        raise GateClosed("papers: a title of Ada Lund is wrong")
    start, fail = events_of(events_in)
    assert (start["eventType"], fail["eventType"]) == ("START", "FAIL")
    assert fail["run"]["facets"]["errorMessage"]["message"] == "GateClosed, exit code 4"
    assert "Ada Lund" not in events_in.read_text()


def test_a_service_gets_events_with_its_key(
    lake: str, sample: Path, events_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = []

    def keep(asked: Any, event: bytes) -> tuple[int, bytes]:
        taken.append((asked.path, asked.headers["Authorization"], json.loads(event)))
        return 201, b""

    with answering(keep) as url:
        monkeypatch.setenv("PAPERLAKE_LINEAGE", url)
        monkeypatch.setenv("PAPERLAKE_LINEAGE_KEY", SECRET)
        store = open_lake(lake)
        with traced(store, "land") as run:
            landed = land_inputs(store, [sample / "saved.txt"], limits=Limits(), now=steps.NOW)
            run.landed(landed, "files")
    assert [(path, key) for path, key, _ in taken] == [("/api/v1/lineage", f"Bearer {SECRET}")] * 2
    for _, _, event in taken:
        validate(event)
        assert SECRET not in json.dumps(event)


def test_events_that_cannot_be_sent_stop_no_run(
    lake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("flows.running.lineage.log.propagate", True)
    for where in (str(tmp_path / "none" / "events.jsonl"), "http://127.0.0.1:9"):
        monkeypatch.setenv("PAPERLAKE_LINEAGE", where)
        with traced(open_lake(lake), "land"):
            pass
    assert {one.getMessage().partition(" (")[0] for one in caplog.records if one.name == "paperlake"} == {
        "lineage was not sent: look at PAPERLAKE_LINEAGE"
    }


def test_the_extra_is_asked_for_only_where_it_is_needed(lake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flows.running.how.find_spec", lambda _: None)
    with traced(open_lake(lake), "land") as run:
        assert run is None
    monkeypatch.setenv("PAPERLAKE_LINEAGE", "events.jsonl")
    with pytest.raises(UsageError, match=r"paperlake\[lineage\]"), traced(open_lake(lake), "land"):
        pass


def test_every_source_in_a_table_is_a_column_of_it() -> None:
    declared = {table.name: table for table in ALL_TABLES}
    named = [
        one.partition(".")[::2]
        for table in ALL_TABLES
        for column in table.columns
        for one in column.sources
        if one.partition(".")[0] in declared
    ]
    assert len(named) > 20
    assert all(column in declared[table].schema for table, column in named)
