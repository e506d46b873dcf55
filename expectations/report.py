"""The report of the gate: one result per check, whether it passed and which rows broke it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import msgspec
import polars as pl
from msgspec import UNSET, UnsetType

from warehouse.printable import counted
from warehouse.schema.catalog import CHECKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CheckKind = Literal["shape", "values", "rule", "reference", "across", "history", "pages"]
ACCEPTABLE: Final = frozenset({"history", "pages"})  # kinds whose failure may reflect a true change of the source
EXAMPLES = 5  # enough to see a pattern, few enough for a line of a terminal
LONGEST = 80  # characters of a value; titles and addresses are keys too


class PageFault(NamedTuple):
    """A captured page that made a check fail.

    Where it does so by what an `other` page says, `is_other_held` tells whether more than one look says that, and
    `is_less` that the page only lacks what the other has.
    """

    capture_id: str
    other: str = ""
    is_other_held: bool = False
    is_less: bool = False


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check of one table.

    `meaning` says what is wrong where the check fails. `row_count` rows were checked, `failed_count` of them
    broke the rule: all of them where the fault is the table's own shape. `examples` are keys of the first few.
    `faults` are pages without which it would not fail; unset where it is not about pages.
    """

    table: str
    rule: str
    kind: CheckKind
    meaning: str
    passed: bool
    row_count: int
    failed_count: int = 0
    examples: tuple[str, ...] = ()
    faults: tuple[PageFault, ...] | UnsetType = UNSET

    def fail(self, failed_count: int, examples: tuple[str, ...]) -> CheckResult:
        """This check as failed; rows that share a key are named once."""
        return replace(self, passed=False, failed_count=failed_count, examples=tuple(dict.fromkeys(examples)))

    @property
    def name(self) -> str:
        return f"{self.table}.{self.rule}"

    @property
    def is_acceptable(self) -> bool:
        """Whether a person may let it pass although it failed."""
        return self.kind in ACCEPTABLE

    def __str__(self) -> str:
        """`papers.title_not_null: title is missing (2 of 8,000 rows: paper_id=2504.12984; …)`."""
        rows = f"{self.failed_count:,} of {self.row_count:,} rows: " if self.kind != "shape" else ""
        more = "; …" if rows and self.failed_count > EXAMPLES else ""
        return f"{self.table}.{self.rule}: {self.meaning} ({rows}{'; '.join(self.examples)}{more})"


@dataclass(frozen=True, slots=True)
class Report:
    """All checks of one run, by table in the order of the declarations.

    `rules_sha256` identifies the rules; `proven_by` is the release whose rows had their values checked before.
    `accepted_loss` is the reason why failed guards (kinds `history` and `pages`) were accepted.
    `quarantined_count` rows of the pages are in quarantine, and not in the tables; null in an older report. In a report
    in short the checks that passed are numbers in `passed_count`, by table; a release has each in its table `_checks`.
    """

    results: tuple[CheckResult, ...]
    rules_sha256: str = ""
    proven_by: str | None = None
    accepted_loss: str | None = None
    quarantined_count: int | None = None
    passed_count: dict[str, int] = field(default_factory=dict)

    @property
    def check_count(self) -> int:
        return len(self.results) + sum(self.passed_count.values())

    @property
    def passed(self) -> bool:
        return not self.refused

    @property
    def summary(self) -> str:
        """A line such as `425 of 425 checks passed, 492 rows quarantined`."""
        passed = f"{self.check_count - len(self.failed):,} of {self.check_count:,} checks passed"
        rows = self.quarantined_count
        return passed if rows is None else f"{passed}, {counted(rows, 'row')} quarantined"

    @property
    def failed(self) -> tuple[CheckResult, ...]:
        return tuple(result for result in self.results if not result.passed)

    @property
    def refused(self) -> tuple[CheckResult, ...]:
        """The failed checks that close the gate."""
        return tuple(one for one in self.failed if not one.is_acceptable or self.accepted_loss is None)

    def in_short(self) -> Report:
        """The report as the manifest of a release has it: what failed as it is, of all else the number."""
        held = Counter(result.table for result in self.results if result.passed)
        return replace(self, results=self.failed, passed_count=dict(Counter(self.passed_count) + held))

    def to_json(self) -> bytes:
        """The report as JSON, the same bytes for the same report."""
        return msgspec.json.encode(self)

    def to_frame(self) -> pl.DataFrame:
        """The rows of table `_checks` in a release's database, one per check."""
        names = {"table_name": "table", "has_passed": "passed"}
        columns = {name: [getattr(one, names.get(name, name)) for one in self.results] for name in CHECKS.column_names}
        return CHECKS.conform(pl.DataFrame(columns, schema=dict(CHECKS.schema)))

    @classmethod
    def from_json(cls, data: bytes) -> Report:
        """The report that `to_json` wrote; raises msgspec.ValidationError where the JSON is of another shape."""
        return msgspec.json.decode(data, type=cls)


def show_key(row: Mapping[str, Any], key: Iterable[str]) -> str:
    """The key of a row for a person: one line, values cut short, null and control characters made visible.

    >>> show_key({"paper_id": "2504.12984", "position": None}, ("paper_id", "position"))
    'paper_id=2504.12984, position=null'
    """
    return ", ".join(f"{name}={_show(row[name])}" for name in key)


def _show(value: object) -> str:
    text = "null" if value is None else str(value)
    text = text if text.isprintable() else repr(text)[1:-1]
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
