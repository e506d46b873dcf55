"""OpenLineage events of a run: what each job read and made, column by column, what the gate found, which version it is.

Names of tables and columns, counts, hashes and versions; no row, no message that quotes one, and no path of a machine.
The client is of `paperlake[lineage]`: this module is imported only where somebody wants events (docs/lineage.md).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC
from importlib.metadata import version
from typing import Any, Final
from uuid import uuid4

from openlineage.client import event_v2 as events
from openlineage.client import facet_v2
from openlineage.client.transport.file import FileConfig, FileTransport
from openlineage.client.transport.http import ApiKeyTokenProvider, HttpConfig, HttpTransport

from expectations.report import Report
from flows.runtime.environment import utc_now, variable
from flows.runtime.progress import log
from flows.runtime.settings import Settings
from warehouse.archive.writer import Landed
from warehouse.errors import PaperlakeError
from warehouse.printable import counted
from warehouse.release.manifest import Draft, Manifest, TableFiles
from warehouse.schema.catalog import DECLARED
from warehouse.schema.ddl import type_of
from warehouse.schema.table import Table
from warehouse.store.store import Store

PRODUCER: Final = "https://paperlake.example/openlineage"  # a name, not a place; the version is a facet
JOBS: Final = "paperlake"


@dataclass(slots=True)
class Traced:
    """The inputs and outputs of a running job so far."""

    store: Store
    inputs: list[events.InputDataset] = field(default_factory=list)
    outputs: list[events.OutputDataset] = field(default_factory=list)

    def landed(self, landed: Landed, source: str) -> None:
        """Pages came from `source` into the archive."""
        self.inputs.append(events.InputDataset(source, "pages"))
        size = _size(landed.landed_count, landed.stored_bytes, len(landed.warcs))
        self.outputs.append(events.OutputDataset(*_name(self.store, "raw"), outputFacets=size))

    def built(self, draft: Draft) -> None:
        """Captures became tables; the gate looked at them."""
        self.inputs.append(events.InputDataset(*_name(self.store, "raw")))
        report = Report.from_json(bytes(draft.report))
        self.outputs += [_table(self.store, table, draft.draft_id, report) for table in draft.tables]

    def published(self, manifest: Manifest) -> None:
        """Tables became a release, with marts."""
        read = (table.name for table in manifest.tables)
        self.inputs += [events.InputDataset(*_name(self.store, f"core/{name}")) for name in read]
        report = Report.from_json(bytes(manifest.checks))
        self.outputs += [_table(self.store, mart, manifest.version, report) for mart in manifest.marts]
        facets = _facets(version_=manifest.version)
        self.outputs.append(events.OutputDataset(*_name(self.store, "releases"), facets=facets))


@contextmanager
def emitting_events(store: Store, job: str, settings: Settings) -> Iterator[Traced]:
    """Emit events when a job begins and ends. No job fails because of events."""
    emit, run, run_id = _emitter(settings), Traced(store), str(uuid4())
    emit(_event("START", job, run_id, run))
    try:
        yield run
    except PaperlakeError as error:
        emit(_event("FAIL", job, run_id, run, error))
        raise
    emit(_event("COMPLETE", job, run_id, run))


def _emitter(settings: Settings) -> Callable[[events.RunEvent], None]:
    """A function that sends events to a file, a line each, or to a service; a failure is a warning."""
    where, key = settings.lineage or "", settings.lineage_key
    transport: FileTransport | HttpTransport
    if "://" in where:
        auth = {"auth": ApiKeyTokenProvider({"apiKey": key.get_secret_value()})} if key else {}
        transport = HttpTransport(HttpConfig(url=where, retry={"total": 1}, **auth))  # type: ignore[arg-type]
    else:
        transport = FileTransport(FileConfig(log_file_path=where, append=True))

    def emit(event: events.RunEvent) -> None:
        try:
            transport.emit(event)
        except (OSError, RuntimeError) as error:  # as is every error of its HTTP library
            log.warning("lineage was not sent: look at %s (%s)", variable("lineage"), type(error).__name__)

    return emit


def _event(kind: str, job: str, run_id: str, run: Traced, error: PaperlakeError | None = None) -> events.RunEvent:
    engine = facet_v2.processing_engine_run.ProcessingEngineRunFacet(
        version("paperlake"), "paperlake", producer=PRODUCER
    )
    of_run: dict[str, Any] = {"processing_engine": engine}
    if error is not None:  # its message may quote rows
        words = f"{type(error).__name__}, exit code {error.exit_code}"
        of_run["errorMessage"] = facet_v2.error_message_run.ErrorMessageRunFacet(words, "Python", producer=PRODUCER)
    of_job: dict[str, Any] = {
        "jobType": facet_v2.job_type_job.JobTypeJobFacet("BATCH", "PAPERLAKE", "JOB", producer=PRODUCER)
    }
    return events.RunEvent(
        eventType=events.RunState[kind],
        eventTime=utc_now().replace(tzinfo=UTC).isoformat(),
        run=events.Run(run_id, of_run),
        job=events.Job(JOBS, _name(run.store, job)[1], of_job),
        producer=PRODUCER,
        inputs=[*run.inputs],
        outputs=[*run.outputs],
    )


def _name(store: Store, key: str) -> tuple[str, str]:
    """Namespace and name of a key in a lake. A local lake goes by its last folder, as its path may name a person.

    A bucket is `s3://bucket`, and the lake's folder in it begins the name.
    """
    if store.folder is not None:
        return "file", f"{store.folder.absolute().name}/{key}"
    scheme, _, rest = store.url.partition("://")
    bucket, _, folder = rest.rstrip("/").partition("/")
    return f"{scheme}://{bucket}", "/".join(part for part in (folder, key) if part)


def _table(store: Store, made: TableFiles, version_: str, report: Report) -> events.OutputDataset:
    table = DECLARED[made.name]
    size = _size(made.row_count, sum(file.bytes for file in made.files), len(made.files))
    facets = _facets(version_=version_) | _declared(store, table) | _checked(made.name, report)
    return events.OutputDataset(*_name(store, f"{table.layer}/{table.name}"), outputFacets=size, facets=facets)


def _size(rows: int, size: int, files: int) -> dict[str, Any]:
    facet = facet_v2.output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet
    return {"outputStatistics": facet(rowCount=rows, size=size, fileCount=files, producer=PRODUCER)}


def _facets(*, version_: str) -> dict[str, Any]:
    return {"version": facet_v2.dataset_version_dataset.DatasetVersionDatasetFacet(version_, producer=PRODUCER)}


def _declared(store: Store, table: Table) -> dict[str, Any]:
    """Columns with type and meaning, and what each is made of."""
    fields = [
        facet_v2.schema_dataset.SchemaDatasetFacetFields(column.name, type_of(column.dtype), column.description)
        for column in table.columns
    ]
    made_of = {
        column.name: facet_v2.column_lineage_dataset.Fields(
            [
                facet_v2.column_lineage_dataset.InputField(*_name(store, key), name)
                for key, name in map(_input, column.sources)
            ],
            column.source_in_words,
        )
        for column in table.columns
        if column.sources
    }
    return {
        "schema": facet_v2.schema_dataset.SchemaDatasetFacet(fields, producer=PRODUCER),
        "columnLineage": facet_v2.column_lineage_dataset.ColumnLineageDatasetFacet(made_of, producer=PRODUCER),
    }


def _input(source: str) -> tuple[str, str]:
    """The key of a dataset and a column of it: of another table, or a path in captured pages.

    >>> _input("papers.first_listed_on"), _input("paper.title")
    (('core/papers', 'first_listed_on'), ('raw', 'paper.title'))
    """
    table, _, column = source.partition(".")
    return (f"{DECLARED[table].layer}/{table}", column) if table in DECLARED else ("raw", source)


def _checked(table: str, report: Report) -> dict[str, Any]:
    """The gate's findings on a table: rules and counts, no example of a row."""
    found = [
        facet_v2.data_quality_assertions_dataset.Assertion(
            f"{result.kind}: {result.rule}", result.passed, actual=counted(result.failed_count, "row")
        )
        for result in report.results
        if result.table == table
    ]
    if not found:
        return {}
    facet = facet_v2.data_quality_assertions_dataset.DataQualityAssertionsDatasetFacet(found, producer=PRODUCER)
    return {"dataQualityAssertions": facet}
