"""The latest release, which readers open, its manifest, and the records of the erasures that changed it.

Imports next to nothing, because `paperlake sql` waits for it.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import msgspec

from warehouse.errors import BeingErased, Damaged, NewerLake, NothingThere, StoreFailed
from warehouse.people import RECORDS
from warehouse.release.manifest import (
    ErasureNote,
    File,
    Latest,
    Manifest,
    Parent,
    Record,
    Version,
    decode,
    digest,
    encode,
)
from warehouse.store import pooled_list
from warehouse.store.store import Store, read_if_there

RELEASES: Final = pooled_list.RELEASES
DRAFTS: Final = "drafts"
CURRENT: Final = f"{DRAFTS}/current.json"
NO_DRAFT: Final = b"null\n"  # `current.json` when no draft is waiting: an object must be there to be swapped
MOVES: Final = "log/moves"
ERASING: Final = "erasing"  # files staged while a person is being erased
CITATIONS: Final = "citations"  # cited queries, each of one release
LATEST: Final = pooled_list.LATEST
DATABASE: Final = "paperlake.duckdb"
MANIFEST: Final = pooled_list.MANIFEST
SIGNATURE: Final = f"{MANIFEST}.sig"
PAGE: Final = "index.html"
RECORD: Final = "dropped.json"  # at the address of a release that was dropped
INDEX: Final = f"{RELEASES}/index.json"
EXPLORER: Final = f"explore/{PAGE}"
# Page that leads to the latest release → the page of it
LEADING: Final = {
    f"{RELEASES}/{PAGE}": PAGE,
    f"{RELEASES}/latest/{PAGE}": PAGE,
    f"{RELEASES}/latest/{EXPLORER}": EXPLORER,
}
# The version of the lake's layout. A paperlake whose layout older ones must not read or write, or which adds a field to
# a `Record`, counts it up, and writes `lake_format` and `code_version` into `latest.json`; without them it is the
# first. Of the second are lakes whose older releases share their files, or lack their databases (store/store.py).
LAKE_FORMAT: Final = 2


class Marked(msgspec.Struct, frozen=True):
    """The fields of `latest.json` that every paperlake can read, whatever else it holds."""

    lake_format: int = 1
    code_version: str = "a newer one"


def release_key(version: str, key: str) -> str:
    return f"{RELEASES}/{version}/{key}"


def read_latest(store: Store) -> bytes | None:
    """`latest.json` as it is, None before the first release; Damaged where it is gone and releases are there.

    NewerLake where the lake is of a format that this paperlake does not know.
    """
    data = read_if_there(store, LATEST)
    require_known_format(store.url, data)
    if data is None and _was_published(store) and (data := read_if_there(store, LATEST)) is None:  # not a moment ago
        step = 'if a "paperlake copy" to it was stopped, run that again, else restore it from a copy'
        raise Damaged(f"{LATEST} is missing in {store.url}, which has releases; {step}")
    return data


def _was_published(store: Store) -> bool:
    """Whether there ever was a latest release; the first one, while it is being published, still has its draft."""
    if store.list(MOVES):
        return True
    is_waiting = read_if_there(store, CURRENT) not in (None, NO_DRAFT)
    return not is_waiting and any(key.endswith(f"/{MANIFEST}") for key in store.list(RELEASES))


def require_known_format(url: str, named: bytes | None) -> None:
    """Raise NewerLake where `latest.json` states a later format of the lake; damage in it is left to its readers."""
    with suppress(msgspec.DecodeError, UnicodeDecodeError):
        marked = msgspec.json.decode(named or b"{}", type=Marked)
        if marked.lake_format > LAKE_FORMAT:
            from importlib.metadata import version

            raise NewerLake(
                f"the lake {url} is of format {marked.lake_format}, of paperlake {marked.code_version}; this is "
                f"paperlake {version('paperlake')}, which knows format {LAKE_FORMAT}: upgrade it (docs/upgrading.md)"
            )


def latest(store: Store) -> Latest | None:
    """What `latest.json` names; None before the first release."""
    data = read_latest(store)
    return decode(data, Latest, LATEST) if data is not None else None


def require_latest(store: Store, next_step: str = 'run "paperlake run PATH" first') -> Latest:
    """What `latest.json` names; NothingThere before the first release."""
    named = latest(store)
    if named is None:
        raise NothingThere(f"nothing is published in {store.url}; {next_step}")
    return named


def parent_of(store: Store) -> Parent | None:
    """The release that the next one follows."""
    named = latest(store)
    return Parent(named.version, named.manifest_sha256) if named else None


def latest_manifest(store: Store) -> Manifest | None:
    """The manifest of the latest release, checked against the hash that `latest.json` has of it."""
    named = latest(store)
    return manifest_of(store, named) if named else None


def manifest_of(store: Store, named: Latest | Parent) -> Manifest:
    """The manifest of a release, checked against the hash in `named`, or the one it has since an erasure was announced.

    BeingErased where the one before is still there, which leads to files with the person.
    """
    key = release_key(named.version, MANIFEST)
    data = store.read(key)
    if (found := digest(data)) != (wanted := resolved(store, named.manifest_sha256)):
        if resolved(store, found) == wanted and _is_erasing(store):
            step = 'ask again in a moment; if no "paperlake erase" runs, run the one again that was stopped'
            raise BeingErased(f"a person is being erased from release {named.version}; {step}")
        raise Damaged(f"{key} is not the manifest that {LATEST} or a draft names; restore it from a copy")
    return decode(data, Manifest, key)


def another_than(store: Store, key: str, file: File) -> Damaged:
    """The error of an object that is not what `file` says: BeingErased where that is of before an erasure."""
    version = key.split("/")[1]
    data = store.read(release_key(version, MANIFEST))
    listed = {one.key: one.sha256 for one in decode(data, Manifest, MANIFEST).files}
    if listed.get(file.key, "") != file.sha256 or resolved(store, digest(data)) != digest(data):
        return BeingErased(f"a person is being erased from release {version}, or was a moment ago; open it again")
    return Damaged(f'{key} is not what was written; run "paperlake verify {version}"')


def _is_erasing(store: Store) -> bool:
    """Whether files of an erasure are staged, as far as can be told: a web server does not list what it has."""
    try:
        return bool(store.list(ERASING))
    except StoreFailed:
        return True


def stored_manifest(store: Store, manifest: Manifest) -> bytes:
    """A release's manifest as it is stored, of which hashes and signatures are.

    Another version's code would write it in other bytes. Damaged where something else is there.
    """
    key = release_key(manifest.version, MANIFEST)
    data = store.read(key)
    if encode(decode(data, Manifest, key)) != encode(manifest):
        raise Damaged(f'{key} has changed since it was read; run "paperlake verify"')
    return data


class RewrittenObject(Record, frozen=True):
    """A rewritten object (a manifest, a move, a citation): its key in the lake, and its hash before and after."""

    key: str
    before: str
    after: str


class Cells(Record, frozen=True):
    """The number of rows of a release in which a column changed."""

    version: Version
    table: str
    column: str
    row_count: int


class Erasure(Record, frozen=True, kw_only=True):
    """One erasure, without saying of whom: what was rewritten, and how many rows of which columns."""

    name: str
    erased_at: str
    why: str
    code_version: str
    warc_count: int
    record_count: int
    file_count: int
    renewed: tuple[RewrittenObject, ...]
    cells: tuple[Cells, ...]


def record_key(name: str) -> str:
    return f"{RECORDS}/{name}.json"


def erasures(store: Store) -> list[Erasure]:
    """Every erasure, the first one first; Damaged where a record is not the one that `latest.json` names."""
    return [_read(store, note) for note in noted_erasures(store)]


def noted_erasures(store: Store) -> tuple[ErasureNote, ...]:
    """What `latest.json` says of each erasure, the first one first."""
    data = read_if_there(store, LATEST)
    return decode(data, Latest, LATEST).erasures if data else ()


def resolved(store: Store, sha256: str) -> str:
    """The hash that an object with this hash has now, after all erasures."""
    for erasure in erasures(store):
        sha256 = next((one.after for one in erasure.renewed if one.before == sha256), sha256)
    return sha256


def erasure_faults(store: Store) -> Iterator[str]:
    """A line for each record of an erasure that is not what `latest.json` names."""
    for note in noted_erasures(store):
        try:
            _read(store, note)
        except Damaged as error:
            yield str(error)


def _read(store: Store, note: ErasureNote) -> Erasure:
    key = record_key(note.name)
    data = read_if_there(store, key)
    if data is None or digest(data) != note.sha256:
        raise Damaged(f"{key} is not the record of the erasure that {LATEST} names; restore it from a copy")
    return decode(data, Erasure, key)
