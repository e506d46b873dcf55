"""Histories of a lake, made at random of all that moves `latest.json`, and what somebody who may write there makes of them.

Releases are of a manifest alone, which is all that the chain of moves knows of one.
"""

import shutil
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from flows.documents.release_index import lead_to_latest
from flows.people.erase import announce, finish
from flows.people.whereabouts import Found
from flows.steps.read_back import verify_moves
from tests.bare import publish_bare
from warehouse.errors import Damaged, UsageError
from warehouse.people.ledger import new_entry
from warehouse.people.person import Person
from warehouse.release import moves
from warehouse.release.chain import Checkpoint, move_key, read_chain
from warehouse.release.latest import LATEST, require_latest
from warehouse.release.manifest import Latest, decode, digest, encode
from warehouse.store.opening import open_store
from warehouse.store.store import Store


class Drilled(NamedTuple):
    """What a drill did, and what it found wrong."""

    line: str
    wrong: list[str]


BEGAN = datetime(2026, 11, 21, 6)


class History:
    """A lake and how it was after each of its moves; `seen` are the checkpoints that a reader would have kept."""

    def __init__(self, folder: Path, seed: int, sign: moves.Sign | None = None) -> None:
        self.folder, self.random, self.sign = folder, Random(seed), sign
        self.store: Store = open_store(str(folder / "lake"))
        self.seen: list[Checkpoint] = []
        for _ in range(2):
            self.publish()
        for _ in range(self.random.randint(6, 12)):
            self.go_on()

    def go_on(self) -> None:
        """One more move, honestly made; one that the lake refuses, such as a rollback to where it is, is none."""
        kinds = [self.publish, self.publish, self._rollback, self._retract, self._restore, self._keep, self._drop]
        try:
            self.random.choice([*kinds, self._erase])()
        except UsageError:
            self.publish()

    def at(self, number: int) -> Path:
        """The lake as it was after a move."""
        return self.folder / f"state-{number}"

    @property
    def when(self) -> datetime:
        return BEGAN + timedelta(hours=len(self.seen))

    def done(self) -> None:
        lead_to_latest(self.store)
        head = read_chain(self.store).head
        self.seen.append(head)
        shutil.copytree(self.folder / "lake", self.at(head.number), dirs_exist_ok=True)

    def _versions(self) -> list[str]:
        """What is there beside the latest release."""
        past = moves.moves(self.store)
        names = dict.fromkeys(move.version for move in past)
        return [one for one in names if one != past[-1].version and not moves.dropped(self.store, one, past)]

    def chosen(self) -> str:
        versions = self._versions()
        if not versions:
            raise UsageError("only the latest is left")
        return self.random.choice(versions)

    def publish(self) -> None:
        number = len({move.version for move in moves.moves(self.store)}) + 1
        publish_bare(self.store, f"2026.11.21.{number}", at=self.when, sign=self.sign)
        self.done()

    def _rollback(self) -> None:
        why = self.random.choice(["back", "somebody asked", "retracted? no"])
        moves.go_to(self.store, self.chosen(), at=self.when, why=why, even_retracted=True, sign=self.sign)
        self.done()

    def _retract(self) -> None:
        version = self.random.choice([require_latest(self.store).version, self.chosen()])
        moves.retract(self.store, version, at=self.when, why="asked for by somebody", sign=self.sign)
        self.done()

    def _restore(self) -> None:
        errata = require_latest(self.store).errata or (None,)
        version = (one := self.random.choice(errata)) and one.version
        moves.restore(self.store, version or "none", at=self.when, why="it was right", sign=self.sign)
        self.done()

    def _keep(self) -> None:
        moves.keep(self.store, self.chosen(), at=self.when, why="cited by somebody", sign=self.sign)
        self.done()

    def _drop(self) -> None:
        moves.drop(self.store, [self.chosen()], self.store.read(LATEST), at=self.when, why="a rule", sign=self.sign)
        self.done()

    def _erase(self) -> None:
        """Erase somebody, who stands in reasons of moves: their records are rewritten."""
        entry = new_entry(f"{self.when.isoformat()}Z", "GDPR art. 17")
        before = self.store.read(LATEST)
        announce(self.store, Person(entry.mask, frozenset({"somebody"})), entry, Found((), (), (), (), 0), key=None)
        if self.store.read(LATEST) == before:
            raise UsageError("nobody is in it")
        assert finish(self.store, None) == []
        self.done()


