"""Reading the metric, the direction and the bound of a figure from the words around it."""

from __future__ import annotations

import re
from typing import NamedTuple

from transforms.claims.figures import ClaimShape
from transforms.claims.series import Claim, Series
from transforms.claims.words import BOUNDS, DOWN, METRICS, UP, WEAK_QUALITY
from transforms.hooks import at_end, last_match
from warehouse.schema.core.claims import Bound, Direction, Metric

METRIC = re.compile(
    r"(?<![\w-])(?:" + "|".join(f"(?P<{name}>{words})" for name, words in METRICS.items()) + r")(?![\w-])"
)
WEAK = re.compile(rf"\b(?:{WEAK_QUALITY})\b")
TURN = re.compile(rf"(?<![\w-])(?:(?P<down>{DOWN})|(?P<up>{UP}))(?![\w-])")
TURNED = re.compile(rf"(?<![\w-])(?:(?P<down>{DOWN}|compression)|(?P<up>{UP}))(?![\w-])")  # right behind a number
SPEEDUP = re.compile(r"\b(?:outperform|surpass|exceed|beat|improv)")
ACCELERATED = re.compile(
    r"\b(?:speed(?:s|ing)? up|sped up|accelerat(?:e|es|ed|ing))\s(?:[^\s]{1,30}\s){0,10}by\s(?:an?\s)?$"
)
OF_ORIGINAL = re.compile(r"\sof\s(?:its|the|their|all)\s(?!.{0,24}(?:peak|utili[sz]ation))")
CLOSED = re.compile(r"\s?\([^()]{0,100}\)")
IN_PARENTHESES = re.compile(r"^\+?\)?(?:\s\([^()]{1,20}\)(?=\s))?")
# The end of the words about a number behind it, and the beginning of those before it
BEHIND_ENDS = re.compile(
    r"[;:()]|[.,](?:\s|$)|\s(?:while|and|which|when|whereas|but|with|that|without|over|than|compared|at|using|from"
    r"|versus|vs|relative|across|under|during|when|as|on|through|via)\s|$"
)
AHEAD_BEGINS = re.compile(
    r"[;:(]\s?|,\s(?=(?:while|and|which|whereas|but|with|[a-z]+ing)\s)|\s(?:while|whereas|but)\s"
    r"|\sand\s(?=(?:[a-z]+(?:es|s|ed|ing)|up to|over|by|can|is|are|an?|at|to)\s)"
)
BOUND = re.compile(
    "(?:"
    + "|".join(f"(?P<b{number}>(?<![a-z]){words})" for number, words in enumerate(BOUNDS.values()))
    + r")\s?(?:an?\s|the\s)?\(?$"
)
BOUND_NAMES: tuple[Bound, ...] = tuple(BOUNDS)
AVERAGE_AHEAD = re.compile(
    r"\b(?:average|mean)\s(?:[\w-]{1,20}\s){0,3}(?:gains?|improvements?|increases?|reductions?|speed-?ups?|boosts?"
    r"|drops?|savings?|decreases?|margin)\sof\s$"
)
AVERAGE_BEHIND = re.compile(r"\+?\)?\s(?:on average|in average|average|geomean|mean|on avg)\b")
# The preposition between a verb and its number, bounds aside
PREPOSITION = re.compile(
    r"\b(by|to|of|at|from|in|with|reach\w*|achiev\w*|attain\w*|obtain\w*|scor\w+|sustain\w*|retain\w*|preserv\w*"
    r"|recover\w*|maintain\w*)\s(?:an?\s|the\s)?$"
)
ACTS = re.compile(r"\bby\s(?:an?\s)?$")
# A change of something that no list has: `fewer qubits`, `reduction in qubits`
OBJECT = re.compile(
    r"\s(?:fewer|less|more|larger|longer|better|higher|lower|(?:reduction|increase|decrease)s?\s(?:in"
    r"|of))\s(?!performance|quality|results?)[a-z]"
)
BEHIND_COUNTS_MORE = 25  # code points
REACHED = re.compile(r"\b(?:achiev|reach|attain|obtain|scor|perform|resolv|solv|succe)")
ON = re.compile(r"\)?\s(?:on|across)\s")
MEMORY_ELSEWHERE = re.compile(r"\b(?:stor|disk|communicat|transfer|model size|checkpoint|compress)")
FIXED: dict[ClaimShape, Metric] = {
    "time": "latency",
    "tokens_rate": "throughput",
    "flop_rate": "throughput",
    "rate": "throughput",
}
# What a count counts, by its noun
COUNTED: dict[str, Metric] = {
    **dict.fromkeys(
        ("rollouts", "steps", "tokens", "iterations", "queries", "evaluations", "epochs", "calls", "trajectories"),
        "compute",
    ),
    **dict.fromkeys(("samples", "examples", "demonstrations", "demos", "labels", "annotations"), "data"),
}
AMOUNTS: frozenset[ClaimShape] = frozenset(
    {"time", "bytes", "tokens_rate", "flop_rate", "rate"}
)  # levels, nearly always
BESIDE = 12  # code points: as far as an amount's own adjective reaches (`5 seconds faster`)
NEAR, FAR = 45, 70  # code points: as far as a verb governs without a preposition, and with one


