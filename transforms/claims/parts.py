"""Telling whether a number is a score of a whole benchmark: it may be of a part of it, or a share of something."""

from __future__ import annotations

import re

from msgspec.structs import replace

from transforms.benchmarks.declared_names import Mention, Span, split_called
from transforms.benchmarks.mentions import NO_BENCHMARK
from transforms.numbers.series import Series

THINGS = (
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
    rf"{WHOLE}(?P<part>(?:[\w'-]{{2,20}},\s(?:and\s)?){{0,3}}(?:(?!(?:while|when|and|with)\s)[\w'-]{{2,20}}\s){{1,3}}?(?:{THINGS}|{SPLITS}))(?![\w-])"
)
# Before a number: `the accuracy on hard questions is only`
PART_AHEAD = re.compile(
    rf"\b(?:accuracy|scores?|rates?|f1|performance|recall)\s(?:on|in|for)\s(?:the\s)?{WHOLE}(?P<part>(?:[\w'-]{{2,20}}\s){{1,3}}"
    rf"(?:{THINGS}|{SPLITS}))\s(?:is|was|are|reaches|of|stays|remains)\s(?:at\s|only\s|just\s|about\s|around\s){{0,2}}$"
)
# Between a number and its benchmark: `on the ripe part of`, `on test-other on`
PART_BETWEEN = re.compile(
    rf"\b(?:on|in|for)\s(?:the\s|an?\s)?(?P<part>(?![\w\s-]*(?:accuracy|score|rate|performance)\b)(?!the\b|tests?(?![\w-])|whole\b|entire\b|full\b|all\b|rest\b)[\w'-]{{2,24}}(?:\s(?!on\b|of\b)[\w'-]{{2,24}}){{0,3}}?)"
    rf"(?:\s(?:{THINGS}|{SPLITS}|part|exam))?\s(?P<link>of|on|in|from)\s(?:the\s)?$",
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
    rf"\sof\s(?!(?:the\s|all\s|its\s|our\s|test\s|held-out\s)*(?:[\w-]{{1,20}}\s)?{THINGS}\b)(?:the\s|all\s)?[a-z]"
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
