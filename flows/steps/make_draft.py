"""Step `make draft`: unread captures become sightings, sightings become tables, tables become a draft.

One builder makes them, of whatever changed: on top of a release of this paperlake the papers that new captures show,
after a change of its code all papers, from raw all captures too.
"""

import hashlib
from collections.abc import Collection, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple, Self

import polars as pl
from msgspec.structs import replace

import transforms
from flows.running.gate_process import GateProcess
from flows.runtime.encoder import encoder
from flows.runtime.progress import track
from flows.steps.corrections_file import corrections_of
from flows.steps.standing import decided_otherwise, last_published, reason_of
from flows.steps.what_is_new import is_corrected_alike
from flows.tasks.base import Base, can_follow
from flows.tasks.build import Build
from flows.tasks.read_chunk import ChunkRead, SeenBefore, chunks, nothing_read, read_chunk, read_seen
from flows.tasks.spread import SIZES, TaskSizes
from flows.tasks.workplace import Workplace, workplace
from transforms.collect.collect import JSON_READERS, Collected
from transforms.collect.source_paths import era_of
from warehouse import schema
from warehouse.archive.archive import Archive
from warehouse.archive.index import IndexEntry
from warehouse.errors import NothingThere
from warehouse.release.manifest import Decisions, Draft, Manifest
from warehouse.release.schema_changes import changed_tables, require_not_newer
from warehouse.release.snapshot import Snapshot, latest_release, locate
from warehouse.schema import places
from warehouse.schema.core import PAGE_TABLES
from warehouse.schema.core.captures import CAPTURES, QUARANTINE, SCHEMA_PATHS
from warehouse.schema.core.search import SEARCH_EMBEDDINGS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.store.local_files import LocalFiles

READ_RESULTS: Final = (CAPTURES, SIGHTINGS, QUARANTINE, SCHEMA_PATHS, *PAGE_TABLES)
# No difference between two releases with the same digest of the code in these rooms is the code's
ROOMS: Final = tuple(Path(str(room.__file__)).parent for room in (transforms, schema))
COMPILED: Final = "__pycache__"


class KnownPages(NamedTuple):
    """What is not read again: the pages of a release, but for the captures `again`; no release where all are read.

    Those of them that are not in `changed` are read for `schema_paths` alone: what they show is as the release has it.
    """

    release: Snapshot[Manifest] | None
    again: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()

    @classmethod
    def but(cls, release: Snapshot[Manifest] | None, changed: frozenset[str]) -> Self:
        """All but those that changed, and those counted with them in `schema_paths`, where none can be taken away."""
        if release is None or not changed:
            return cls(release)
        captures = release.read(CAPTURES)
        eras = _eras(captures.filter(pl.col("capture_id").is_in(changed)))
        counted = captures["capture_id"].filter(_era_keys(captures).is_in(eras.implode()))
        return cls(release, changed | frozenset(counted), changed)

    @property
    def pages(self) -> Collected:
        """The tables of its pages. Whoever reads captures again reads all of the same eras of `schema_paths`."""
        none = nothing_read()
        if self.release is None:
            return none
        captures, quarantine, paths = map(self.release.read, (CAPTURES, QUARANTINE, SCHEMA_PATHS))
        eras = _eras(captures.filter(pl.col("capture_id").is_in(self.again)))
        is_again = pl.struct("reader", "list_kind", "era").is_in(eras.implode())
        stays = ~pl.col("capture_id").is_in(self.again)
        around = {table.name: self.release.read(table).filter(stays) for table in PAGE_TABLES}
        kept = Collected(captures.filter(stays), none.sightings, quarantine.filter(stays), paths.filter(~is_again))
        return kept._replace(**around)

    @property
    def cohorts(self) -> list[str]:
        """The cohorts of papers that the captures showed which changed."""
        if self.release is None or not self.changed:
            return []
        seen = self.release.select(SIGHTINGS, ["capture_id", "paper_id"])
        return (
            seen.filter(pl.col("capture_id").is_in(self.changed)).select(places.COHORT).to_series().unique().to_list()
        )


def make_draft(  # noqa: PLR0913 - what a draft is made of
    files: LocalFiles,
    *,
    from_raw: bool,
    semantic: bool = False,
    corrections: Path | None = None,
    gate: GateProcess | None = None,
    sizes: TaskSizes = SIZES,
    decisions: Decisions | None = None,
) -> Draft | None:
    """Tables for the next release, written as a draft; None where they would be those of the latest release.

    The texts of a `semantic` one are read by a language model too. `corrections` is the file that declares them;
    without one they are those of the release published last, as are the `decisions` about pages. The `gate` is started
    as soon as there is a draft to make.
    """
    store, parent = files.store, latest_release(files)
    changed = changed_tables(parent) if parent else set()
    if parent and changed:
        require_not_newer(parent.of, version("paperlake"))
    before = parent if not from_raw and changed.isdisjoint(table.name for table in READ_RESULTS) else None
    entries = Archive(store).index()
    if not entries:
        raise NothingThere(f'nothing has been landed in {store.url}; run "paperlake land PATH" first')
    landed = set(before.read(CAPTURES)["capture_id"]) if before else set()
    unread = [entry for entry in entries if entry.capture_id not in landed]
    newest = last_published(files, parent)
    declared = corrections_of(corrections, newest, store)
    held, in_force = (one.of.decisions if one else () for one in (parent, newest))
    decided = in_force if decisions is None else decisions
    is_decided_anew = bool(
        newest and newest is not parent and (decided != in_force or not is_corrected_alike(newest, declared))
    )
    is_known = not unread and not changed and not is_decided_anew
    if before and is_known and decided == held and is_corrected_alike(before, declared):
        return None
    if gate is not None:
        gate.start()
    known = KnownPages.but(before, decided_otherwise(held, decided) & landed)
    unread += [entry for entry in entries if entry.capture_id in known.again]
    return _drafted(
        files,
        unread,
        known,
        parent,
        declared,
        decisions=decided,
        is_decided_anew=is_decided_anew,
        semantic=semantic,
        sizes=sizes,
    )


