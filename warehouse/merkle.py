"""Merkle trees as Certificate Transparency has them (RFC 9162, 2.1): SHA-256, leaves and nodes told apart by a byte.

The root stands for all leaves in their order; that one of them is among them is shown by a hash a level of the tree.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

LEAF: Final = b"\x00"
NODE: Final = b"\x01"


def leaf_hash(leaf: bytes) -> bytes:
    return hashlib.sha256(LEAF + leaf).digest()


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root of a tree; that of no leaves is the hash of nothing.

    >>> root_of([]).hex()[:8], root_of([b"a"]) == leaf_hash(b"a")
    ('e3b0c442', True)
    """
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return leaf_hash(leaves[0])
    half = _half(len(leaves))
    return hashlib.sha256(NODE + root_of(leaves[:half]) + root_of(leaves[half:])).digest()


def path_to(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """The hashes that lead from a leaf to the root, from the bottom up."""
    if len(leaves) <= 1:
        return []
    half = _half(len(leaves))
    if index < half:
        return [*path_to(leaves[:half], index), root_of(leaves[half:])]
    return [*path_to(leaves[half:], index - half), root_of(leaves[:half])]


def _half(count: int) -> int:
    """The largest power of two below a count."""
    return 1 << (count - 1).bit_length() - 1
