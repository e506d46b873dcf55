"""What part a figure plays: a result, the baseline it is set against, or a change; and how it is written."""

from __future__ import annotations

import re
from typing import Final

from transforms.claims.claim_row import Claim
from transforms.claims.words import BOUND
from transforms.numbers.figures import ClaimShape, Figure
from transforms.numbers.series import Series
from transforms.numbers.worded import value_of
from warehouse.schema.core.claims import ChangeKind, Direction, Unit
from warehouse.schema.named_metrics import NAMED_METRICS, Metric, Scale

SCALES: Final[dict[Unit, Scale]] = {"%": "percent", "points": "percent", "x": "factor", "count": "count"}
SAME_NAME: Final = 4  # letters that two names of one family begin with
DIGIT: Final = re.compile(r"\d")
VERSUS: Final = re.compile(r",?\s(?:vs\.?|v\.s\.|versus)\s")
MOST_PERCENT: Final = 100  # a gain of more points is of a score that is no percentage
PLAIN: Final = {one.name for one in NAMED_METRICS if one.is_plain}
# A change in percent of an amount is a share of it; of a score it may be points of a hundred: None, unless it is said
AMOUNTS: Final[frozenset[Metric]] = frozenset(
    {"latency", "memory", "size", "energy", "cost", "data", "communication", "compute", "throughput", "speedup"}
)
SAID: Final = re.compile(r"\b(?P<absolute>absolute(?:ly)?)|\b(?P<relative>relative(?:ly)?)\b")
FROM: Final = re.compile(rf"\bfrom\s(?:[^\s\d]{{1,30}}\s){{0,3}}{BOUND}{{0,3}}$")
# Between two numbers of other work
LISTED: Final = re.compile(
    r"(?:\s[a-z][\w-]{1,20}){0,2},\s(?:[\w./-]{2,30}(?::|\s=)\s)?|(?:(?:\s[a-z]{2,8})?\)|\sfor\s[\w.-]{1,30}),?\s(?:and\s)?(?:[\w.+-]{1,30}\s){0,3}\(?"
    rf"(?:[\w@-]{{2,12}}\s=\s)?{BOUND}{{0,2}}"
)
# Between the two numbers of a move no other verb: `from 18.5% with one to 37.9%`
BETWEEN: Final = re.compile(r"[^.;,]{0,60}\sto\s(?:[^.;,\s]{1,20}\s){0,3}")


