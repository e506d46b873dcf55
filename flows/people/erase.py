"""Erases a person from a lake. It may be killed at any moment; the same command goes on.

The ledger comes first: from then on nothing of theirs is landed. Then raw; then every kept release is made anew beside
itself; then one move of `latest.json` announces it, with the hash of a record that maps each manifest to its successor;
then all files are put in place. In the end the whole lake is searched once more, and must hold nothing.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version as version_of
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from flows.documents.release_index import lead_to_latest, tombstone
from flows.people import staged, whereabouts
from flows.people.prefect_history import prefect_rows
from flows.people.rewriter import Rewriter, their_claims
from flows.people.staged import Plan
from flows.people.whereabouts import UNDONE, Found, Places, kept_releases, text_without, texts_of
from flows.people.who_is_meant import (
    AUTHOR,
    accounts_in,
    corrected_names,
    pairs_in,
    person_named,
    sightings_in,
    with_ids,
)
from flows.runtime.environment import utc_now
from flows.runtime.lake import journal_folder
from flows.runtime.progress import track
from flows.steps.corrections_file import claim_name
from flows.steps.signing import move_signed_anew, signed_anew, signer
from warehouse.archive.archive import Archive
from warehouse.archive.erased_records import ErasedFile, erase_raw
from warehouse.archive.index import read_index
from warehouse.archive.journal import NAMES, Journal
from warehouse.errors import NothingThere, Superseded, UsageError
from warehouse.inventory.owners import inventory
from warehouse.inventory.retention import collect, finish_drops
from warehouse.limits import end_with_parent
from warehouse.people.ledger import Erased, Ledger, new_entry
from warehouse.people.person import MASK, Person, normal
from warehouse.printable import printable, to_the_second
from warehouse.release import moves
from warehouse.release.cache import forget
from warehouse.release.chain import move_key
from warehouse.release.latest import (
    CURRENT,
    DATABASE,
    ERASING,
    INDEX,
    LATEST,
    MANIFEST,
    MOVES,
    NO_DRAFT,
    Cells,
    Erasure,
    RewrittenObject,
    erasures,
    read_latest,
    record_key,
    release_key,
)
from warehouse.release.manifest import ErasureNote, Latest, decode, digest, encode
from warehouse.release.snapshot import Snapshot
from warehouse.store.local_files import LocalFiles, local_files, scratch
from warehouse.store.store import Store, read_if_there

NOT_BESIDE = (
    "the person was erased before, and since then no account stands beside a printed name, so none is known to be "
    'theirs: give the name as papers print it, as in `paperlake erase "Ada Weaver" --authorship`, or leave out '
    "--authorship"
)
OTHER_NAMES = (
    "names that papers print in another form: since the earlier erasure no account stands beside them; erase each by "
    "itself, as papers print it"
)
BESIDE = (
    "accounts that stand beside the name in print, and say whose it was: erase each by its login, as `paper_authors` "
    "has it beside the mask"
)


def announce(store: Store, person: Person, entry: Erased, found: Found, *, key: Path | None) -> None:
    """Make every release anew beside itself, then announce it by one move of `latest.json`, if anything changes.

    `found` has the places in each release, and the WARC files that were rewritten.
    """
    expected = read_latest(store)
    if expected is None:
        return
    count = sum(note.name.startswith(entry.id) for note in decode(expected, Latest, LATEST).erasures)
    store.put_new(name := f"{ERASING}/{entry.id}/name", f"{entry.id}-{count + 1}".encode())  # kept where it was killed
    note = ErasureNote(store.read(name).decode(), entry.at, entry.why)
    plans = plans_of(store, person, entry, note, dict(found.releases))
    texts = list(staged_texts(store, person, entry))
    if not plans and not texts:
        return
    after = {one.manifest.version: digest(staged.staged_manifest(store, entry.id, one)) for one in plans}
    erasure = record_of(note, plans, after, texts, found.warcs)
    store.put(record_key(note.name), encode(erasure))
    made = _announcing(person, expected, after, replace(note, sha256=digest(encode(erasure))))
    moves.erase(store, expected, made, at=utc_now(), sign=signer(key))


def plans_of(store: Store, person: Person, entry: Erased, note: ErasureNote, found: Mapping[str, Places]) -> list[Plan]:
    """How each release is rewritten; a stored plan is used again if the release is still what it was made of."""
    entries = read_index(store)
    plans = list[Plan]()
    with ProcessPoolExecutor(1, get_context("spawn"), end_with_parent) as apart:
        for manifest in track(kept_releases(store), "erasing"):
            plan = staged.stored_plan(store, entry.id, manifest.version)
            if plan is None or plan.before != digest(store.read(release_key(manifest.version, MANIFEST))):
                with local_files(store) as files, scratch() as folder:
                    places = found.get(manifest.version) or whereabouts.places_in(files, manifest, person, {})
                    plan = Rewriter(files, manifest, person, entries, folder, apart, places, bool(plans)).plan(note)
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
    warcs: Sequence[ErasedFile],
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
        warc_count=len(warcs),
        record_count=sum(one.record_count for one in warcs),
        file_count=sum(len(plan.keys) for plan in plans),
        renewed=(*manifests, *texts),
        cells=tuple(Cells(*place, count) for place, count in sorted(rows.items())),
    )


def _announcing(person: Person, expected: bytes, after: Mapping[str, str], note: ErasureNote) -> Latest:
    """The content of `latest.json` in the move that announces the erasure."""
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


class Machine(NamedTuple):
    """What this machine holds for a lake: Prefect's folder, the cache of databases, the key to sign releases."""

    prefect: Path | None = None
    cache: Path | None = None
    signing_key: Path | None = None


