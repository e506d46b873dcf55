"""The benchmarks that boards are kept of, as `benchmarks.csv` declares them.

They were mined from abstracts (names beside numbers, read through), and widely used ones were added. A year or a
version that is another benchmark has a row of its own (AIME 2024, AIME 2025); a part that is reported apart is a split
(SWE-bench: Verified, Lite).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

SEPARATORS: Final = r"\-\s_'\u2019~"  # what names are spelled with or without: `AIME24`, `AIME-24`, `AIME'24`
BETWEEN: Final = re.compile(rf"[{SEPARATORS}]+")
LISTED: Final = "|"  # between the spellings, and between the splits
SPELLED: Final = "="  # between the spellings of a split
TIMES: Final = re.compile(r"(?<=\d)\s?(?:x|\\?times|\u00d7)\s?(?=\d)")  # of a resolution


class Benchmark(NamedTuple):
    """A benchmark by its usual name; spaces, hyphens and case aside, `spellings` are other names of it.

    `split_names` has each split by its spellings, as `split_key` makes them. `metric` is what it is measured by where a
    sentence does not say, None where it has no usual one. A name that `is_word` may mean something else, and counts
    only as it is spelled, behind a preposition or in a list.
    """

    name: str
    spellings: tuple[str, ...]
    split_names: Mapping[str, str]
    metric: str | None
    is_word: bool

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits, in the order in which they are declared."""
        return tuple(dict.fromkeys(self.split_names.values()))


@cache
def declared_benchmarks() -> tuple[Benchmark, ...]:
    """All that are declared, in the order of their names."""
    text = (files("warehouse.schema") / "benchmarks.csv").read_text("utf-8")
    return tuple(
        Benchmark(
            row["name"], _parts(row["spellings"]), _splits(row["splits"]), row["metric"] or None, bool(row["is_word"])
        )
        for row in csv.DictReader(text.splitlines())
    )


def benchmark_key(name: str) -> str:
    """What spellings of one benchmark have in common: small letters without spaces, hyphens, apostrophes, tildes."""
    return BETWEEN.sub("", name).lower()


def split_key(said: str) -> str:
    """What spellings of one split have in common: small letters, and `x` in a resolution however it is written."""
    return TIMES.sub("x", said.lower())


def _splits(cell: str) -> dict[str, str]:
    names = [part.split(SPELLED) for part in _parts(cell)]
    return {split_key(said): first for first, *others in names for said in (first, *others)}


def _parts(cell: str) -> tuple[str, ...]:
    return tuple(cell.split(LISTED)) if cell else ()
