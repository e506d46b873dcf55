r"""Which figures report a result of the paper, and by which rule.

A figure is taken only where the words around it say so: it stands in a sentence about the paper's own work, nothing
beside it makes it a setting, a size or a name, and what its shape needs is there. The rules, as the column `rule`
has them:

* `multiple`: `1.75x`, `1.75\times`, `2-4 times`, not of a resolution or a device;
* `factor`: a bare number that `a factor of` or `speedup` makes a multiple;
* `orders`: `three orders of magnitude`;
* `worded`: `twice`, `halves`, `ten-fold`, beside what changed;
* `percent`: `8.7\%` in a sentence that tells of a result, not of a share of the data or a confidence;
* `points`: `3.2 points` in such a sentence;
* `rate`: tokens/s, FLOP/s, frames per second that are reached;
* `time` and `bytes`: hours and gigabytes that something takes, or is brought down to;
* `level`: dB, nats and operations, gained or reached;
* `score`: a bare number right beside a metric (`AUC 0.96`, `34.5 BLEU`);
* `fraction`: `7 of 7`.
"""

from __future__ import annotations

from collections.abc import Callable

from transforms.claims.contexts import (
    AT,
    AT_RATIO,
    BY,
    COMPARATIVE,
    FACTOR,
    FACTOR_AFTER,
    FRACTION_OF,
    GAINED,
    IN_TIME,
    IS_YEAR,
    LEVELS,
    LITTLE,
    MEMORY,
    MOVED,
    NEXT,
    OF_DATASETS,
    OF_MEDIA,
    OF_RATIO,
    ON,
    OTHERS,
    REACHED,
    SET_AGAINST,
    SETTING_AFTER,
    SETTING_BEFORE,
    SHARE,
    SIZE,
    SPEED,
    TAKES,
)
from transforms.claims.series import Series
from transforms.claims.units import Shape
from transforms.claims.words import RESULT, SCORED, SCORED_BEHIND

Rule = str | None


def rule_of(series: Series, previous: Rule) -> Rule:
    """The rule by which a series reports results; None where nothing says so."""
    if SETTING_AFTER.match(series.after) or SETTING_BEFORE.search(series.before):
        return None
    if series.last.shape in LEVELS and (OTHERS.search(series.before) or SET_AGAINST.search(series.before)):
        return None
    if previous == "score" and "." in series.last.low and NEXT.search(series.before) and ON.match(series.after):
        return "score"
    return RULES[series.last.shape](series)


def _multiple(series: Series) -> Rule:
    if AT_RATIO.search(series.before) and OF_RATIO.match(series.after):
        return None
    return None if OF_DATASETS.match(series.after) else "multiple"


def _worded(series: Series) -> Rule:
    if SIZE.match(series.after):
        return None
    return "worded" if COMPARATIVE.match(series.after) or BY.search(series.before) else None


def _percent(series: Series) -> Rule:
    if AT_RATIO.search(series.before) and OF_RATIO.match(series.after):
        return None
    if SHARE.match(series.after) and not LITTLE.search(series.before):
        return None
    return "percent" if MOVED.search(series.before) or RESULT.search(series.told) else None


def _rate(series: Series) -> Rule:
    return "rate" if AT.search(series.before) or RESULT.search(series.told) else None


def _time(series: Series) -> Rule:
    if OF_MEDIA.match(series.after) or not TAKES.search(series.before):
        return None
    return (
        "time" if IN_TIME.search(series.before) or SPEED.search(series.before) or SPEED.search(series.after) else None
    )


def _bytes(series: Series) -> Rule:
    if not TAKES.search(series.before):
        return None
    return "bytes" if MEMORY.search(series.before) or MEMORY.search(series.after[:40]) else None


def _bare(series: Series) -> Rule:
    if FACTOR.search(series.before) or FACTOR_AFTER.match(series.after):
        return "factor"
    low = series.last.low
    if IS_YEAR.fullmatch(low):
        return None
    if ("." in low or len(low) > 1) and (SCORED.search(series.before) or SCORED_BEHIND.match(series.after)):
        return "score"
    if "." in low and (GAINED.search(series.before) or (REACHED.search(series.before) and ON.match(series.after))):
        return "score"
    return None


def _where_told(rule: str) -> Callable[[Series], Rule]:
    """The rule for figures that need nothing but a sentence that tells of a result."""
    return lambda series: rule if RESULT.search(series.told) else None


RULES: dict[Shape, Callable[[Series], Rule]] = {
    "multiple": _multiple,
    "orders": lambda series: None if OF_DATASETS.match(series.after) else "orders",
    "worded": _worded,
    "percent": _percent,
    "points": _where_told("points"),
    "tokens_rate": _rate,
    "flop_rate": _rate,
    "rate": _rate,
    "time": _time,
    "bytes": _bytes,
    "bits": lambda _series: None,
    "level": _where_told("level"),
    "bare": _bare,
    "fraction": lambda series: "fraction" if FRACTION_OF.match(series.after) and RESULT.search(series.told) else None,
    "count": lambda _series: "count",
}
