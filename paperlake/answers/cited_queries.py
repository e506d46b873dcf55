"""Cited queries, recorded in the lake so that anyone can run one again years later and compare the rows.

A record follows the Research Data Alliance's recommendations on citing data that changes: the normalised query, its
release, the time, and a fingerprint of the rows. The retention rule never drops a release that a query cites.
"""

from __future__ import annotations

from datetime import datetime
from importlib.metadata import version

import msgspec

from flows.documents.citation_record import CitedQuery, citation_key, pages_of
from paperlake.sql.worker import Fingerprint, Question, Worker
from warehouse.errors import Damaged, NothingThere
from warehouse.release import moves
from warehouse.release.latest import DATABASE, manifest_of, release_key
from warehouse.release.made_again import kept_files
from warehouse.release.manifest import Latest, Parent, decode, encode, identity_of
from warehouse.store.local_files import local_files
from warehouse.store.store import Store, read_if_there


def fingerprint_by(worker: Worker, sql: str) -> Fingerprint:
    """The fingerprint of a query and its rows, computed by the query process."""
    return msgspec.json.decode(worker.ask(Question("cite", sql)), type=Fingerprint)


def cite_query(store: Store, named: Latest, found: Fingerprint, *, at: datetime) -> CitedQuery:
    """Record a query, with a BibTeX entry and a page. One that is recorded already stays as it is."""
    made = CitedQuery(
        f"{named.version}-{identity_of(found.sql, found.sha256)}",
        found.sql,
        named.version,
        named.manifest_sha256,
        f"{at.isoformat(timespec='seconds')}Z",
        version("paperlake"),
        found.row_count,
        found.columns,
        found.sha256,
    )
    store.put_new(citation_key(made.id), encode(made))
    cited = cited_query(store, made.id)
    for key, data in pages_of(cited).items():
        store.put_new(key, data)
    return cited


def cited_query(store: Store, name: str) -> CitedQuery:
    """A recorded query by its id; NothingThere where there is none."""
    data = read_if_there(store, citation_key(name)) if name.replace(".", "").replace("-", "").isalnum() else None
    if data is None:
        raise NothingThere(f'no query {name!r} was cited in {store.url}; "paperlake sql QUERY --cite" cites one')
    return decode(data, CitedQuery, citation_key(name))


def release_of(store: Store, cited: CitedQuery) -> Parent:
    """The release that a query cites; Damaged where its database has changed, NothingThere where it was dropped."""
    moves.published(store, cited.release)  # raises NothingThere that says when it was dropped
    named = Parent(cited.release, cited.manifest_sha256)
    with local_files(store) as files:
        for file in kept_files(store, manifest_of(store, named)):
            if file.key == DATABASE and files.sha256(release_key(cited.release, DATABASE)) != file.sha256:
                raise Damaged(f'{DATABASE} is not what was written; run "paperlake verify {cited.release}"')
    return named


def require_same(cited: CitedQuery, found: Fingerprint) -> str:
    """A line that says that the query gives the rows that were cited; Damaged where it gives others."""
    if (found.columns, found.row_count, found.sha256) != (cited.columns, cited.row_count, cited.rows_sha256):
        was, now = (
            f"rows: {one}, SHA-256 {sha256}"
            for one, sha256 in ((cited.row_count, cited.rows_sha256), (found.row_count, found.sha256))
        )
        raise Damaged(f"{cited.id} is not the same: it gave {was}, and gives {now}")
    return f"{cited.id} is the same, rows: {cited.row_count:,}; asked {cited.cited_at} of release {cited.release}"
