"""Erasing in the releases: new files are made beside the old ones, announced in `latest.json`, then put in place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version as version_of
from multiprocessing import get_context
from pathlib import Path

from msgspec.structs import replace

from flows.people import staged
from flows.people.rewriter import Rewriter
from flows.people.staged import Plan
from flows.people.whereabouts import kept_releases, text_without, texts_of
from flows.runtime.now import utc_now
from flows.runtime.progress import track
from flows.steps.signing import move_signed_anew, signed_anew, signer
from warehouse.archive.index import read_index
from warehouse.errors import Superseded
from warehouse.inventory.owners import inventory
from warehouse.people.ledger import Erased
from warehouse.people.person import Person
from warehouse.release import moves
from warehouse.release.chain import move_key
from warehouse.release.latest import (
    ERASING,
    LATEST,
    MANIFEST,
    MOVES,
    Cells,
    Erasure,
    RewrittenObject,
    read_latest,
    record_key,
    release_key,
)
from warehouse.release.manifest import ErasureNote, Latest, decode, digest, encode
from warehouse.store.local_files import local_files, scratch
from warehouse.store.store import Store, read_if_there

AGAIN = "another run published something meanwhile; run the same command again, it goes on"


def announce(store: Store, person: Person, entry: Erased, *, warcs: tuple[int, int], key: Path | None) -> None:
    """Make every release anew beside itself, then announce it by one move of `latest.json`, if anything changes."""
    expected = read_latest(store)
    if expected is None:
        return
    count = sum(note.name.startswith(entry.id) for note in decode(expected, Latest, LATEST).erasures)
    store.put_new(name := f"{ERASING}/{entry.id}/name", f"{entry.id}-{count + 1}".encode())  # kept where it was killed
    note = ErasureNote(store.read(name).decode(), entry.at, entry.why)
    plans = plans_of(store, person, entry, note)
    texts = list(staged_texts(store, person, entry))
    if not plans and not texts:
        return
    after = {one.manifest.version: digest(staged.staged_manifest(store, entry.id, one)) for one in plans}
    erasure = record_of(note, plans, after, texts, warcs)
    store.put(record_key(note.name), encode(erasure))
    made = _announcing(person, expected, after, replace(note, sha256=digest(encode(erasure))))
    if moves.erase(store, expected, made, at=utc_now(), sign=signer(key)) is None:
        raise Superseded(AGAIN)


def plans_of(store: Store, person: Person, entry: Erased, note: ErasureNote) -> list[Plan]:
    """How each release is rewritten; a stored plan is used again if the release is still what it was made of."""
    entries = read_index(store)
    plans = []
    with ProcessPoolExecutor(1, get_context("spawn")) as apart:
        for manifest in track(kept_releases(store), "erasing"):
            plan = staged.stored_plan(store, entry.id, manifest.version)
            if plan is None or plan.before != digest(store.read(release_key(manifest.version, MANIFEST))):
                with local_files(store) as files, scratch() as folder:
                    plan = Rewriter(files, manifest, person, entries, folder, apart).plan(note)
            plans += [plan] if plan else []
    return plans


def staged_texts(store: Store, person: Person, entry: Erased) -> Iterator[RewrittenObject]:
    """Stage the records beside the releases that change; `latest.json` itself is changed by a move."""
    for found, before, after in texts_of(store, person, inventory(store)):
        key = found
        if found == LATEST:  # the next move keeps it in the log, where it is to be replaced
            key = move_key(decode(before, Latest, LATEST).number)
        store.put(staged.stage_key(entry.id, "texts", key), after)
        yield RewrittenObject(key, digest(before), digest(after))


def record_of(
    note: ErasureNote,
    plans: Sequence[Plan],
    after: Mapping[str, str],
    texts: Sequence[RewrittenObject],
    warcs: tuple[int, int],
) -> Erasure:
    """The record of the erasure: hashes before and `after`, and counts of rows by release, table and column."""
    manifests = (
        RewrittenObject(release_key(plan.manifest.version, MANIFEST), plan.before, after[plan.manifest.version])
        for plan in plans
    )
    rows = Counter[tuple[str, str, str]]()
    for cell in (cell for plan in plans for cell in plan.cells):
        rows[cell.version, cell.table, cell.column] += cell.row_count
    return Erasure(
        name=note.name,
        erased_at=note.erased_at,
        why=note.why,
        code_version=version_of("paperlake"),
        warc_count=warcs[0],
        record_count=warcs[1],
        file_count=sum(len(plan.keys) for plan in plans),
        renewed=(*manifests, *texts),
        cells=tuple(Cells(*place, count) for place, count in sorted(rows.items())),
    )


def _announcing(person: Person, expected: bytes, after: Mapping[str, str], note: ErasureNote) -> Latest:
    """What the move that announces the erasure says in `latest.json`."""
    text = text_without(person, LATEST, expected.decode())
    named = decode(text.encode(), Latest, LATEST)
    return replace(
        named,
        manifest_sha256=after.get(named.version, named.manifest_sha256),
        why=f"a person was erased: {note.why}",
        erasures=(*named.erasures, note),
    )


def finish(store: Store, signing_key: Path | None) -> list[str]:
    """Put in place what was announced, by a killed run too; returns what is left to do by hand."""
    data, left = read_if_there(store, LATEST), list[str]()
    announced = {note.name for note in decode(data, Latest, LATEST).erasures} if data else set()
    for key in store.list(ERASING):
        entry_id = key.split("/")[1]
        if not key.endswith("/name") or store.read(key).decode() not in announced:
            continue
        for plan in staged.plans(store, entry_id):
            staged.apply(store, entry_id, plan)
            left += signed_anew(store, plan.manifest, signing_key)
        folder = staged.stage_key(entry_id, "texts", "")
        for text in store.list(folder.rstrip("/")):
            place, after = text.removeprefix(folder), store.read(text)
            if place.startswith(MOVES):
                move_signed_anew(store, store.read(place), after, signing_key)
            store.put(place, after)
        store.delete_prefix(f"{ERASING}/{entry_id}")
    return left
