"""A question with parameters that a release's database answers, declared once."""

from __future__ import annotations

from dataclasses import dataclass, field

from warehouse.schema.sql_file import sql_of
from warehouse.schema.table import Column


@dataclass(frozen=True, slots=True, kw_only=True)
class Macro:
    """One macro: what it answers, what its parameters are, and what it gives.

    A table macro gives rows of `grain` with these columns; one that is no table a single value, its only column. Its
    SQL is in `macros/<name>.sql`; `parts` are the parts of it that follow from other declarations, by their names
    in it: `$name`.
    """

    name: str
    parameters: dict[str, str] = field(hash=False)
    answers: str
    grain: str
    columns: tuple[Column, ...]
    is_table: bool = True
    parts: dict[str, str] = field(default_factory=dict, hash=False)

    @property
    def call(self) -> str:
        return f"{self.name}({', '.join(self.parameters)})"

    @property
    def sql(self) -> str:
        return sql_of("macros", self.name, self.parts)
