"""Reading what a figure measures from the words around it."""

import re
from typing import NamedTuple

from transforms.claims.claim_row import Claim
from transforms.claims.clauses import TURN, TURNED, Clause
from transforms.claims.words import METRICS, WEAK_QUALITY
from transforms.hooks import at_end, last_match
from transforms.numbers.figures import BOUND, ClaimShape
from transforms.numbers.series import Series
from warehouse.schema.benchmarks import AT_K, BETTER, Metric, Polarity

METRIC = re.compile(
    r"(?<![\w-])(?:" + "|".join(f"(?P<{name}>{words})" for name, words in METRICS.items()) + r")(?![\w-])"
)
WEAK = re.compile(rf"\b(?:{WEAK_QUALITY})\b")
SPEEDUP = re.compile(r"\b(?:outperform|surpass|exceed|beat|improv)")
SURPASSES = re.compile(r"outperform|surpass|exceed|beat")
HOW = frozenset(
    {"larger", "smaller", "better", "higher", "stronger", "more", "longer", "bigger"}
)  # of what is surpassed
ACCELERATED = re.compile(
    r"\b(?:speed(?:s|ing)? up|sped up|accelerat(?:e|es|ed|ing))\s(?:[^\s]{1,30}\s){0,10}by\s(?:an?\s)?$"
)
OF_ORIGINAL = re.compile(r"\sof\s(?:its|the|their|all)\s(?!.{0,24}(?:peak|utili[sz]ation))")
ACTS = re.compile(r"\bby\s(?:an?\s)?$")
# A change of something that no list has: `fewer qubits`, `reduction in qubits`
OBJECT = re.compile(
    r"\s(?:(?:fewer|less|more|larger|longer|better|higher|lower|(?:reduction|increase|decrease)s?\s(?:in"
    r"|of))\s(?!performance|quality|results?)[a-z]|the number of\s)"
)
# What is found more often, which is no fault of the finder: `40x more errors`
FOUND_MORE = re.compile(
    r"\s(?:more\s(?:[a-z-]{3,16}\s){0,2}|of\s(?:all\s|the\s)?)(?:errors|failures|bugs|vulnerabilities|faults|mistakes)\b"
)
ATTAINED = re.compile(r"\b(?:achiev|attain|reach|obtain)\w*\s")  # of an attack its success is no error
FASTER = re.compile(r"\bspeed-?ups?\b")
BOTH_FAST = re.compile(r"\s[\w-]{1,20}\sand\s[\d.]+(?:x|\s?times)\s(?:[\w-]{1,20}\s){0,3}speed-?ups?\b")
A_FACTOR = re.compile(r"\bfactor of\s(?:about\s|over\s|up to\s)?$")
# Words of a gain that say nothing of what is gained
GAIN = re.compile(r"gains?")
AGAIN = re.compile(
    r"gains?|improvements?"
)  # of what the factor before is of: `a 7-fold speedup and a 9-fold improvement`
LONGER = re.compile(
    r"\s(?:longer|deeper|wider|larger|bigger|beyond|interpolation|extrapolation|enlargement|magnification)\b"
)
REDUCED_TO = re.compile(r"\b(?:reduc|cut|shrink|compress|prun)\w*\s[^.;]{2,60}\sto\s(?:only\s|just\s|about\s)?$")
# A label in parentheses: `(FID: Pear `
HEAD = re.compile(
    r"(?<![\w-])(?P<label>(?:speed-?ups?|accuracy|scores?|recall|precision|f1|latency|success rates?)):\s"
    rf"{BOUND}{{0,2}}[+~]?$"
)
LABEL = re.compile(r"\((?P<label>[^():]{2,40}):\s(?:[\w.\[\]-]{1,20}\s){0,3}$")
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
# What is spent, not scored: named beside a score only where it is what is meant
OF_EFFORT: frozenset[Metric] = frozenset({"compute", "data", "memory", "size", "cost", "latency"})
OF_EFFORTS = re.compile(
    r"\s(?:of|to)\s(?:its|the|their|all)?\s?(?:[\w-]{1,16}\s){0,3}(?:tokens?|comput\w+|costs?|memory|data|samples|parameters|sizes?"
    r"|resources|budgets?|time|flops|steps)\b"
)
WORSE = re.compile(r"\s(?:worse|better)\b")
DISTANCE = re.compile(r"[rg]?f[iv]d|perplexity|ppl")
MEASURED = re.compile(
    r"\bwe\s(?:measure|estimate|compute)\b(?:[^.;]|\.(?=\d)){0,60}$"
)  # what was measured stands before
LOSS = re.compile(r"\bloss(?:es)?\b")  # a verb of change, too
OF_SCORES = re.compile(r"\b(?:performance|accuracy|quality|scores?)\s$")
TURNED_BY = re.compile(
    r"\s?(?:(?:by|to|of|from|in|a|an|up|over|about|more|than|at|least|most|only|nearly|roughly|approximately)\s){0,6}~?"
)
AS_BEFORE = re.compile(r"\)?,?\s(?:\(?\s?)?(?:an?\s|a further\s)")
# Between a number and one of the same: `to 360.57, a 21% improvement`, `1.02 vs 2.35`, `to 3.6 for one and from 7.1`
AND_FROM = re.compile(
    r"(?:\s(?:for|on|in|with)\s[^.;,]{1,40})?,?\s(?:and\s)?(?:(?:of|for|on|in|with)\s[^.;,\d]{1,40}\s|(?:[\w.-]{1,20}\s){0,3}[\w.-]{1,20}'s\s)?from\s"
)
SET_AGAINST = re.compile(r"\s(?:vs\.?|versus|against|compared (?:to|with))\s(?:[\w.\[\]-]{1,20}\s){0,3}")
AND_BY = re.compile(r",?\s(?:and\s)?[^.;,\d]{1,50}\sby\s")
LENGTH = re.compile(r"\b(?:contexts?|lengths?|windows?|sequences?|texts?)\b")
FEW = re.compile(r"\b(?:only|just|merely|as few as|as little as)\s(?:about\s|approximately\s)?$")
PERFORMANCE = re.compile(r"\s(?:absolute\s|relative\s|average\s|overall\s){0,2}performance\b")
LESSENED = re.compile(r"\b(?:reduc|decreas|lower|cut|drop|mitigat|shrink)\w*\s(?:[^\s]{1,24}\s){0,8}from\s$")


