"""Telling whether a number is a score of a whole benchmark, beside a metric or a benchmark, or as one of a list.

It may be of a part of the benchmark, or a share of something.
"""

import re
from collections.abc import Callable

from msgspec.structs import replace

from transforms.claims.words import SCORED, SCORED_BEHIND
from transforms.hooks import at_end
from transforms.names.declared_names import Mention, Span, split_called
from transforms.names.mentions import NO_BENCHMARK
from transforms.numbers.figures import BOUND
from transforms.numbers.series import Series
from transforms.numbers.set_against import is_of_others
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


def is_decimal_score(series: Series, previous: ClaimRule | None, *, is_on_benchmark: Callable[[], bool]) -> bool:
    """Whether a decimal is a score by what is around it: a benchmark, a score before it, or what it is set against."""
    if series.last.shape != "bare" or "." not in series.last.low:
        return False
    goes_on = previous == "score" and at_end(NEXT, series.before) and (series.is_move or GOES_ON.match(series.after))
    is_moved = previous == "score" and (at_end(MOVED, series.before) or series.before.endswith(" to "))
    if goes_on or is_moved or (previous and not series.is_named and is_of_others(series)):
        return True
    is_version = series.is_named and not AS_LISTED.match(series.after)
    return not is_version and is_on_benchmark()


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


PART = (
    r"(?:tasks?|problems?|questions?|(?:qa\s)?pairs|queries|instances|cases|samples|examples|puzzles|scenarios"
    r"|episodes)"
)
SPLITS = r"(?:splits?|subsets?|sets?|partitions?|portions?|categor(?:y|ies)|levels?|settings?|conditions?)"
# What a part is not called by: all of it, or how it is solved
WHOLE = (
    r"(?!(?:the|its|this|these|those|our|all|both|each|every|some|many|various|diverse|several|multiple|different|average"
    r"|challenging|entire|full|whole|overall|same|real|real-world|downstream|benchmark|evaluation|test|more|other"
    r"|zero-shot|few-shot|two|three|four|five|six|seven|eight|nine|ten|\d+)\s)"
)
# Right behind a number, the part it is of: `41% accuracy on hard questions`
PART_BEHIND = re.compile(
    r"\)?(?:\s(?!on\b|in\b|for\b|across\b|of\b|but\b|while\b|and\b|which\b)[\w@.%-]{1,20}){0,3}\s(?:on|in|for|across|under)\s(?:the\s|our\s)?"
    rf"{WHOLE}(?P<part>(?:[\w'-]{{2,20}},\s(?:and\s)?){{0,3}}(?:(?!(?:while|when|and|with)\s)[\w'-]{{2,20}}\s){{1,3}}?(?:{PART}|{SPLITS}))(?![\w-])"
)
# Before a number: `the accuracy on hard questions is only`
PART_AHEAD = re.compile(
    rf"\b(?:accuracy|scores?|rates?|f1|performance|recall)\s(?:on|in|for)\s(?:the\s)?{WHOLE}(?P<part>(?:[\w'-]{{2,20}}\s){{1,3}}"
    rf"(?:{PART}|{SPLITS}))\s(?:is|was|are|reaches|of|stays|remains)\s(?:at\s|only\s|just\s|about\s|around\s){{0,2}}$"
)
# Between a number and its benchmark: `on the ripe part of`, `on test-other on`
PART_BETWEEN = re.compile(
    rf"\b(?:on|in|for)\s(?:the\s|an?\s)?(?P<part>(?![\w\s-]*(?:accuracy|score|rate|performance)\b)(?!the\b|tests?(?![\w-])|whole\b|entire\b|full\b|all\b|rest\b)[\w'-]{{2,24}}(?:\s(?!on\b|of\b)[\w'-]{{2,24}}){{0,3}}?)"
    rf"(?:\s(?:{PART}|{SPLITS}|part|exam))?\s(?P<link>of|on|in|from)\s(?:the\s)?$",
    re.IGNORECASE,
)
# Right behind a number, a split alone: `52% validation and 51% test`, `79.4% on the test set`
SPLIT_BEHIND = re.compile(
    r"\)?\s(?:(?P<alone>validation|val|dev|test)(?=\s(?:and\b|pass|success|[a-z]+\spass))"
    r"|on\s(?:the\s)?(?P<said>validation|val|dev|test|held-out)\s(?:set|split|subset))\b(?!s\b)(?!\sof\b)"
)
# A place of its own, which is another one than the benchmark of the text: `9% on Deep Research`
OWN_PLACE = re.compile(
    r"\)?(?:\s(?!on\b|in\b|for\b|across\b|of\b|but\b|while\b|and\b|which\b)[\w@.%-]{1,20}){0,2}\s(?:on|across)\s(?!(?:average|its|this|our|both|all|these|total"
    r"|the\s(?:benchmark|dataset|task|full|whole|same|proposed|new|entire|test|validation|standard))\b)"
)
WORD = re.compile(r"[^\s,;.()]+")
# A share of things or of another score, where nothing says that they are solved
OF_THINGS = re.compile(
    rf"\sof\s(?!(?:the\s|all\s|its\s|our\s|test\s|held-out\s)*(?:[\w-]{{1,20}}\s)?{PART}\b)(?:the\s|all\s)?[a-z]"
)
RESTRICTED = re.compile(r"\s[\w-]{1,20}\s(?:that|which|where)\s")  # `80% of PlumQA puzzles that others could not`
MADE = re.compile(r"\sof\s[^.;]{1,60}\scan\sbe\s(?!(?:\w+ly\s)?(?:solved|answered|resolved))")  # `99% can be encoded`
DESPITE = re.compile(r"\bdespite\s$")


def is_no_score(text: str, series: Series) -> bool:
    """Whether a number is a share of another score, or of things that are not solved: no score of a benchmark."""
    return bool(is_share(text, series) or MADE.match(series.after) or DESPITE.search(series.before))


def is_share(text: str, series: Series) -> bool:
    """Whether a number is a share of something that is no task: `44% of safety violations`."""
    return series.last.shape == "percent" and OF_THINGS.match(text, series.last.end) is not None


def own_place(text: str, series: Series) -> str:
    """The word for where a number was reached, if not on the benchmark of the text or by a model; else empty."""
    found = OWN_PLACE.match(series.after)
    word = WORD.match(text, series.last.end + found.end()) if found else None
    return word[0] if word and not NO_BENCHMARK.match(word[0]) else ""


def part_of(text: str, series: Series, mention: Mention) -> Mention:
    """The benchmark with the part of it that a number is of, where the words beside the number say one."""
    last, end = series.last.end, series.sentence[1]
    behind = SPLIT_BEHIND.match(series.after)
    if behind and behind.lastgroup:
        return split_called(text, mention, _moved(behind.span(behind.lastgroup), last))
    if mention.start >= last:
        between = PART_BETWEEN.search(text, last, mention.start)
        called = between and split_called(text, mention, between.span("part"))
        if called and between and (called.split_name or between["link"] != "on"):
            return called
        return replace(mention, name=None) if RESTRICTED.match(text, mention.end, end) else mention
    if mention.split:
        return mention
    part, ahead = PART_BEHIND.match(series.after), PART_AHEAD.search(series.before)
    if part or not ahead:
        return split_called(text, mention, _moved(part.span("part"), last)) if part else mention
    return split_called(text, mention, _moved(ahead.span("part"), series.figures[0].start - len(series.before)))


def _moved(span: Span, by: int) -> Span:
    return span[0] + by, span[1] + by
