"""A guard: a promise to users of a release, declared with the check that keeps it.

The gate runs the guards, the data contract quotes them, docs/guards.md lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import polars as pl

from expectations.comparison import Comparison
from expectations.report import EXAMPLES, CheckResult, Kind, show_key

Dimension = Literal["accuracy", "completeness", "conformity", "consistency", "coverage", "timeliness", "uniqueness"]
FEWEST: Final = 3  # rows; a share of fewer says nothing
BUT_FEW: Final = f"; fewer than {FEWEST} such rows are allowed."
SIGHTING: Final = ("paper_id", "capture_id")


class Finding(NamedTuple):
    """The outcome of a check: `meaning` says what is wrong where it failed, `examples` are the first rows at fault."""

    meaning: str
    row_count: int
    failed_count: int = 0
    examples: tuple[str, ...] = ()

    def fail(self, rows: pl.DataFrame, key: Iterable[str] = SIGHTING) -> Finding:
        """The same finding with these rows at fault; it passed where there are none."""
        names = tuple(key)
        examples = tuple(show_key(row, names) for row in rows.head(EXAMPLES).iter_rows(named=True))
        return self._replace(failed_count=rows.height, examples=examples)

    def result(self, table: str, rule: str, kind: Kind) -> CheckResult:
        """The finding as a result in the report."""
        passed = CheckResult(table, rule, kind, self.meaning, True, self.row_count)
        return passed.fail(self.failed_count, self.examples) if self.failed_count else passed


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """A promise about `table` that no declaration of the table makes, and the check that keeps it.

    The check runs where the tables that it `needs` are there; a guard of kind `history` compares with the previous
    release, and needs them of both. `evidence` is what the real captures show, on which a limit rests. A guard of
    timeliness names the `column` that it is about.
    """

    table: str
    rule: str
    promise: str
    dimension: Dimension
    check: Callable[[Comparison], Finding]
    needs: frozenset[str]
    kind: Kind = "across"
    evidence: str = ""
    column: str = ""

    def applies(self, tables: Comparison) -> bool:
        return self.needs <= tables.now.keys() and (self.kind != "history" or self.needs <= tables.before.keys())

    def result(self, tables: Comparison) -> CheckResult:
        return self.check(tables).result(self.table, self.rule, self.kind)
