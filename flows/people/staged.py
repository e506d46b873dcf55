"""Staging the rewritten files of a kept release: all are made first, then put in place.

They lie under `erasing/<id>/` until the erasure is done, with one plan per release, so that an erasure that was killed
goes on with the same bytes. Documents that list the release's files with hashes and sizes follow the new manifest.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from flows.documents.catalogues import DCAT
from flows.documents.edition import as_json
from flows.documents.site_files import catalog_of
from warehouse.changes.row_steps import described
from warehouse.release.latest import ERASING, MANIFEST, Cells, release_key
from warehouse.release.manifest import File, Manifest, decode
from warehouse.release.write import files_of
from warehouse.store.store import Store, read_if_there


class Plan(Struct, frozen=True):
    """The rewrite of a release.

    The hash of its old manifest, the new manifest, the staged files, the changed rows, and files that the new manifest
    no longer has.
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


Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
INLINED: Final = re.compile(r'(<script type="application/json"[^>]*>)(.*?)(</script>)', re.DOTALL)


class Manifests(NamedTuple):
    """A release's manifest before and after."""

    before: Manifest
    after: Manifest

    def replaced(self) -> Mapping[str, tuple[File, File]]:
        """Files of tables that have other bytes now, by the hash they had."""
        held, made = (files_of(described(one).values()) for one in self)
        now = {file.key: file for file in made}
        return {file.sha256: (file, now[file.key]) for file in held if now.get(file.key, file) != file}


def _with_hashes(text: str, of: Manifests) -> str:
    return as_json(_renewed(json.loads(text), of.replaced())).decode()


def _renewed(value: Json, replaced: Mapping[str, tuple[File, File]]) -> Json:
    """The value, in which an object that has the hash of a file that was replaced has the hash and size of the new.

    The hash may be in an object of its own, as in DCAT.
    """
    if isinstance(value, list):
        return [_renewed(one, replaced) for one in value]
    if not isinstance(value, dict):
        return value
    inner = [one for part in value.values() if isinstance(part, dict) for one in part.values()]
    hashes = (one.removeprefix("sha256:") for one in (*value.values(), *inner) if isinstance(one, str))
    old, new = next((replaced[one] for one in hashes if one in replaced), (None, None))
    found = {name: _renewed(one, replaced) for name, one in value.items()}
    if old is None or new is None:
        return found
    sizes: dict[Json, Json] = {old.bytes: new.bytes, f"{old.bytes} B": f"{new.bytes} B"}
    hashed: dict[Json, Json] = {f"{mark}{old.sha256}": f"{mark}{new.sha256}" for mark in ("", "sha256:")}
    named = {**sizes, **hashed}
    return {
        name: named.get(one, one) if isinstance(one, int | str) and not isinstance(one, bool) else one
        for name, one in found.items()
    }


def _page(text: str, of: Manifests) -> str:
    """The explorer's page, in which the list of the files of each table stands."""

    def renewed(found: re.Match[str]) -> str:
        told = json.loads(found[2])
        told["tables"] = _files(told["tables"], of)
        inlined = json.dumps(told, sort_keys=True, separators=(",", ":")).replace("<", "\\u003c")
        return f"{found[1]}{inlined}{found[3]}"

    return INLINED.sub(renewed, text)


def _files(catalog: Mapping[str, Sequence[Mapping[str, str | int]]], of: Manifests) -> dict[str, object]:
    now = catalog_of(described(of.after).values())
    return {name: now.get(name, files) for name, files in catalog.items()}


# The documents that list files, and how each is made to list others
LISTS: Final[Mapping[str, Callable[[str, Manifests], str]]] = {
    "croissant.json": _with_hashes,
    "datapackage.json": _with_hashes,
    DCAT: _with_hashes,
    "explore/tables.json": lambda text, of: json.dumps(_files(json.loads(text), of), ensure_ascii=False),
    "explore/index.html": _page,
}
