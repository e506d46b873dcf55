"""Copies a lake, or its releases alone, to another place: what is there stays, what is new is sent and read back.

The pointers of the lake (its index, `latest.json`) are read first and written last. So the copy is a sound lake of
that moment, whatever is landed and published meanwhile, and the next run resumes a copy that was killed.
Nothing of the target is replaced but these pointers, and those only by later ones of the same lake.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from flows.documents.release_index import lead_to_latest, pages_instead
from flows.runtime.environment import utc_now
from flows.runtime.lake import lake_around
from flows.runtime.progress import track
from warehouse.archive.index import add_lines, index_key, months_in
from warehouse.archive.writer import WARCS
from warehouse.errors import Damaged, NothingThere, StoreFailed, Superseded, UsageError
from warehouse.inventory.owners import Owned, Owner, inventory
from warehouse.inventory.pool_files import pool_all
from warehouse.people import RECORDS
from warehouse.people.ledger import LEDGER, Ledger
from warehouse.release import moves
from warehouse.release.chain import move_key
from warehouse.release.latest import LATEST, MANIFEST, release_key, stored_manifest
from warehouse.release.made_again import kept_files
from warehouse.release.manifest import Latest, decode, digest
from warehouse.store.lease import LEASE
from warehouse.store.local_files import fetch, scratch
from warehouse.store.opening import is_within
from warehouse.store.store import Store, read_if_there

AGAIN: Final = "the lake changed while it was copied; the same command resumes"


class Copied(NamedTuple):
    """The result of a copy: how many objects and bytes it sent, and how many objects were there already."""

    sent_count: int
    sent_bytes: int
    kept_count: int


class Thing(NamedTuple):
    """An object that never changes, and the first digits of its SHA-256, as many as are on record."""

    key: str
    sha256: str = ""


def require_apart(source: Store, target: Store) -> None:
    """UsageError where both are one place, one is in the other, or the target has files that are no lake's.

    Before anything is written, a lease too; a copy that was killed has one.
    """
    if is_within(source, target) or is_within(target, source):
        raise UsageError(
            f"{source.url} and {target.url} are one place, or one is in the other; name another to copy to"
        )
    if outer := lake_around(target):
        raise UsageError(f"{target.url} is in the lake {outer}; name another place to copy to")
    if not (target.exists(LEASE) or target.exists(LATEST)) and target.list():
        raise UsageError(f"{target.url} is not empty, and is no lake; name an empty place to copy to")


def copy_lake(source: Store, target: Store, *, releases_only: bool = False) -> Copied:
    """Make the target hold all that the source does; the target is a copy of the source, or empty.

    UsageError where the target had releases of its own, NothingThere where there is nothing to copy, Damaged where
    bytes are not what they should be, Superseded where a release was dropped meanwhile.
    """
    chain = moves.sound_chain(source)
    past, named = chain.moves, chain.latest
    indexes = {} if releases_only else {key: source.read(key) for key in map(index_key, months_in(source))}
    if named is None and not indexes:
        raise NothingThere(f"there is nothing to copy in {source.url}; is it the lake that you mean?")
    there = read_if_there(target, LATEST)  # a copy that was killed has releases and no latest one
    if there is not None and decode(there, Latest, LATEST) not in past:
        raise UsageError(
            f"{target.url} has moves that {source.url} never had, by a command that was run there, so it is no copy of "
            "it; name another"
        )
    erased = copy_erasures(source, target, releases_only=releases_only)
    try:
        items = inventory(source, past)
        raw = [item.key for item in items if item.owner is Owner.ARCHIVE and item.key.startswith(WARCS)]
        records = {move_key(move.number) for move in past[:-1]}  # the last one is `latest.json`
        records |= {moves.dropped_key(move.version) for move in past}  # of drops by 0.1.0
        beside = [item.key for item in items if item.key in records or item.owner in {Owner.CITATION, Owner.SIGNATURE}]
        things = [] if releases_only else [Thing(key, PurePosixPath(key).name[:32]) for key in raw]
        copied = _copy(source, target, [*things, *_released(source, past, items), *map(Thing, beside)])
    except NothingThere as error:
        raise Superseded(f"{AGAIN} ({error})") from error
    for key, index in indexes.items():
        add_lines(target, key, index.splitlines())
    if erasures_of(source) != erased:
        again = f"remove {target.url}, and copy again"
        raise Superseded(f"a person was erased from {source.url} while it was copied: {again}")
    if named is not None and named != there and not target.swap(LATEST, named, there):
        raise Superseded(f"another copy to {target.url} came first; the same command resumes")
    lead_to_latest(target)
    pool_all(target, pages_instead, at=utc_now(), as_in=source)
    return copied


def _released(source: Store, past: Sequence[Latest], items: Sequence[Owned]) -> Iterator[Thing]:
    """The files of every published release, the oldest first, its manifest last; of a dropped one what stays of it."""
    for version in dict.fromkeys(move.version for move in past):
        keys = [item.key for item in items if item.of == version and item.owner in {Owner.RELEASE, Owner.DROPPED}]
        manifest_key, sums = release_key(version, MANIFEST), dict[str, str]()
        if manifest_key in keys:
            manifest = moves.published(source, version, past)
            sums = {release_key(version, file.key): file.sha256 for file in kept_files(source, manifest)}
            sums[manifest_key] = digest(stored_manifest(source, manifest))
        yield from (Thing(key, sums.get(key, "")) for key in sorted(keys, key=manifest_key.__eq__))


def _copy(source: Store, target: Store, things: Iterable[Thing]) -> Copied:
    """Send what is not there; a file that the target has under another name is copied inside it."""
    things, there = list(things), set(target.list())
    alike = {thing.sha256: thing.key for thing in things if thing.sha256 and thing.key in there}
    given_up = {one.key for one in things if not (target.is_kept(one.key) or source.made_again(one.key))}
    new = [thing for thing in things if thing.key not in {*there, *given_up}]
    sent_bytes = 0
    with scratch() as folder:
        for thing in track(new, "copying", len(new)):
            if twin := alike.get(thing.sha256):
                target.copy_new(twin, thing.key)
                sha256 = thing.sha256
            else:
                sha256 = _send(source, target, thing, folder / "object")
                sent_bytes += target.size(thing.key)
            _require(target, Thing(thing.key, sha256))
            if thing.sha256:
                alike[thing.sha256] = thing.key
    return Copied(len(new), sent_bytes, len(things) - len(new))


def _send(source: Store, target: Store, thing: Thing, fetched: Path) -> str:
    """Send an object, which is `fetched` first if it is no file of this machine; its SHA-256."""
    path = source.local_path(thing.key)
    if path is None:
        fetch(source, thing.key, path := fetched)
    sha256 = _require(source, thing)
    try:
        if again := source.made_again(thing.key):
            target.put_again(thing.key, path, again)
        else:
            target.put_file_new(thing.key, path)
    except StoreFailed:
        source.size(thing.key)  # NothingThere where it was dropped a moment ago, which is no failure
        raise
    return sha256


def _require(store: Store, thing: Thing) -> str:
    """The SHA-256 of an object; Damaged where it does not begin as is on record."""
    with store.open(thing.key) as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
    if not sha256.startswith(thing.sha256):
        step = f'run "paperlake verify --all --lake {store.url}", which says what is wrong there'
        raise Damaged(f"{thing.key} in {store.url} is not what it was: {step}")
    return sha256


def copy_erasures(source: Store, target: Store, *, releases_only: bool) -> dict[str, bytes]:
    """Copy the ledger and the records of erasures; with `releases_only` only the records, which name nobody.

    Returns them all. UsageError where the target was copied before a person was erased: it still has, under the same
    names, what the source has erased. InUse while a person is being erased.
    """
    Ledger(source).require_quiet()
    erased = erasures_of(source)
    wanted = [key for key in erased if not (releases_only and key.startswith(LEDGER))]
    if any(not target.exists(key) for key in wanted) and set(target.list()) - {LEASE}:
        raise UsageError(
            f"{target.url} was copied before a person was erased from {source.url}, and has them still: remove it, and "
            "copy into an empty place"
        )
    for key in wanted:
        target.put(key, erased[key])
    return erased


def erasures_of(store: Store) -> dict[str, bytes]:
    """The ledger, and the records of erasures: each erasure changes them."""
    return {key: store.read(key) for key in (*store.list(RECORDS), *store.list(LEDGER))}
