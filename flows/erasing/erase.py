"""Erasing a person from a lake, in an order that can be killed anywhere and gone on with by the same command.

The ledger comes first: from then on nothing of theirs is landed. Then raw; then every kept release is made anew beside
itself; then one move of `latest.json` says so, with the hash of a record that maps each manifest to the one that comes
in its place; then all is put there. In the end the whole lake is looked through once more, and must hold nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import version as version_of
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from flows.documents.page.leading import lead_to_latest
from flows.erasing.derived import derived_in
from flows.erasing.prefect_rows import mask_prefect
from flows.erasing.whereabouts import Found, find, kept_releases, require_none, texts_of
from flows.erasing.who import accounts_in, person_named
from flows.runtime.lake import journal_folder
from flows.runtime.now import utc_now
from flows.runtime.progress import track
from flows.steps.signing import NAMESPACE, SIGNATURE, sign_release
from warehouse.archive.archive import Archive
from warehouse.archive.erased_records import erase_raw
from warehouse.archive.index import read_index
from warehouse.archive.journal import Journal
from warehouse.archive.journal_file import NAMES
from warehouse.erasing.ledger import Erased, Ledger, new_entry
from warehouse.erasing.person import Person
from warehouse.errors import NothingThere, Superseded, UsageError
from warehouse.release import moves
from warehouse.release.cache import forget
from warehouse.release.erasing import staged
from warehouse.release.erasing.erasures import Cells, Erasure, Renewed, record_key
from warehouse.release.erasing.left_over import text_without
from warehouse.release.erasing.rewriter import Rewriter, amended
from warehouse.release.erasing.staged import STAGE, Plan
from warehouse.release.latest import CURRENT, DATABASE, DRAFTS, LATEST, MANIFEST, NO_DRAFT, read_latest, release_key
from warehouse.release.manifest import ErasureNote, Latest, Manifest, decode, digest, encode
from warehouse.store.local_files import local_files
from warehouse.store.store import Store, read_if_there

AGAIN = "another run published something meanwhile; run the same command again, it goes on"


class Machine(NamedTuple):
    """What of this machine has to do with a lake: Prefect's folder, databases that were fetched, the key that signs."""

    prefect: Path | None = None
    cache: Path | None = None
    signing_key: Path | None = None


class Wish(NamedTuple):
    """What is asked for: who, under which rule, whether printed authorship and words in prose go too."""

    who: str
    why: str
    authorship: bool = False
    words: bool = False


def look(store: Store, wish: Wish, machine: Machine) -> tuple[Person, Erased, Found]:
    """Who is meant, and where something of theirs is; NothingThere where nothing is. Nothing is changed."""
    ledger = Ledger(store)
    with local_files(store) as files:
        accounts = accounts_in(files, kept_releases(store))
        known = ledger.of([wish.who], [wish.who]) or _new(wish)
        entry = known if known.authorship >= wish.authorship and known.words >= wish.words else _more(known, wish)
        person = person_named(wish.who, accounts, entry, ledger)
        found = find(files, person, prefect=machine.prefect)
        if not found.words and not person.words:  # no text of a paper has it as a word: then nothing else need keep it
            entry, person = replace(entry, words=True), as_word(person)
            found = replace(found, warcs=tuple(erase_raw(store, person, str, apply=False)))
    if found.is_nothing and entry.is_done | (known.hashes == ()):
        raise NothingThere(f"nothing in {store.url} is of a login or a submitter {wish.who!r}; is it spelt so there?")
    if person.is_in(wish.why):
        raise UsageError("--why is kept for good, and names the person; give the rule, such as `GDPR art. 17`")
    return person, entry, found


def as_word(person: Person) -> Person:
    """The same person, whose login goes wherever it stands."""
    return Person(person.mask, person.logins, person.names, person.authorship, words=True)


def _new(wish: Wish) -> Erased:
    at = f"{utc_now().isoformat(timespec='seconds')}Z"
    return new_entry(at, wish.why, authorship=wish.authorship, words=wish.words)


def _more(known: Erased, wish: Wish) -> Erased:
    """The same person, of whom more is to go than the last time."""
    return replace(known, authorship=wish.authorship or known.authorship, words=wish.words or known.words)


def erase(store: Store, wish: Wish, machine: Machine) -> tuple[Erasure | None, list[str]]:
    """Erase a person; the record of it, None where no release held anything, and what is left to be done by hand.

    Superseded where others write to the lake meanwhile: the same command goes on.
    """
    person, entry, _ = look(store, wish, machine)
    ledger = Ledger(store)
    entry = ledger.begin(entry, person.logins, person.names)
    _land_journal(store)
    warcs = erase_raw(store, person, entry.note, apply=True)
    erasure = _erase_releases(store, person, entry, warcs=(len(warcs), sum(one.record_count for one in warcs)))
    left = _apply(store, person, entry, machine)
    with local_files(store) as files:
        require_none(find(files, person, prefect=machine.prefect))
    store.delete_prefix(f"{STAGE}/{entry.id}")
    ledger.end(entry)
    return erasure, left


def _land_journal(store: Store) -> None:
    """Land what dead processes left on this machine; Superseded where one is alive."""
    folder = journal_folder(store)
    with Journal(Archive(store), folder, now=utc_now):
        pass
    if any(folder.glob(NAMES)):
        raise Superseded(f"another run is fetching pages into {folder}; erase again when it is done")


