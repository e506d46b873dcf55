"""Make the cells of search anew: `python -m bench.search_cells RELEASE OUTPUT.parquet`.

The centres of `CELLS` groups of a release's papers, by spherical k-means over their vectors; integers alone. They are
frozen as the basis is: others are another `revision` of `similar_papers`, of which every list is made anew.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import polars as pl

from transforms.search.vectors import matrix_of, scaled
from warehouse.schema.search_rules import CELLS, DIMENSIONS, QUERY_MOST

ROUNDS = 25


def main(release: Path, output: Path) -> None:
    vectors = pl.read_parquet(release / "data/search_vectors/*.parquet").sort("paper_id")["vector"]
    units = matrix_of(vectors).astype(np.float64)
    units /= np.maximum(np.linalg.norm(units, axis=1, keepdims=True), 1)
    centres = units[np.linspace(0, len(units) - 1, CELLS).astype(int)]
    for _ in range(ROUNDS):
        homes = (units @ centres.T).argmax(axis=1)
        sums = np.zeros_like(centres)
        np.add.at(sums, homes, units)
        norms = np.linalg.norm(sums, axis=1, keepdims=True)
        centres = np.where(norms > 0, sums / np.where(norms > 0, norms, 1), centres)
    whole = scaled(np.round(centres * 1e6).astype(np.int64), QUERY_MOST).astype(np.int8)
    centre = pl.Series("centre", whole, dtype=pl.Array(pl.Int8, DIMENSIONS)).arr.to_list()
    pl.DataFrame({"centre": centre}).write_parquet(output, compression="zstd", compression_level=19)
    sizes = np.bincount(homes, minlength=CELLS)
    print(f"{len(units)} papers, {output.stat().st_size:,} bytes; cells of {sizes.min()} to {sizes.max()} papers")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