AT_END = re.compile(rf"\s(?:on|in)\s[^;:]{{1,80}}?\sfor\s(?P<word>{AT_K})(?=[;.,)]|\s|$)")


class Measured(NamedTuple):
    """What a series measures: the kind, the words that name it, and whether they stand behind the number."""

    kind: Metric | None
    word: str = ""
    is_behind: bool = False

    @property
    def polarity(self) -> Polarity | None:
        return BETTER[self.kind] if self.kind else None


def measured_as(claim: Claim) -> Measured:
    """The measure of a claim, for a claim that goes on from it."""
    return Measured(claim.metric, (claim.metric_text or "").lower())


def measured_in(series: Series, clause: Clause, previous: Claim | None, *, is_on_benchmark: bool) -> Measured:
    """The measure of a series: what its verb acts on, else the nearest metric, else that of the previous claim."""
    shape = series.last.shape
    clause = clause if previous is None else clause.behind_claim(series.figures[0].start - previous.span_end)
    is_next_move = series.is_move and AND_FROM.fullmatch(clause.ahead) is not None
    if previous and (is_next_move or AS_BEFORE.fullmatch(clause.ahead) or SET_AGAINST.fullmatch(clause.ahead)):
        return measured_as(previous)
    is_margin = shape in {"percent", "points"} and is_surpassed(clause)
    if is_margin or PERFORMANCE.match(clause.behind):
        return Measured("quality", "performance" if PERFORMANCE.match(clause.behind) else "", is_behind=True)
    listed = listed_metric(series)
    if listed:
        return Measured("quality", listed, is_behind=True)
    label = (LABEL.search(series.before) or HEAD.search(series.before)) if ":" in series.before else None
    named, is_behind = (last_match(METRIC, label["label"]), False) if label else (None, False)
    named, is_behind = (named, False) if named else named_metric(clause)
    kind = kind_measured(series, clause, named)
    goes_on = previous is not None and previous.direction != "level" and AND_BY.match(clause.ahead)
    if (
        kind in OF_EFFORT
        and shape in {"percent", "bare", "fraction"}
        and not (goes_on or is_spent(clause, named, is_behind=is_behind))
    ):
        kind = None
    if shape == "points" and kind in OF_EFFORT:
        kind = None  # points are of a score, whatever it costs
    is_turned = TURN.search(LOSS.sub("", clause.ahead)) or TURNED.search(clause.behind)
    is_distance = shape == "percent" and named is not None and DISTANCE.fullmatch(named[0]) is not None
    if kind == "error" and (is_distance or shape in {"multiple", "orders", "worded"}) and not is_turned:
        kind = None  # no distance is a percentage
    if shape == "bare" and is_on_benchmark and kind not in {"quality", "error"}:
        kind = None
    if kind is None:
        return unnamed_metric(series, clause, previous, is_on_benchmark=is_on_benchmark)
    is_its_word = named is not None and named.lastgroup == kind
    return Measured(kind, named[0] if named and is_its_word else "", is_behind)


def listed_metric(series: Series) -> str:
    """The metric at the end of a list of numbers: `65% on PlumQA, and 70% on FigQA for Pass@5`; empty where not."""
    found = AT_END.match(series.after) if series.last.shape == "percent" else None
    return found["word"] if found else ""