def _erase_releases(store: Store, person: Person, entry: Erased, *, warcs: tuple[int, int]) -> Erasure | None:
    """Make every release anew beside itself, then let one move say so; the record of it, None where nothing changes."""
    expected = read_latest(store)
    if expected is None:
        return None
    name = _name_of(store, entry, decode(expected, Latest, LATEST))
    if (done := read_if_there(store, record_key(name))) and _is_named(expected, name):
        return decode(done, Erasure, name)
    note = ErasureNote(name, entry.at, entry.why)
    plans = _plans(store, person, entry, note)
    texts = list(_stage_texts(store, person, entry))
    if not plans and not texts:
        return None
    erasure = _record(note, plans, texts, warcs)
    store.put(record_key(name), encode(erasure))
    _move(store, person, expected, plans, replace(note, sha256=digest(encode(erasure))))
    return erasure


def _name_of(store: Store, entry: Erased, named: Latest) -> str:
    """The name of the record, the same one when it goes on after it was killed."""
    key = f"{STAGE}/{entry.id}/name"
    count = sum(note.name.startswith(entry.id) for note in named.erasures)
    store.put_new(key, f"{entry.id}-{count + 1}".encode())
    return store.read(key).decode()


def _is_named(expected: bytes, name: str) -> bool:
    return name in {note.name for note in decode(expected, Latest, LATEST).erasures}


def _plans(store: Store, person: Person, entry: Erased, note: ErasureNote) -> list[Plan]:
    """What each release becomes; a plan that is there already stands if the release is still what it was made of."""
    amend = amended(read_index(store))
    plans = []
    for manifest in track(kept_releases(store), "erasing"):
        plan = staged.stored_plan(store, entry.id, manifest.version)
        if plan is None or plan.before != digest(store.read(release_key(manifest.version, MANIFEST))):
            with local_files(store) as files:
                plan = Rewriter(files, manifest, person, amend, derived_in(files)).plan(note)
        plans += [plan] if plan else []
    return plans


def _stage_texts(store: Store, person: Person, entry: Erased) -> Iterator[Renewed]:
    """The records beside the releases, staged; `latest.json` itself is moved on, not put."""
    for found, before, after in texts_of(store, person):
        key = found
        if found == LATEST:  # it is kept as a move, and then mended
            key = moves.move_key(decode(before, Latest, LATEST).number)
        store.put(staged.stage_key(entry.id, "texts", key), after)
        yield Renewed(key, digest(before), digest(after))


def _record(note: ErasureNote, plans: Sequence[Plan], texts: Sequence[Renewed], warcs: tuple[int, int]) -> Erasure:
    manifests = (
        Renewed(release_key(plan.manifest.version, MANIFEST), plan.before, digest(encode(plan.manifest)))
        for plan in plans
    )
    return Erasure(
        name=note.name,
        erased_at=note.erased_at,
        why=note.why,
        code_version=version_of("paperlake"),
        warc_count=warcs[0],
        record_count=warcs[1],
        file_count=sum(len(plan.keys) for plan in plans),
        renewed=(*manifests, *texts),
        cells=_summed(plans),
    )


def _summed(plans: Sequence[Plan]) -> tuple[Cells, ...]:
    """Rows by release, table and column."""
    counts: dict[tuple[str, str, str], int] = {}
    for cell in (cell for plan in plans for cell in plan.cells):
        place = (cell.version, cell.table, cell.column)
        counts[place] = counts.get(place, 0) + cell.row_count
    return tuple(Cells(*place, count) for place, count in sorted(counts.items()))


def _move(store: Store, person: Person, expected: bytes, plans: Sequence[Plan], note: ErasureNote) -> None:
    """Say it in `latest.json`, by one compare-and-swap."""
    text = text_without(person, LATEST, expected.decode())
    named = decode(text.encode(), Latest, LATEST)
    after = {plan.manifest.version: digest(encode(plan.manifest)) for plan in plans}
    made = replace(
        named,
        manifest_sha256=after.get(named.version, named.manifest_sha256),
        why=f"a person was erased: {note.why}",
        erasures=(*named.erasures, note),
    )
    if moves.erase(store, expected, made, at=utc_now()) is None:
        raise Superseded(AGAIN)


def _apply(store: Store, person: Person, entry: Erased, machine: Machine) -> list[str]:
    """Put in place what is staged; then what no move names: signatures, drafts, caches, Prefect's rows."""
    left = []
    for plan in staged.plans(store, entry.id):
        staged.apply(store, entry.id, plan)
        left += _sign(store, plan.manifest, machine.signing_key)
    folder = staged.stage_key(entry.id, "texts", "")
    for key in store.list(folder.rstrip("/")):
        store.put(key.removeprefix(folder), store.read(key))
    _drop_drafts(store)
    if machine.cache:
        forget(
            machine.cache, {file.sha256 for one in kept_releases(store) for file in one.files if file.key == DATABASE}
        )
    if machine.prefect:
        mask_prefect(machine.prefect, person)
    lead_to_latest(store)
    return left


def _sign(store: Store, manifest: Manifest, key: Path | None) -> list[str]:
    """With a key the release is signed anew; without one that was signed is not any more."""
    at = release_key(manifest.version, SIGNATURE)
    was_signed = store.exists(at)
    store.delete(at)
    sign_release(store, manifest, key)
    step = f"sign {at.removesuffix('.sig')} by `ssh-keygen -Y sign -n {NAMESPACE} -f KEY`"
    return [f"release {manifest.version} was signed, and is not any more: {step}"] if was_signed and key is None else []


def _drop_drafts(store: Store) -> None:
    """Remove every draft: what was made of the pages before may not be published."""
    data = read_if_there(store, CURRENT)
    if data not in (None, NO_DRAFT):
        store.swap(CURRENT, NO_DRAFT, data)
    for draft_id in sorted({key.split("/")[1] for key in store.list(DRAFTS) if key != CURRENT}):
        store.delete_prefix(f"{DRAFTS}/{draft_id}")
