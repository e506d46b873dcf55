"""Rows drawn for people: as a table of the columns that fit, or one row after the other with all of them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import msgspec
from rich.cells import cell_len, set_cell_size

from warehouse.printable import printable

if TYPE_CHECKING:
    from warehouse.release.query import QueryResult


Align: TypeAlias = Callable[[str, int], str]


class Screen(NamedTuple):
    """The room for a drawing: characters in a line, and rows; None is no limit."""

    width: int | None = None
    rows: int | None = None


ALL: Final = Screen()
ROWS: Final = 40  # of a table on a terminal, which has some 50 lines
MEASURED: Final = 1_000  # rows that decide how wide the columns are; a longer cell further down sticks out
READABLE: Final = 32  # characters that a long text gets before another column has room
SEEN: Final = 12  # fewest characters of such a column that are drawn; a number is never cut
TYPE: Final = 14  # characters of a type that are seen: a struct's is as long as it likes
FOLDED: Final = 20  # fewest characters in a line of a text that is folded
GAP: Final = "  "  # between columns without rules
FEW: Final = 10  # rows that one counts at a glance
BREAKS: Final = {ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t"}
# As DuckDB's own tables have them
TYPES: Final = {"TINYINT": "int8", "SMALLINT": "int16", "INTEGER": "int32", "BIGINT": "int64", "HUGEINT": "int128"}
NUMBERS: Final = ("int", "uint", "double", "float", "decimal")


def table(answer: QueryResult, screen: Screen = ALL) -> Iterator[str]:
    """The lines of a table, and one that counts the rows and columns that are not drawn."""
    head = list(islice(answer.rows, screen.rows or MEASURED))
    types = [TYPES.get(kind, kind.lower()) for kind in answer.types]
    names = [printable(name) for name in answer.columns]
    cells = [[cell(value, screen.width) for value in row] for row in head]
    measured = zip(names, (kind[:TYPE] for kind in types), *cells, strict=True)
    widths = fitted([max(map(cell_len, column)) for column in measured], screen.width)
    aligns: list[Align] = [right if kind.startswith(NUMBERS) else left for kind in types[: len(widths)]]
    yield ruled("┌┬┐", widths)
    for heading in (names, types):
        yield lined(map(shortened, heading, widths), widths, [centre] * len(widths))
    yield ruled("├┼┤", widths)
    for texts in cells:
        yield lined(map(shortened, texts, widths), widths, aligns)
    rows = len(head)
    for row in answer.rows:
        rows += 1
        if screen.rows is None:
            yield lined(map(cell, row), widths, aligns)
    yield ruled("└┴┘", widths)
    yield counts(rows, len(head) if screen.rows else rows, len(types), len(widths))


def record(answer: QueryResult, screen: Screen = ALL) -> Iterator[str]:
    """A line for each column of each row, as long as it takes."""
    names = [printable(name) for name in answer.columns]
    label = max(map(cell_len, names), default=0)
    drawn = count = 0
    for count, row in enumerate(answer.rows, 1):
        if screen.rows is None or count <= screen.rows:
            drawn = count
            yield f"{chr(10) * (count > 1)}row {count:,}\n"
            for name, value in zip(names, row, strict=True):
                yield wrapped(f"  {left(name, label)}  ", cell(value), screen.width)
    yield counts(count, drawn, len(names), len(names))


def wrapped(label: str, text: str, width: int | None) -> str:
    """Text beside its label, broken into lines."""
    indent = " " * cell_len(label)
    lines = textwrap.wrap(text, max(width - len(indent), 2 * SEEN), break_on_hyphens=False) if width else [text]
    return label + f"\n{indent}".join(lines) + "\n"


def cell(value: object, longest: int | None = None) -> str:
    """A value on one line, cut to the `longest` that can be seen."""
    if value is None:
        return "NULL"
    is_nested = isinstance(value, (list, tuple, dict, bool))
    return printable((msgspec.json.encode(value).decode() if is_nested else str(value))[:longest].translate(BREAKS))


def fitted(natural: Sequence[int], width: int | None) -> list[int]:
    """The widths of the leading columns that fit: a long text is cut to READABLE, and gets what is left in the end.

    >>> fitted([10, 5, 120, 12, 13], 80), fitted([10, 50, 5], 40), fitted([10, 5], 80), fitted([200], 40)
    ([10, 5, 40, 12], [10, 23], [10, 5], [36])
    """
    if width is None:
        return list(natural)
    widths: list[int] = []
    spare = width - 1  # each column has a border and two spaces, and the last one border more
    for one in natural:
        if spare < (one if one <= READABLE else SEEN) + 3 and widths:
            break
        widths.append(min(one, READABLE, spare - 3))
        spare -= widths[-1] + 3
    for at in sorted(range(len(widths)), key=natural.__getitem__):
        more = min(natural[at] - widths[at], spare)
        widths[at] += more
        spare -= more
    return widths


def counts(rows: int, rows_drawn: int, columns: int, columns_drawn: int) -> str:
    r"""A line on how many rows and columns there are, where that is not seen at a glance.

    >>> counts(10_145, 40, 18, 4), counts(3, 3, 2, 2), counts(0, 0, 1, 1)
    ('10,145 rows, 40 shown; 18 columns, 4 shown: all with --output FILE\n', '', '0 rows\n')
    """
    parts = []
    if rows_drawn < rows:
        parts.append(f"{rows:,} rows, {rows_drawn:,} shown")
    elif not 0 < rows <= FEW:
        parts.append(f"{rows:,} rows")
    if columns_drawn < columns:
        parts.append(f"{columns} columns, {columns_drawn} shown")
    hint = ": all with --output FILE" if rows_drawn < rows or columns_drawn < columns else ""
    return "; ".join(parts) + hint + "\n" * bool(parts)


def shortened(text: str, width: int) -> str:
    """A text no wider than `width`, with an ellipsis where something was cut off."""
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + "…"


def left(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))


def right(text: str, width: int) -> str:
    return " " * (width - cell_len(text)) + text


def centre(text: str, width: int) -> str:
    return left(" " * ((width - cell_len(text)) // 2) + text, width)


def aligned(rows: Sequence[Sequence[str]], numbers: Collection[int], width: int | None = None) -> str:
    r"""Rows of text in columns, those of numbers aligned to the right.

    Where a line has only so many characters, long texts are folded; if that is not enough, the last columns go below.

    >>> aligned([("a lake of long, long papers", "1")], [1], 27), aligned([("a", "2,610"), ("b", "1")], [1], 7)
    ('a lake of long, long      1\npapers\n', 'a\n  2,610\nb\n      1\n')
    """
    widths = aligned_widths([max(map(cell_len, column)) for column in zip(*rows, strict=True)], numbers, width)
    lines = list[str]()
    for row in rows:
        folded = [
            [text] if cell_len(text) <= room else textwrap.wrap(text, room, break_on_hyphens=False)
            for text, room in zip(row, widths, strict=True)
        ]
        for texts in zip_longest(*folded, fillvalue=""):
            line = ""
            for at, (text, room) in enumerate(zip(texts, widths, strict=True)):
                if at and width and cell_len(line) + len(GAP) + room > width:
                    lines.append(line)
                    line = ""
                line += GAP * (at > 0) + (right if at in numbers else left)(text, room)
            lines.append(line)
    return "".join(f"{line.rstrip()}\n" for line in lines if line.strip())


def aligned_widths(natural: Sequence[int], numbers: Collection[int], width: int | None) -> list[int]:
    """The widths of columns of which those of text are folded, as little as possible, so that a line has all."""
    if width is None:
        return list(natural)
    for cap in range(width, FOLDED - 1, -1):
        widths = [one if at in numbers else min(one, cap) for at, one in enumerate(natural)]
        if sum(widths) + len(GAP) * (len(widths) - 1) <= width:
            return widths
    return [min(one, width - len(GAP)) for one in natural]


def lined(texts: Iterable[str], widths: Sequence[int], aligns: Sequence[Align]) -> str:
    """A line of a table: as many of the texts as there are widths."""
    cells = (align(text, width) for text, width, align in zip(texts, widths, aligns, strict=False))
    return f"│ {' │ '.join(cells)} │\n"


def ruled(signs: str, widths: Iterable[int]) -> str:
    """A rule with these signs at its beginning, between two columns, and at its end."""
    return f"{signs[0]}{signs[1].join('─' * (width + 2) for width in widths)}{signs[2]}\n"
