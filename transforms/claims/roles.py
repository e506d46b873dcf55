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
VERSUS: Final = re.compile(r",?\s(?:vs\.?|v\.s\.|versus)\\?\s")
MOST_PERCENT: Final = 100  # a gain of more points is of a score that is no percentage
PLAIN: Final = {one.name for one in NAMED_METRICS if one.is_plain}
# A change in percent of an amount is a share of it; of a score it may be points of a hundred: None, unless it is said
AMOUNTS: Final[frozenset[Metric]] = frozenset(
    {"latency", "memory", "size", "energy", "cost", "data", "communication", "compute", "throughput", "speedup"}
)
SAID: Final = re.compile(r"\b(?P<absolute>absolute(?:ly)?)|\b(?P<relative>relative(?:ly)?)\b")
FROM: Final = re.compile(rf"\bfrom\s(?:[^\s\d]{{1,30}}\s){{0,3}}{BOUND}{{0,3}}$")
# Between two numbers of other work, no word of the own
LISTED: Final = re.compile(
    r"(?:\s[a-z][\w-]{1,20}){0,2},\s(?:[\w./-]{2,30}(?::|\s=)\s|peaking\sat\s(?:an?\s)?(?:[a-z]{4,12}\s)?)?"
    r"|(?:(?:\s[a-z]{2,8}){0,2}\)|\sfor\s[\w.-]{1,30}),?\s(?:and\s)?(?:(?!achiev|reach|attain|while|but)[\w.+-]{1,30}\s){0,8}\("
    rf"(?:[\w@-]{{2,12}}\s=\s)?{BOUND}{{0,2}}|\sfor\s[\w.-]{{1,30}},?\s(?:and\s)?{BOUND}{{0,2}}"
)
# Between the two numbers of a move no other verb: `from 18.5% with one to 37.9%`
BETWEEN: Final = re.compile(r"[^.;,]{0,60}\sto\s(?:[^.;,\s]{1,20}\s){0,3}")