def kind_measured(series: Series, clause: Clause, named: re.Match[str] | None) -> Metric | None:
    """The kind of metric that a shape, a verb or the named words give; None where none does."""
    shape, found = series.last.shape, named.lastgroup if named else None
    is_attacker = named is not None and named[0].startswith("attack") and ATTAINED.search(clause.ahead) is not None
    if found == "error" and (is_attacker or (shape == "multiple" and FASTER.search(clause.ahead))):
        return "quality" if is_attacker else "speedup"
    if shape in FIXED:
        return "cost" if found == "cost" and clause.ahead.endswith("cost to ") else FIXED[shape]
    is_fast = shape in {"multiple", "percent"} and ACCELERATED.search(clause.bare) is not None
    is_fast = is_fast or (shape == "multiple" and BOTH_FAST.match(series.after) is not None)
    if shape == "count" or FOUND_MORE.match(clause.behind):
        is_length = LENGTH.search(clause.ahead) or (series.last.noun == "tokens" and not FEW.search(clause.ahead))
        return "other" if is_length else COUNTED.get(series.last.noun, "other")
    if is_fast or (shape == "bytes" and not MEMORY_ELSEWHERE.search(clause.ahead + clause.behind)):
        return "speedup" if is_fast else "memory"
    is_turned = TURN.search(clause.ahead) or TURNED.search(clause.behind) or ACTS.search(clause.bare)
    if found == "throughput" and shape == "percent" and not is_turned:
        return "utilization"  # a share of a throughput is no throughput
    return found  # type: ignore[return-value]


def is_surpassed(clause: Clause) -> bool:
    """Whether one is surpassed by so much: `outperforms another's memory by 3%` measures no memory."""
    verbs = [one[0] for one in TURN.finditer(clause.bare) if one[0] not in HOW] if at_end(ACTS, clause.bare) else []
    return bool(verbs) and SURPASSES.match(verbs[-1]) is not None and not METRIC.search(clause.behind)


def is_spent(clause: Clause, named: re.Match[str] | None, *, is_behind: bool) -> bool:
    """Whether effort is what changes or is used: `cuts memory by 3%`, `30% of its tokens`; not `systems reach 3%`."""
    turn = last_match(TURN, clause.ahead)
    if named and (WORSE.match(clause.behind) or (not is_behind and ATTAINED.search(clause.ahead, named.end()))):
        return False
    if turn and named and not is_behind and named.end() <= turn.start():
        # `tokens are cut by 30%`, not `with such data performance drops by 3%` or `data suffices to lower honesty 3%`
        is_governed = TURNED_BY.fullmatch(clause.ahead, turn.end()) and not OF_SCORES.search(
            clause.ahead, 0, turn.start()
        )
        return bool(is_governed or TURNED.search(clause.behind) or OF_EFFORTS.match(clause.behind))
    return bool(turn or TURNED.search(clause.behind) or OF_EFFORTS.match(clause.behind))


def named_metric(clause: Clause) -> tuple[re.Match[str] | None, bool]:
    """The words in the clause that name a metric, and whether they stand behind the number."""
    behind, ahead, bare = clause
    # The metric behind the verb of a change whose number follows with `by`, else the nearest
    verb = last_match(TURN, ahead) if at_end(ACTS, bare) else None
    before = (METRIC.search(ahead, verb.end()) if verb else None) or last_match(METRIC, ahead)
    spent = OF_EFFORTS.match(behind)
    is_original = OF_ORIGINAL.match(behind) and not spent
    after = METRIC.search("" if is_original else behind)
    is_far = after and before and not spent and after.start() > len(ahead) - before.end() + BEHIND_COUNTS_MORE
    return (before, False) if is_far or not after else (after, True)


def unnamed_metric(series: Series, clause: Clause, previous: Claim | None, *, is_on_benchmark: bool) -> Measured:
    """The measure of a series whose clause names no metric."""
    behind, ahead, _ = clause
    if previous and previous.metric == "error" and previous.unit == "score" and series.last.shape == "bare":
        return Measured("error", (previous.metric_text or "").lower())
    if (
        MEASURED.search(series.before)
        or LONGER.match(behind)
        or (OBJECT.match(behind) and series.last.shape != "points")
    ):
        return Measured(previous.metric if is_on_benchmark and previous else "other")
    is_factor = series.last.shape in {"multiple", "orders", "worded"} or at_end(A_FACTOR, series.before) is not None
    is_left = series.last.shape == "percent" and not series.is_move and REDUCED_TO.search(ahead) is not None
    weak = WEAK.search(behind) or WEAK.search(ahead)
    weak = None if is_left else weak
    if weak and is_factor and not SPEEDUP.search(ahead):
        is_same = previous is not None and previous.unit == "x" and AGAIN.fullmatch(weak[0]) is not None
        weak = None if is_same or GAIN.fullmatch(weak[0]) else weak
    if weak:
        is_speed = series.last.shape == "multiple" and SPEEDUP.search(ahead)
        word = weak[0] if weak[0].startswith("performance") else ""
        return Measured("speedup" if is_speed else "quality", word, is_behind=weak.string is behind)
    if is_left or (is_factor and previous and previous.unit == "x"):
        return Measured("other" if is_left or not previous else previous.metric)
    is_score = REACHED.search(ahead) or ON.match(series.after) or series.before.endswith("+") or is_on_benchmark
    is_score = (is_score or series.is_move) and at_end(A_FACTOR, series.before) is None
    if is_score or series.last.shape in {"fraction", "points"} or (series.last.shape == "bare" and not is_factor):
        return Measured("error" if series.is_move and LESSENED.search(ahead) else "quality")
    return Measured(previous.metric) if previous else Measured("quality" if WEAK.search(series.before) else "other")
