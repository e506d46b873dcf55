"""Finds who is meant by a login or a name, and where a lake and this machine hold data of that person: for the dry run,
and for the proof at the end.

In Prefect's history also to delete it, through Prefect's own client: runs, their logs, and artifacts. It holds the
lake's address, dates, reasons given for losses, and what the log quotes. Prefect's events, which it drops after a week,
cannot be deleted by anyone but Prefect.
"""

import gzip
import json
import re
import sqlite3
import time
import zlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import Any, Final, TypeAlias

import polars as pl
from msgspec import Struct

from flows.documents.site_files import ENDS, are_of_others
from flows.runtime.lake import journal_folder
from warehouse.archive.archive import Archive
from warehouse.archive.erased_records import ErasedFile, erase_raw
from warehouse.archive.journal import NAMES
from warehouse.changes.row_steps import described, rows_key
from warehouse.errors import Damaged, NothingThere, PaperlakeError, StoreFailed, UsageError
from warehouse.inventory.owners import Owned, Owner, inventory
from warehouse.page_text import codings_of, text_in
from warehouse.people.accounts import UPLOADER, LoginAndId, accounts_shown, of_one_account
from warehouse.people.ledger import Erased, Ledger
from warehouse.people.masked_tables import hits_in, masked_frame, words_in
from warehouse.people.pages import masked_json
from warehouse.people.person import MASK, Person, normal
from warehouse.printable import counted
from warehouse.release import moves
from warehouse.release.latest import DATABASE, RELEASES, Cells, release_key
from warehouse.release.made_again import about_key, kept_files
from warehouse.release.manifest import Manifest
from warehouse.release.snapshot import Snapshot
from warehouse.schema.catalog import ABOUT_TABLES
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.schema.core.search import SEARCH_LISTS, SEARCH_TERMS, SEARCH_WORDS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.store.local_files import LocalFiles
from warehouse.store.store import TEMPORARY, Store

PARQUET: Final = b"PAR1"
# What was declared, and the explorer's own code: the same in each release
NO_DATA: Final = re.compile(r"database\.sql|explore/[^/]+/.*|.*\.(?:gz|png|svg|wasm)")
# Of a word that the index has no more, no text says whether it was theirs
OF_WORDS: Final = {SEARCH_LISTS.name, SEARCH_TERMS.name, SEARCH_WORDS.name}
RECORDS: Final = {Owner.LOG, Owner.CITATION, Owner.LATEST, Owner.DROPPED}  # ours, each of which may quote somebody
UNDONE: Final = {Owner.DRAFT, Owner.LEFT, Owner.ERASING}  # removed whole, for it can be made again or nobody needs it


def text_without(person: Person, name: str, text: str) -> str:
    """The text of a document or a record, with the person masked."""
    if not person.is_in(text):
        return text
    return masked_json(person, text) if name.endswith(".json") else person.of_page(text)


class Places(Struct, frozen=True):
    """Where a release holds a person: rows by table and column, keys of files, and the number of words that stay."""

    cells: tuple[Cells, ...]
    keys: tuple[str, ...]
    words: int


