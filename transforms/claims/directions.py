"""Telling whether a figure is a level, or how much something rose or fell."""

import re

from transforms.claims.claim_row import Claim
from transforms.claims.clauses import NONE_REACH, TURN, TURNED, Clause
from transforms.claims.measures import Measured
from transforms.hooks import at_end, last_match
from transforms.numbers.figures import BOUND, UNIT_OF, ClaimShape
from transforms.numbers.series import AROUND, Series
from warehouse.schema.benchmarks import Metric
from warehouse.schema.core.claims import Direction

# `falls below 30%`, `while using 1%`
LEVEL_WORDS = re.compile(
    r"\b(?:below|under|beneath|as low as|as high as|(?:using|uses?|consum\w+|requir\w+)"
    r"(?:\s(?:only|just|merely|about))?)\s$"
)
LESS = re.compile(r"\s(?:fewer|less|lower|smaller)\b")  # right behind the number: `while using 87% fewer words`
MORE = 14  # code points: `more` farther behind a number is of something else
BESIDE_ONLY = frozenset({"above", "below"})  # `3 points above X`, not `scores of 31% are above X`
AWAY = re.compile(r"\b(?:with|and|while|are|is|at|(?:achiev|reach)\w*)\b")  # before an `of` that is not the verb's
SPENT: frozenset[Metric | None] = frozenset({"latency", "cost", "memory", "energy"})
IMPROVES = re.compile(r"\b(?:improv|gain|better|enhanc)")
EFFICIENT = re.compile(r"efficien|performance|trade-?off")  # of what costs less there is more
OR_MORE = re.compile(r"^\sor\s(?:greater|more|higher|better|less|lower)\b")  # a bound: `10 or greater`
WORSE = re.compile(r"\b(?:increas|rais|rose|rise|higher|grow|grew|wors|more|larger)")
# The preposition between a verb and its number, bounds aside
PREPOSITION = re.compile(
    r"\b(by|to|of|at|from|in|with|reach\w*|achiev\w*|attain\w*|obtain\w*|scor\w+|sustain\w*|has|have|having|retain\w*|preserv\w*"
    r"|recover\w*|maintain\w*)\s(?:an?\s|the\s|only\s|just\s)?(?:[rg]?f[iv]d\s|psnr\s|ssim\s)?$"
)
OF_AMOUNTS: frozenset[ClaimShape] = frozenset(
    {"time", "bytes", "tokens_rate", "flop_rate", "rate"}
)  # levels, nearly always
BESIDE = 12  # code points: as far as an amount's own adjective reaches (`5 seconds faster`)
# A level beside its metric: `(FVD 184.8)`
METRIC_IN = re.compile(
    r"\((?:(?:fvd|g?fid|ppl|perplexity|wer|cer|f1|auc|psnr|ssim|accuracy|bleu|map)\s?[=:]?\s?|[\w@.]{2,12}:\s)$"
)
ONLY_OF = re.compile(r"\sof\b(?!\s(?:the\s)?(?:gains?|improvements?))")  # `completes only 26% of the tasks`
FOR_INSTANCE = re.compile(r"e\.g\.,?\s$")  # `enhances it, e.g., 48% accuracy`: a level
LEVEL_OF = re.compile(r"\s(?:[a-z-]{3,14}\s)?(?:accuracy|success|scores?|f1|rates?)\b")
# `gains ranging from 2 to 8%`, `by margins of 2 to 8%`
RANGED = re.compile(
    r"\b(?:(?P<up>gains?|improvements?|increases?|boosts?)|(?P<down>drops?|reductions?|decreases?|degradations?|savings?))"
    r"\b[^.;()\d]{0,60}\b(?:rang|vary|span)\w*\s(?:from|between)\s$|\b(?P<margin>margins?)\sof\s(?:up to\s|over\s)?$"
)
VERSUS = re.compile(r"\s(?:vs\.?|versus|to)\s")
# A change in parentheses: `gains (10.9%`, `improvements (over 13%`
CHANGE_IN = re.compile(
    rf"\b(?:(?P<up>gains?|improvements?|increases?|boosts?)|(?P<down>drops?|reductions?|decreases?|declines?))\s\("
    rf"{BOUND}{{0,2}}$"
)
# A list of improvements: changes, whatever else is between
IMPROVEMENTS = re.compile(
    r"\b(?:improvements?|gains?|increases?|boosts?)\b(?![^.;]{0,80}\b(?:achiev|reach|attain|obtain|scor|result|includ|e\.g\.|from\b"
    r"|\d))[^.;()\d]{0,110}(?:\(|:\s)$"
)
PRAISE = re.compile(r"higher|better|superior|improved|stronger|enhanced|lower")  # `a higher score of 93`: a level
NEAR, FAR = 45, 70  # code points: as far as a verb governs without a preposition, and with one
# Between two numbers of one phrase: `up to 12% on forces, 4% on energies`
GOES_ON = re.compile(
    r"\)?(?:\s(?:gains?|improvements?|increases?|boosts?))?\s(?:on|in|for|at|with|over)\s(?:(?!\s(?:achiev|reach|attain|obtain|scor|deliver|yield|reduc|cut|sav|runn?|us|outperform|surpass|exceed|beat|improv|increas|boost|rais)(?:es|ing|ed|s|e)\b)(?:[^\d,;:.]|(?<=[a-z@-])\d{1,4}|\d(?=[\w.-]{0,8}[a-z])|(?<=\s)\d{1,3}(?=\s[a-z])|\.(?=\d)|(?<=\.)\d)){1,60},?(?:\sand)?\s"
    r"(?:an?\s|by\s)?\(?[+-]?"
)
REDUCTION = re.compile(r"\sin\s(?:[a-z-]+\s){1,3}reductions?\b")  # behind a number, what it is of
# Between two changes of one list, parentheses aside: `12% mAP on PlumQA (+3), 4% AUC on FigQA`; and behind the second
NEXT_CHANGE = re.compile(
    r"\s(?:[\w@]{2,10}\s)?on\s(?:(?!reach|achiev|attain|obtain|by\b|to\b|from\b|with\b)[^\s.;()]{1,24}\s?){1,6}(?:(?<=,)|\sand)\s(?:and\s)?"
)
ON_NEXT = re.compile(r"\s(?:[\w@.]{2,10}\s)?on\s")
CLOSED = re.compile(r"\s?\([^()]{0,80}\)")


