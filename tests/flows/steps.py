"""The steps of a run without Prefect.

They are dated on one day, so that the same test makes the same releases on any. A test that has a command of
paperlake's work on the same lake gives `now=utc_now()`: the clock that the command has.
"""

import gzip
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from expectations.report import Report
from flows.documents import changes, site_files
from flows.runtime.lake import open_database, open_lake
from flows.steps import build_draft, land_inputs, write_release
from flows.steps import make_draft as making
from flows.steps.release_documents import Material
from flows.tasks.spread import SIZES, TaskSizes
from tests import invented
from tests.gate_here import GateHere, OpenGate
from warehouse.archive.archive import Archive
from warehouse.archive.captured import Capture, Limits
from warehouse.archive.writer import Landed
from warehouse.changes.row_steps import INDEX
from warehouse.release import moves
from warehouse.release.database import whole_script
from warehouse.release.draft import name_current
from warehouse.release.latest import DATABASE, MANIFEST, latest_manifest, release_key
from warehouse.release.made_again import SCRIPT
from warehouse.release.manifest import Draft, Manifest, encode
from warehouse.release.snapshot import locate, open_snapshot
from warehouse.schema.catalog import CHANGES, CORE_TABLES
from warehouse.store.local_files import local_files

NOW = datetime(2026, 11, 21, 6, 0)
TODAY = NOW.date()


def run(lake: str, paths: Sequence[Path], **how: Any) -> Manifest | None:
    """Land, build, check and publish; None where nothing was new."""
    land(lake, paths, how.get("now", NOW))
    return publish_new(lake, **how)


def run_captures(lake: str, captures: Sequence[Capture], sizes: TaskSizes = SIZES, **how: Any) -> Manifest | None:
    Archive(open_lake(lake)).write(captures, now=NOW)
    return publish_new(lake, sizes=sizes, **how)


def publish_new(
    lake: str,
    *,
    from_raw: bool = False,
    now: datetime = NOW,
    corrections: Path | None = None,
    sizes: TaskSizes = SIZES,
    is_bare: bool = False,
) -> Manifest | None:
    """Build, check and publish; None where nothing was new. One that `is_bare` has few documents: `bare_releases`."""
    with bare_releases() if is_bare else nullcontext():
        draft = make_draft(lake, from_raw=from_raw, corrections=corrections, sizes=sizes)
        if draft is None:
            return None
        report = check_draft(lake, draft)
        assert report.passed, [str(result) for result in report.failed]
        manifest = write(lake, now.date())
        move(lake, manifest, now)
        return manifest


def land(lake: str, paths: Sequence[Path], now: datetime = NOW) -> Landed:
    return land_inputs.land_inputs(open_lake(lake), paths, limits=Limits(), now=now)


def make_draft(
    lake: str, *, from_raw: bool = False, corrections: Path | None = None, sizes: TaskSizes = SIZES
) -> Draft | None:
    with local_files(open_lake(lake)) as files:
        return making.make_draft(files, from_raw=from_raw, corrections=corrections, sizes=sizes)


def check_draft(lake: str, draft: Draft, accepted_loss: str | None = None) -> Report:
    with local_files(open_lake(lake)) as files:
        return build_draft.check_draft(files, draft, GateHere(), accepted_loss=accepted_loss)


def write(lake: str, today: date = TODAY, draft: Draft | None = None) -> Manifest:
    with local_files(open_lake(lake)) as files:
        return write_release.write_release(files, draft, today=today)


def move(lake: str, manifest: Manifest, now: datetime = NOW) -> None:
    write_release.move_latest(open_lake(lake), manifest, now=now)


def publish(lake: str, today: date = TODAY, draft: Draft | None = None) -> Manifest:
    manifest = write(lake, today, draft)
    move(lake, manifest)
    return manifest


def build_unchecked(lake: str, captures: Sequence[Capture]) -> Draft:
    """Land and build a draft; the gate is left out, a third of the cost of a small release."""
    store = open_lake(lake)
    Archive(store).write(captures, now=NOW)
    return name_current(store, make_draft(lake), b'{"results":[]}')


def publish_unchecked(lake: str) -> Manifest:
    """Release what was landed, with few documents: for tests of what follows it."""
    draft = make_draft(lake)
    with bare_releases():
        return publish(lake, draft=name_current(open_lake(lake), draft, b'{"results":[]}'))