def places_in(files: LocalFiles, manifest: Manifest, person: Person) -> Places:
    """Search every file of a release for the person."""
    cells: dict[tuple[str, str], int] = {}
    keys, words = [], 0
    tables = described(manifest)
    names = {file.key: table.name for table in tables.values() for file in table.files}
    names |= {about_key(table): table.name for table in ABOUT_TABLES}
    stepped = {rows_key(name): name for name in tables}

    def place(key: str) -> Path:
        return files.path(release_key(manifest.version, key))

    for file in kept_files(files.store, manifest):
        path = place(file.key)
        if file.key in stepped:  # its rows are counted with those of the tables
            masked, changed = masked_frame(person, stepped[file.key], pl.read_parquet(path))
            is_lost = stepped[file.key] in OF_WORDS and words_in(person, masked)
            keys += [file.key] if changed or is_lost else []
            continue
        if file.key in names:
            masked, changed = masked_frame(person, names[file.key], pl.read_parquet(path))
            rows = [(names[file.key], column, count) for column, count in changed.items()]
            words += words_in(person, masked)
        elif file.key == DATABASE:
            rows = [row for row in hits_in(path, person) if row[:2] not in cells]
        elif file.key in ENDS:  # what the files say that they are of, which are searched themselves
            keys += [file.key] if are_of_others(path.read_bytes(), place) else []
            continue
        elif NO_DATA.fullmatch(file.key):
            continue
        else:
            text, rows = path.read_bytes().decode("utf-8", "surrogateescape"), []
            masked_text = text_without(person, file.key, text)
            keys += [file.key] if masked_text != text else []
            words += person.words_in(masked_text)
            continue
        keys += [file.key] if rows else []
        for table, column, count in rows:
            cells[table, column] = cells.get((table, column), 0) + count
    counted = tuple(Cells(manifest.version, *place, count) for place, count in sorted(cells.items()))
    return Places(counted, tuple(keys), words)


class Found(Struct, frozen=True):
    """Where a person's data was found: WARC files, places in each release, records, files that are not paperlake's.

    `drafts` are all drafts, and what runs that were stopped left, whatever is in them.
    """

    warcs: tuple[ErasedFile, ...]
    releases: tuple[tuple[str, Places], ...]
    texts: tuple[str, ...]
    drafts: tuple[str, ...]
    journal_count: int
    prefect_rows: int
    strange: tuple[str, ...] = ()
    login_count: int = 1

    @property
    def is_nothing(self) -> bool:
        """Whether nothing was found, drafts aside, which are all removed anyway."""
        at_hand = self.warcs or self.texts or self.strange or self.journal_count or self.prefect_rows
        return not (at_hand or any(places.keys for _, places in self.releases))

    @property
    def words(self) -> int:
        return sum(places.words for _, places in self.releases)


def find(files: LocalFiles, person: Person, *, prefect: Path | None) -> Found:
    """Search the whole lake, and Prefect's folder; nothing is changed."""
    store = files.store
    manifests, items = kept_releases(store), inventory(store)
    strange = (item.key for item in items if item.owner is Owner.NOBODY)
    return Found(
        tuple(erase_raw(store, person, str, apply=False)),
        tuple((one.version, places_in(files, one, person)) for one in manifests),
        tuple(key for key, _, _ in texts_of(store, person, items)),
        tuple(item.key for item in items if item.owner in UNDONE),
        sum(1 for _ in journal_folder(store).glob(NAMES)),
        prefect_hits(prefect, person) if prefect else 0,
        tuple(key for key in strange if holds(files, key, person)),
    )


def holds(files: LocalFiles, key: str, person: Person) -> bool:
    """Whether a file that paperlake did not write holds something of the person, unpacked where that can be done."""
    is_stored = not key.startswith(f"{TEMPORARY}/")
    data = files.store.read(key) if is_stored else (files.root / key).read_bytes() if files.store.folder else b""
    parts = [data]
    with suppress(OSError, EOFError, zlib.error):
        parts.append(gzip.decompress(data))
    text = "\n".join(text_in(coding, part) for part in parts for coding in codings_of(part))
    with suppress(pl.exceptions.PolarsError, OSError):
        text += str(pl.read_parquet(BytesIO(data)).to_dicts()) if data.startswith(PARQUET) else ""
    return text_without(person, "", text) != text


def kept_releases(store: Store) -> list[Manifest]:
    """Every release that was not dropped, the oldest first; Damaged where a manifest is not what was published."""
    past = moves.moves(store)
    kept = []
    for version in dict.fromkeys(move.version for move in past):
        with suppress(NothingThere):
            kept.append(moves.published(store, version, past))
    return kept


