"""Which release is the latest, and every release that ever was: each move of `latest.json` is kept.

`latest.json` holds the newest move itself. Whoever moves on keeps it as `log/moves/<number>.json` first, so that
the moves there and `latest.json` are all the moves there were, whatever was killed in between.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from warehouse.errors import NothingThere, Superseded, UsageError
from warehouse.release.latest import LATEST, latest, manifest_of
from warehouse.release.manifest import Latest, Manifest, Parent, decode, digest, encode
from warehouse.store.store import Store, read_if_there

MOVES: Final = "log/moves"


def publish(store: Store, manifest: Manifest, *, at: datetime) -> Latest:
    """Let readers see a release; Superseded where another one was published since it was made."""
    expected = read_if_there(store, LATEST)
    named = decode(expected, Latest, LATEST) if expected else None
    follows = Parent(named.version, named.manifest_sha256) if named else None
    if follows != manifest.parent:
        raise Superseded('another release was published first; run "paperlake build" and "paperlake publish" again')
    to = Parent(manifest.version, digest(encode(manifest)))
    return _move(store, to, expected, at=at, why="published")


def go_to(store: Store, version: str, *, at: datetime, why: str) -> Latest:
    """Let readers see a release that was published before: back to an older one, or forward again.

    UsageError where it is the latest already, NothingThere where there is no such release, Damaged where its manifest
    is not the one that was published.
    """
    expected = store.read(LATEST)
    if decode(expected, Latest, LATEST).version == version:
        raise UsageError(f"release {version} is the latest already")
    named = _move_to(store, version)
    manifest_of(store, named)  # it is what it was when it was published
    return _move(store, Parent(version, named.manifest_sha256), expected, at=at, why=why)


def moves(store: Store) -> list[Latest]:
    """Every move there was, the first one first."""
    named = latest(store)
    if named is None:
        return []
    return [decode(store.read(key), Latest, key) for key in map(_key, range(1, named.number))] + [named]


def published(store: Store, version: str) -> Manifest:
    """The manifest of a release that was published, checked against the hash it had then."""
    return manifest_of(store, _move_to(store, version))


def _move_to(store: Store, version: str) -> Latest:
    named = {move.version: move for move in moves(store)}.get(version)
    if named is None:
        raise NothingThere(f'no release {version!r} was published in {store.url}; "paperlake releases" lists them')
    return named


def _move(store: Store, to: Parent, expected: bytes | None, *, at: datetime, why: str) -> Latest:
    before = decode(expected, Latest, LATEST).number if expected else 0
    if expected:
        store.put_new(_key(before), expected)
    moved = Latest(to.version, to.manifest_sha256, before + 1, f"{at.isoformat(timespec='seconds')}Z", why)
    if not store.swap(LATEST, encode(moved), expected):
        raise Superseded('another release was published first; run "paperlake build" and "paperlake publish" again')
    return moved


def _key(number: int) -> str:
    return f"{MOVES}/{number:06}.json"
