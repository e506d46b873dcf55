"""Finding the declared names of benchmarks in a text, with the versions and splits that are named beside them."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from warehouse.schema.benchmarks import (
    BETWEEN,
    SEPARATORS,
    TIMES,
    Benchmark,
    benchmark_key,
    declared_benchmarks,
    split_key,
)

APART = rf"{SEPARATORS},;:()\[\]{{}}\""
TOKEN = re.compile(rf"[^{APART}]+")
# A token that a name may begin with: no word in small letters, but for `xbench-DeepSearch`
BEGINNING = re.compile(rf"(?<![^{APART}])(?![a-z]+(?![^{APART}])(?!-[A-Z]))[^{APART}]+")
Span = tuple[int, int]
LONGEST: Final = 6  # tokens
ANOTHER_VERSION = re.compile(r"[\s-][vV]\d[\w.]{0,6}(?<!\.)|\s\([vV]\d[\w.]{0,6}\)|[\s-](?:Pro|Plus)\b")
INSIDE = re.compile(r"[\w+]|[-.](?=\w)|'(?!s\b)(?=\w)")  # right behind a name, what makes it a part of a longer one
AHEAD = re.compile(r"(?:\b(?:on|across|over|for|in|of|both|and|or)\s(?:the\s(?:[a-z]{4,14}\s)?)?|[,(/]\s?)$")
IS_CALLED = re.compile(r"\s(?:benchmark|leaderboard|test\sset)\b")
JOINED = re.compile(
    r"\d.*|[A-Za-z]{2}"
)  # of a split behind a hyphen, what is read as a part of the name: `ImageNet-64`, `Plum-EN`
# Splits that any benchmark may have, by each of their spellings; others are declared with their benchmark
COMMON: Final = {
    "test-dev": "test-dev",
    "test-clean": "test-clean",
    "test-other": "test-other",
    "validation": "val",
    "val": "val",
    "dev": "dev",
    "test": "test",
}
# Right behind a name, a part that no list has: `PlumQA Long`, `PlumQA L1-Hard`, `a PlumQA subset`
PART = re.compile(
    r"\s(?P<part>(?!(?:Benchmarks?|Bench|Challenges?|Learning|Choice|Importance|Instance|World|Overall|Avg|Average|Scores?|Tasks?"
    r"|Metrics|Pass|Top|Multi-modal|Just|Evaluation|Generation|Datasets?|Speaker|Test|Leaderboard|Environment|Accuracy"
    r"|Recall|Binary|Verified|And|On|In|With|For|From|Success|Final|Mean|Task|Arena|We|The|Our|Text)(?![a-z]))"
    r"(?:[A-Z][a-z]+(?:-[A-Z]?[a-z]+)?(?:\s[A-Z][a-z]+)?|L\d(?:-[A-Z][a-z]+)?|Level-\d|[A-Z]{2,3}-[A-Z]{2,4}|[A-Z]{2,4}-[Oo]nly|subsets?"
    r"|partition|(?!(?:benchmark|dataset|test|all|evaluation|reasoning|simulation|math|coding|agent|image|video|generation|real)\s)"
    r"[a-z-]{5,20}\s(?:problems|tasks|questions|puzzles)))(?=[\s,;.)](?!\())(?![\s,]\s?(?:[A-Z][\w-]*\s)?\()"
)
# A word that is part of the name behind it: `Lifelong PlumQA`, but for the first of a sentence
LONGER = re.compile(
    r"(?<![.?!:;)]\s)(?<!^)(?<![A-Za-z]\.\s)(?<![\w-])(?P<first>(?!Test\b)[A-Z][a-z]{2,20}(?:-[a-z]{2,10})?)\s$"
)


class Mention(Struct, frozen=True, gc=False):
    """A benchmark where a text names it; `name` is its declared name, None of one that is not declared."""

    start: int
    end: int
    name: str | None
    split: Span | None = None
    split_name: str | None = None


class Names(NamedTuple):
    """All declared names.

    Each benchmark by the keys of its spellings, all that these begin with, and their splits and usual metrics by name.
    """

    known: dict[str, tuple[Benchmark, str]]
    beginnings: frozenset[str]
    split: re.Pattern[str]
    splits: dict[str | None, Mapping[str, str]]
    usual: dict[str | None, str | None]  # metrics


@cache
def names() -> Names:
    """The declared benchmarks, made ready for reading."""
    known: dict[str, tuple[Benchmark, str]] = {}
    splits = set(COMMON)
    for one in declared_benchmarks():
        splits |= set(one.split_names)
        for said in (one.name, *one.spellings):
            known[benchmark_key(said)] = (one, said)
    parts = "|".join(map(re.escape, sorted(splits, key=len, reverse=True)))
    pattern = rf"(?:-|\s?\(|\s)(?P<split>\d+{TIMES.pattern}\d+|{parts})(?![\w+-])(?:\s(?:set|split|subset))?"
    beginnings = frozenset(key[:length] for key in known for length in range(1, len(key) + 1))
    splits_of: dict[str | None, Mapping[str, str]] = {one.name: one.split_names for one in declared_benchmarks()}
    usual: dict[str | None, str | None] = {one.name: one.metric for one in declared_benchmarks()}
    return Names(known, beginnings, re.compile(pattern, re.IGNORECASE), splits_of, usual)


def declared_mentions(text: str) -> Iterator[Mention]:
    declared = names()
    for found in BEGINNING.finditer(text):
        if found[0].lower().rstrip(".") in declared.beginnings:
            mention = longest_name(text, found.start(), declared)
            longer = LONGER.search(text, max(found.start() - 24, 0), found.start()) if mention else None
            if mention:
                yield replace(mention, start=longer.start("first"), name=None, split_name=None) if longer else mention


def longest_name(text: str, start: int, declared: Names) -> Mention | None:
    """The longest declared name that begins at a place."""
    if start > 1 and text[start - 1] in "-_" and text[start - 2].isalnum():
        return None  # the end of a longer name
    keys: list[tuple[int, str]] = []  # where each token ends, and the key of all up to there
    key, at = "", start
    while len(keys) < LONGEST and (token := TOKEN.match(text, at)):
        key += token[0].lower()
        goes_on = key in declared.beginnings
        if goes_on or token[0].endswith("."):  # which may end the sentence
            keys.append((token.end(), key))
        gap = BETWEEN.match(text, token.end()) if goes_on else None  # else no declared name goes on like this
        at = gap.end() if gap else len(text)
    for end, key in reversed(keys):
        for stop, name in {end: key, start + len(text[start:end].rstrip(".")): key.rstrip(".")}.items():
            benchmark, said = declared.known.get(name, (None, ""))
            if benchmark is None or (benchmark.is_word and not is_meant(text, start, stop, said)):
                continue
            version = ANOTHER_VERSION.match(text, stop)
            if version:
                other, _ = declared.known.get(benchmark_key(f"{text[start:stop]}{version[0].strip(' ()')}"), (None, ""))
                return Mention(start, version.end(), other and other.name)
            mention = with_split(text, start, stop, benchmark)
            if mention.split or not INSIDE.match(text, stop):
                return mention
    return None


def is_meant(text: str, start: int, end: int, said: str) -> bool:
    """Whether a word that may mean something else is the benchmark: as spelled, behind a preposition or so called."""
    is_called = IS_CALLED.match(text, end) or AHEAD.search(text, max(start - 24, 0), start)
    return text[start:end] == said and is_called is not None


def with_split(text: str, start: int, end: int, benchmark: Benchmark | None) -> Mention:
    """The mention of a name, with the split that is named right behind it."""
    declared = names()
    name, behind = benchmark.name if benchmark else None, declared.split.match(text, end)
    said = split_key(behind["split"]) if behind else ""
    split = (benchmark.split_names if benchmark else COMMON).get(said, COMMON.get(said))
    if not behind or split is None or INSIDE.match(text, behind.end("split")):
        part = PART.match(text, end)
        return Mention(start, end, name, part and part.span("part"))
    is_joined = text[end] == "-" and JOINED.fullmatch(behind["split"]) is not None
    return Mention(start, behind.end("split") if is_joined else end, name, behind.span("split"), split)


def split_called(text: str, mention: Mention, span: Span) -> Mention:
    """A benchmark with the words that name the split which a number is of."""
    said = split_key(text[slice(*span)])
    splits = names().splits.get(mention.name, COMMON)
    return replace(mention, split=span, split_name=splits.get(said, COMMON.get(said)))