class Wish(NamedTuple):
    """The request: whom to erase, by which rule, and whether authorship and words in prose go too."""

    who: str
    why: str
    authorship: bool = False
    words: bool = False


class Done(NamedTuple):
    """The record, None where no release held anything; what is left to do by hand; how many words in prose stay."""

    record: Erasure | None
    left: tuple[str, ...]
    words: int


def look(store: Store, wish: Wish, machine: Machine, *, is_dry: bool = True) -> tuple[Person, Erased, Found]:
    """The person who is meant, and where their data is; NothingThere where there is none. Nothing is changed.

    Unless the run `is_dry`, pages are searched only where nothing else has anything. Prefect's history always is: one
    that cannot be read is found before anything is erased.
    """
    with local_files(store) as files:
        person, entry = _meant(files, wish, Ledger(store))
        found = whereabouts.find(files, person, with_pages=False)
        if found.releases and not found.words and not person.words:  # no paper has the login as a word
            person = Person(person.mask, person.logins, person.names, person.authorship, words=True)
            entry = replace(entry, words=not any(map(str.isalpha, person.handles)))  # nor will a later one
    found = replace(found, prefect_rows=prefect_rows(machine.prefect, person))
    if is_dry or found.is_nothing:
        found = replace(found, warcs=tuple(erase_raw(store, person, str, apply=False)))
    if found.is_nothing and entry.is_done | (entry.hashes == ()):
        raise NothingThere(f"{store.url} has nothing of a login or submitter {wish.who!r}; check how it is spelt there")
    if person.is_in(wish.why):
        raise UsageError("--why is kept for good, and names the person; give the rule, such as `GDPR art. 17`")
    return person, entry, replace(found, logins=tuple(sorted(person.handles)))


def _meant(files: LocalFiles, wish: Wish, ledger: Ledger) -> tuple[Person, Erased]:
    """The person whom a request means, with the names that papers print if it asks for these, and their entry."""
    if not any(map(str.isalnum, wish.who)):  # such a login, and an empty one, would be found in every address
        raise UsageError(f"{printable(wish.who)!r} is no login; it has no letter and no digit")
    if any(one.mask == normal(wish.who) for one in ledger.entries):  # pages that are yet to come would bring it back
        raise UsageError(f"{wish.who} stands for somebody who was erased already; nothing of them is left to erase")
    releases = kept_releases(files.store)
    seen = sightings_in(files, releases)
    accounts = accounts_in(files, releases, seen)
    made = new_entry(to_the_second(utc_now()), wish.why)
    known = ledger.of([wish.who], [wish.who]) or made
    if known.is_done:  # one that was killed goes on as it began
        known = replace(known, at=made.at, why=made.why)
    entry = replace(known, authorship=wish.authorship or known.authorship, words=wish.words or known.words)
    person = person_named(wish.who, accounts, with_ids(files, seen), entry, ledger)
    if not person.authorship:
        return person, entry
    printed = pairs_in(seen, AUTHOR)
    ours = (one for login, one in printed if person.is_login(login or "") or ledger.has_name(entry, one or ""))
    named = {one for _, one in printed if one and normal(one) == normal(wish.who)}
    names = {one for one in person.names.union(named, filter(None, ours)) if not MASK.fullmatch(one)}
    names |= {right for seen, right in corrected_names(files, releases, "name") if seen in names}
    if known.hashes and not (known.authorship or names & {name for _, name in printed}):
        raise UsageError(NOT_BESIDE)
    is_login = not named or any(person.is_login(login or "") for login, _ in (*accounts, *printed))
    logins = person.logins if is_login else frozenset[str]()  # else a name in print that is one word
    return Person(person.mask, logins, frozenset(names), authorship=True, words=person.words), entry


