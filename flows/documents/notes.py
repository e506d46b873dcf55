"""`NOTES.md`: what is new in a release, in words; `notes.json` says the same to machines."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Final

from msgspec import Struct

from flows.documents.rendering import render_text
from warehouse.printable import counted
from warehouse.release.manifest import Erratum, ReleaseKind

KINDS: Final[Mapping[ReleaseKind, str]] = {
    "data": "data: its rows differ from the previous release, its columns do not",
    "correction": "a correction: made from the same pages as the previous release, it differs in corrected values only",
    "structure": "structure: core tables have other columns than the previous release, or give them other meanings",
}
UNKNOWN: Final = "unknown: the previous release is damaged"
TABLES_SHOWN: Final = 5  # of a cause, those in which it changed most
SHOWN: Final = 50  # of a list in words; notes.json has all


class TableNote(Struct, frozen=True):
    """One table compared with the previous release. Of the first release, and of a new table, all rows are added.

    The counts are null where the previous release is damaged, and its table could not be read.
    """

    name: str
    row_count: int
    added_count: int | None = None
    removed_count: int | None = None
    changed_count: int | None = None
    columns_added: tuple[str, ...] = ()
    columns_gone: tuple[str, ...] = ()


class Rekeyed(Struct, frozen=True):
    """A paper that has another id than in the previous release, and a name by which it is known to be the same."""

    old_paper_id: str
    new_paper_id: str
    alias: str


class Corrected(Struct, frozen=True):
    """A value that is set right: a row of the table `corrections`, as text."""

    table_name: str
    row_key: str
    column_name: str
    value_seen: str | None
    value_right: str | None
    reason: str
    evidence: str


class Corrections(Struct, frozen=True):
    """How many values of a release are set right, and which of them are not as they were in the parent."""

    row_count: int = 0
    added: tuple[Corrected, ...] = ()
    removed: tuple[Corrected, ...] = ()


class Loss(Struct, frozen=True):
    """A guard that failed, and was let pass."""

    check: str
    meaning: str
    failed_count: int
    row_count: int
    examples: tuple[str, ...]


class Why(Struct, frozen=True):
    """One cause of differences from the previous release: its meaning, and how much it changed in which tables."""

    cause: str
    meaning: str
    added_count: int
    removed_count: int
    changed_count: int
    tables: tuple[str, ...]


class Notes(Struct, frozen=True):
    """The changes from the parent to a release.

    `why` is null where the previous release is damaged: the causes are then unknown. `list_days` are ISO days of which
    the parent had no list; null where its lists could not be read. `errata` are all releases that were retracted by
    then, `recut` tables whose rows lie in other files now.
    """

    version: str
    parent: str | None
    schema_version: int
    tables: tuple[TableNote, ...]
    list_days: tuple[str, ...] | None
    rekeyed: tuple[Rekeyed, ...]
    source_changes: tuple[str, ...]
    accepted_loss: str | None
    losses: tuple[Loss, ...]
    errata: tuple[Erratum, ...] = ()
    recut: tuple[str, ...] = ()
    why: tuple[Why, ...] | None = ()
    corrections: Corrections = Corrections()
    kind: ReleaseKind = ""

    @property
    def kind_in_words(self) -> str | None:
        """How the release differs from the previous one; None where there is none, or it is not known."""
        return KINDS.get(self.kind) if self.parent else None


def notes_text(notes: Notes) -> str:
    """The notes in Markdown. Words of the data and of people stand as code, whatever is in them."""
    return render_text(
        "words/NOTES.md.j2",
        notes=notes,
        most=SHOWN,
        tables_shown=TABLES_SHOWN,
        unknown=UNKNOWN,
        why_counts=why_counts,
        days_by_month=days_by_month,
    )


def why_counts(one: Why) -> str:
    """How much a cause changed, in words.

    >>> why_counts(Why("world", "", 1200, 0, 1, ()))
    '1,200 rows added, 1 cell changed'
    """
    counts = (
        ("row", "added", one.added_count),
        ("row", "removed", one.removed_count),
        ("cell", "changed", one.changed_count),
    )
    words = (f"{counted(count, noun)} {how}" for noun, how, count in counts if count)
    return ", ".join(words) or "columns"


def days_by_month(days: Iterable[str]) -> str:
    """ISO days, in order, in few words.

    >>> days_by_month(["2026-09-30", "2026-10-01", "2026-10-02"]), days_by_month([])
    ('2026-09: 30; 2026-10: 01, 02', 'none')
    """
    months = groupby(days, key=lambda day: day[:7])
    return "; ".join(f"{month}: {', '.join(day[8:] for day in found)}" for month, found in months) or "none"