class Clause(NamedTuple):
    """The words around a series up to the ends of its clause; `bare` is `ahead` without the bound of the number."""

    behind: str
    ahead: str
    bare: str


def clause_of(series: Series) -> Clause:
    ahead = words_ahead(series)
    return Clause(words_behind(series), ahead, without_bound(ahead))


def metric_of(series: Series, clause: Clause, previous: Claim | None) -> Metric | None:
    """The metric of a series: what its verb acts on, else the nearest one named, else that of the previous claim."""
    shape, (behind, ahead, bare) = series.last.shape, clause
    if shape in FIXED:
        return FIXED[shape]
    if shape == "count":
        return COUNTED.get(series.last.noun, "other")
    if shape == "bytes" and not MEMORY_ELSEWHERE.search(ahead + behind):
        return "memory"
    if shape in {"multiple", "percent"} and ACCELERATED.search(bare):
        return "speedup"
    if previous:
        ahead = ahead[-max(series.figures[0].start - previous.span_end, 1) :]
        bare = without_bound(ahead)
    # The metric behind the verb of a change whose number follows with `by`, else the nearest
    verb = last_match(TURN, ahead) if at_end(ACTS, bare) else None
    before = (METRIC.search(ahead, verb.end()) if verb else None) or last_match(METRIC, ahead)
    after = METRIC.search("" if OF_ORIGINAL.match(behind) else behind)
    is_far = after and before and after.start() > len(ahead) - before.end() + BEHIND_COUNTS_MORE
    nearest = before if is_far else after or before
    found: Metric | None = nearest.lastgroup if nearest else None  # type: ignore[assignment]
    if found == "throughput" and shape == "percent" and not (TURN.search(ahead) or TURNED.search(behind)):
        return "utilization"  # a share of a throughput is no throughput
    return found or _unnamed(series, behind, ahead, previous)


def _unnamed(series: Series, behind: str, ahead: str, previous: Claim | None) -> Metric | None:
    """The metric of a series whose clause names none; None where nothing indicates it."""
    if OBJECT.match(behind):
        return "other"
    if WEAK.search(behind) or WEAK.search(ahead):
        return "speedup" if series.last.shape == "multiple" and SPEEDUP.search(ahead) else "quality"
    is_score = REACHED.search(ahead) or ON.match(series.after) or series.before.endswith("+")
    if is_score or series.is_move or series.last.shape in {"fraction", "bare", "points"}:
        return "quality"
    if previous:
        return previous.metric
    whole = last_match(METRIC, series.before)
    return whole.lastgroup if whole else "other"  # type: ignore[return-value]


def direction_of(series: Series, clause: Clause, previous: Claim | None) -> Direction | None:
    """Whether a series gives how much something rose (`up`) or fell (`down`), or its value (`level`)."""
    behind = clause.behind[: BESIDE if series.last.shape in AMOUNTS else NEAR]
    if series.is_move or series.last.shape == "count":
        return "level"
    if series.last.low.lower().startswith("hal"):
        return "down"
    if series.before.endswith(("+", " -", "(-")):
        return "up" if series.before.endswith("+") else "down"
    turned = TURNED.search(behind)
    if turned and not behind.startswith(" of"):
        return turned.lastgroup  # type: ignore[return-value]
    # The verb or the noun before it governs: `reduces X by`, `an improvement of`
    bare = clause.bare
    preposition = PREPOSITION.search(bare)
    word = preposition[1] if preposition else ""
    turn = last_match(TURN, bare if word in {"by", ""} else bare[-FAR:])
    is_factor = series.last.shape in {"multiple", "orders", "worded"}
    is_near = turn is not None and series.last.shape not in AMOUNTS and (is_factor or len(bare) - turn.end() < NEAR)
    if turn and (word in {"by", "of", "with"} or (not word and is_near)):
        return turn.lastgroup  # type: ignore[return-value]
    goes_on = not word and not turn and len(clause.ahead) < NEAR // 2
    return (previous.direction if previous and goes_on else None) or ("up" if is_factor else "level")


def bound_of(before: str, after: str) -> Bound | None:
    """The bound of a number, by the words right beside it; None where there is none."""
    found = at_end(BOUND, before)
    if found and found.lastgroup:
        return BOUND_NAMES[int(found.lastgroup[1:])]
    if AVERAGE_BEHIND.match(after) or AVERAGE_AHEAD.search(before):
        return "average"
    return "at least" if after.startswith("+") else None


def without_bound(before: str) -> str:
    found = at_end(BOUND, before)
    return before[: found.start()] if found else before


def words_behind(series: Series) -> str:
    """The words that follow a series up to the end of their clause."""
    inside = IN_PARENTHESES.match(series.after)
    after = series.after[inside.end() :] if inside else series.after
    found = BEHIND_ENDS.search(after)
    return after[: found.start()] if found else after


def words_ahead(series: Series) -> str:
    """The words before a series from the beginning of their clause."""
    before = CLOSED.sub("", series.before) if "(" in series.before else series.before
    last = last_match(AHEAD_BEGINS, before)
    return before[last.end() :] if last else before
