"""What is found in a text: the system a paper names as its own, and the results it claims, each as a span."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Kind = Literal["method", "system", "model", "dataset", "benchmark", "library", "theory"]
Unit = Literal["x", "%", "points", "tokens/s", "FLOP/s", "s", "bits", "B", "count", "score", "other"]
Metric = Literal[
    "speedup",
    "throughput",
    "latency",
    "memory",
    "size",
    "energy",
    "cost",
    "quality",
    "error",
    "utilization",
    "data",
    "communication",
    "compute",
    "other",
]
Direction = Literal["up", "down", "level"]
Bound = Literal["up to", "at least", "average", "about"]


class System(Struct, frozen=True, kw_only=True, gc=False):
    """The name a paper gives its main contribution: `span_start` to `span_end` of its title or abstract is `name`."""

    name: str
    kind: Kind | None
    field: Literal["title", "abstract"]
    span_start: int
    span_end: int
    rule: str


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
    rule: str