def found(store: Store, since: Checkpoint | None) -> bool:
    """Whether `paperlake verify` ends with an error."""
    try:
        return bool(verify_moves(store, since)[1])
    except Damaged:
        return True


def _put_back(history: History, *keys: str) -> Store:
    """The newest lake, with these records as they were some moves before."""
    old = open_store(str(history.at(history.random.choice(history.seen[1:-1]).number)))
    for key in keys:
        history.store.put(key, old.read(key))
    return history.store


def replay(history: History) -> Store:
    """An older `latest.json` is put back."""
    return _put_back(history, LATEST)


def freeze(history: History) -> Store:
    """A reader is shown the whole lake as it was some moves before."""
    return open_store(str(history.at(history.random.choice(history.seen[1:-1]).number)))


def fork(history: History) -> Store:
    """The lake goes on from an older state, past the move that the reader saw."""
    number = history.seen[-1].number
    history.store = freeze(history)
    history.folder = history.folder / "fork"
    while require_latest(history.store).number <= number:
        version = f"2026.11.22.{require_latest(history.store).number}"
        publish_bare(history.store, version, at=history.when, sign=history.sign)
    return history.store


def _head_changed(history: History, named: Latest) -> Store:
    history.store.put(LATEST, encode(named))
    return history.store


def un_retract(history: History) -> Store:
    """A retraction is emptied where it was made, and all hashes that follow are put right."""
    history.publish()
    version = require_latest(history.store).version
    moves.retract(history.store, version, at=history.when, why="wrong", sign=history.sign)
    history.done()
    if history.random.random() < 0.5:
        return _head_changed(history, replace(require_latest(history.store), errata=()))
    history.publish()
    key = move_key(history.seen[-2].number)
    emptied = encode(replace(decode(history.store.read(key), Latest, key), errata=()))
    history.store.put(key, emptied)
    return _head_changed(history, replace(require_latest(history.store), errata=(), previous_sha256=digest(emptied)))


def downgrade(history: History) -> Store:
    """`latest.json` names an older release, which is as it was published, and signed."""
    named, past = require_latest(history.store), moves.moves(history.store)
    older = next(move for move in past if move.version != named.version)
    return _head_changed(history, replace(named, version=older.version, manifest_sha256=older.manifest_sha256))


ATTACKS: dict[str, Callable[[History], Store]] = {
    "replay": replay,
    "freeze": freeze,
    "fork": fork,
    "un-retraction": un_retract,
    "downgrade": downgrade,
}


def drill(seed: int, count: int, folder: Path) -> Drilled:
    """So many attacks, each on a history of its own, which is asked for false alarms first."""
    by_checkpoint, alone, wrong = 0, 0, []
    for number in range(count):
        name, attack = list(ATTACKS.items())[number % len(ATTACKS)]
        history = History(folder / str(number), seed * count + number)
        for since in (None, *history.seen):  # an honest lake, by any checkpoint that a reader may have
            wrong += (f"{number}: false alarm: {fault}" for fault in verify_moves(history.store, since)[1])
        attacked = attack(history)
        is_found = found(attacked, history.seen[-1])
        wrong += [] if is_found else [f"{number}: {name} was not found"]
        by_checkpoint, alone = by_checkpoint + is_found, alone + found(attacked, None)
        shutil.rmtree(folder / str(number))
    line = f"{count} attacks: {by_checkpoint} found by a checkpoint of the newest move, {alone} without one"
    return Drilled(line, wrong)
