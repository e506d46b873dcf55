"""Texts that fit another abstract of their page better are found as their definition says, item by item."""

import random
import re
from collections import Counter

import polars as pl
import pytest

from transforms.collect.misfits import BETTER, COMMON, FEWEST, STEM, misfits

WORDS = (
    *(
        "ranking",
        "ranked",
        "learnable",
        "learning",
        "model",
        "models",
        "sparse",
        "abcd",
        "12345",
        "zzzzzzyy",
        "zzzzzzxx",
    ),
    *("abc", "x", "", "délta", "Éclairs", "ünïcode", "foo_barbaz", "state-of-the-art", "\u212aelvin", "中文word"),
)
SCHEMA = {"row": pl.UInt32, "capture_id": pl.String, "abstract": pl.String, "title": pl.String, "summary": pl.String}
TEXTS = {"title": pl.col("title"), "summary": pl.col("summary")}


def a_text(chance: random.Random, longest: int) -> str | None:
    words = [chance.choice(WORDS) for _ in range(chance.randrange(longest))]
    return None if chance.random() < 0.1 else chance.choice([" ", "-", ". ", "_"]).join(words)


def some_pages(seed: int) -> pl.DataFrame:
    chance = random.Random(seed)
    lengths = {"abstract": 20, "title": 6, "summary": 12}
    return pl.DataFrame(
        [
            {"row": row, "capture_id": chance.choice("abcd")} | {name: a_text(chance, n) for name, n in lengths.items()}
            for row in range(chance.randrange(120))
        ],
        schema=SCHEMA,
    )


def stems(text: str | None) -> set[str]:
    return {word[:STEM] for word in re.findall("[a-z0-9]{4,}", (text or "").lower())}


def one_by_one(rows: pl.DataFrame, name: str) -> set[int]:
    """The definition, for one text."""
    found = set()
    for page in rows.partition_by("capture_id"):
        if page["abstract"].count() < FEWEST:
            continue
        held = [stems(text) for text in page["abstract"]]
        count = Counter(stem for one in held for stem in one)
        for place, (row, text) in enumerate(page.select("row", name).iter_rows()):
            said = stems(text)
            own = sum(1 / count[stem] for stem in said & held[place])
            rare = {stem for stem in said if 0 < count[stem] <= COMMON}
            fits = [sum(1 / count[stem] for stem in rare & one) for at, one in enumerate(held) if at != place]
            if said and own * BETTER <= max(fits) + 1e-9:
                found.add(row)
    return found


@pytest.mark.parametrize("seed", range(40))
def test_each_text_is_judged_as_it_would_be_alone(seed: int) -> None:
    rows = some_pages(seed)
    found = misfits(rows, TEXTS)
    assert {name: set(found[name]) for name in TEXTS} == {name: one_by_one(rows, name) for name in TEXTS}


@pytest.mark.parametrize("abstracts", [["", "-", "a b c"], [None, None, None], []])
def test_without_a_word_nothing_is_found(abstracts: list[str | None]) -> None:
    rows = pl.DataFrame(
        {"row": range(len(abstracts)), "capture_id": "a", "abstract": abstracts, "title": "", "summary": None},
        schema=SCHEMA,
    )
    assert all(found.is_empty() for found in misfits(rows, TEXTS).values())