def direction_of(series: Series, clause: Clause, previous: Claim | None) -> Direction | None:
    """Whether a series gives how much something rose (`up`) or fell (`down`), or its value (`level`)."""
    behind = OR_MORE.sub("", clause.behind)[: BESIDE if series.last.shape in OF_AMOUNTS else NEAR]
    turned = TURNED.search(behind)
    is_away = turned and turned[0] in {"more", "less"} and turned.start() > MORE
    is_away = is_away or (turned and turned[0] in BESIDE_ONLY and turned.start() > 1)
    if turned and (is_away or behind.startswith(" of")):
        turned = None
    return shown_direction(series) or (turned.lastgroup if turned else governed_direction(series, clause, previous))  # type: ignore[return-value]


def shown_direction(series: Series) -> Direction | None:
    """The direction that a figure itself shows, by its form, its sign or where it stands; None where it does not."""
    is_used = at_end(LEVEL_WORDS, series.before) and not LESS.match(series.after)
    is_named = METRIC_IN.search(series.before) and series.last.shape in {"percent", "bare"}
    is_against = VERSUS.match(series.after) is not None and series.before.endswith(("(", "e.g., ", "i.e., "))
    is_told = is_named or (at_end(FOR_INSTANCE, series.before) and LEVEL_OF.match(series.after))
    is_only = series.last.shape == "percent" and series.before.endswith("only ") and ONLY_OF.match(series.after)
    is_level = is_used or is_told or is_against or is_only or NONE_REACH.search(series.before) is not None
    if series.is_move or series.last.shape in {"count", "fraction"} or is_level:
        return "level"
    if series.last.low.lower().startswith("hal"):
        return "down"
    if series.before.endswith(("+", " -", "(-", "additional ")):
        return "up" if series.before.endswith(("+", "additional ")) else "down"
    is_single = series.last.high is None and not VERSUS.match(series.after)
    ranged = RANGED.search(series.before)
    changed = changed_in_list(series) if is_single and not ranged else None
    if ranged:
        changed = "down" if ranged["down"] else "up"
    if changed:
        return changed
    is_inside = series.before.endswith("(") and not series.before.endswith(("by (", "of ("))
    if is_inside and series.last.shape in {"percent", "bare"}:
        inside = TURNED.search(series.after[:NEAR].partition(")")[0])
        return inside.lastgroup if inside else "level"  # type: ignore[return-value]
    return None