# A number of other work, with which the paper's own is compared: `than the 42.1% of X`, `above its own 77.5%`
OTHERS = re.compile(
    r"\b(?:than|compared (?:to|with)|above|below|behind|versus|vs\.|exceed\w*|surpass\w*|outperform\w*"
    r"|relative to)\s(?:a\s"
    r"|the\s)?(?:(?!by\b|with\b|up\b|on\b|in\b|and\b|to\b"
    r"|for\b)[^\s,;()]{1,30}\s){1,6}(?:and its (?:[^\s,;()]{1,30}\s){1,4})?(?:with\s[\w-]{2,20}\s(?=\())?\(?"
    rf"{BOUND}{{0,2}}$"
)
# and one right behind the comparison: `versus 76.2%`
SET_AGAINST = re.compile(
    r"(?:\b(?:versus|against|compared (?:to|with)|relative to)\s(?:only\s|just\s|a\s)?"
    r"|\b(?:vs\.?|versus)\s(?:[\w.\[\]-]{1,20}\s){0,2})$"
)
# and `the prior best (13.07)`
BEST_BEFORE = re.compile(
    r"\b(?:prior|previous|existing)\s(?:[^().;]{0,40}|best\s[^(),.;%]{0,90})\((?:[\w.+-]{2,30}[,:]?\s){0,2}$"
)
# and `whereas existing baselines reach only`
BASELINES_DO = re.compile(
    r"\b(?:while|whereas)\s(?:[\w-]{2,16}\s){0,3}?baselines?\s(?:achiev|reach|attain|obtain)\w*\s"
    r"(?:only\s|just\s|up to\s){0,2}$"
)
# and `below human-level performance, 93%`, `such as Pear 2, which scores`, `the strongest baseline remains at`
PEOPLE_DO = re.compile(
    r"\bhuman(?:s|-level|\sexperts?|\sannotators?)?\s?(?:performance\s?)?(?:[,(]\s?)(?:at\s|of\s)?$"
    r"|\b(?:approach\w*|near\w*|below|behind)\s(?:[\w-]{1,16}\s){0,2}?human(?:-level)?\s(?:performance|accuracy)\s(?:at|of)\s$"
)
# and `a plain baseline (F1=0.12`, `random-level accuracy (50%`
BASELINE_HAS = re.compile(
    r"\bbaselines?\s\([\w./-]{2,40}\s(?:only\s)?(?:achiev|reach|obtain|scor|get)\w*\s(?:only\s)?$"
    r"|\bbaselines?\s?\((?:fvd|fid|ppl|perplexity|wer|f1|auc|accuracy|acc)\.?\s?=?\s?$"
    r"|\b(?:random|chance)(?:-level|\slevel|\sguess\w*)\s(?:(?:accuracy|performance)\s)?\($"
)
# and `humans achieve`, `comparable to Pear and Fig (63%`, `a standard pear, …, with only a`
PEOPLE_REACH = re.compile(
    r"\bhuman\s(?:accuracy|performance)\saverages\s$"
    r"|\b(?:humans?|human\s(?:experts?|annotators?|testers|participants|performance|baselines?)|experts|people|annotators)\s(?:can\s)?"
    rf"(?:achiev|reach|attain|obtain|scor|get|solv|succe|answer)\w*\s{BOUND}{{0,2}}(?:an?\s)?$"
    r"|\b(?:comparable|similar|close|equal|on par)\s(?:to|with)\s(?:[^.;()]|\.(?=\d)){2,90}\($"
    r"|\b(?:close\sto|approaching)\s(?:[^.;,%]|\.(?=\d)){2,80}\sat\s$"
    r"|\bapproach(?:es|ing)\s(?:[^.;,%()]|\.(?=\d)){2,90}\((?:[a-z]{2,12}:?\s)?$"
    r"|\b(?:standard|vanilla|naive|conventional|existing|prior|previous)\s[^.;]{1,140},?\swith\sonly\s(?:an?\s)?$"
)
# and `surpassing Pear and Fig with tools (26%`, `(previously 52%`, `while Fig reaches only`
COMPARED_WITH = re.compile(
    r"\b(?:(?:surpass|outperform|exceed|beat)\w*|above|below|than|compared\s(?:to|with))\s"
    r"(?:(?:trained|tuned|based|built)\son\s"
    r"|(?!\b(?:on|in|for|across|at|by|to|achiev\w*|reach\w*|scor\w*)\s)[^.;()%]|\.(?=\d)){2,100}\("
    r"(?:(?!e\.g|i\.e|up\b)[\w@./-]{2,30}(?:[,:]|\s=)?\s)?$"
    rf"|\bpreviously\s{BOUND}{{0,2}}$"
)
# and `from a baseline of 22`, `the baseline reaches`
WAS_BEFORE = re.compile(
    r"\b(?:from|above|than|beyond|below|versus|with)\s(?:an?\s|the\s)?(?:[\w-]{2,20}\s){0,2}baselines?\s"
    r"(?:score\s|accuracy\s)?(?:of|at)\s$"
    r"|\b(?:the|a)\s(?:[\w-]{2,16}\s){0,2}baseline\s(?:\([^()]{1,30}\)\s)?(?:only\s)?"
    r"(?:achiev|reach|attain|obtain|get|scor)(?:es?|s|ed|t)\s(?:only\s|just\s)?$"
    r"|\((?:random|chance)(?:\sguess(?:es|ing)?|\slevel)?:?\s(?:at\s|of\s)?$"
    r"|\boff-the-shelf\s[^.;]{3,90}\(usually\s$"
)
ANOTHER_REACHES = re.compile(
    r"\b(?:while|whereas)\s(?:(?P<old>previous|prior|existing|earlier|direct|standard|vanilla|naive|conventional|traditional|supervised)\s[^.;,]{2,70}?\s(?:only\s)?"
    r"(?:achiev|reach|attain|obtain|solv|scor|recover)(?:es|ed|s|e)?\s(?:only\s|just\s)?(?:an?\s)?$|(?!it|we|our|also|still|this|that|these|others?|ours|only|models?|ones|they|one|both|each|which)"
    r"(?P<name>[a-z0-9][\w.+-]{2,24})\s(?:only\s)?(?:achieves|reaches|attains|obtains|gets|scores)\s(?:only\s|just\s)?(?:an?\s)?$)"
)
OTHER_WHICH = re.compile(
    r"\b(?:(?:such as|than|over|outperform\w*|surpass\w*)\s(?:[^.;]|\.(?=\d)){2,90},\swhich"
    r"|(?:outperform|surpass|exceed|beat)\w*\s(?:[^.;]|\.(?=\d)){2,90}\sthat)\s(?:only\s)?"
    r"(?:achiev|reach|attain|obtain|scor)\w*\s(?:an?\s|only\s|just\s){0,2}$"
)
BASELINE_IS = re.compile(
    r"\bbaselines?\s(?:[\w-]{2,16}\s){0,5}?(?:remains?|wins?|stays?|(?:collapse|drop|fall)s?\sto)\s(?:only\s|at\s){0,2}$"
)
# The shapes that a number of other work may have
LEVELS: frozenset[ClaimShape] = frozenset(
    {"percent", "bare", "time", "bytes", "rate", "flop_rate", "tokens_rate", "level", "fraction"}
)