def erase(store: Store, wish: Wish, machine: Machine) -> Done:
    """Erase a person, and return what was done and what is left to do by hand.

    Superseded where others write to the lake meanwhile: the same command goes on.
    """
    left = finish(store, machine.signing_key)
    lead_to_latest(store)
    finish_drops(store, tombstone)
    person, entry, found = look(store, wish, machine, is_dry=False)
    ledger = Ledger(store)
    is_later = any(one.id == entry.id and not one.authorship for one in ledger.entries)
    if [(one.authorship, one.words) for one in ledger.entries if one.id == entry.id] != [
        (entry.authorship, entry.words)
    ]:
        store.delete_prefix(f"{ERASING}/{entry.id}")  # staged by a killed run that was to erase less
    with local_files(store) as files:
        claims = {claim_name(row) for one in kept_releases(store) for row in their_claims(person, Snapshot(one, files))}
        entry = ledger.begin(entry, person.logins, person.names, claims)
    land_journal(store)
    found = replace(found, warcs=tuple(erase_raw(store, person, entry.note, apply=True)))
    announce(store, person, entry, found, key=machine.signing_key)
    left += finish(store, machine.signing_key)
    left += [OTHER_NAMES] if entry.authorship and is_later else []
    drop_drafts(store)
    entry = ledger.rewritten(entry)
    _clear(store, machine)
    rows = prefect_rows(machine.prefect, person, delete=True)
    with local_files(store) as files:
        whereabouts.require_none(found := replace(whereabouts.find(files, person), prefect_rows=rows))
        authors = pairs_in(sightings_in(files, kept_releases(store)), AUTHOR) if entry.authorship else set()
    left += [BESIDE] if any(login and name == entry.mask for login, name in authors) else []
    ledger.end(entry)
    record = next((one for one in reversed(erasures(store)) if one.name.startswith(entry.id)), None)
    return Done(record, tuple(left), found.words)


def land_journal(store: Store) -> None:
    """Land the journals that dead processes left on this machine; Superseded where one is alive."""
    folder = journal_folder(store)
    with Journal(Archive(store, by_erasure=True), folder, now=utc_now):
        pass
    if any(folder.glob(NAMES)):
        raise Superseded(f"another run is fetching pages into {folder}; erase again when it is done")


def drop_drafts(store: Store) -> None:
    """Remove drafts and releases that were begun, which may be made of the old pages, and what was left by any kill.

    Whoever makes a draft looks at the ledger in the end; whoever publishes or retains waits for the lease of the lake.
    """
    collect(store, [item for item in inventory(store) if item.key != CURRENT], UNDONE)
    data = read_if_there(store, CURRENT)
    if data not in (None, NO_DRAFT):  # last: without it a first release that was begun would have lost `latest.json`
        store.swap(CURRENT, NO_DRAFT, data)


def _clear(store: Store, machine: Machine) -> None:
    """Remove what no move names, on this machine too: fetched databases."""
    drop_drafts(store)
    store.sweep()
    if machine.cache:
        kept = (file for one in kept_releases(store) for file in one.files if file.key == DATABASE)
        forget(machine.cache, {file.sha256 for file in kept})
    store.delete(INDEX)  # made of the old manifests
    lead_to_latest(store)
