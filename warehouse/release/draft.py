"""Drafts: the tables of a future release, written whole to the lake before anyone may publish them.

A draft lies under `drafts/<draft_id>/`. Its id begins with the release that it follows, which shows whether it may be
published still, and ends with a hash of its content. `drafts/current.json` holds the draft that passed the gate last,
if it is not published yet; one that did not pass keeps its report and is never named there. The first object of a
release names the draft that it is made from, which so claims its version.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from itertools import count
from operator import attrgetter
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import polars as pl
from msgspec import Struct
from msgspec.structs import replace

from warehouse.errors import Damaged, GateClosed, NothingThere, Superseded
from warehouse.release import parquet
from warehouse.release.latest import CURRENT, DRAFTS, MANIFEST, NO_DRAFT, latest, parent_of, release_key
from warehouse.release.manifest import (
    Decision,
    Draft,
    File,
    Manifest,
    Parent,
    TableFiles,
    decode,
    digest,
    encode,
    identity_of,
)
from warehouse.release.moves import OVERTAKEN
from warehouse.release.parquet import Part
from warehouse.release.schema_changes import changed_tables
from warehouse.release.snapshot import Snapshot, draft_key, is_sound
from warehouse.schema.catalog import CORE_TABLES, SCHEMA_VERSION, schema_digest
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.schema.table import Table
from warehouse.store.local_files import LocalFiles, sha256
from warehouse.store.store import Store, change_object, read_if_there

CLAIM: Final = "draft.json"
CLAIM_DAY: Final = "claimed_on"  # beside the draft: the day in the version of the release that it becomes
WHAT: Final = attrgetter("code_version", "tables")  # of a draft or a release: what follows from the raw pages


class Drafted(NamedTuple):
    """The files of each table of a draft, and the keys of those that lie in its parent only."""

    files: dict[str, list[File]]
    held: set[str]


def describe(  # noqa: PLR0913 - what a draft is made of
    drafted: Drafted,
    captures: pl.Series,
    parent: Snapshot[Manifest] | None,
    code_version: str,
    *,
    source_changes: tuple[str, ...] = (),
    decisions: tuple[Decision, ...] = (),
    is_decided_anew: bool = False,
) -> Draft | None:
    """The draft with these files; None where files, columns, revisions and decisions are the parent's.

    A draft of which something was decided anew is made all the same.
    """
    before = {file.key for table in parent.of.tables for file in table.files} if parent else set()
    now = {file.key for table in drafted.files.values() for file in table}
    is_same = parent and drafted.held == before == now and decisions == parent.of.decisions
    is_changed = parent is not None and bool(changed_tables(parent))
    if is_same and not is_decided_anew and not is_changed:
        return None
    described = tuple(_described(table, drafted.files[table.name]) for table in CORE_TABLES)
    follows = Parent(parent.name, parent.manifest_sha256) if parent else None
    schema_version = parent.of.schema_version + is_changed if parent else SCHEMA_VERSION
    return Draft(
        draft_id=begins(follows) + identity_of(follows, schema_version, code_version, described),
        schema_version=schema_version,
        code_version=code_version,
        parent=follows,
        capture_count=captures.len(),
        captures_sha256=digest("\n".join(captures).encode()),
        tables=described,
        kept=tuple(sorted(drafted.held)),
        source_changes=source_changes,
        decisions=decisions,
    )


def put_draft(store: Store, draft: Draft, path: Callable[[str], Path]) -> Draft:
    """Put those files of a draft into the lake that its parent does not have; `path` finds each on this machine."""
    for table in draft.tables:
        for file in table.files:
            if file.key not in draft.kept:
                store.put_file_new(draft_key(draft.draft_id, file.key), path(file.key))
    return draft


def held(files: LocalFiles, at: str, file: File | None, part: Part) -> File | None:
    """A release's file, if it is sound and has the same rows as the part; else None."""
    if file is None or not is_sound(files, at, file) or parquet.row_count(files.path(at)) != part.frame.height:
        return None
    frame = pl.read_parquet(files.path(at))
    return _with_figures(file, part) if frame.schema == part.frame.schema and frame.equals(part.frame) else None


def write_part(folder: Path, part: Part) -> File:
    path = folder / part.key
    path.parent.mkdir(parents=True, exist_ok=True)
    part.write(path)
    return _with_figures(File(part.key, path.stat().st_size, sha256(path)), part)


def _with_figures(file: File, part: Part) -> File:
    file = replace(file, row_count=part.frame.height)
    if part.table.name != DAILY_LISTINGS.name:
        return file
    days = part.frame["listed_on"].cast(pl.String)
    return replace(file, first_on=days.min(), last_on=days.max())


def begins(parent: Parent | None) -> str:
    """The prefix of the ids of all drafts that follow a release, or none."""
    return f"{parent.version if parent else 'first'}-"