# A number of other work, with which the paper's own is compared: `than the 42.1% of X`, `above its own 77.5%`
OTHERS = re.compile(
    r"\b(?:than|compared (?:to|with)|above|below|behind|versus|vs\.|exceed\w*|surpass\w*|outperform\w*"
    r"|relative to)\s(?!\d)(?:a\s"
    r"|the\s)?(?:(?!by\b|with\b|up\b|on\b|in\b|and\b|to\b"
    r"|for\b)[^\s,;()]{1,30}\s){1,6}(?:and its (?:[^\s,;()]{1,30}\s){1,4})?(?:with\s[\w-]{2,20}\s(?=\())?\(?"
    rf"{BOUND}{{0,2}}$"
)
# and one right behind the comparison: `versus 76.2%`
SET_AGAINST = re.compile(
    r"(?:\b(?:versus|against|compared (?:to|with)|relative to)\s(?:only\s|just\s|a\s)?"
    r"|\b(?:vs\.?|v\.s\.|versus)\\?\s(?:[\w.\[\]-]{1,20}\s){0,2})$"
)
# and `the prior best (13.07)`
BEST_BEFORE = re.compile(
    r"\b(?:prior|previous|existing)\s(?:[^().;]{0,40}|best\s[^(),.;%]{0,90})\((?:[\w.+-]{2,30}[,:]?\s){0,2}$"
)
# and `whereas existing baselines reach only`
BASELINES_DO = re.compile(
    r"\b(?:while|whereas)\s(?:[\w-]{2,16}\s){0,3}?baselines?\s(?:achiev|reach|attain|obtain|solv|scor|get|yield)\w*\s"
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
    r"|\bhuman\s(?:win|success|pass|error)[\s-]rates?\s(?:[^.;,\d]{1,60}\s)?(?:is|was|of|at)\s$"
    r"|\b(?:took|takes?)\s(?:human\s\w+|humans|people|experts)\s(?:up\sto\s|over\s|about\s)?$"
    r"|\bhumans?\s(?:can|could)\s(?:[a-z]+,?\s){1,12}with\s(?:over\s|about\s|near\s)?$"
    r"|\b(?:humans?|human\s(?:experts?|annotators?|testers|participants|performance|baselines?)|experts|people|annotators)\s(?:can\s)?"
    rf"(?:achiev|reach|attain|obtain|scor|get|solv|succe|answer)\w*\s{BOUND}{{0,2}}(?:an?\s)?(?:[a-z-]{{4,16}}\s){{0,3}}(?:(?<=\s)of\s)?$"
    r"|\b(?:comparable|competitive|similar|close|equal|on par)\s(?:to|with)\s(?:[^.;()]|\.(?=\d)){2,90}\($"
    r"|\b(?:comparable|competitive|similar|close)\s(?:to|with)\s[^.;,()]{2,60}['\u2019]s\s(?:scores?|accuracy|rates?)\sof\s$"
    r"|\b(?:close\sto|approaching)\s(?:[^.;,%]|\.(?=\d)){2,80}\sat\s$"
    r"|\bapproach(?:es|ing)\s(?:[^.;,%()]|\.(?=\d)){2,90}\((?:[a-z]{2,12}:?\s)?$"
    r"|\b(?:standard|vanilla|naive|conventional|existing|prior|previous)\s[^.;]{1,140},?\swith\sonly\s(?:an?\s)?$"
)
# and `surpassing Pear and Fig with tools (26%`, `(previously 52%`, `while Fig reaches only`
COMPARED_WITH = re.compile(
    r"\b(?:(?:surpass|outperform|exceed|beat|match|rival|overtak)\w*|gap\s(?:to|with)|above|below|than|compared\s(?:to|with))\s"
    r"(?:(?:trained|tuned|based|built)\son\s"
    r"|(?!\b(?:on|in|for|across|at|by|to|achiev(?:es?|ing)|reach(?:es|ing)?|scor(?:es?|ing))\s)[^.;()%]|\.(?=\d)){2,100}\("
    r"(?:(?!e\.g|i\.e|up\b)[\w@./-]{2,30}(?:[,:]|\s=)?\s)?$"
    rf"|\bpreviously\s{BOUND}{{0,2}}$"
)
# and `from a baseline of 22`, `the baseline reaches`
WAS_BEFORE = re.compile(
    r"\b(?:from|above|than|beyond|below|versus|with|against|over)\s(?:an?\s|the\s)?(?:[\w-]{2,20}\s){0,2}baselines?\s"
    r"(?:score\s|accuracy\s)?(?:of|at)\s$"
    r"|\b(?:the|a)\s(?:[\w-]{2,16}\s){0,2}baseline\s(?:\([^()]{1,30}\)\s)?(?:only\s)?"
    r"(?:achiev|reach|attain|obtain|get|scor)(?:es?|s|ed|t)\s(?:only\s|just\s)?$"
    r"|\((?:random|chance)(?:\sguess(?:es|ing)?|\slevel)?:?\s(?:at\s|of\s)?$"
    r"|\((?:usually|typically)\s$"
)
REACHES = (
    r"(?:(?:achieves|reaches|attains|obtains|gets|scores)\s(?:only\s|just\s)?(?:an?\s)?(?:(?:[a-z-]{2,14}\s){0,2}(?:accuracy|scores?|rate)\sof\s)?"
    r"|(?:stays|remains)\sat\s)$"
)
OLD = r"(?:previous|prior|existing|earlier|leading|direct|standard|vanilla|naive|conventional|traditional|supervised)"
# and `existing ones achieve` 42%`, but X achieves 54%`
OLD_REACHED = re.compile(rf"\b{OLD}\s(?:[\w-]{{2,16}}\s){{0,3}}?(?:achiev|reach|attain|obtain|scor|get)\w*\s")
OLD_REACH = re.compile(OLD_REACHED.pattern + r"(?:[a-z()-]{1,16}\s){0,4}(?:of\s)?$")
BUT_ANOTHER = re.compile(
    r"[^;]{0,100}(?:,\s|;\s)(?:but|while|whereas)\s[\w.+-]{2,24}\s(?:\w+ly\s)?(?:achiev|reach|attain|obtain|scor)"
)
ANOTHER_REACHES = re.compile(
    rf"\b(?:while|whereas|where|but)\s(?:(?P<old>{OLD})\s"
    r"[^.;,]{2,70}?\s(?:only\s)?"
    r"(?:achiev|reach|attain|obtain|solv|scor|recover|report)(?:es|ed|s|e)?\s(?:only\s|just\s)?(?:an?\s)?$"
    r"|(?!it|we|our|also|still|this|that|these|others?|ours|only|models?|ones|they|one|both|each|which)"
    rf"(?:(?P<name>[a-z0-9][\w.+-]{{2,24}})\s(?:only\s)?{REACHES}"
    rf"|(?P<long>[a-z][\w.+-]{{1,24}}(?:\s(?!on|for|with|in|of|only)[\w.+-]{{1,12}}){{1,3}})\s(?:only\s)?{REACHES}))"
)
OTHER_WHICH = re.compile(
    r"\b(?:(?:such as|than|over|outperform\w*|surpass\w*)\s(?:[^.;]|\.(?=\d)){2,90},\swhich"
    r"|(?:outperform|surpass|exceed|beat)\w*\s(?:[^.;]|\.(?=\d)){2,90}\sthat)\s(?:only\s)?"
    r"(?:achiev|reach|attain|obtain|scor)\w*\s(?:an?\s|only\s|just\s){0,2}$"
)
BASELINE_IS = re.compile(
    r"\bbaselines?\s(?:[\w-]{2,16}\s){0,5}?(?:remains?|wins?|stays?|(?:collapse|drop|fall)s?\sto)\s(?:only\s|at\s){0,2}$"
)
# and `rather than 42%`, `over the previous record of 42%`, `followed by Fig (42%`, `(baseline: 42%`
INSTEAD_OF = re.compile(
    rf"\b(?:contrast\sto|instead\sof|rather\sthan|as\sopposed\sto)\s(?:the\s|an?\s)?{BOUND}{{0,2}}$"
    r"|\b(?:previous|prior|existing|former)\s(?:[\w-]{1,20}\s){0,2}(?:best|sota|state[-\s]of[-\s]the[-\s]art|records?|scores?"
    r"|results?)(?:\s[\w-]{1,20}){0,2}\s(?:of|at|was)\s$"
    r"|\b(?:over|upon|against|than|opposed\sto|close\sto|(?:doubl|surpass|exceed|beat|match|outperform|approach)\w*)"
    r"\s(?:[^\s,;()]{1,30}\s){0,3}[^\s,;()]{1,30}['\u2019]s\s$"
    r"|\b(?:followed\sby|ahead\sof|second\sonly\sto|behind\sonly|trailing)\s[^().;%]{2,60}\($"
    r"|\((?:the\s)?(?:(?:\w{2,12}\s)?baseline|base\smodel|(?:prior|previous)\s(?:best|sota)|sota|original|human|random|chance|vanilla)"
    r"(?:\saccuracy)?:?\s$"
)
# and `against the` 42.1% `of Fig`, `over a` 42% `baseline`
AGAINST_THE = re.compile(
    r"\b(?:over|upon|improving on|close to|relative to|beyond|against|above|below"
    r"|(?:match|doubl|tripl|halv|exceed|surpass|approach)\w*)"
    r"\s(?:the|an?)\s$"
)
OF_THE = re.compile(
    r"\)?\s(?:[\w-]{1,15}\s){0,2}?(?:of|by|from|achieved|reported|obtained|reached|attained|baselines?)\b(?!\sour)"
)
# and 42% `, and ours reaches 54%`, in a clause that is not about the own work
OWN_LATER = re.compile(
    r"(?:\s(?!by\b|over\b)[\w@-]{1,20}){0,6}(?:[,;]\s|\s(?=while|and|but|whereas|versus|vs))(?:while\s|and\s|but\s|whereas\s|versus\s|vs\.?\s)?(?:with\s)?"
    r"(?:ours\b|(?:our|the\sproposed)\s(?:[\w-]{1,20}\s){1,3}?(?:achiev|reach|obtain|yield|scor|attain|improv|gets))[^.;]{0,60}?\d"
)
REACHED_BY = re.compile(
    rf"(?:(?:achiev|reach|obtain|yield|scor|attain|gets)\w*\s{BOUND}{{0,2}}(?:only\s|just\s)?(?:an?\s)?|\([^()]{{2,30}}:\s)$"
)
GAIN_BEHIND = re.compile(r"\s(?:[\w@-]{2,14}\s)?(?:gains?|improvements?|reductions?|speed-?ups?)\b")
OURS_NEXT = re.compile(r",?\s(?:vs\.?|v\.s\.|versus)\\?\s(?:\d[\d.]*\\?%?\s)?(?:\w+\s)?ours?\b")
MODEL = re.compile(r"\d|\b(?:baseline|method|model|approach|sota|best)\b")
OWN_SUBJECT = re.compile(r"\b(?:our|ours|we|us|this|it|its)\b")
# and `ours 54% and` 42% `for Fig`
FOR_OURS = re.compile(r"\b(?:for|by|of|with)\s(?:ours|our\s(?:method|model|approach|framework|system))\b")
AND_FOR = re.compile(r"(?:and|but|against|versus|vs\.?)\s(?:only\s)?$")
FOR_OTHER = re.compile(r"\s(?:for|by|with|without)\b(?!\sour)")
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
    INSTEAD_OF,
)


