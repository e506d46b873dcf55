"""A question with parameters that a release's database answers, declared once."""

from __future__ import annotations

from dataclasses import dataclass, field

from warehouse.schema.table import Column


@dataclass(frozen=True, slots=True, kw_only=True)
class Macro:
    """One macro: what it answers, what its parameters are, and what it gives.

    A table macro gives rows of `grain` with these columns; one that is no table a single value, its only column. The
    SQL stands in `warehouse/macros/<name>.sql`, or here where it is rendered from another declaration.
    """

    name: str
    parameters: dict[str, str] = field(hash=False)
    answers: str
    grain: str
    columns: tuple[Column, ...]
    is_table: bool = True
    sql: str = ""

    @property
    def call(self) -> str:
        return f"{self.name}({', '.join(self.parameters)})"
