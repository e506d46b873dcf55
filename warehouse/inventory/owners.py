"""Every key of a lake, and whose it is: one walk, by which `erase`, `verify`, `retain` and `copy` go.

What no manifest, pointer or record accounts for was either left by a run that was stopped (`LEFT`, which is removed),
or is nothing that paperlake wrote (`NOBODY`, which is a fault, and is never removed).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from itertools import groupby
from typing import Final, NamedTuple

from warehouse.errors import Damaged, NothingThere
from warehouse.people.ledger import Ledger
from warehouse.release import moves
from warehouse.release.chain import KEPT, SIGNATURES, read_chain
from warehouse.release.draft import CLAIM, CLAIM_DAY, ClaimedBy, begins
from warehouse.release.latest import (
    CURRENT,
    DRAFTS,
    ERASING,
    INDEX,
    LATEST,
    LEADING,
    MANIFEST,
    NO_DRAFT,
    PAGE,
    RECORD,
    RELEASES,
    SIGNATURE,
    record_key,
    release_key,
)
from warehouse.release.made_again import kept_files
from warehouse.release.manifest import Draft, Latest, Parent, decode
from warehouse.store.pooled_list import POOL
from warehouse.store.store import Store, read_if_there


class Owner(StrEnum):
    """The owner of a key in a lake: the thing that accounts for it."""

    ARCHIVE = "archive"  # WARC files and their index
    LEDGER = "ledger"  # of erased people
    JOURNAL = "journal"  # captures that are not landed yet
    LATEST = "latest"  # the pointer, and what leads to it
    RELEASE = "release"  # what its manifest lists, the manifest, its signature
    DROPPED = "dropped"  # what stays of a release, and the claim of a version that nobody may take any more
    DRAFT = "draft"  # of a draft, or of a release being written, that may still be published
    LOG = "log"  # moves, drops and erasures
    SIGNATURE = "signature"  # of a move
    CITATION = "citation"
    ERASING = "erasing"  # staged by an erasure that the same command finishes
    LEASE = "lease"  # who writes
    TEMPORARY = "temporary"  # of the writers of a folder: the next one removes what has no writer
    LEFT = "left"  # by a run that was stopped
    NOBODY = "nobody"


class Owned(NamedTuple):
    """A key of a lake, what accounts for it, and the release, draft or erasure whose folder it is in."""

    key: str
    owner: Owner
    of: str = ""


OF_A_MOVE: Final = re.compile(rf"{SIGNATURES}/([0-9a-f]{{64}})\.sig")
STAY: Final = (CLAIM, PAGE, RECORD)  # at the address of a release that was dropped
VERSION: Final = r"\d{4}\.\d\d\.\d\d\.[1-9]\d*"
ERASURE: Final = re.compile(r"[0-9a-f]{8}")
SCRATCH: Final = re.compile(r".+-scratch-[0-9a-f]+|doctor-[0-9a-f]+")
DRAFT: Final = re.compile(rf"(?:first-|{VERSION}-)?[0-9a-f]+")
UNNAMED: Final = re.compile(r"erasures/([0-9a-f]{8})-[1-9]\d*\.json")
OF_A_DROP: Final = re.compile(rf"{moves.DROPPED}/{VERSION}\.json")
OF_A_DRAFT: Final = re.compile(rf"{CLAIM_DAY}|data/.+|quality/.+")
# Keys that their form alone accounts for
FORMS: Final = {
    Owner.ARCHIVE: re.compile(r"raw/warc/\d{4}-\d\d/[0-9a-f]{32}\.warc\.gz|raw/index/\d{4}-\d\d\.cdxj"),
    Owner.LEDGER: re.compile(r"raw/erased/(?:key|[0-9a-f]{8}\.json)"),
    Owner.JOURNAL: re.compile(r"journal/journal-[^/]+\.warc\.gz"),
    Owner.DRAFT: re.compile(re.escape(CURRENT)),
    Owner.LATEST: re.compile("|".join(map(re.escape, (LATEST, INDEX, *LEADING)))),
    Owner.CITATION: re.compile(rf"citations/{VERSION}-[0-9a-f]+\.(?:json|bib|html)"),
    Owner.LEASE: re.compile(r"lease\.json"),
    Owner.TEMPORARY: re.compile(r"\.tmp/(?:lock|[0-9a-f]{24})"),
    Owner.LEFT: re.compile(rf"{POOL}/[0-9a-f]{{64}}(?:\.[a-z0-9]+)?"),  # those that a release has are keys of that
}
OwnerRule = Callable[[str], Owner]  # a name in a folder → whose it is


def inventory(store: Store, past: Sequence[Latest] | None = None) -> list[Owned]:
    """Every key of a lake, sorted, temporary files too. `past` are the moves, where they are known.

    Keys are listed before pointer and records are read: so nothing that is written meanwhile is `LEFT`.
    """
    keys = sorted([*store.list(), *store.temporary()])
    past = moves.moves(store) if past is None else past
    found = []
    for folder, group in groupby(keys, key=folder_of):
        root, _, of = folder.partition("/")
        rule = RULES[root](store, of, past) if root in RULES else _of_nobody
        for key in group:
            formed = next((owner for owner, form in FORMS.items() if form.fullmatch(key)), None)
            found.append(Owned(key, formed or rule(key.removeprefix(f"{folder}/")), of))
    return found


def folder_of(key: str) -> str:
    """The folder of the release, draft or erasure that a key belongs to; its root where there is none.

    >>> folder_of("releases/2026.10.02.1/data/papers.parquet"), folder_of("releases/latest.json"), folder_of("notes")
    ('releases/2026.10.02.1', 'releases', '')
    """
    return "/".join(key.split("/", 2)[:-1])


def unlisted(items: Iterable[Owned]) -> Iterator[str]:
    """A line for each key that nothing accounts for."""
    for item in items:
        if item.owner is Owner.NOBODY:
            yield f"{item.key} is not paperlake's, for nothing lists it; see whose it is, and move it out of the lake"


def _of_nobody(_: str) -> Owner:
    return Owner.NOBODY


def _of_release(store: Store, version: str, past: Sequence[Latest]) -> OwnerRule:
    """The owners of keys in the folder of a release: published, dropped, or claimed by a draft."""
    if version not in {move.version for move in past}:
        return _of_claim(store, version, past)
    try:
        if version != past[-1].version and moves.dropped(store, version, past):
            return lambda name: Owner.DROPPED if name in STAY else Owner.LEFT
        manifest = moves.published(store, version, past)
    except (Damaged, NothingThere):  # a fault of its own: nobody knows what belongs to it
        return lambda _: Owner.RELEASE
    listed = {MANIFEST, SIGNATURE, *(file.key for file in (*manifest.files, *kept_files(store, manifest)))}
    return lambda name: Owner.RELEASE if name in listed else Owner.NOBODY


def _of_claim(store: Store, version: str, past: Sequence[Latest]) -> OwnerRule:
    """The owners of keys of a release that was begun and never published."""
    data = read_if_there(store, release_key(version, CLAIM)) if re.fullmatch(VERSION, version) else None
    if data == NO_DRAFT:
        return lambda name: Owner.DROPPED if name == CLAIM else Owner.LEFT
    with suppress(Damaged):
        if data:
            may_become = decode(data, ClaimedBy, CLAIM).draft_id.startswith(begins(_parent(past)))
            owner = Owner.DRAFT if may_become else Owner.LEFT
            return lambda _: owner
    return _of_nobody


def _parent(past: Sequence[Latest]) -> Parent | None:
    return Parent(past[-1].version, past[-1].manifest_sha256) if past else None


def _of_draft(store: Store, draft_id: str, past: Sequence[Latest]) -> OwnerRule:
    """The owners of keys in the folder of a draft or of a scratch place, or in `drafts/` itself."""
    is_scratch = bool(SCRATCH.fullmatch(draft_id))
    if not is_scratch and not DRAFT.fullmatch(draft_id):
        return _of_nobody
    if not draft_id.startswith(begins(_parent(past))):
        return lambda _: Owner.LEFT
    data = read_if_there(store, CURRENT) or NO_DRAFT
    current = None
    with suppress(Damaged):  # "paperlake publish" says so; an erasure removes it
        current = decode(data, Draft, CURRENT) if data != NO_DRAFT else None
    listed = {file.key for table in current.tables for file in table.files} if current else set()

    def rule(name: str) -> Owner:
        is_known = current is None or current.draft_id != draft_id or not name.startswith("data/") or name in listed
        return Owner.DRAFT if is_scratch or (OF_A_DRAFT.fullmatch(name) and is_known) else Owner.NOBODY

    return rule


def _of_erasure(store: Store, erasure_id: str, _: Sequence[Latest]) -> OwnerRule:
    """The owners of keys in the folder of an erasure; the same command finishes it until the ledger has it as done."""
    if not ERASURE.fullmatch(erasure_id):
        return _of_nobody
    is_open = any(entry.id == erasure_id and not entry.is_done for entry in Ledger(store).entries)
    return lambda _: Owner.ERASING if is_open else Owner.LEFT


def _of_log(store: Store, folder: str, past: Sequence[Latest]) -> OwnerRule:
    """The owners of records: of a past move, a published release, an erasure that was announced or goes on.

    Moves after the newest, and drops of no move, have faults of their own, which say that they are evidence.
    """
    known = {record_key(note.name) for move in past for note in move.erasures}
    begun = {entry.id for entry in Ledger(store).entries if not entry.is_done}
    signed = {*read_chain(store).sha256.values()} if folder == "signatures" else set[str]()

    def rule(name: str) -> Owner:
        key = f"{moves.LOG}/{folder}/{name}"
        if key in known or OF_A_DROP.fullmatch(key) or ((move := KEPT.fullmatch(key)) and int(move[1])):
            return Owner.LOG
        if found := OF_A_MOVE.fullmatch(key):
            return Owner.SIGNATURE if found[1] in signed else Owner.LEFT
        found = UNNAMED.fullmatch(f"{folder}/{name}")
        if found is None:
            return Owner.NOBODY
        return Owner.ERASING if found[1] in begun else Owner.LEFT

    return rule


RULES: Final[Mapping[str, Callable[[Store, str, Sequence[Latest]], OwnerRule]]] = {
    RELEASES: _of_release,
    DRAFTS: _of_draft,
    ERASING: _of_erasure,
    moves.LOG: _of_log,
}