def scale_of(figure: Figure, unit: Unit, metric_name: str | None) -> Scale:
    """How the number is written; a bare decimal from 0 to 1 is a fraction, unless its metric is written otherwise."""
    if figure.shape == "bare" and unit in {"score", "points"}:
        is_small = "." in figure.low and float(figure.low.replace(",", "")) <= 1
        return "fraction" if is_small and metric_name not in PLAIN else "plain"
    if unit == "points" and value_of(figure, figure.low) > MOST_PERCENT:
        return "plain"
    return SCALES.get(unit, "plain")


# `improving from earlier models' 6.5%`, without the number after
UP_FROM = re.compile(
    r"\b(?:(?:up|improv\w+|increas\w+|rising|down)|(?:reduc|decreas|lower)\w*\s(?:[^\s\d]{1,30}\s){1,5})\s?from\s(?:[^\s\d]{1,30}\s){0,4}$"
    r"|\(from\s(?:[^\s\d]{1,20}\s){0,2}$"
)


OF_OTHERS: Final = (
    OTHERS,
    SET_AGAINST,
    BEST_BEFORE,
    BASELINES_DO,
    PEOPLE_DO,
    PEOPLE_REACH,
    WAS_BEFORE,
    OTHER_WHICH,
    BASELINE_IS,
    BASELINE_HAS,
)


def is_of_others(series: Series) -> bool:
    """Whether a figure is a number of other work, that the paper's own is set against."""
    before = series.before
    is_level = series.last.shape in LEVELS
    is_from = UP_FROM.search(before) and not series.is_move
    another = ANOTHER_REACHES.search(before)
    ahead = before[: another.start()] if another else ""  # where the own number stands, and no name of its family
    is_another = (
        another is not None
        and DIGIT.search(ahead) is not None
        and (another["old"] is not None or another["name"][:SAME_NAME] not in ahead)
    )
    if not is_level:
        return is_another and series.last.shape == "multiple"
    is_beside = COMPARED_WITH.search(before) and not VERSUS.match(series.after)
    return bool(is_from or is_another or is_beside or any(pattern.search(before) for pattern in OF_OTHERS))


def ends_move(lower: str, series: Series, previous: Claim | None) -> bool:
    """Whether the previous claim is the value before a change, and this series the one after it."""
    if previous is None or series.sentence[0] != previous.sentence_start:
        return False
    first = series.figures[0].start
    return (
        FROM.search(lower, max(previous.sentence_start, previous.span_start - 60), previous.span_start) is not None
        and BETWEEN.fullmatch(lower, previous.span_end, first) is not None
    )


def goes_on_of_others(lower: str, series: Series, previous: Claim | None) -> bool:
    """Whether a number of other work before it is listed with this one: `Pear (15.0%) and Quince (9.8%)`."""
    if previous is None or previous.role != "baseline" or previous.sentence_start != series.sentence[0]:
        return False
    return LISTED.fullmatch(lower, previous.span_end, series.figures[0].start) is not None


def change_kind_of(
    shape: ClaimShape, metric: Metric | None, direction: Direction | None, near: str
) -> ChangeKind | None:
    """Whether a change is a factor, in units of what changed, or relative to it; None for levels, or if not said."""
    if direction not in {"up", "down"}:
        return None
    if shape in {"multiple", "orders", "worded"}:
        return "factor"
    said = SAID.search(near)
    if said:
        return said.lastgroup  # type: ignore[return-value]
    if shape == "percent":
        return "relative" if metric in AMOUNTS else None
    return "absolute"
