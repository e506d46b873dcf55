"""What ties a fact to a release, and a release to the log of the lake: Merkle proofs, manifest, moves, signatures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from flows.documents.roots import LEAF_COLUMNS, ROOTS, page_leaves, path_to, rank_leaf, rank_rows, root_of
from paperlake.evidence.check_evidence import RANK_FORMAT
from paperlake.evidence.facts import Fact, plain
from warehouse.archive.captured import ID_LENGTH
from warehouse.errors import Damaged, NothingThere
from warehouse.release import moves
from warehouse.release.chain import move_key, signature_key
from warehouse.release.latest import (
    LATEST,
    MANIFEST,
    SIGNATURE,
    erasures,
    record_key,
    release_key,
    stored_manifest,
)
from warehouse.release.manifest import Latest, Manifest, digest
from warehouse.release.snapshot import Snapshot
from warehouse.store.store import Store, read_if_there

NO_ROOTS: Final = "has no {}: it is older than such proofs; prove a place by a newer release"


class Logged(NamedTuple):
    """A release in the log: the move that names it, the newest move, and the files that show both, by their keys."""

    log: Mapping[str, Any]
    files: Mapping[str, bytes]


def has_roots(release: Snapshot[Manifest]) -> bool:
    """Whether a release has the roots of its trees; those of an older paperlake have not."""
    return any(file.key == ROOTS for file in release.of.files)


def page_proofs(release: Snapshot[Manifest], names: Sequence[str]) -> dict[str, Any]:
    """Page → its place in the tree of all pages of the release, and the hashes up to the root."""
    leaves = page_leaves(release.scan)
    places = {leaf[:ID_LENGTH].decode(): at for at, leaf in enumerate(leaves)}
    places = {name: places[name] for name in names}
    return {
        name: {"index": at, "size": len(leaves), "path": [one.hex() for one in path_to(leaves, at)]}
        for name, at in places.items()
    }


def rank_certificate(release: Snapshot[Manifest], paper_id: str, day: date) -> dict[str, Any]:
    """A paper's place on a day's list, and the hashes up to the root of that list.

    NothingThere where the list has no such paper, or the release no roots.
    """
    if not has_roots(release):
        raise NothingThere(f"release {release.of.version} {NO_ROOTS.format(ROOTS)}")
    rows = rank_rows(release.scan, day).rows()
    at = next((number for number, row in enumerate(rows) if row[1] == paper_id), None)
    if at is None:
        raise NothingThere(f"{paper_id} is not on the daily list of {day} in release {release.of.version}")
    return certificate_at(release.of.version, rows, at)


def certificate_at(version: str, rows: Sequence[Sequence[Any]], at: int) -> dict[str, Any]:
    """The rank certificate of one of the rows of a list, which `rank_rows` gives."""
    leaves = [rank_leaf(row) for row in rows]
    return {
        "format": RANK_FORMAT,
        "release": version,
        **{name: plain(value) for name, value in zip(LEAF_COLUMNS, rows[at], strict=True)},
        "index": at,
        "papers": len(leaves),
        "path": [one.hex() for one in path_to(leaves, at)],
        "root": root_of(leaves).hex(),
    }


def tables_of(release: Snapshot[Manifest], fact: Fact) -> list[dict[str, Any]]:
    """The Parquet files that have the row of the fact, with the hashes that the manifest states."""
    found = []
    for table in fact.tables:
        wanted = {name: fact.key[name] for name in table.key if name in fact.key}
        wanted |= {"capture_id": fact.capture_id} if "capture_id" in table.key else {}
        wanted |= {"paper_id": fact.paper_id} if fact.paper_id and "paper_id" in table.column_names else {}
        held = release.tables[table.name].files
        found += [
            {"table": table.name, "file": file.key, "sha256": file.sha256}
            for file in held
            if not release.select(table, list(wanted), [file]).filter(**wanted).is_empty()
        ]
    return found


def logged(store: Store, manifest: Manifest) -> Logged:
    """The newest move that names a release, all that came after it, and what is signed of them.

    Damaged where the log is not sound.
    """
    past = moves.moves(store)
    named = next(move for move in reversed(past) if move.version == manifest.version)
    data = {move.number: store.read(_key(move, past[-1])) for move in past[named.number - 1 :]}
    if sorted(data) != list(range(named.number, past[-1].number + 1)):
        raise Damaged(f'moves of {store.url} are missing; run "paperlake verify"')
    head, stored = data[past[-1].number], stored_manifest(store, manifest)
    folder = {ROOTS, SIGNATURE} if any(file.key == ROOTS for file in manifest.files) else {SIGNATURE}
    keys = [*(release_key(manifest.version, name) for name in sorted(folder)), signature_key(digest(head))]
    files = {_key(move, past[-1]): data[move.number] for move in past[named.number - 1 :]}
    files |= {release_key(manifest.version, MANIFEST): stored}
    files |= {key: found for key in keys if (found := read_if_there(store, key)) is not None}
    hashes = {digest(one) for one in files.values()}
    if (
        past[-1].erasures
        and not {move.previous_sha256 for move in past[named.number :]} | {named.manifest_sha256} <= hashes
    ):
        files |= {record_key(one.name): store.read(record_key(one.name)) for one in erasures(store)}
    log = {
        "move": named.number,
        "moved_at": named.moved_at,
        "head": past[-1].number,
        "head_sha256": digest(head),
    }
    return Logged(log, files)


def _key(move: Latest, head: Latest) -> str:
    return LATEST if move.number == head.number else move_key(move.number)
