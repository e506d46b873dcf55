"""Erases a person from a lake. It may be killed at any moment; the same command goes on.

The ledger comes first: from then on nothing of theirs is landed. Then raw; then every kept release is made anew beside
itself; then one move of `latest.json` announces it, with the hash of a record that maps each manifest to its successor;
then all files are put in place. In the end the whole lake is searched once more, and must hold nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from flows.documents.release_index import lead_to_latest, tombstone
from flows.people.announce import announce, finish
from flows.people.whereabouts import (
    UNDONE,
    Found,
    accounts_in,
    find,
    kept_releases,
    mask_prefect,
    person_named,
    require_none,
)
from flows.runtime.lake import journal_folder
from flows.runtime.now import utc_now
from warehouse.archive.archive import Archive
from warehouse.archive.erased_records import erase_raw
from warehouse.archive.journal import NAMES, Journal
from warehouse.errors import NothingThere, Superseded, UsageError
from warehouse.inventory.owners import inventory
from warehouse.inventory.retention import collect, finish_drops
from warehouse.people.ledger import Erased, Ledger, new_entry
from warehouse.people.person import Person
from warehouse.release.latest import CURRENT, DATABASE, DRAFTS, ERASING, INDEX, NO_DRAFT, Erasure, erasures, forget
from warehouse.store.local_files import local_files
from warehouse.store.store import Store, read_if_there


class Machine(NamedTuple):
    """What this machine has of a lake: Prefect's folder, the cache of fetched databases, the key to sign releases."""

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


def look(store: Store, wish: Wish, machine: Machine) -> tuple[Person, Erased, Found]:
    """The person who is meant, and where their data is; NothingThere where there is none. Nothing is changed."""
    ledger = Ledger(store)
    with local_files(store) as files:
        accounts = accounts_in(files, kept_releases(store))
        known = ledger.of([wish.who], [wish.who]) or new_entry(f"{utc_now().isoformat(timespec='seconds')}Z", wish.why)
        entry = replace(known, authorship=wish.authorship or known.authorship, words=wish.words or known.words)
        person = person_named(wish.who, accounts, entry, ledger)
        found = find(files, person, prefect=machine.prefect)
        if found.releases and not found.words and not person.words:  # no paper has the login as a word
            person = as_word(person)
            entry = replace(entry, words=not all(login.isalpha() for login in person.logins))  # nor will a later one
            found = replace(found, warcs=tuple(erase_raw(store, person, str, apply=False)))
    if found.is_nothing and entry.is_done | (known.hashes == ()):
        raise NothingThere(f"{store.url} has nothing of a login or submitter {wish.who!r}; check how it is spelt there")
    if person.is_in(wish.why):
        raise UsageError("--why is kept for good, and names the person; give the rule, such as `GDPR art. 17`")
    return person, entry, found


def as_word(person: Person) -> Person:
    """The same person, whose login is to be masked wherever it stands."""
    return Person(person.mask, person.logins, person.names, person.authorship, words=True)


def erase(store: Store, wish: Wish, machine: Machine) -> Done:
    """Erase a person, and return what was done and what is left to do by hand.

    Superseded where others write to the lake meanwhile: the same command goes on.
    """
    left = finish(store, machine.signing_key)
    lead_to_latest(store)
    finish_drops(store, tombstone)
    person, entry, _ = look(store, wish, machine)
    ledger = Ledger(store)
    if [(one.authorship, one.words) for one in ledger.entries if one.id == entry.id] != [
        (entry.authorship, entry.words)
    ]:
        store.delete_prefix(f"{ERASING}/{entry.id}")  # staged by a killed run that was to erase less
    entry = ledger.begin(entry, person.logins, person.names)
    land_journal(store)
    warcs = erase_raw(store, person, entry.note, apply=True)
    announce(store, person, entry, warcs=(len(warcs), sum(one.record_count for one in warcs)), key=machine.signing_key)
    left += finish(store, machine.signing_key)
    entry = ledger.rewritten(entry)
    _clear(store, person, machine)
    with local_files(store) as files:
        require_none(found := find(files, person, prefect=machine.prefect))
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
    """Remove all drafts, which may be made of the old pages; whoever makes one looks at the ledger in the end."""
    data = read_if_there(store, CURRENT)
    if data not in (None, NO_DRAFT):
        store.swap(CURRENT, NO_DRAFT, data)
    for draft_id in sorted({key.split("/")[1] for key in store.list(DRAFTS) if key != CURRENT}):
        store.delete_prefix(f"{DRAFTS}/{draft_id}")


def _clear(store: Store, person: Person, machine: Machine) -> None:
    """Remove what no move names: drafts and releases that were begun, all of which were made of the old pages, what any
    run or erasure that was stopped left, fetched databases, Prefect's rows.

    Whoever has the lease of the lake does so: what others who publish, retain or erase are writing would go.
    """
    drop_drafts(store)
    collect(store, [item for item in inventory(store) if item.key != CURRENT], UNDONE)
    store.sweep()
    if machine.cache:
        kept = (file for one in kept_releases(store) for file in one.files if file.key == DATABASE)
        forget(machine.cache, {file.sha256 for file in kept})
    if machine.prefect:
        mask_prefect(machine.prefect, person)
    store.delete(INDEX)  # made of the old manifests
    lead_to_latest(store)
