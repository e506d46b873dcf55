"""The results of extraction: the system that a paper names as its own, and a result that it claims, as spans."""

from __future__ import annotations

from msgspec import Struct

from warehouse.schema.core.claims import Bound, ClaimRule, Direction, Field, Metric, SystemKind, SystemRule, Unit


class System(Struct, frozen=True, kw_only=True, gc=False):
    """The name a paper gives its main contribution: `span_start` to `span_end` of its title or abstract is `name`."""

    name: str
    kind: SystemKind | None
    field: Field
    span_start: int
    span_end: int
    rule: SystemRule


class Claim(Struct, frozen=True, kw_only=True, gc=False):
    """One number of an abstract that reports a result: `abstract[span_start:span_end]` is `text`.

    `position` counts a paper's claims from 1 in the order of the text. A range is one claim: `value` is its low end,
    `value_high` its high end. `comparator` is a substring of the abstract, too.
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
    metric: Metric | None
    direction: Direction | None
    bound: Bound | None
    comparator: str | None
    rule: ClaimRule
