"""Finds the person behind a login or a name, by the logins and names that the lake's own pages show together."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from warehouse.erasing.ledger import Erased, Ledger
from warehouse.erasing.person import Person, normal
from warehouse.errors import UsageError
from warehouse.release.manifest import Manifest
from warehouse.release.snapshot import Snapshot
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.store.local_files import LocalFiles

SUBMITTER = ("submitter_login", "submitter_name")


def accounts_in(files: LocalFiles, manifests: Sequence[Manifest]) -> list[tuple[str | None, str | None]]:
    """Every login with each name that any release shows it with, and names without a login."""
    paths = [path for manifest in manifests for path in Snapshot(manifest, files).paths(SIGHTINGS.name)]
    found = {row for path in paths for row in pl.scan_parquet(path).select(SUBMITTER).unique().collect().iter_rows()}
    return sorted(found, key=lambda row: (row[0] or "", row[1] or ""))


def person_named(who: str, accounts: Sequence[tuple[str | None, str | None]], entry: Erased, ledger: Ledger) -> Person:
    """The person of a login or a name; UsageError where several accounts go by the name.

    Names that the ledger knows as theirs are added: an erasure that was killed may have masked half of the pages.
    """
    is_login = " " not in who.strip()
    logins = {login for login, name in accounts if login and name and normal(name) == normal(who)}
    if is_login and (any(login and normal(login) == normal(who) for login, _ in accounts) or not logins):
        logins = {who}
    if len({normal(login) for login in logins}) > 1:
        listed = ", ".join(sorted(logins))
        raise UsageError(f"several accounts go by the name {who}: {listed}; name the login that is meant")
    ours = {normal(login) for login in logins}
    names = {name for login, name in accounts if login and name and normal(login) in ours}
    names |= {name for _, name in accounts if name and ledger.is_of(entry, name=name)}
    names |= set() if is_login else {who}
    names = {name for name in names if name != entry.mask}
    return Person(entry.mask, frozenset(logins), frozenset(names), entry.authorship, entry.words)
