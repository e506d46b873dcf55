"""Documents of a release that list its files with hashes and sizes, to be brought up to date with a new manifest."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from flows.documents.dcat import DCAT
from flows.documents.edition import as_json
from flows.documents.explorer.table_files import catalog_of
from warehouse.release.faults import files_of
from warehouse.release.manifest import File, Manifest, TableFiles

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
INLINED: Final = re.compile(r'(<script type="application/json"[^>]*>)(.*?)(</script>)', re.DOTALL)


class Manifests(NamedTuple):
    """A release's manifest before and after."""

    before: Manifest
    after: Manifest

    def is_listed_in(self, key: str) -> bool:
        """Whether a document lists files."""
        return key in LISTS and self.before != self.after

    def tables(self) -> Mapping[str, TableFiles]:
        return {table.name: table for table in (*self.after.tables, *self.after.marts)}

    def replaced(self) -> Mapping[str, tuple[File, File]]:
        """Files of tables that have other bytes now, by the hash they had."""
        now = {file.key: file for file in files_of(self.tables().values())}
        held = files_of((*self.before.tables, *self.before.marts))
        return {file.sha256: (file, now[file.key]) for file in held if now.get(file.key, file) != file}


def with_files(key: str, data: bytes, described: Manifests) -> bytes:
    return LISTS[key](data.decode(), described).encode()


def _with_hashes(text: str, described: Manifests) -> str:
    return as_json(_renewed(json.loads(text), described.replaced())).decode()


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


def _catalog(text: str, described: Manifests) -> str:
    """The explorer's list of the files of each table."""
    return json.dumps(_files(json.loads(text), described), ensure_ascii=False)


def _page(text: str, described: Manifests) -> str:
    """The explorer's page, in which such a list stands."""

    def renewed(found: re.Match[str]) -> str:
        told = json.loads(found[2])
        told["tables"] = _files(told["tables"], described)
        inlined = json.dumps(told, sort_keys=True, separators=(",", ":")).replace("<", "\\u003c")
        return f"{found[1]}{inlined}{found[3]}"

    return INLINED.sub(renewed, text)


def _files(catalog: Mapping[str, Sequence[Mapping[str, str | int]]], described: Manifests) -> dict[str, object]:
    now = catalog_of(described.tables().values())
    return {name: now.get(name, files) for name, files in catalog.items()}


LISTS: Final[Mapping[str, Callable[[str, Manifests], str]]] = {
    "croissant.json": _with_hashes,
    "datapackage.json": _with_hashes,
    DCAT: _with_hashes,
    "explore/tables.json": _catalog,
    "explore/index.html": _page,
}
