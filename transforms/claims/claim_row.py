"""One claim with its parts; what a claim does not say is None."""

from __future__ import annotations

from msgspec import Struct

from transforms.benchmarks.declared_names import Span
from warehouse.schema.core.claims import Bound, ChangeKind, ClaimRule, Direction, Role, Unit
from warehouse.schema.named_metrics import Metric, Polarity, Scale


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
