"""The benchmark that a paper introduces itself, and the only one that it has."""

from __future__ import annotations

import re

from transforms.benchmarks.declared_names import Mention
from transforms.benchmarks.mentions import FAR, NO_BENCHMARK, TRAINED, is_proper

INTRODUCE = (
    r"\b(?:introduc|present|propos|develop|releas|construct|buil|creat|curat|contribut|design)(?:es?|s|ed|ing|d|t)?\s"
)
OWN_NAME = (
    r"(?P<name>(?:[A-Z](?:[a-z]{1,15}|[A-Z]{4,15})\s(?:(?:of|for|in|on|and|the)\s){0,2}){0,5}"
    r"[A-Z\u0370-\u03ff][\w+\u0370-\u03ff-]{1,30}(?:\s\d(?=,\s))?)"
)
KIND = r"(?:benchmark|testbed|test suite|leaderboard|evaluation (?:framework|suite))"
NO_CLAUSE = r"(?:(?!\s(?:that|which|to|framework|method|approach|taxonomy)\b)[^.;])"  # else it is of something else
INTRODUCED = re.compile(
    INTRODUCE + rf"(?:\\[a-z]{{1,8}}\{{)?(?:[a-z][\w-]{{1,20}}\s){{0,8}}?{OWN_NAME}\}}?"
    r"(?:\s\((?:(?:dubbed|named|called|termed)\s(?:as\s)?)?(?P<short>[A-Z\u0370-\u03ff][\w+\u0370-\u03ff-]{1,30})\)"
    rf"|\s\([^()]{{1,60}}\))?(?:,|:|\s\u2014|\s-{{1,2}})?\s(?:{NO_CLAUSE}{{0,90}}?\b)?{KIND}"
)
# `a new benchmark named PlumQA`
INTRODUCED_BEHIND = re.compile(
    INTRODUCE
    + rf"[^.;]{{0,80}}?\b(?:benchmark|testbed|test suite),?\s(?:(?:called|named|dubbed|termed|namely)\s)?{OWN_NAME}"
)
# `which leads to PlumQA, a new benchmark`
NEW = re.compile(rf"(?<![\w-]){OWN_NAME},\s(?:an?\s(?:novel|new)|the\sfirst)\s(?:[a-z][\w-]{{1,20}},?\s){{0,8}}?{KIND}")
KINDS = ("benchmark", "testbed", "test suite", "leaderboard", "evaluation ")  # a match of each of them has one
TRIED_ON = re.compile(r"\b[Oo]n\s(?:the\s(?:[a-z]{4,14}\s)?)?$")


def own_benchmark(text: str, mentions: list[Mention]) -> Mention | None:
    """The benchmark that the paper itself introduces: what it reports later, with none named, was measured on that."""
    if not any(kind in text for kind in KINDS):
        return None
    for pattern in (INTRODUCED, INTRODUCED_BEHIND, NEW):
        for found in pattern.finditer(text):
            short = found.groupdict().get("short")
            group = "short" if short and (" " in found["name"] or not is_proper(found["name"])) else "name"
            name, behind = found[group], text[found.end(group) :]
            is_long = " " in name and behind.startswith((",", ":", " \u2014", " -"))
            if (group == "short" or is_proper(name) or is_long) and not NO_BENCHMARK.match(name.split(" ")[-1]):
                start, end = found.span(group)
                return next((one for one in mentions if one.start == start), Mention(start, end, None))
    return None


def only_benchmark(text: str, mentions: list[Mention]) -> Mention | None:
    """The benchmark that all was tried on, as the text names no other one: `comparisons on PlumQA`."""
    first = mentions[0] if len({one.name or text[one.start : one.end] for one in mentions}) == 1 else None
    if first is None or TRAINED.search(text, max(first.start - FAR, 0), first.start):
        return None
    return first if TRIED_ON.search(text, max(first.start - 24, 0), first.start) else None
