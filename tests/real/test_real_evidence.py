"""Evidence of a hundred facts of the real captures: small, read again in the bytes, and proved by independent code."""

import json
from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import polars as pl
import pytest

from flows.documents.roots import ROOTS, rank_rows, roots
from flows.runtime.lake import database_of, open_lake
from paperlake.evidence.check_evidence import Anchors, check, check_rank
from paperlake.evidence.facts import certificate_at, claim_fact, count_fact, listing_fact, rank_certificate
from paperlake.evidence.package import evidence_package
from warehouse.release.chain import read_chain
from warehouse.release.latest import manifest_of, release_key, require_latest
from warehouse.release.manifest import Manifest
from warehouse.release.query import Database, opened
from warehouse.release.snapshot import Snapshot, open_snapshot

pytestmark = pytest.mark.usefixtures("let_go")
LARGEST = 1_000_000  # bytes of the evidence of a fact; the largest of these has 120 kB
LISTED = (
    "SELECT paper_id, listed_on::VARCHAR FROM daily_listings WHERE rank IS NOT NULL ORDER BY hash(paper_id) LIMIT 40"
)
SEEN = "SELECT paper_id, observed_at::VARCHAR FROM paper_observations ORDER BY hash(paper_id) LIMIT 30"
CLAIMED = "SELECT paper_id, position FROM paper_claims ORDER BY hash(paper_id) LIMIT 30"


@pytest.fixture(scope="module")
def released(growing: Path) -> Iterator[tuple[Database, Snapshot[Manifest]]]:
    store = open_lake(str(growing))
    named = require_latest(store)
    with opened(database_of(store, named)) as database, open_snapshot(store, manifest_of(store, named)) as release:
        yield database, release


def test_a_hundred_facts_are_small_and_proved(growing: Path, released: tuple[Database, Snapshot[Manifest]]) -> None:
    database, release = released
    head = read_chain(open_lake(str(growing))).head
    assert head is not None
    sizes, unread = [], 0
    asked = {LISTED: listing_fact, SEEN: count_fact, CLAIMED: claim_fact}
    for fact in [make(database, *row) for sql, make in asked.items() for row in list(database.rows(sql).rows)]:
        data = evidence_package(database, release, fact, now=datetime(2026, 11, 26))
        found = check(data, Anchors(since=tuple(head)))
        named = {"listing": "upvote_count is", "count": "upvote_count is", "claim": "sentence is"}[fact.kind]
        unread += not any(line.startswith(named) for line in found.proved)
        assert sum("(Merkle proof)" in line for line in found.proved) == 1 + (fact.kind == "listing")
        sizes.append(len(data))
    assert len(sizes) == 100
    assert unread <= 5, "pages that were saved as text"
    assert max(sizes) < LARGEST


def test_every_listing_of_lists_of_every_length_has_its_proof(released: tuple[Database, Snapshot[Manifest]]) -> None:
    _, release = released
    stored = release.path(ROOTS).read_bytes()
    listed = rank_rows(release.scan).rows()
    assert len(listed) > 7000
    lists = [list(of_day) for _, of_day in groupby(listed, key=itemgetter(0))]
    for rows in {len(rows): rows for rows in lists}.values():
        for at in range(len(rows)):
            made = json.dumps(certificate_at(release.of.version, rows, at), separators=(",", ":")).encode()
            assert len(made) < 1000
            assert "as roots.json says" in check_rank(made, Anchors(roots=stored)).proved[0]
    day, paper_id, *_ = listed[-1]
    assert rank_certificate(release, paper_id, day)["paper_id"] == paper_id


def test_roots_are_those_of_all_captures_at_once(growing: Path, tables: dict[str, pl.DataFrame]) -> None:
    store = open_lake(str(growing))
    key = release_key(require_latest(store).version, ROOTS)
    assert roots(lambda name, columns: tables[name].lazy().select(columns)) == store.read(key)