def texts_of(store: Store, person: Person, items: Sequence[Owned]) -> Iterator[tuple[str, bytes, bytes]]:
    """The records that change, beside the releases or of dropped ones: key, bytes before, bytes after."""
    for key in (item.key for item in items if item.owner in RECORDS):
        before = store.read(key)
        text = before.decode("utf-8", "surrogateescape")
        after = text_without(person, key, text).encode("utf-8", "surrogateescape")
        if after != before:
            yield key, before, after


def require_none(found: Found) -> None:
    """Raise Damaged, which names each place, where data of the person is left."""
    left = [f"raw/warc/{one.filename}" for one in found.warcs]
    left += [f"{RELEASES}/{version}/{key}" for version, places in found.releases for key in places.keys]
    left += [f"{key}, which is not paperlake's: move it out of the lake" for key in found.strange]
    left += [*found.texts, *(["Prefect's database"] if found.prefect_rows else [])]
    left += ["the journal of this machine"] if found.journal_count else []
    if left:
        step = "run the same command again; if it stays, report to paperlake's maintainers which place it is"
        raise Damaged("\n".join([f"data of the person is left in {counted(len(left), 'place')}: {step}", *left]))


LoginOf: TypeAlias = tuple[str | None, str | None]  # a login, and a name
SHOW_SUBMITTERS: Final = (SIGHTINGS.name, DAILY_LISTINGS.name)  # the second with names that were corrected
SUBMITTER: Final = (pl.col("submitter_login"), pl.col("submitter_name"))
UPLOADED: Final = pl.col("media_urls").list.eval(pl.element().str.extract(UPLOADER))  # ids of accounts
OF_MEDIA: Final = (pl.col("submitter_login").repeat_by(UPLOADED.list.len()).explode(), UPLOADED.explode())
AUTHOR: Final = tuple(pl.col("authors").explode().struct.field(name) for name in ("login", "name"))


def accounts_in(files: LocalFiles, manifests: Sequence[Manifest], of: Sequence[pl.Expr] = SUBMITTER) -> list[LoginOf]:
    """Every login with each name that any release shows it with, and names without a login; `of` authors, or others."""
    tables = SHOW_SUBMITTERS if of is SUBMITTER else SHOW_SUBMITTERS[:1]
    paths = [path for one in manifests for table in tables for path in Snapshot(one, files).paths(table)]
    found = {row for path in paths for row in pl.scan_parquet(path).select(of).unique().collect().iter_rows()}
    return sorted(found, key=lambda row: (row[0] or "", row[1] or ""))


def corrected_authors(files: LocalFiles, manifests: Sequence[Manifest]) -> list[tuple[str, str]]:
    """Names of authors in print that any release corrects, and what it has in their place."""
    of_names, values = pl.col("column_name") == "name", ("value_seen", "value_right")
    paths = [path for manifest in manifests for path in Snapshot(manifest, files).paths(CORRECTIONS.name)]
    return [row for path in paths for row in pl.read_parquet(path).filter(of_names).select(values).drop_nulls().rows()]


def with_ids(files: LocalFiles, manifests: Sequence[Manifest]) -> set[LoginAndId]:
    """The accounts of all pages and releases by their ids. A page that says the same again is not read again."""
    archive = Archive(files.store)
    pages = archive.captures(entry for entry in archive.index() if not entry.orig_filename)
    of_media = ((normal(login), one) for login, one in accounts_in(files, manifests, OF_MEDIA) if login and one)
    return {account for page in pages for account in accounts_shown(page.payload)}.union(of_media)


