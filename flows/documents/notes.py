"""`NOTES.md`: what is new in a release, in words; `notes.json` says the same to machines."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Final

from msgspec import Struct

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
    since = f"since release {notes.parent}" if notes.parent else "in this first release"
    parts = [
        f"# Release {notes.version}",
        f"What is new {since}.",
        *(f"It is {words}." for words in [notes.kind_in_words] if words),
    ]
    for title, lines in _sections(notes):
        parts += [f"## {title}", "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def _sections(notes: Notes) -> Iterator[tuple[str, list[str]]]:
    if notes.why is None or notes.why:
        yield "Why", [UNKNOWN] if notes.why is None else list(map(why_line, notes.why))
    if notes.accepted_loss is not None:
        losses = (
            f"- {_code(one.check)}: {one.meaning} ({one.failed_count:,} of {one.row_count:,} rows"
            f"{''.join(f'; {_code(example)}' for example in one.examples)})"
            for one in notes.losses
        )
        why = f"These checks failed and were accepted, because: {_code(notes.accepted_loss)}"
        yield "Accepted losses", [why, "", *_first_lines(losses)]
    if notes.errata:
        yield "Retracted releases", [f"- {erratum_line(one)}" for one in notes.errata]
    if (made := notes.corrections) != Corrections():
        begins = "Values corrected in this release, where the source is wrong"
        lines = (f"- {_set_right(one)}: {_code(one.reason)} ({_code(one.evidence)})" for one in made.added)
        ended = (f"- no longer corrected: {_set_right(one)}" for one in made.removed)
        yield (
            "Corrections",
            [f"{begins}: {made.row_count:,} (table `corrections`).", "", *_first_lines([*lines, *ended])],
        )
    yield "Tables", list(_tables(notes.tables))
    yield "New list days", [UNKNOWN if notes.list_days is None else days_by_month(notes.list_days)]
    columns = [
        *(f"- `{table.name}.{name}` is new" for table in notes.tables for name in table.columns_added),
        *(f"- `{table.name}.{name}` is gone" for table in notes.tables for name in table.columns_gone),
    ]
    if columns:
        yield "Columns", columns
    if notes.recut:
        yield (
            "Files",
            [f"- `{name}` is `data/{name}/*.parquet`, by the date of the arXiv id" for name in notes.recut],
        )
    if papers := [
        f"- {_code(one.old_paper_id)} is now {_code(one.new_paper_id)}: {_code(one.alias)}" for one in notes.rekeyed
    ]:
        yield "Papers with a new id", _first_lines(papers)
    if notes.source_changes:
        yield "How the source changed", _first_lines(f"- {_code(line)}" for line in notes.source_changes)


def why_line(one: Why) -> str:
    names = [f"`{name}`" for name in one.tables[:TABLES_SHOWN]]
    names += [f"{more} other tables"] if (more := len(one.tables) - TABLES_SHOWN) > 0 else []
    tables = ", ".join(names)
    return f"- `{one.cause}`, {one.meaning}: {why_counts(one)}, in {tables}"


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


def erratum_line(one: Erratum) -> str:
    """A release that is not to be used, and why, in Markdown."""
    affected = f" ({', '.join(map(_code, one.affected))})" if one.affected else ""
    return f"{_code(one.version)} was retracted on {one.retracted_at[:10]}: {_code(one.why)}{affected}"


def _set_right(one: Corrected) -> str:
    seen, right = ("null" if value is None else _code(value) for value in (one.value_seen, one.value_right))
    return f"`{one.table_name}.{one.column_name}` of {_code(one.row_key)} is {right}; the source says {seen}"


def _tables(tables: Iterable[TableNote]) -> Iterator[str]:
    yield from ("| Table | Rows | Added | Changed | Removed |", "|---|---:|---:|---:|---:|")
    for one in tables:
        if one.row_count or one.removed_count:
            counts = (one.row_count, one.added_count, one.changed_count, one.removed_count)
            cells = (UNKNOWN if count is None else f"{count:,}" for count in counts)
            yield f"| `{one.name}` | {' | '.join(cells)} |"


def days_by_month(days: Iterable[str]) -> str:
    """ISO days, in order, in few words.

    >>> days_by_month(["2026-09-30", "2026-10-01", "2026-10-02"]), days_by_month([])
    ('2026-09: 30; 2026-10: 01, 02', 'none')
    """
    months = groupby(days, key=lambda day: day[:7])
    return "; ".join(f"{month}: {', '.join(day[8:] for day in found)}" for month, found in months) or "none"


def _first_lines(lines: Iterable[str]) -> list[str]:
    every = list(lines)
    more = [f"- and {len(every) - SHOWN:,} more, in `notes.json`"] if len(every) > SHOWN else []
    return every[:SHOWN] + more


def _code(words: str) -> str:
    return f"`{' '.join(words.replace('`', chr(39)).split())}`"
