"""Staging the rewritten files of a kept release: all are made first, then put in place.

They lie under `erasing/<id>/` until the erasure is done, with one plan per release, so that an erasure that was killed
goes on with the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from warehouse.release.latest import ERASING, MANIFEST, Cells, release_key
from warehouse.release.manifest import Manifest, decode
from warehouse.store.store import Store, read_if_there


class Plan(Struct, frozen=True):
    """The rewrite of a release: the hash of its old manifest, the new manifest, the staged files, the changed rows, and
    files that the new manifest no longer has.
    """

    before: str
    manifest: Manifest
    keys: tuple[str, ...]
    cells: tuple[Cells, ...]
    gone: tuple[str, ...] = ()


def apply(store: Store, entry_id: str, plan: Plan) -> None:
    """Put what is staged in place; the manifest last, so that it never lacks a file which is there."""
    version = plan.manifest.version
    for key in plan.keys:
        staged = read_if_there(store, stage_key(entry_id, version, key))
        if staged is not None:
            store.put(release_key(version, key), staged)
    for key in plan.gone:
        store.delete(release_key(version, key))
    store.put(release_key(version, MANIFEST), staged_manifest(store, entry_id, plan))


def staged_manifest(store: Store, entry_id: str, plan: Plan) -> bytes:
    """The new manifest in the bytes that were announced, by whichever paperlake."""
    return store.read(stage_key(entry_id, plan.manifest.version, MANIFEST))


def stage_key(entry_id: str, version: str, key: str) -> str:
    return f"{ERASING}/{entry_id}/{version}/{key}"


def plan_key(entry_id: str, version: str) -> str:
    return f"{ERASING}/{entry_id}/{version}.json"


def stored_plan(store: Store, entry_id: str, version: str) -> Plan | None:
    """The plan for a release that an earlier run of the erasure staged; None where there is none."""
    key = plan_key(entry_id, version)
    data = read_if_there(store, key)
    return decode(data, Plan, key) if data else None


def plans(store: Store, entry_id: str) -> Iterator[Plan]:
    """Every plan of an erasure, the oldest release first."""
    for key in store.list(f"{ERASING}/{entry_id}"):
        if key.count("/") == 2 and key.endswith(".json"):  # noqa: PLR2004 - beside the folders of releases
            yield decode(store.read(key), Plan, key)
