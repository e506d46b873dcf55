"""Searching a release for a person: every table, document and database of it, in unpacked form."""

from __future__ import annotations

import re
from typing import Final

import polars as pl
from msgspec import Struct

from warehouse.erasing.pages import masked_json
from warehouse.erasing.person import Person
from warehouse.release.erasing.database_copy import hits_in, rows_of
from warehouse.release.erasing.erasures import Cells
from warehouse.release.erasing.masking import masked_frame, words_in
from warehouse.release.latest import DATABASE, release_key
from warehouse.release.manifest import Manifest
from warehouse.store.local_files import LocalFiles

NO_DATA: Final = re.compile(r"explore/[^/]+/.*|.*\.(?:gz|png|svg|wasm)")  # the explorer's own code, the same in each


def text_without(person: Person, name: str, text: str) -> str:
    """The text of a document or a record, with the person masked."""
    if not person.is_in(text):
        return text
    return masked_json(person, text) if name.endswith(".json") else person.of_page(text)


class Places(Struct, frozen=True):
    """Where a release holds a person: rows by table and column, keys of files, and the number of words that stay."""

    cells: tuple[Cells, ...]
    keys: tuple[str, ...]
    words: int


def places_in(files: LocalFiles, manifest: Manifest, person: Person) -> Places:
    """Search every file of a release for the person."""
    cells: dict[tuple[str, str], int] = {}
    keys, words = [], 0
    names = {file.key: table.name for table in (*manifest.tables, *manifest.marts) for file in table.files}
    for file in manifest.files:
        path = files.path(release_key(manifest.version, file.key))
        if file.key in names:
            masked, changed = masked_frame(person, pl.read_parquet(path))
            rows = [(names[file.key], column, count) for column, count in changed.items()]
            words += words_in(person, masked)
        elif file.key == DATABASE:
            found, _ = hits_in(path, person)
            rows = [row for row in rows_of(found) if row[:2] not in cells]
        elif NO_DATA.fullmatch(file.key):
            continue
        else:
            text, rows = path.read_bytes().decode("utf-8", "surrogateescape"), []
            masked_text = text_without(person, file.key, text)
            keys += [file.key] if masked_text != text else []
            words += person.words_in(masked_text)
            continue
        keys += [file.key] if rows else []
        for table, column, count in rows:
            cells[table, column] = cells.get((table, column), 0) + count
    counted = tuple(Cells(manifest.version, *place, count) for place, count in sorted(cells.items()))
    return Places(counted, tuple(keys), words)
