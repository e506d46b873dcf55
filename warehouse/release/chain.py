"""The chain of moves: each names the hash of the one before, and `latest.json` is its head.

The head's hash covers all that was ever said: releases, retractions, drops, what is kept, and erasures.

A checkpoint is the number and the hash of a move. Whoever keeps one finds later that the lake shows an older state, or
another history. Nothing here tells anybody to replace or remove what is wrong: it is the evidence.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final, NamedTuple

from warehouse.errors import Damaged, UsageError
from warehouse.release.latest import LATEST, MOVES, read_latest, resolved
from warehouse.release.manifest import Latest, decode, digest
from warehouse.store.store import Store, read_if_there

SIGNATURES: Final = "log/signatures"  # of moves, each named by the hash of the bytes that it signs
EVIDENCE: Final = "change nothing, it is the evidence: docs/repair.md says how to go on"
KEPT: Final = re.compile(rf"{MOVES}/([0-9]{{6,9}})\.json")
GIVEN: Final = re.compile(r"([1-9][0-9]{0,8}):([0-9a-f]{64})")


class Checkpoint(NamedTuple):
    """A move that somebody saw: its number, and the SHA-256 of its bytes as they were stored."""

    number: int
    sha256: str

    def __str__(self) -> str:
        return f"{self.number}:{self.sha256}"


class Chain(NamedTuple):
    """The moves whose records are sound, the first one first, and every fault of the others.

    `sha256` has the hash of each that is stored, by number; `latest` is `latest.json` as it was stored then.
    """

    moves: list[Latest]
    sha256: Mapping[int, str]
    wrong: list[str]
    latest: bytes | None

    @property
    def head(self) -> Checkpoint | None:
        """The checkpoint that a reader may keep; None before the first release."""
        return Checkpoint(self.moves[-1].number, self.sha256[self.moves[-1].number]) if self.moves else None


def checkpoint_of(text: str) -> Checkpoint:
    """The checkpoint that "paperlake verify" printed; UsageError where it is none."""
    if found := GIVEN.fullmatch(text.strip()):
        return Checkpoint(int(found[1]), found[2])
    raise UsageError(f'{text} is no checkpoint; "paperlake verify" prints one, a number and 64 hex digits: 7:9f86…')


def move_key(number: int) -> str:
    """The key of a move that is no longer the newest."""
    return f"{MOVES}/{number:06}.json"


def signature_key(sha256: str) -> str:
    """The key of the signature of the move with this hash."""
    return f"{SIGNATURES}/{sha256}.sig"


def read_chain(store: Store) -> Chain:
    """Every move there was; its faults are those that the lake shows by itself, without a checkpoint."""
    logged = store.list(MOVES)  # before the head: a move is kept before the next one is made
    chain = walk_chain(store)
    last = max((int(found[1]) for found in map(KEPT.fullmatch, logged) if found), default=0)
    if not chain.moves or last <= chain.moves[-1].number:
        return chain
    put_back = f"{LATEST} is move {chain.moves[-1].number}, and {move_key(last)} is there: it was put back; {EVIDENCE}"
    return chain._replace(wrong=[put_back, *chain.wrong])


def walk_chain(store: Store) -> Chain:
    """As `read_chain`, without the moves that the log has beyond `latest.json`, for a store that cannot list."""
    data = read_latest(store)
    if data is None:
        return Chain([], {}, [], None)
    head = decode(data, Latest, LATEST)
    past, sha256 = [head], {head.number: digest(data)}
    wrong: list[str] = []
    expected = head.previous_sha256
    for number in range(head.number - 1, 0, -1):
        key = move_key(number)
        kept = read_if_there(store, key)
        if kept is None:
            wrong.append(f"{key} is missing; restore it from a copy")
            break  # `latest.json` may count moves that never were
        sha256[number] = digest(kept)
        try:
            move = decode(kept, Latest, key)
        except Damaged as error:
            wrong.append(str(error))
            expected = ""
            continue
        if move.number != number or (expected and sha256[number] not in (expected, resolved(store, expected))):
            wrong.append(f"{key} is not the move that the next one follows; {EVIDENCE}")
        past.append(move)
        expected = move.previous_sha256
    past.reverse()
    wrong += (f"move {after.number} {fault}; {EVIDENCE}" for fault, after in _impossible(past))
    return Chain(past, sha256, wrong, data)


def _impossible(past: list[Latest]) -> Iterator[tuple[str, Latest]]:
    """The changes that no command makes in one move, each with its move."""
    for before, after in pairwise(past):
        if after.number != before.number + 1:
            continue  # one between them cannot be read
        if before.previous_sha256 and not after.previous_sha256:
            yield "does not name the hash of the one before", after
        if fault := _fault_between(before, after):
            yield fault, after


def _fault_between(before: Latest, after: Latest) -> str | None:
    """Why one move cannot follow another: each changes one thing, and only a retraction can be taken back."""
    errata = {one.version for one in before.errata}, {one.version for one in after.errata}
    kept = {(one.version, one.kept_until) for one in before.kept}, {(one.version, one.kept_until) for one in after.kept}
    erased = {one.name for one in before.erasures}, {one.name for one in after.erasures}
    if kept[0] - kept[1] or erased[0] - erased[1]:
        return "forgets an erasure, or that a release is kept"
    is_moved = before.version != after.version
    retracted, restored = errata[1] - errata[0], errata[0] - errata[1]
    alone = (len(restored), len(kept[1] - kept[0]), len(erased[1] - erased[0]), bool(after.dropped))
    if is_moved + len(retracted) + sum(alone) != 1 and not (is_moved and len(retracted) == 1 and not any(alone)):
        return "takes back a retraction, or changes something else, beside what it is for"
    if is_moved and not retracted and after.why.startswith(f"retracted {before.version}: "):
        return f"is a retraction of {before.version}, which is not among the retracted releases"
    return None


def since_faults(store: Store, chain: Chain, since: Checkpoint) -> Iterator[str]:
    """A line where the lake does not continue from a checkpoint: an older state, or another history."""
    head = chain.moves[-1]
    if head.number < since.number:
        yield (
            f"{LATEST} is move {head.number} of {head.moved_at}, older than move {since.number} of the checkpoint: an "
            f"older state was put back, or this copy has not been renewed; {EVIDENCE}"
        )
        return
    found = chain.sha256.get(since.number)
    if found not in {since.sha256, resolved(store, since.sha256)}:
        yield f"move {since.number} is not the one of the checkpoint: this is another history; {EVIDENCE}"
    for move in chain.moves:
        if move.number > since.number and not move.previous_sha256:
            yield f"move {move.number} does not name the hash of the one before; {EVIDENCE}"