def is_of_others(series: Series) -> bool:
    """Whether a figure is a number of other work, that the paper's own is set against."""
    before, after = series.before, series.after
    if GAIN_BEHIND.match(after) or (VERSUS.match(after) and not OURS_NEXT.match(after)):
        return False  # a change, or what is set against another
    if series.last.shape not in LEVELS:
        return series.last.shape == "multiple" and is_reached_by_another(before)
    is_from = UP_FROM.search(before) and not series.is_move
    is_the = OF_THE.match(after) and AGAINST_THE.search(before)
    is_ours_later = "our" in after and OWN_LATER.match(after) and not OWN_SUBJECT.search(before)
    is_earlier = is_ours_later and REACHED_BY.search(before)
    is_earlier = is_earlier or (BUT_ANOTHER.match(after) and OLD_REACH.search(before))
    is_next = FOR_OTHER.match(after) and AND_FOR.search(before) and FOR_OURS.search(before)
    is_beside = COMPARED_WITH.search(before) and not after.startswith(" of ")
    is_told = is_from or is_the or is_earlier or is_next or is_beside or is_reached_by_another(before)
    return bool(is_told or any(pattern.search(before) for pattern in OF_OTHERS))


def is_reached_by_another(before: str) -> bool:
    """Whether a second number is told of another than the first: `ours reaches 54%, while Fig reaches` 42%."""
    found = ANOTHER_REACHES.search(before)
    ahead = before[: found.start()] if found else ""  # where the own number stands, and no name of its family
    if found is None or not DIGIT.search(ahead) or OLD_REACHED.search(ahead):
        return False
    if found["long"]:
        return bool(OWN_SUBJECT.search(ahead) and MODEL.search(found["long"]) and not OWN_SUBJECT.search(found["long"]))
    return found["old"] is not None or found["name"][:SAME_NAME] not in ahead


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
    first = series.figures[0].start
    is_own = OWN_SUBJECT.search(lower, previous.span_end, first) or lower.endswith("baseline: ", 0, previous.span_start)
    is_own = is_own or VERSUS.match(series.after) is not None
    return LISTED.fullmatch(lower, previous.span_end, first) is not None and not is_own


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
