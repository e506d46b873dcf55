"""Telling whether a bare number is a score: beside a metric or a benchmark, or as one of a list."""

from __future__ import annotations

import re

from transforms.claims.words import SCORED, SCORED_BEHIND
from transforms.hooks import at_end
from transforms.numbers.bounds import BOUND
from transforms.numbers.series import Series
from transforms.others.set_against import is_of_others
from warehouse.schema.core.claims import ClaimRule

# Right behind a bare number, what it counts: `FID at 250 steps`, `nDCG at 10 of 93.5`
COUNTED = re.compile(
    r"\s(?:(?:sampling|denoising|training|inference)\s)?(?:steps?|epochs?|iterations?|shots?|nfes?)\b|\sof\s\d"
)
# and of a whole number: `scores from 17 models`
THINGS = re.compile(
    r"\s(?:[a-z-]{3,16}\s)?(?:models|llms|vlms|mllms|agents|tasks|benchmarks|datasets|scores|questions|problems|languages|categories)\b"
)
# What makes a bare decimal a gain: `improves BLEU by 1.2`, `raises the average from 70.6`
GAINED = re.compile(
    rf"\b(?:gains?|improv\w+|increas\w+|boost\w*|drops?|dropp\w+|reduc\w+|decreas\w+|rais\w+|lift\w*|elevat\w*|surpass\w*"
    rf"|outperform\w*|fall\w*)\s(?:[^\s]{{1,24}}\s){{0,6}}(?:of|by|from)\s{BOUND}{{0,3}}[+-]?$"
)
# What makes one a score, where a benchmark follows: `achieves 68.1 on`
REACHED = re.compile(
    rf"\b(?:scor(?:es?|ed|ing)|averag(?:es|ing)|achiev\w+|reach\w*|attain\w*|obtain\w*)\s{BOUND}{{0,3}}(?:an?\s|only\s"
    rf"|just\s)?(?:[\d.]+/)?$"
)
# A version, not a score: `Claude Sonnet 3.5 scores`, `we introduce PlumQA 2.0`
VERSION_OF = re.compile(
    r"\b(?:(?:sonnet|opus|haiku|claude|gemini|grok|deepseek|qwen|llama)|(?:introduc|present|propos|releas)\w*\s[\w-]{2,30})\s$"
)
# A number right behind a name, as in a list of scores: `(PlumQA 68.1, FigQA 40.2)`; else it is a version
AS_LISTED = re.compile(r"\s?(?:[,;)\]%]|and\s|on\s|vs|$)|\.(?:\s|$)")
IS_YEAR = re.compile(r"(?:19|20)\d\d(?:\.[01]\d)?")  # `2024.08`, too
# From one value to another, which always reports a result
MOVED = re.compile(r"\bfrom\s$")
# Between scores of one list: `64.7 on A, 40.2 on B and 73.1 on C`
NEXT = re.compile(r"(?:,|,?\sand|;)\s(?:an?\s)?[+-]?$")
GOES_ON = re.compile(r"\)?\s(?:[\w-]{1,20}\s)?(?:on|in|for|at|with)\s")
# A number that another is set against: `(4.9 vs. 7.0)`
VERSUS = re.compile(r"\s(?:vs\.?|versus|to)\s(?:[\w.\[\]-]{1,20}\s){0,2}\d")


def is_score(series: Series) -> object:
    """Whether a bare number is beside a metric, or is a decimal that is gained, or reached on a benchmark."""
    low = series.last.low
    if ("." in low or len(low) > 1) and (SCORED.search(series.before) or SCORED_BEHIND.match(series.after)):
        return True
    return "." in low and (GAINED.search(series.before) or REACHED.search(series.before) or is_set_against(series))


def is_set_against(series: Series) -> bool:
    """Whether a number in parentheses is set against another: `(4.9 vs. 7.0)`, `(80.0 to 75.0)`."""
    return series.before.endswith(("(", "and ")) and VERSUS.match(series.after) is not None


def is_decimal_score(series: Series, previous: ClaimRule | None, *, is_on_benchmark: bool) -> bool:
    """Whether a decimal is a score by what is around it: a benchmark, a score before it, or what it is set against."""
    if series.last.shape != "bare" or "." not in series.last.low:
        return False
    goes_on = previous == "score" and at_end(NEXT, series.before) and (series.is_move or GOES_ON.match(series.after))
    is_moved = previous == "score" and (at_end(MOVED, series.before) or series.before.endswith(" to "))
    is_others = previous and is_of_others(series) and not series.is_named
    is_version = series.is_named and not AS_LISTED.match(series.after)
    return bool(goes_on or (is_on_benchmark and not is_version) or is_moved or is_others)


def is_counted_or_dated(series: Series) -> bool:
    """Whether a bare number counts steps or scores, or is a date or a version."""
    is_counted = series.before.endswith(("at ", "within ", "in ", "after ")) and COUNTED.match(series.after)
    is_whole = "." not in series.last.low
    is_many = "," in series.last.low and series.before.endswith("(")  # `scores (2,646 bars`
    is_counting = is_whole and (is_many or series.before.endswith(("across ", "all ")) or THINGS.match(series.after))
    is_dated = (
        series.before.endswith("arxiv:") or IS_YEAR.fullmatch(series.last.low) or at_end(VERSION_OF, series.before)
    )
    return bool(is_counted or is_counting or is_dated)
