"""What the nearest papers of many cost: `python -m bench.nearest 100000`.

The vectors are invented: each is the sum of terms of the basis, some of one topic of many, so that the 20th nearest of
8,000 has a cosine of .37 to .55 as among real papers. The hash is of all lists, to compare numbers of threads
(`OPENBLAS_NUM_THREADS`).
"""

from __future__ import annotations

import sys
import time
from hashlib import sha256
from resource import RUSAGE_SELF, getrusage
from typing import Final

import numpy as np
import numpy.typing as npt

from transforms.search.vectors import Numbers, Pairs, basis, matrix_of, nearest, scaled
from warehouse.schema.search_rules import DIMENSIONS, VECTOR_MOST

PAPERS_OF_TOPIC, TOPICS, TERMS_OF_TOPIC, ON_TOPIC, TERMS = 160, 2, 60, 28, 60
SOME: Final = 2**12  # papers at a time


def invented(count: int) -> npt.NDArray[np.int8]:
    dice = np.random.default_rng(count)
    terms = matrix_of(basis()["vector"]).astype(np.float32) * basis()["scale"].to_numpy()[:, None].astype(np.float32)
    units = terms / np.linalg.norm(terms, axis=1, keepdims=True)
    middles = dice.integers(0, len(terms), max(count // PAPERS_OF_TOPIC, 1))
    alike = [np.argpartition(-(units[some] @ units.T), TERMS_OF_TOPIC, axis=1) for some in _parts(middles)]
    near = np.concatenate([found[:, :TERMS_OF_TOPIC].astype(np.int32) for found in alike])
    made = np.zeros((count, DIMENSIONS), np.int8)
    for first in range(0, count, SOME):
        papers = min(SOME, count - first)
        topics = dice.integers(0, len(near), (papers, TOPICS)).repeat(ON_TOPIC // TOPICS, axis=1)
        of_topic = near[topics, dice.integers(0, TERMS_OF_TOPIC, (papers, ON_TOPIC))]
        drawn = np.concatenate([of_topic, dice.integers(0, len(terms), (papers, TERMS - ON_TOPIC))], axis=1)
        sums = sum(terms[drawn[:, column]] for column in range(TERMS))
        made[first : first + papers] = scaled(np.asarray(sums).astype(np.int64), VECTOR_MOST)
    return made


def _parts(numbers: npt.NDArray[np.int64]) -> list[npt.NDArray[np.int64]]:
    return [numbers[first : first + SOME // 8] for first in range(0, len(numbers), SOME // 8)]


def no_rare_word(ones: Numbers, others: Numbers) -> npt.NDArray[np.int64]:
    return np.zeros((len(ones), len(others)), np.int64)


def main(count: int) -> None:
    vectors = invented(count)
    start = time.process_time()
    found = nearest([vectors], np.ones(count, bool), Pairs(*np.zeros((3, 0), np.int64)), no_rare_word)
    spent, peak = time.process_time() - start, getrusage(RUSAGE_SELF).ru_maxrss >> 10
    hashed = sha256(b"".join(column.tobytes() for column in found)).hexdigest()[:16]
    print(f"{count} papers: {spent:.0f} s of a processor, {peak} MiB, hash {hashed}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