def _described(table: Table, files: Iterable[File]) -> TableFiles:
    """A table with its files and rows, and its first and last list day where it has list days."""
    in_order = tuple(sorted(files, key=lambda file: file.key))
    return TableFiles(
        table.name,
        sum(file.row_count or 0 for file in in_order),
        in_order,
        min((file.first_on for file in in_order if file.first_on), default=None),
        max((file.last_on for file in in_order if file.last_on), default=None),
        schema_digest(table),
        table.cohort_rows,
    )


def passed(draft: Draft, report: bytes) -> Draft:
    """The draft with the report of the gate that it passed, which allows it to be published."""
    return replace(draft, report=msgspec.Raw(report))


def name_current(store: Store, draft: Draft, report: bytes) -> Draft:
    """Name the draft, which passed the gate with this report, as the one to publish next."""
    ready = passed(draft, report)
    change_object(store, CURRENT, lambda _: encode(ready))
    return ready


def has_current(store: Store) -> bool:
    return read_if_there(store, CURRENT) not in (None, NO_DRAFT)


def current_draft(store: Store) -> Draft:
    """The draft to publish next; NothingThere where none is waiting."""
    data = read_if_there(store, CURRENT)
    if data is None or data == NO_DRAFT:
        raise NothingThere(f'no checked draft is waiting in {store.url}; run "paperlake build" first')
    return _decoded(data)


def _decoded(data: bytes) -> Draft:
    try:
        return decode(data, Draft, CURRENT)
    except Damaged as error:  # no copy has drafts
        step = 'remove it, and run "paperlake build" again'
        raise Damaged(f"{CURRENT} is not what paperlake wrote; {step}") from error


def drop_draft(store: Store, draft_id: str) -> None:
    """Remove a draft that was published or superseded; one that another publisher named meanwhile stays.

    The day on which it was claimed stays for whoever removes what was written of its releases.
    """
    data = read_if_there(store, CURRENT)
    if data not in (None, NO_DRAFT) and _decoded(data).draft_id == draft_id:
        store.swap(CURRENT, NO_DRAFT, data)
    store.delete_all(key for key in store.list(f"{DRAFTS}/{draft_id}") if not key.endswith(f"/{CLAIM_DAY}"))


@contextmanager
def superseded_if_gone(store: Store, draft: Draft) -> Iterator[None]:
    """Raise Superseded where the draft's files are gone because another publisher dropped them."""
    try:
        yield
    except (NothingThere, Damaged):
        if draft.parent == parent_of(store):
            raise
        raise Superseded(OVERTAKEN) from None


class ClaimedBy(Struct, frozen=True):
    """Which draft a release is made from; without its hash in releases of an older paperlake, which kept all of it."""

    draft_id: str
    sha256: str = ""

    def is_of(self, draft: Draft) -> bool:
        return self.draft_id == draft.draft_id and self.sha256 in {"", claim_of(draft).sha256}


def claim_of(draft: Draft) -> ClaimedBy:
    return ClaimedBy(draft.draft_id, digest(encode(draft)))


def claim(store: Store, draft: Draft, today: date) -> str:
    """Claim the version that this draft becomes: the one it has, even by a racing process, or the next of the day.

    Whoever publishes a draft, today or later, starts from the day of the first who did, and tries the same numbers.
    Superseded where another release was published, GateClosed where a release of these tables, made by the same
    paperlake, was retracted.
    """
    named = latest(store)
    for erratum in named.errata if named else ():
        claimed, wrong = (read_if_there(store, release_key(erratum.version, name)) for name in (CLAIM, MANIFEST))
        is_same = claimed and decode(claimed, ClaimedBy, CLAIM).draft_id == draft.draft_id
        if is_same or (wrong and WHAT(decode(wrong, Manifest, MANIFEST)) == WHAT(draft)):  # on top of another one
            mend = f'mend what was wrong, or take it back with "paperlake retract {erratum.version} --undo --why WHY"'
            raise GateClosed(f"this is release {erratum.version} again, which was retracted: {erratum.why}; {mend}")
    key, claimed_on = draft_key(draft.draft_id, CLAIM_DAY), f"{today:%Y.%m.%d}".encode()
    is_first = store.put_new(key, claimed_on)
    day = claimed_on if is_first else read_if_there(store, key)
    if day is None or draft.parent != parent_of(store):
        if is_first:  # whoever published has dropped the draft, perhaps before this was put there
            store.delete(key)
        raise Superseded('another release became the latest since this draft was made; run "paperlake build" again')
    wanted = encode(claim_of(draft))
    all_of_day = versions(day.decode(), draft.parent.version if draft.parent else "")
    claims = ((version, release_key(version, CLAIM)) for version in all_of_day)
    return next(version for version, key in claims if store.put_new(key, wanted) or store.read(key) == wanted)


def versions(day: str, parent: str) -> Iterator[str]:
    """The versions that a release may take, in order: all later than its parent's, whose day may be the same."""
    parent_day, _, parent_number = parent.rpartition(".")
    first_day, first = max((day, 1), (parent_day, int(parent_number or 0) + 1))
    return (f"{first_day}.{number}" for number in count(first))
