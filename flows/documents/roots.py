"""`roots.json`: one hash for each daily list and one for all pages of a release, under which each can be proved.

A list's tree has a leaf a paper: its place, its upvotes and when they were seen. The tree of the pages has a leaf a
page: its `capture_id` and the SHA-256 of its bytes, which are others where somebody was erased from it. The manifest
lists the file by its hash, and the log of moves has the manifest's.

Merkle trees are as Certificate Transparency has them (RFC 9162, 2.1): SHA-256, leaves and nodes told apart by a byte.
"""

import hashlib
from collections.abc import Sequence
from datetime import date
from typing import Any, Final

import msgspec
import polars as pl

from flows.documents.edition import ReadTable, as_json
from warehouse.archive.warc_write import utc_text
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.core.listings import DAILY_LISTINGS
from warehouse.schema.core.sightings import SIGHTINGS

LEAF: Final = b"\x00"
NODE: Final = b"\x01"


def leaf_hash(leaf: bytes) -> bytes:
    return hashlib.sha256(LEAF + leaf).digest()


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root of a tree; that of no leaves is the hash of nothing.

    >>> root_of([]).hex()[:8], root_of([b"a"]) == leaf_hash(b"a")
    ('e3b0c442', True)
    """
    hashes = [leaf_hash(leaf) for leaf in leaves]
    while len(hashes) > 1:  # a level is made of the one below; a last one without a sibling goes up as it is
        pairs = zip(hashes[::2], hashes[1::2], strict=False)
        nodes = [hashlib.sha256(NODE + one + other).digest() for one, other in pairs]
        hashes = [*nodes, *hashes[2 * len(nodes) :]]
    return hashes[0] if hashes else hashlib.sha256().digest()


def path_to(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """The hashes that lead from a leaf to the root, from the bottom up."""
    if len(leaves) <= 1:
        return []
    half = 1 << (len(leaves) - 1).bit_length() - 1  # the largest power of two below their number
    if index < half:
        return [*path_to(leaves[:half], index), root_of(leaves[half:])]
    return [*path_to(leaves[half:], index - half), root_of(leaves[:half])]


ROOTS: Final = "roots.json"
FORMAT: Final = "paperlake-roots-1"
ON_PAGE: Final = ("capture_id", "paper_id")
LEAF_COLUMNS: Final = ("listed_on", "paper_id", "rank", "upvote_count", "observed_at")


def roots(read: ReadTable) -> bytes:
    """The roots of a release."""
    lists: dict[str, list[bytes]] = {}
    for row in rank_rows(read).iter_rows():
        lists.setdefault(row[0].isoformat(), []).append(rank_leaf(row))
    days = {day: {"papers": len(leaves), "root": root_of(leaves).hex()} for day, leaves in lists.items()}
    pages = page_leaves(read)
    document: dict[str, Any] = {"format": FORMAT, "captures": {"pages": len(pages), "root": root_of(pages).hex()}}
    return as_json({**document, "daily_lists": days})


def rank_rows(read: ReadTable, day: date | None = None) -> pl.DataFrame:
    """Each paper of each list, or of one day's: its place, and what the page that gave it said of its upvotes."""
    listed = read(DAILY_LISTINGS.name, ["listed_on", "paper_id", "rank", "capture_id"])
    if day is not None:
        listed = listed.filter(listed_on=day)
    shown = read(SIGHTINGS.name, [*ON_PAGE, "position", "upvote_count", "observed_at"])
    joined = listed.join(shown, on=ON_PAGE, how="left").sort("listed_on", "paper_id", "position")
    first = joined.unique(["listed_on", "paper_id"], keep="first", maintain_order=True)
    return first.select(LEAF_COLUMNS).collect()


def rank_leaf(row: Sequence[Any]) -> bytes:
    """A row of `rank_rows` as the leaf of its list: a JSON array, null for what was not shown."""
    listed_on, paper_id, rank, upvote_count, observed_at = row
    at = utc_text(observed_at) if observed_at else None
    return msgspec.json.encode([listed_on, paper_id, rank, upvote_count, at])


def page_leaves(read: ReadTable) -> list[bytes]:
    """The leaves of the tree of all pages, in the order of their ids: an id, a space, a SHA-256."""
    pages = read(CAPTURES.name, ["capture_id", "payload_sha256"]).sort("capture_id").collect()
    return [f"{name} {sha256}".encode() for name, sha256 in pages.iter_rows()]