def publish_tables(lake: str, draft: Draft | None = None, report: bytes = b'{"results":[]}') -> Manifest:
    """Release the tables of what was landed, as files alone, for a fifth of the work: what is planned and built next
    needs no more. Marts and all documents are made of the database, which is not there; nor can a whole release follow.
    """
    store, draft = open_lake(lake), draft or make_draft(lake)
    ready = name_current(store, draft, report)
    files = tuple(file for table in draft.tables for file in table.files)
    version = f"{TODAY:%Y.%m.%d}.{len(moves.moves(store)) + 1}"
    for file in files:
        store.copy_new(locate(draft, file.key), release_key(version, file.key))
    facts = draft.schema_version, draft.code_version, draft.parent, draft.capture_count
    of_draft = {"checks": ready.report, "decisions": draft.decisions}
    manifest = Manifest(version, *facts, draft.captures_sha256, draft.tables, files, **of_draft)
    store.put_new(release_key(version, MANIFEST), encode(manifest))
    moves.publish(store, manifest, at=NOW)
    return manifest


@contextmanager
def open_gate() -> Iterator[None]:
    """Every draft that is checked meanwhile passes unread: a third of the cost of a small release."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.flows.steps.GateHere", OpenGate)
        yield


@contextmanager
def bare_releases(
    *,
    with_causes: bool = False,
    with_gate: bool = False,
    more: Callable[[Material], Mapping[str, bytes]] = lambda _: {},
) -> Iterator[None]:
    """Releases made meanwhile have the tables, the database, a README and `more`: no other documents, and no gate before.

    These take two thirds of the time; the gate is there where it is wanted. They are not compared with the release before, unless causes are wanted; then
    they have the step from it too.
    """

    def few(given: Material) -> dict[str, bytes]:
        return {"README.md": b"# Papers", **more(given)}

    def followed(given: Material) -> dict[str, bytes]:
        index = changes.index_json(given.notes, given.changes, given.step.tables)
        return few(given) | {INDEX: index, **given.step.files}

    with pytest.MonkeyPatch.context() as patch:
        if not with_gate:
            patch.setattr("tests.flows.steps.GateHere", OpenGate)
        patch.setattr(write_release, "documents", followed if with_causes else few)
        if not with_causes:
            patch.setattr(write_release.SinceParent, "of", lambda *_: CHANGES.empty())
            patch.setattr(changes, "changes", lambda *_: {"tables": (), "list_days": (), "rekeyed": ()})
        yield


def script(given: Material) -> dict[str, bytes]:
    """What the database of a release is made again of."""
    return {SCRIPT: whole_script().encode(), **given.about}


@contextmanager
def little_explorer(folder: Path) -> Iterator[None]:
    """Releases made meanwhile have an explorer in which a few bytes stand for the 9 MB of third-party files."""
    folder.mkdir()
    for path in site_files.ASSETS.glob("*"):
        (folder / path.name).write_bytes(gzip.compress(b"") if path.suffix == ".gz" else b"//")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(site_files, "ASSETS", folder)
        yield


def list_of(day: date, papers: int = 3) -> Capture:
    """The list of a day as the Hub gave it in the evening of that day."""
    fetched_at = datetime.combine(day, time(18, 30))
    shown = [invented.paper(number, day) for number in range(1, papers + 1)]
    return Capture(
        payload=invented.as_json(invented.daily_answer(shown, fetched_at)),
        url=f"{invented.HUB}/api/daily_papers?date={day}",
        fetched_at=fetched_at,
        http_status=200,
        content_type="application/json",
    )


def table(lake: str, name: str) -> pl.DataFrame:
    """A table of the latest release, as its database has it where there is one."""
    manifest = latest_manifest(open_lake(lake))
    if DATABASE not in {file.key for file in manifest.files}:
        with open_snapshot(open_lake(lake), manifest) as snapshot:
            return snapshot.read(next(table for table in CORE_TABLES if table.name == name))
    with duckdb.connect(str(open_database(lake)), read_only=True) as connection:
        return connection.sql(f"FROM core.{name}").pl()


def drafted(lake: str, name: str) -> pl.DataFrame:
    """A table of the draft of what was landed, for a fifth of the work of a release."""
    with open_snapshot(open_lake(lake), make_draft(lake)) as snapshot:
        return snapshot.read(next(table for table in CORE_TABLES if table.name == name))


def hashes(lake: str) -> dict[str, str]:
    """SHA-256 of every Parquet file of the latest release."""
    manifest = latest_manifest(open_lake(lake))
    return {file.key: file.sha256 for part in (*manifest.tables, *manifest.marts) for file in part.files}
