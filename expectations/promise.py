"""A promise to whoever uses a release: declared beside the check that keeps it, quoted by the data contract."""

from __future__ import annotations

from typing import Literal, NamedTuple

Dimension = Literal["accuracy", "completeness", "conformity", "consistency", "coverage", "timeliness", "uniqueness"]


class Promise(NamedTuple):
    """What a check of the gate makes sure of that no declaration tells; `rule` is the check's name.

    One of timeliness names the `column` whose newest value it speaks of.
    """

    table: str
    rule: str
    meaning: str
    dimension: Dimension
    column: str = ""
