"""Finds where a lake and this machine hold data of a person: for the dry run, and for the proof at the end."""

import gzip
import re
import zlib
from collections import Counter
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import msgspec
import polars as pl
from msgspec import Struct

from flows.documents.site_files import ENDS, are_of_others
from flows.runtime.lake import journal_folder
from warehouse.archive.erased_records import ErasedFile, erase_raw
from warehouse.archive.journal import NAMES
from warehouse.changes.row_steps import described, rows_key
from warehouse.errors import Damaged, NothingThere
from warehouse.inventory.owners import Owned, Owner, inventory
from warehouse.page_text import codings_of, text_in
from warehouse.people.masked_tables import hits_in, masked_frame, may_hold, words_in
from warehouse.people.pages import masked_json
from warehouse.people.person import Person
from warehouse.printable import counted
from warehouse.release import moves
from warehouse.release.latest import DATABASE, MANIFEST, RELEASES, Cells, release_key
from warehouse.release.made_again import about_key, can_be_made, kept_files
from warehouse.release.manifest import Decisions, Manifest
from warehouse.schema.catalog import ABOUT_TABLES
from warehouse.schema.core.search import SEARCH_LISTS, SEARCH_TERMS, SEARCH_WORDS
from warehouse.store.local_files import LocalFiles, one_file
from warehouse.store.objects import TEMPORARY
from warehouse.store.store import Store

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


def masked_decisions(person: Person, decisions: Decisions) -> Decisions:
    """The decisions about pages, without the person in the reasons."""
    text = text_without(person, "decisions.json", msgspec.json.encode(decisions).decode())
    return msgspec.json.decode(text, type=Decisions)


class Places(Struct, frozen=True):
    """Where a release holds a person: rows by table and column, keys of files, and the number of words that stay."""

    cells: tuple[Cells, ...]
    keys: tuple[str, ...]
    words: int


class InFile(NamedTuple):
    """What a file holds of a person: rows by table and column, words that stay; whether anything is to be masked."""

    rows: Mapping[tuple[str, str], int]
    words: int
    is_theirs: bool


NOTHING: Final = InFile({}, 0, is_theirs=False)
Searched: TypeAlias = dict[tuple[str, tuple[int, ...]], InFile]  # by table or key, and file: releases share most


def places_in(files: LocalFiles, manifest: Manifest, person: Person, searched: Searched) -> Places:
    """Search every file of a release for the person, but those that were `searched` in another one."""
    cells, keys, words = Counter[tuple[str, str]](), [], 0
    tables = described(manifest)
    names = {file.key: table.name for table in tables.values() for file in table.files}
    names |= {about_key(table): table.name for table in ABOUT_TABLES}
    stepped = {rows_key(name): name for name in tables}

    def place(key: str) -> Path:
        return files.path(release_key(manifest.version, key))

    for file in sorted(kept_files(files.store, manifest), key=lambda file: file.key == DATABASE):
        path, name = place(file.key), names.get(file.key) or stepped.get(file.key)
        if file.key == DATABASE:
            # What is made of tables that hold something holds it too; an older paperlake has tables there alone
            is_known = cells and can_be_made(one.key for one in manifest.files)
            held = NOTHING if is_known else _in_database(person, path, cells, names.values())
        elif file.key in ENDS:  # what the files say that they are of, which are searched themselves
            held = InFile({}, 0, are_of_others(path.read_bytes(), place))
        elif NO_DATA.fullmatch(file.key):
            continue
        else:
            at = name or file.key, one_file(path)
            if at not in searched:
                searched[at] = _in_table(person, name, path) if name else _in_text(person, file.key, path)
            held = searched[at]
            if file.key in stepped:  # its rows are counted with those of the tables
                held = InFile({}, 0, held.is_theirs or (name in OF_WORDS and held.words > 0))
        keys += [file.key] if held.is_theirs else []
        words += held.words
        cells.update(held.rows)
    keys += [MANIFEST] if masked_decisions(person, manifest.decisions) != manifest.decisions else []
    counted = tuple(Cells(manifest.version, *place, count) for place, count in sorted(cells.items()))
    return Places(counted, tuple(keys), words)


def _in_database(person: Person, path: Path, known: Container[tuple[str, str]], tables: Collection[str]) -> InFile:
    """What the database alone holds: columns that are not `known` from files, and words of other tables than these."""
    hits = hits_in(path, person)
    rows = {(table, column): count for table, (found, _) in hits.items() for column, count in found.items()}
    new = {at: count for at, count in rows.items() if at not in known}
    return InFile(new, sum(words for table, (_, words) in hits.items() if table not in tables), bool(new))


def _in_table(person: Person, name: str, path: Path) -> InFile:
    if not may_hold(person, name, pl.scan_parquet(path)):
        return NOTHING
    masked, rows = masked_frame(person, name, pl.read_parquet(path))
    return InFile({(name, column): count for column, count in rows.items()}, words_in(person, masked), bool(rows))


def _in_text(person: Person, key: str, path: Path) -> InFile:
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    if not person.is_in(text):
        return NOTHING
    masked = text_without(person, key, text)
    return InFile({}, person.words_in(masked), masked != text)


class Found(Struct, frozen=True):
    """Where a person's data was found: WARC files, places in each release, records, files that are not paperlake's.

    `drafts` are all drafts, and what runs that were stopped left, whatever is in them; `logins` all of the account.
    """

    warcs: tuple[ErasedFile, ...]
    releases: tuple[tuple[str, Places], ...]
    texts: tuple[str, ...]
    drafts: tuple[str, ...]
    journal_count: int
    prefect_rows: int = 0
    strange: tuple[str, ...] = ()
    logins: tuple[str, ...] = ()

    @property
    def is_nothing(self) -> bool:
        """Whether nothing was found, drafts aside, which are all removed anyway."""
        at_hand = self.warcs or self.texts or self.strange or self.journal_count or self.prefect_rows
        return not (at_hand or any(places.keys for _, places in self.releases))

    @property
    def words(self) -> int:
        return sum(places.words for _, places in self.releases)


def find(files: LocalFiles, person: Person, *, with_pages: bool = True) -> Found:
    """Search the whole lake for the person, or all but its pages; nothing is changed."""
    store, searched = files.store, Searched()
    manifests, items = kept_releases(store), inventory(store)
    strange = (item.key for item in items if item.owner is Owner.NOBODY)
    return Found(
        tuple(erase_raw(store, person, str, apply=False)) if with_pages else (),
        tuple((one.version, places_in(files, one, person, searched)) for one in manifests),
        tuple(key for key, _, _ in texts_of(store, person, items)),
        tuple(item.key for item in items if item.owner in UNDONE),
        sum(1 for _ in journal_folder(store).glob(NAMES)),
        strange=tuple(key for key in strange if holds(files, key, person)),
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