def remake(  # noqa: PLR0913 - what a draft is made of
    files: LocalFiles,
    release: Snapshot[Manifest],
    again: Collection[str],
    corrections: pl.DataFrame,
    *,
    decisions: Decisions | None = None,
    sizes: TaskSizes = SIZES,
) -> Draft | None:
    """A draft on top of a release of which these captures are read again: raw has other bytes for them now.

    Its `decisions` are the release's, unless they are given.

    A language model has read its texts if one had read those of the release. None where nothing differs. Captures that
    raw no longer has are not in the draft.
    """
    decided = release.of.decisions if decisions is None else decisions
    known = KnownPages.but(release, frozenset(again) | decided_otherwise(release.of.decisions, decided))
    entries = [entry for entry in Archive(files.store).index() if entry.capture_id in known.again]
    semantic = bool(release.tables[SEARCH_EMBEDDINGS.name].row_count)
    return _drafted(files, entries, known, release, corrections, decisions=decided, semantic=semantic, sizes=sizes)


def _drafted(  # noqa: PLR0913 - what a draft is made of
    files: LocalFiles,
    entries: Sequence[IndexEntry],
    known: KnownPages,
    parent: Snapshot[Manifest] | None,
    corrections: pl.DataFrame,
    *,
    decisions: Decisions,
    is_decided_anew: bool = False,
    semantic: bool,
    sizes: TaskSizes,
) -> Draft | None:
    """The draft of what the release shows that is known, and of these captures."""
    store, before = files.store, known.release
    with workplace(store, sizes) as at:
        aside = {one.capture_id: reason_of(one) for one in decisions if one.is_aside}
        asked = list(chunks(entries, store.url, at.place.url, sizes, aside, known.again - known.changed))
        read = list(track(at.spread(read_chunk, asked), "reading", len(asked)))
        follows = before if before and not changed_tables(before) and can_follow(before, semantic=semantic) else None
        again = known.cohorts if follows else []
        base = Base(at.place, follows, again)
        if before and (again or not follows):
            read += _seen_before(at, before, base, known.changed)
        encode = encoder() if semantic else None
        made = Build(files, at, read, base, parent=parent, pages=known.pages)
        draft = made.draft(corrections, encode, decisions=decisions, is_decided_anew=is_decided_anew)
    return replace(draft, code_sha256=code_digest(semantic=semantic)) if draft else None


def _seen_before(at: Workplace, before: Snapshot[Manifest], base: Base, but: frozenset[str]) -> list[ChunkRead]:
    """The sightings of a release as chunks: of the cohorts that are placed anew, or of all if it cannot be followed."""
    lake, cohorts = before.files.store.url, base.again if base.release else None
    files = base.files(SIGHTINGS, base.again) if base.release else before.tables[SIGHTINGS.name].files
    kept = [
        SeenBefore(lake, at.place.url, f"kept/{number}", locate(before.of, file.key), cohorts, tuple(sorted(but)))
        for number, file in enumerate(files)
    ]
    return list(at.spread(read_seen, kept))


def _eras(captures: pl.DataFrame) -> pl.Series:
    """The eras of these captures: reader, kind of list and month, of those that `schema_paths` counts."""
    return _era_keys(captures).drop_nulls().unique()


def _era_keys(captures: pl.DataFrame) -> pl.Series:
    eras = [era_of(*days) for days in captures.select("listed_on", "fetched_at").iter_rows()]
    key = pl.struct(
        pl.col("reader").fill_null(""), pl.col("list_kind").fill_null(""), era=pl.Series(eras, dtype=pl.String)
    )
    return captures.select(pl.when(pl.col("reader").is_in(JSON_READERS)).then(key).alias("key")).to_series()


def code_digest(*, semantic: bool) -> str:
    """SHA-256 over all files by which pages are read and tables made, and whether a language model reads too."""
    found = hashlib.sha256(b"semantic" if semantic else b"")
    for room in ROOMS:
        for path in sorted(path for path in room.rglob("*") if path.is_file() and COMPILED not in path.parts):
            found.update(f"{path.relative_to(room).as_posix()} {path.stat().st_size}\n".encode())
            found.update(path.read_bytes())
    return found.hexdigest()
