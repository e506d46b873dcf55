"""The rows that differ between two states of a table, found by a hash of each row.

Rows are equal where they are so in every bit: 0.0 and -0.0 differ, a null equals a null. Hashes have 64 bits, and are
taken to be unique.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import polars as pl

BITS: Final = {pl.Float64(): pl.UInt64, pl.Float32(): pl.UInt32}  # a hash of a float is that of its value


class Differing(NamedTuple):
    """The rows that only the older of two states has, and those that only the newer one has.

    `is_keyed` says that no key stands twice on either side of what was compared.
    """

    gone: pl.DataFrame
    new: pl.DataFrame
    is_keyed: bool = True


def differing(key: Sequence[str], gone: Sequence[Path], new: Sequence[Path]) -> Differing:
    """The rows that differ between files that only the older of two states has, and those that only the newer one has.

    All rows of both, where the files have not all the same columns; a side without files has no rows.
    """
    one, other = _Files(gone), _Files(new)
    shapes = {tuple(frame.schema.items()) for side in (one, other) for frame in side}
    if len(shapes) > 1 or not (gone and new):
        rows = [pl.concat(side, how="diagonal_relaxed") if side.paths else None for side in (one, other)]
        shape = next(side.clear() for side in rows if side is not None)
        whole = [shape if side is None else side for side in rows]
        return Differing(whole[0], whole[1], is_keyed=all(has_once(key, [side]) for side in whole))
    before, after = ([row_hashes(frame) for frame in side] for side in (one, other))
    return Differing(
        pl.concat(rows_without(one, before, after)),
        pl.concat(rows_without(other, after, before)),
        has_once(key, one) and has_once(key, other),
    )


class _Files:
    """The rows of files, which are read each time, unless there is one alone."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths = paths
        self._held = [pl.read_parquet(path) for path in paths] if len(paths) == 1 else None

    def __iter__(self) -> Iterator[pl.DataFrame]:
        return iter(self._held) if self._held else map(pl.read_parquet, self.paths)


def row_hashes(frame: pl.DataFrame) -> pl.Series:
    """A hash of each row; rows that differ in a bit have different ones."""
    bits = (pl.col(name).reinterpret(dtype=BITS[dtype]) for name, dtype in frame.schema.items() if dtype in BITS)
    return frame.with_columns(bits).hash_rows()


def rows_without(
    frames: Iterable[pl.DataFrame], hashes: Iterable[pl.Series], others: Iterable[pl.Series]
) -> Iterator[pl.DataFrame]:
    """The rows of each frame, of which these are the hashes, whose hash is none of the others."""
    known = pl.concat(others).implode()
    return (frame.filter(~own.is_in(known)) for frame, own in zip(frames, hashes, strict=True))


def has_once(key: Sequence[str], frames: Iterable[pl.DataFrame]) -> bool:
    """Whether no key stands twice in all these frames; rows without the key's columns have none."""
    keys = [row_hashes(frame.select(key)) for frame in frames if {*key} <= {*frame.columns}]
    return not keys or pl.concat(keys).n_unique() == sum(map(len, keys))
