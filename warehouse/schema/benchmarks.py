"""The benchmarks that boards are kept of, as `benchmarks.csv` declares them.

They were mined from abstracts (names beside numbers, read through), and widely used ones were added. A year or a
version that is another benchmark has a row of its own (AIME 2024, AIME 2025); a part that is reported apart is a split
(SWE-bench: Verified, Lite).
"""

from __future__ import annotations

import csv
import re
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

SEPARATORS: Final = r"\-\s_'\u2019~"  # what names are spelled with or without: `AIME24`, `AIME-24`, `AIME'24`
BETWEEN: Final = re.compile(rf"[{SEPARATORS}]+")
LISTED: Final = "|"  # between the spellings, and between the splits


class Benchmark(NamedTuple):
    """A benchmark by its usual name; spaces, hyphens and case aside, `spellings` are other names of it.

    `metric` is what it is measured by where a sentence does not say, None where it has no usual one. A name that
    `is_word` may mean something else, and counts only as it is spelled, behind a preposition or in a list.
    """

    name: str
    spellings: tuple[str, ...]
    splits: tuple[str, ...]
    metric: str | None
    is_word: bool


@cache
def declared_benchmarks() -> tuple[Benchmark, ...]:
    """All that are declared, in the order of their names."""
    text = (files("warehouse.schema") / "benchmarks.csv").read_text("utf-8")
    return tuple(
        Benchmark(
            row["name"], _parts(row["spellings"]), _parts(row["splits"]), row["metric"] or None, bool(row["is_word"])
        )
        for row in csv.DictReader(text.splitlines())
    )


def benchmark_key(name: str) -> str:
    """What spellings of one benchmark have in common: small letters without spaces, hyphens, apostrophes, tildes."""
    return BETWEEN.sub("", name).lower()


def _parts(cell: str) -> tuple[str, ...]:
    return tuple(cell.split(LISTED)) if cell else ()
