"""Make the basis of search anew: `python -m bench.search_basis RELEASE OUTPUT.parquet`.

Latent semantic analysis of the titles and abstracts of a release: the first directions of its terms, tf-idf weighted,
by a randomised singular value decomposition (Halko, Martinsson, Tropp 2011). The output holds terms and integers alone.
A basis is frozen: another one is another `MODEL` (warehouse/schema/search_rules.py), and every vector is made anew.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import polars as pl

from transforms.search.terms import rarities, terms_of, words_in
from warehouse.schema.search_rules import BASIS_MOST, COMMON_SHARE, DIMENSIONS, RARITY_UNIT

FEWEST = 3  # papers that a term must be in
SCALES = 255  # the largest scale
MORE, ROUNDS, SEED = 24, 4, 0  # directions that are sought besides, rounds of the power method


def term_counts(release: Path) -> tuple[pl.DataFrame, int]:
    papers = pl.read_parquet(release / "data/papers/*.parquet").select("paper_id", "title")
    abstracts = pl.read_parquet(release / "data/paper_texts/*.parquet").select("paper_id", "abstract")
    texts = papers.join(abstracts, on="paper_id", how="left").sort("paper_id").with_row_index("text")
    words = words_in(texts)
    known = words["word"].unique()
    terms = pl.DataFrame({"word": known, "term": terms_of(known)}).drop_nulls()
    return words.join(terms, on="word").group_by("text", "term").agg(pl.col("count").sum()), texts.height


def directions(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first right singular vectors of a matrix, a column each, and their singular values."""
    dice = np.random.default_rng(SEED)
    sample = matrix @ dice.standard_normal((matrix.shape[1], DIMENSIONS + MORE), dtype=np.float32)
    for _ in range(ROUNDS):
        sample, _ = np.linalg.qr(matrix @ (matrix.T @ np.linalg.qr(sample)[0]))
    _, values, right = np.linalg.svd(sample.T @ matrix, full_matrices=False)
    return right[:DIMENSIONS].T, values[:DIMENSIONS]


def main(release: Path, output: Path, power: float = 0.0) -> None:
    counts, paper_count = term_counts(release)
    known = counts.group_by("term").agg(papers=pl.len()).filter(pl.col("papers") >= FEWEST).sort("term")
    rarity = rarities(known["papers"].unique().to_list(), paper_count)
    known = known.with_row_index("place").with_columns(idf=pl.col("papers").replace_strict(rarity) / RARITY_UNIT)
    cells = counts.join(known, on="term").with_columns(weight=(1 + pl.col("count").log()) * pl.col("idf"))
    cells = cells.with_columns(pl.col("weight") / (pl.col("weight") ** 2).sum().sqrt().over("text"))
    matrix = np.zeros((paper_count, known.height), np.float32)
    matrix[cells["text"].to_numpy(), cells["place"].to_numpy()] = cells["weight"].to_numpy()
    right, values = directions(matrix)
    vectors = right * values**power * known["idf"].to_numpy()[:, None]
    largest = np.abs(vectors).max(axis=1)
    scale = np.maximum(np.round(SCALES * largest / largest.max()), 1).astype(np.int32)
    whole = np.round(vectors / largest[:, None] * BASIS_MOST).astype(np.int8)
    vector = pl.Series(whole, dtype=pl.Array(pl.Int8, DIMENSIONS)).arr.to_list()
    is_common = known["papers"] > paper_count // COMMON_SHARE
    basis = pl.DataFrame({"term": known["term"], "is_common": is_common, "scale": scale, "vector": vector})
    basis.write_parquet(output, compression="zstd", compression_level=19)
    print(f"{basis.height} terms, {output.stat().st_size:,} bytes; scales from {scale.min()} to {scale.max()}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *map(float, sys.argv[3:]))
