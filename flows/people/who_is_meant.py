"""The person who is meant by a login or a name: all logins, ids and names of the account, as the lake shows them."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, TypeAlias

import polars as pl

from flows.tasks.read_chunk import pieces
from flows.tasks.spread import SIZES
from transforms.collect.collect import collect, read_page
from warehouse.archive.archive import Archive
from warehouse.errors import UsageError
from warehouse.people.accounts import UPLOADER, LoginAndId, accounts_shown, of_one_account
from warehouse.people.ledger import Erased, Ledger
from warehouse.people.person import MASK, Person, normal
from warehouse.release.manifest import Manifest
from warehouse.release.snapshot import Snapshot
from warehouse.schema.core.captures import CAPTURES, IS_TAKEN
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.table import Table
from warehouse.store.local_files import LocalFiles

LoginOf: TypeAlias = tuple[str | None, str | None]  # a login, and a name
SUBMITTER: Final = (pl.col("submitter_login"), pl.col("submitter_name"))
UPLOADED: Final = pl.col("media_urls").list.eval(pl.element().str.extract(UPLOADER))  # ids of accounts
OF_MEDIA: Final = (pl.col("submitter_login").repeat_by(UPLOADED.list.len()).explode(), UPLOADED.explode())
PEOPLE: Final = ("submitter_login", "submitter_name", "media_urls", "authors")
AUTHOR: Final = tuple(pl.col("authors").explode().struct.field(name) for name in ("login", "name"))


def accounts_in(files: LocalFiles, manifests: Sequence[Manifest], seen: Sequence[pl.LazyFrame]) -> set[LoginOf]:
    """Every submitter's login with each name that it is seen with, and names without a login.

    And each name that a correction gives a submitter: where it gives another login alone, the name is not theirs.
    """
    found = pairs_in(seen, SUBMITTER)
    right = {right for _, right in corrected_names(files, manifests, "submitter_name")}
    listed = pairs_in(_scans(files, manifests, DAILY_LISTINGS), SUBMITTER) if right else set()
    return found.union(pair for pair in listed if pair[1] in right)


def sightings_in(files: LocalFiles, manifests: Sequence[Manifest]) -> list[pl.LazyFrame]:
    """The sightings of some releases, and whom those show that pages of which no release has any."""
    held = {one for scan in _scans(files, manifests, CAPTURES) for one in scan.filter(IS_TAKEN).collect()["capture_id"]}
    archive = Archive(files.store)
    entries = [entry for entry in archive.index() if entry.capture_id not in held]
    pages = (map(read_page, archive.captures(some)) for some in pieces(entries, SIZES.piece_bytes, SIZES))
    return [*_scans(files, manifests, SIGHTINGS), *(collect(some).sightings.select(PEOPLE).lazy() for some in pages)]


def pairs_in(seen: Iterable[pl.LazyFrame], of: Sequence[pl.Expr]) -> set[LoginOf]:
    """Each login with each name that it is seen with; `of` says whose."""
    return {row for frame in seen for row in frame.select(of).unique().collect().iter_rows()}


def _scans(files: LocalFiles, manifests: Sequence[Manifest], table: Table) -> Iterator[pl.LazyFrame]:
    return (pl.scan_parquet(path) for one in manifests for path in Snapshot(one, files).paths(table.name))


def corrected_names(files: LocalFiles, manifests: Sequence[Manifest], column: str) -> set[tuple[str | None, str]]:
    """Names in a column that any release corrects, and what it has in their place."""
    of_names, values = pl.col("column_name") == column, ("value_seen", "value_right")
    paths = (path for manifest in manifests for path in Snapshot(manifest, files).paths(CORRECTIONS.name))
    rows = (pl.read_parquet(path).filter(of_names).select(values).drop_nulls("value_right").rows() for path in paths)
    return set(chain.from_iterable(rows))


def with_ids(files: LocalFiles, seen: Sequence[pl.LazyFrame]) -> set[LoginAndId]:
    """The accounts of all pages and sightings by their ids. A page that says the same again is not read again."""
    archive = Archive(files.store)
    pages = archive.captures(entry for entry in archive.index() if not entry.orig_filename)
    of_media = ((normal(login), one) for login, one in pairs_in(seen, OF_MEDIA) if login and one)
    return {account for page in pages for account in accounts_shown(page.payload)}.union(of_media)


def person_named(
    who: str, accounts: Collection[LoginOf], same: Collection[LoginAndId], entry: Erased, ledger: Ledger
) -> Person:
    """The person of a login or a name, with all logins and ids of their account.

    UsageError where several accounts go by the name.

    Those that the ledger knows as theirs are added: an erasure that was killed may have masked half of the pages.
    """
    is_login = " " not in who.strip()
    logins = {login for login, name in accounts if login and name and normal(name) == normal(who)}
    if is_login and (any(login and normal(login) == normal(who) for login, _ in accounts) or not logins):
        logins = {who}
    if len({normal(login) for login in logins}) > 1:
        listed = ", ".join(sorted(logins))
        raise UsageError(f"several accounts go by the name {who}: {listed}; name the login that is meant")
    logins |= {one for pair in same for one in pair if entry.hashes and ledger.has_login(entry, one)}
    theirs = of_one_account({*logins, entry.mask}, same) - {entry.mask}  # an earlier paperlake left ids beside it
    ours = {normal(login) for login in theirs}
    names = {name for login, name in accounts if login and name and normal(login) in ours}
    names |= {name for _, name in accounts if name and ledger.has_name(entry, name)}
    names |= set() if is_login else {who}
    names = {name for name in names if not MASK.fullmatch(name)}  # of this erasure, or of another one
    return Person(entry.mask, theirs, frozenset(names), entry.authorship, entry.words)