def person_named(
    who: str, accounts: Sequence[LoginOf], same: Collection[LoginAndId], entry: Erased, ledger: Ledger
) -> Person:
    """The person of a login or a name, with all logins and ids of their account; UsageError where several accounts go
    by the name.

    Those that the ledger knows as theirs are added: an erasure that was killed may have masked half of the pages.
    """
    is_login = " " not in who.strip()
    logins = {login for login, name in accounts if login and name and normal(name) == normal(who)}
    if is_login and (any(login and normal(login) == normal(who) for login, _ in accounts) or not logins):
        logins = {who}
    if len({normal(login) for login in logins}) > 1:
        listed = ", ".join(sorted(logins))
        raise UsageError(f"several accounts go by the name {who}: {listed}; name the login that is meant")
    logins |= {one for pair in same for one in pair if entry.hashes and ledger.has_login(entry, one)}
    theirs = of_one_account({*logins, entry.mask}, same) - {entry.mask}  # an earlier paperlake left ids beside it
    ours = {normal(login) for login in theirs}
    names = {name for login, name in accounts if login and name and normal(login) in ours}
    names |= {name for _, name in accounts if name and ledger.has_name(entry, name)}
    names |= set() if is_login else {who}
    names = {name for name in names if not MASK.fullmatch(name)}  # of this erasure, or of another one
    return Person(entry.mask, theirs, frozenset(names), entry.authorship, entry.words)


NAME: Final = "prefect.db"
PAGE: Final = 200  # rows of an answer: Prefect gives no more
KINDS: Final = {"flow_runs": "id", "task_runs": "flow_run_id", "logs": "flow_run_id", "artifacts": "flow_run_id"}
LOGS_SECONDS: Final = 30.0  # the server deletes the logs of a run that is deleted a moment later


def prefect_hits(home: Path, person: Person) -> int:
    """How many rows hold data of the person; StoreFailed where Prefect's history cannot be read."""
    if not is_any(home):
        return 0
    with _history(home) as client:
        return sum(1 for _ in _hits(client, person))


def mask_prefect(home: Path, person: Person) -> int:
    """Delete the runs and artifacts that hold data of the person; returns how many rows there were."""
    if not is_any(home):
        return 0
    with _history(home) as client:
        hits = list(_hits(client, person))
        for kind, row in hits:
            if kind == "artifacts":
                client.request("DELETE", f"/artifacts/{row['id']}")
        for run in {row[KINDS[kind]] for kind, row in hits} - {None}:
            client.request("DELETE", f"/flow_runs/{run}")
        ends = time.monotonic() + LOGS_SECONDS
        while any(_hits(client, person)) and time.monotonic() < ends:
            time.sleep(0.2)
    if hits and (home / NAME).is_file():
        with closing(sqlite3.connect(home / NAME, isolation_level=None)) as file:
            file.execute("VACUUM")  # else pages of the file still hold what was deleted
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return len(hits)


def is_any(home: Path) -> bool:
    """Whether there is a history: a server that is set, or the database of one on this machine."""
    from flows.running.prefect_server import prefect_setting

    return bool(prefect_setting("API_URL")) or (home / NAME).is_file()


@contextmanager
def _history(home: Path) -> Iterator[Any]:
    """A client of the server of PREFECT_API_URL, or of one that is started for it."""
    from prefect.client.orchestration import get_client

    from flows.running.prefect_server import prefect_session

    try:
        with prefect_session(quiet=True), get_client(sync_client=True) as client:
            yield client
    except (PaperlakeError, sqlite3.Error) as error:
        wrong = f"cannot read or write Prefect's history, of PREFECT_API_URL or {home / NAME}: {error}"
        raise StoreFailed(f"{wrong}; see to it, and erase again") from error


def _hits(client: Any, person: Person) -> Iterator[tuple[str, dict[str, Any]]]:  # noqa: ANN401 - of Prefect, imported late
    """Each row that holds data of the person, and its kind."""
    for kind in KINDS:
        offset = 0
        while rows := client.request("POST", f"/{kind}/filter", json={"limit": PAGE, "offset": offset}).json():
            offset += len(rows)
            for row in rows:
                text = json.dumps(row, ensure_ascii=False)
                if person.of_value(text) not in {None, text}:
                    yield kind, row
