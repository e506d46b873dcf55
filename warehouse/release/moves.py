"""Moves of `latest.json`, which names the latest release: each move is kept, as a record of all releases there were.

`latest.json` holds the newest move itself. Whoever makes the next one first keeps it as `log/moves/<number>.json`, so
that these and `latest.json` are all the moves there were, whatever was killed in between. Dropping releases is a move
too: of a drop and a move to the dropped release one comes first, and the other fails. So is retracting a release:
`latest.json` says which are retracted, and why.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from importlib.metadata import version as version_of
from typing import Final

from msgspec.structs import replace

from warehouse.errors import Damaged, NothingThere, Superseded, UsageError
from warehouse.printable import to_the_second
from warehouse.release.chain import EVIDENCE, Chain, move_key, read_chain, signature_key
from warehouse.release.latest import (
    LAKE_FORMAT,
    LATEST,
    MOVES,
    RELEASES,
    manifest_of,
    read_latest,
    stored_manifest,
)
from warehouse.release.made_again import put_back
from warehouse.release.manifest import (
    LONG_TERM,
    Dropped,
    Erratum,
    KeptUntil,
    Latest,
    Manifest,
    Parent,
    decode,
    digest,
    encode,
)
from warehouse.store.store import Store, read_if_there

Sign = Callable[[bytes], bytes]  # the bytes of a move → its signature
LOG: Final = "log"
DROPPED: Final = f"{LOG}/dropped"
OVERTAKEN: Final = 'another release was published first; run "paperlake build" and "paperlake publish" again'
MOVED: Final = f"another command moved {LATEST} meanwhile; run the same one again when that is done"


def publish(store: Store, manifest: Manifest, *, at: datetime, sign: Sign | None = None) -> Latest:
    """Make a release the latest; Superseded where another one was published since it was made."""
    to = Parent(manifest.version, digest(stored_manifest(store, manifest)))
    expected = read_latest(store)
    named = decode(expected, Latest, LATEST) if expected else None
    if (Parent(named.version, named.manifest_sha256) if named else None) != manifest.parent:
        raise Superseded(OVERTAKEN)
    return _moved(store, to, expected, at=at, why="published", sign=sign)


def go_to(  # noqa: PLR0913 - what a move is made of
    store: Store, version: str, *, at: datetime, why: str, even_retracted: bool = False, sign: Sign | None = None
) -> Latest:
    """Make a release that was published before the latest: back to an older one, or forward again.

    UsageError where it is the latest already or was retracted, NothingThere where there is no such release or it was
    dropped, Damaged where its manifest is not the one that was published.
    """
    chain, to = _chain_to(store, version)
    newest = chain.moves[-1]
    if newest.version == version:
        raise UsageError(f"release {version} is the latest already")
    if (erratum := newest.erratum(version)) and not even_retracted:
        means = "--retracted says that it is meant"
        raise UsageError(f"release {version} was retracted {erratum.retracted_at}: {erratum.why}; {means}")
    manifest_of(store, to)  # Damaged, if it is not as it was published
    return _moved(store, to, chain.latest, at=at, why=why, sign=sign)


def drop(  # noqa: PLR0913 - what a move is made of
    store: Store, versions: Sequence[str], expected: bytes, *, at: datetime, why: str, sign: Sign | None = None
) -> Latest:
    """Record that releases are dropped, where `latest.json` is as `expected`."""
    return _moved(store, decode(expected, Latest, LATEST), expected, at=at, why=why, sign=sign, dropped=tuple(versions))


def retract(  # noqa: PLR0913 - what a move is made of
    store: Store, version: str, *, at: datetime, why: str, affected: Sequence[str] = (), sign: Sign | None = None
) -> Latest:
    """Record that a release is wrong. Where it is the latest, the newest older one that is not retracted becomes so.

    Its files stay as they are. UsageError where it is retracted already or no other release is left, NothingThere where
    there is no such release or it was dropped.
    """
    chain, _ = _chain_to(store, version)
    named = chain.moves[-1]
    if erratum := named.erratum(version):
        raise UsageError(f"release {version} is retracted already, since {erratum.retracted_at}: {erratum.why}")
    to = _newest_sound(store, version, chain.moves) if version == named.version else named
    errata = (*named.errata, Erratum(version, to_the_second(at), why, tuple(affected)))
    return _moved(store, to, chain.latest, at=at, why=f"retracted {version}: {why}", sign=sign, errata=errata)


def restore(store: Store, version: str, *, at: datetime, why: str, sign: Sign | None = None) -> Latest:
    """Undo the retraction of a release; the latest release stays. UsageError where it is not retracted."""
    expected = read_latest(store)
    named = decode(expected, Latest, LATEST) if expected else None
    if named is None or named.erratum(version) is None:
        raise UsageError(f'release {version} is not retracted; "paperlake releases" lists those that are')
    errata = tuple(one for one in named.errata if one.version != version)
    return _moved(store, named, expected, at=at, why=f"restored {version}: {why}", sign=sign, errata=errata)


def keep(store: Store, version: str, *, at: datetime, why: str, sign: Sign | None = None) -> Latest:
    """Record that a release is kept for five years from this day, which cannot be undone; the latest release stays.

    UsageError where it is kept as long already, NothingThere where there is no such release or it was dropped.
    """
    chain, _ = _chain_to(store, version)
    named, made = chain.moves[-1], KeptUntil(version, (at.date() + LONG_TERM).isoformat(), why)
    if known := next((one for one in named.kept if one.version == version and one.kept_until >= made.kept_until), None):
        raise UsageError(f"release {version} is kept already, until {known.kept_until}: {known.why}")
    kept = (*named.kept, made)
    return _moved(store, named, chain.latest, at=at, why=f"kept {version}: {why}", sign=sign, kept=kept)


def erase(store: Store, expected: bytes, made: Latest, *, at: datetime, sign: Sign | None = None) -> Latest:
    """Record an erasure, with what `made` says, where `latest.json` is as `expected`."""
    marks = {"errata": made.errata, "kept": made.kept, "erasures": made.erasures}
    return _moved(store, made, expected, at=at, why=made.why, sign=sign, **marks)


def _chain_to(store: Store, version: str) -> tuple[Chain, Latest]:
    """The moves, and the one that made this release the latest; NothingThere where it was dropped, or never was."""
    chain = sound_chain(store)
    return chain, _move_to(store, version, chain.moves)


def _newest_sound(store: Store, version: str, past: Sequence[Latest]) -> Latest:
    """The newest release older than this one that is neither retracted nor dropped."""
    older = (move for move in reversed(past) if order_of(move.version) < order_of(version))
    sound = (move for move in older if past[-1].erratum(move.version) is None)
    there = [move for move in sound if dropped(store, move.version, past) is None]
    if not there:
        raise UsageError(f"release {version} is the only one there is: publish a better one, and retract it then")
    return max(there, key=lambda move: order_of(move.version))


def order_of(version: str) -> list[int]:
    """A key that sorts versions, the oldest first.

    >>> sorted(["2026.10.02.10", "2026.10.02.9"], key=order_of)
    ['2026.10.02.9', '2026.10.02.10']
    """
    return [int(part) for part in version.split(".")]


def moves(store: Store) -> list[Latest]:
    """Every move there was, the first one first; Damaged, which names each record that is not as it was kept."""
    return sound_chain(store).moves


def sound_chain(store: Store, read: Callable[[Store], Chain] = read_chain) -> Chain:
    """The moves, and `latest.json` as it was when they were read; Damaged as `moves`."""
    chain = read(store)
    if chain.wrong:
        raise Damaged("\n".join(chain.wrong))
    return chain


def published(store: Store, version: str, past: Sequence[Latest] | None = None) -> Manifest:
    """The manifest of a release that was published, checked against the hash it had then; `past` are the moves."""
    return manifest_of(store, _move_to(store, version, past))


def dropped(store: Store, version: str, past: Sequence[Latest] | None = None) -> Dropped | None:
    """The record of a release that was dropped; None for one that was not. `past` are the moves, where known.

    A drop is a move. 0.1.0, which had no chain of moves, kept `log/dropped/<version>.json` instead: of any other
    release that is forged.
    """
    past = moves(store) if past is None else past
    sha256 = {move.version: move.manifest_sha256 for move in past}
    if move := next((move for move in past if version in move.dropped), None):
        return Dropped(version, sha256.get(version, ""), move.moved_at, move.why)
    data = read_if_there(store, key := dropped_key(version))
    # Moves of 0.1.0 do not name the hash of the one before
    last = max((move.number for move in past if move.number > 1 and not move.previous_sha256), default=0)
    is_of_then = any(move.version == version and move.number <= last for move in past)
    return decode(data, Dropped, key) if data is not None and is_of_then else None


def drop_faults(store: Store, past: Sequence[Latest]) -> Iterator[str]:
    """Records of dropped releases that neither 0.1.0 kept nor the move says that dropped them."""
    for key in store.list(DROPPED):
        version = key.removeprefix(f"{DROPPED}/").removesuffix(".json")
        try:
            if decode(store.read(key), Dropped, key) != dropped(store, version, past):
                yield f"{key} is not the record that was kept; {EVIDENCE}"
        except Damaged as error:
            yield str(error)


def dropped_key(version: str) -> str:
    """The key of the record of a drop by 0.1.0."""
    return f"{DROPPED}/{version}.json"


def _move_to(store: Store, version: str, past: Sequence[Latest] | None = None) -> Latest:
    past = moves(store) if past is None else past
    named = {move.version: move for move in past}.get(version)
    if named is None:
        raise NothingThere(f'no release {version!r} was published in {store.url}; "paperlake releases" lists them')
    if record := dropped(store, version, past):
        raise NothingThere(
            f'release {version} was dropped {record.dropped_at}; "paperlake releases" lists what is there'
        )
    return named


def _moved(  # noqa: PLR0913 - what a move is made of
    store: Store,
    to: Parent | Latest,
    expected: bytes | None,
    *,
    at: datetime,
    why: str,
    sign: Sign | None,
    **marks: Sequence[object],
) -> Latest:
    """Make the move that follows `expected`, and keep that; Superseded where another move came first.

    `marks` are `dropped`, `errata`, `kept` and `erasures`, of which the last three stay where they are not given.
    """
    named = decode(expected, Latest, LATEST) if expected else Latest(to.version, to.manifest_sha256, 0)
    if expected and not _is_kept(store, named, expected):
        raise Superseded(MOVED)
    put_back(store, to)  # the files of the latest release lie at their own keys, its database too
    store.unpool(f"{RELEASES}/{to.version}")
    changes = {"version": to.version, "manifest_sha256": to.manifest_sha256, "number": named.number + 1, "why": why}
    changes |= {"moved_at": to_the_second(at), "dropped": (), **marks}
    changes |= {"lake_format": LAKE_FORMAT, "code_version": version_of("paperlake")}
    moved = replace(named, previous_sha256=digest(expected) if expected else "", **changes)
    data = encode(moved)
    if sign:  # before the move, so that none is without, wherever this is killed
        store.put_new(signature_key(digest(data)), sign(data))
    if not store.swap(LATEST, data, expected):
        raise Superseded(MOVED)
    return moved


def _is_kept(store: Store, named: Latest, expected: bytes) -> bool:
    """Keep the move that `latest.json` holds; False where that has moved on, Damaged where only the log has."""
    key = move_key(named.number)
    is_kept = store.put_new(key, expected) or store.read(key) == expected
    if is_kept and not store.exists(move_key(named.number + 1)):
        return True
    if read_if_there(store, LATEST) == expected:
        raise Damaged(f"{LATEST} is move {named.number}, which {MOVES} does not end with: it was put back; {EVIDENCE}")
    return False
