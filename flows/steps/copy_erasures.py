"""Copies the records of erased people, before anything else of a lake: without them a copy would bring them back."""

from __future__ import annotations

from warehouse.erasing.ledger import LEDGER, Ledger
from warehouse.errors import Superseded, UsageError
from warehouse.release.erasing.erasures import RECORDS
from warehouse.store.store import Store


def copy_erasures(source: Store, target: Store, *, releases_only: bool) -> None:
    """Copy the ledger and the records of erasures; with `releases_only` only the records, which name nobody.

    UsageError where the target was copied before a person was erased: it still has, under the same names, what the
    source has erased. Superseded while a person is being erased.
    """
    if any(not entry.is_done for entry in Ledger(source).entries):
        raise Superseded(f'a person is being erased from {source.url}; copy it when "paperlake erase" has finished')
    keys = source.list(RECORDS) + ([] if releases_only else source.list(LEDGER))
    if not keys:
        return
    if any(not target.exists(key) for key in keys) and target.list():
        raise UsageError(
            f"{target.url} was copied before a person was erased from {source.url}, and has them still: remove it, and "
            "copy into an empty place"
        )
    for key in keys:
        target.put(key, source.read(key))
