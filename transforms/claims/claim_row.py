"""One claim with its parts, and which part a figure plays: a result, the baseline it is set against, or a change.

What a claim does not say is None.
"""

import re
from typing import Final

from msgspec import Struct

from transforms.names.declared_names import Span
from transforms.numbers.figures import BOUND, ClaimShape, Figure
from transforms.numbers.series import Series
from transforms.numbers.set_against import LEVELS
from transforms.numbers.worded import value_of
from warehouse.schema.benchmarks import NAMED_METRICS, Metric, Polarity, Scale
from warehouse.schema.core.claims import Bound, ChangeKind, ClaimRule, Direction, Role, Unit


class Claim(Struct, frozen=True, kw_only=True, gc=False):
    """One number of an abstract, `abstract[span_start:span_end]`: a result, a change, or what one is set against.

    `position` counts a paper's claims from 1 in the order of the text. A range is one claim: `value` is its low end,
    `value_high` its high end. `comparator`, `metric_text`, `benchmark` and `split` are substrings of the abstract, too,
    each from its `_start`.
    """

    position: int
    text: str
    span_start: int
    span_end: int
    sentence_start: int
    sentence_end: int
    value: float
    value_high: float | None
    unit: Unit
    scale: Scale
    role: Role
    is_own: bool
    change_kind: ChangeKind | None
    baseline_position: int | None
    metric: Metric | None
    metric_text: str | None
    metric_start: int | None
    metric_name: str | None
    polarity: Polarity | None
    direction: Direction | None
    bound: Bound | None
    comparator: str | None
    comparator_start: int | None
    benchmark: str | None
    benchmark_start: int | None
    benchmark_name: str | None
    split: str | None
    split_start: int | None
    split_name: str | None
    rule: ClaimRule

    @property
    def comparator_span(self) -> Span | None:
        return _span(self.comparator_start, self.comparator)

    @property
    def metric_span(self) -> Span | None:
        return _span(self.metric_start, self.metric_text)


def _span(start: int | None, text: str | None) -> Span | None:
    return None if start is None or text is None else (start, start + len(text))


SCALES: Final[dict[Unit, Scale]] = {"%": "percent", "points": "percent", "x": "factor", "count": "count"}
MOST_PERCENT: Final = 100  # a gain of more points is of a score that is no percentage
PLAIN: Final = {one.name for one in NAMED_METRICS if one.is_plain}
# A change in percent of an amount is a share of it; of a score it may be points of a hundred: None, unless it is said
AMOUNTS: Final[frozenset[Metric]] = frozenset(
    {"latency", "memory", "size", "energy", "cost", "data", "communication", "compute", "throughput", "speedup"}
)
SAID: Final = re.compile(r"\b(?P<absolute>absolute(?:ly)?)|\b(?P<relative>relative(?:ly)?)\b")
FROM: Final = re.compile(rf"\bfrom\s(?:[^\s\d]{{1,30}}\s){{0,3}}{BOUND}{{0,3}}(?:\$|\\mathbf\{{|[\w^]{{1,8}}\s?=\s?)*$")
# Between two numbers of other work, no verb and no word of the own: `Pear (15.0%), Plum (AUC: 9.8%)`
LISTED: Final = re.compile(
    r"(?!\s?(?:points?|by)\b)(?:(?!\b(?:while|whereas|but|ours|we|us\s|it"
    r"|our(?! (?:\w+ )?(?:reproduction|implementation|baseline)\b)"
    r"|its(?! \w+ (?:counterpart|version|variant|sibling|teacher|base))"
    r"|this|by|to|from|than|then|on|in|across|averag(?:es|ing)"
    r"|(?:achiev|reach|attain|obtain|yield|improv|increas|reduc|deliver|maintain|preserv|retain|boost|rais|surpass|outperform"
    r"|exceed|sett|establish|requir|us|run|rank|is|show|demonstrat|enabl)(?:es|ed|ing|s|e)?)\b)[^;.]|\.(?=\S)){1,60}"
)
NOT_LISTED: Final = re.compile(r",\s(?:thus\s|thereby\s)?(?!peaking)[a-z]+ing\b|\),?\swith\b")
AND_TO: Final = re.compile(r"\sand\s[\w.-]{2,24}\sto\s")
LESS: Final = re.compile(r"\s(?:fewer|less|more|higher|lower|faster|better)\b")
NEXT_AGAINST: Final = re.compile(r"[^,;.]{0,40}(?:\(|\s)(?:(?:up|down)\sfrom|vs\.?|v\.s\.|versus|compared)\b")
# Between the two numbers of a move no other verb: `from 18.5% with one to 37.9%`
BETWEEN: Final = re.compile(r"[^.;,]{0,60}\sto\s(?:[^.;,\s]{1,20}\s){0,3}(?:\$|\\mathbf\{|[\w^]{1,8}\s?=\s?)*")


def scale_of(figure: Figure, unit: Unit, metric_name: str | None) -> Scale:
    """How the number is written; a bare decimal from 0 to 1 is a fraction, unless its metric is written otherwise."""
    if figure.shape == "bare" and unit in {"score", "points"}:
        is_small = "." in figure.low and value_of(figure, figure.low) <= 1
        return "fraction" if is_small and metric_name not in PLAIN else "plain"
    if unit == "points" and value_of(figure, figure.low) > MOST_PERCENT:
        return "plain"
    return SCALES.get(unit, "plain")


def ends_move(lower: str, series: Series, previous: Claim | None) -> bool:
    """Whether the previous claim is the value before a change, and this series the one after it."""
    if previous is None or series.sentence[0] != previous.sentence_start:
        return False
    first = series.figures[0].start
    return (
        FROM.search(lower, max(previous.sentence_start, previous.span_start - 60), previous.span_start) is not None
        and BETWEEN.fullmatch(lower, previous.span_end, first) is not None
    )


def goes_on_of_others(lower: str, series: Series, claims: list[Claim]) -> bool:
    """Whether a number of other work before it is listed with this one: `Pear (15.0%, +2) and Quince (9.8%)`."""
    previous = next((one for one in claims[:-3:-1] if one.role != "change"), None)
    if previous is None or previous.role != "baseline" or previous.sentence_start != series.sentence[0]:
        return False
    first = series.figures[0].start
    is_own: object = lower.endswith("baseline: ", 0, previous.span_start)
    is_own = is_own or NEXT_AGAINST.match(series.after) is not None
    is_apart: object = (
        NOT_LISTED.search(lower, previous.span_end, first)
        or series.before.endswith(("+", "-"))
        or LESS.match(series.after)
    )
    is_to = AND_TO.fullmatch(lower, previous.span_end, first) is not None
    is_listed = series.last.shape in LEVELS and (is_to or LISTED.fullmatch(lower, previous.span_end, first) is not None)
    return is_listed and not is_apart and not is_own


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