def changed_in_list(series: Series) -> Direction | None:
    """The direction of a change that stands in parentheses or in a list of changes: `gains (10.9%`; None of others."""
    shape, changed = series.last.shape, CHANGE_IN.search(series.before)
    if changed and shape in {"percent", "points"}:
        return changed.lastgroup  # type: ignore[return-value]
    is_listed = shape in {"percent", "points", "bare"} and not series.after.startswith((" (+", ")"))
    return "up" if is_listed and IMPROVEMENTS.search(series.before) else None


def governed_direction(series: Series, clause: Clause, previous: Claim | None) -> Direction:
    """The direction that the verb or the noun before a figure gives it: `reduces X by`, `an improvement of`."""
    bare = clause.bare
    preposition = PREPOSITION.search(bare)
    word = preposition[1] if preposition else ""
    turn = last_match(TURN, bare if word in {"by", ""} else bare[-FAR:])
    if turn and word == "of" and (AWAY.search(bare[-FAR:], turn.end()) or PRAISE.fullmatch(turn[0])):
        turn = None
    if word == "by" and not turn:
        # `improves all of them (one by 3%, another by 2%)`
        turn = last_match(TURN, series.before) or last_match(TURN, series.around.partition(series.before)[0])
    is_factor = series.last.shape in {"multiple", "orders", "worded"}
    is_near = turn is not None and series.last.shape not in OF_AMOUNTS and (is_factor or len(bare) - turn.end() < NEAR)
    if turn and (word in {"by", "of"} or (not word and is_near)):
        return turn.lastgroup  # type: ignore[return-value]
    goes_on = not turn and (word == "by" or (not word and len(clause.ahead) < NEAR // 2))
    going_on = previous.direction if previous and goes_on else None
    return "up" if is_factor and going_on in {None, "level"} else going_on or "level"


SPEEDUP = re.compile(r"\bspeed-?ups?\b(?!\srate)")  # is a change, whatever verb tells it: `speedups reaching 175%`


def righted(direction: Direction | None, measured: Measured, clause: Clause) -> Direction | None:
    """The direction of what is measured: an error or a latency that is improved by 12 % goes down."""
    words = clause.ahead + clause.behind
    if direction == "level" and measured.kind == "speedup" and SPEEDUP.search(words):
        return "up"
    is_spent = measured.kind in SPENT and IMPROVES.search(words) and not EFFICIENT.search(words)
    is_better = direction == "up" and (measured.kind == "error" or is_spent) and not WORSE.search(words)
    return "down" if is_better else direction


def goes_on_phrase(lower: str, series: Series, previous: Claim) -> bool:
    """Whether a number is of one phrase with the claim before, in one parenthesis or none."""
    first, is_alike = series.figures[0].start, previous.unit in {UNIT_OF[series.last.shape], "points"}
    is_level_with = is_alike and not depth_at(lower, previous.span_end, first)
    return is_level_with and GOES_ON.fullmatch(lower, previous.span_end, first) is not None


def goes_on_list(lower: str, series: Series, claims: list[Claim]) -> bool:
    """Whether a number goes on in a list of gains, parentheses between aside: `12% on A (+3), 4% on B`."""
    if not ON_NEXT.match(series.after):
        return False
    first = series.figures[0].start
    start = max(series.sentence[0], first - AROUND)
    depth = depth_at(lower, start, first)
    outer = next((one for one in claims[:-9:-1] if depth_at(lower, start, one.span_start) == depth), None)
    if outer is None or outer.sentence_start != series.sentence[0] or outer.direction != "up":
        return False
    between = CLOSED.sub("", lower[outer.span_end : first])
    return outer.unit == UNIT_OF[series.last.shape] and NEXT_CHANGE.fullmatch(between) is not None


def depth_at(lower: str, start: int, place: int) -> int:
    """How many parentheses are open at a place, of those that open from `start` on."""
    return lower.count("(", start, place) - lower.count(")", start, place)
