"""The declaration of a macro: a query with parameters that a release's database answers."""

from __future__ import annotations

from dataclasses import dataclass, field

from warehouse.schema.sql_file import sql_of
from warehouse.schema.table import Column


@dataclass(frozen=True, slots=True, kw_only=True)
class Macro:
    """One macro: what it answers, its parameters, and what it returns.

    A table macro returns rows of `grain` with these columns; any other a single value, its only column. The SQL is in
    `macros/<name>.sql`; `parts` are the parts of it that are rendered from other declarations, in place of `$name`.
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
