"""What a figure says, from the words around it: metric, direction, bound, and what it is compared with."""

from __future__ import annotations

import re

from transforms.claims.found import Bound, Direction, Metric
from transforms.claims.series import Series
from transforms.claims.words import BOUNDS, DOWN, METRICS, UP, WEAK_QUALITY

METRIC = re.compile(r"\b(?:" + "|".join(f"(?P<{name}>{words})" for name, words in METRICS.items()) + r")\b")
WEAK = re.compile(rf"\b(?:{WEAK_QUALITY})\b")
CLAUSE_END = re.compile(r"[,;:.()]\s|\s(?:while|and|which|when|whereas|but|with|that|without|over|than|compared|at|for|on|across)\s|$")
CLAUSE_START = re.compile(r"[;:(]\s?|,\s(?:while|and|which|whereas|but|with)\s|\s(?:while|whereas|but)\s")
TURN = re.compile(rf"\b(?:(?P<up>{UP})|(?P<down>{DOWN}))\b")
BOUND = re.compile("(?:" + "|".join(f"(?P<b{number}>(?<![a-z]){words})" for number, words in enumerate(BOUNDS.values())) + r")\s?(?:an?\s|the\s)?[(]?$")
BOUND_NAMES: tuple[Bound, ...] = tuple(BOUNDS)
BEHIND_AVERAGE = re.compile(r"\+?\)?\s(?:on average|in average|average|geomean|mean|on avg)\b")


def metric_of(series: Series, rule: str) -> Metric | None:
    after = series.after[: _clause(series.after)]
    before = series.before[_clause_start(series.before) :]
    found = METRIC.search(after) if after else None
    if found:
        return found.lastgroup  # type: ignore[return-value]
    last = None
    for one in METRIC.finditer(before):
        last = one
    if last:
        return last.lastgroup  # type: ignore[return-value]
    if rule in {"rate"}:
        return "throughput"
    if rule == "time":
        return "latency"
    return "quality" if WEAK.search(before) or WEAK.search(after) else "other"


def _clause(after: str) -> int:
    found = CLAUSE_END.search(after)
    return found.start() if found else len(after)


def _clause_start(before: str) -> int:
    last = 0
    for found in CLAUSE_START.finditer(before):
        last = found.end()
    return last


def direction_of(series: Series, rule: str) -> Direction | None:
    after = series.after[: _clause(series.after)][:40]
    found = TURN.search(after)
    if found:
        return found.lastgroup  # type: ignore[return-value]
    before = series.before[_clause_start(series.before) :]
    last = None
    for one in TURN.finditer(before):
        last = one
    if last:
        return last.lastgroup  # type: ignore[return-value]
    return "up" if rule in {"multiple", "factor", "orders", "worded"} else "level"


def bound_of(before: str, after: str) -> Bound | None:
    found = BOUND.search(before)
    if found and found.lastgroup:
        return BOUND_NAMES[int(found.lastgroup[1:])]
    if BEHIND_AVERAGE.match(after):
        return "average"
    return "at least" if after.startswith("+") else None
