"""The geometry of the page's charts: where each shape and each word goes. What they look like is the template's and
the style sheet's business (charts.html.j2, page.css).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

CELL: Final = 10  # units of a day of a calendar, square
WEEKS: Final = 28  # that half a year touches at most: 184 days of which the first is a Sunday
WEEKDAYS: Final = "MTWTFSS"
# What a day looks like, by shape first and only then by colour: SVG paths in a cell, whose middle is (5, 5)
GLYPHS: Final[Mapping[str, str]] = {
    "complete": "M1 1h8v8h-8z",
    "partial": "M1 1h8v8h-8zM2 2v6h6v-6zM2 2l6 6h-6z",
    "empty": "M1 1h8v8h-8zM2 2v6h6v-6z",
    "missing": "M1 2l1-1 3 3 3-3 1 1-3 3 3 3-1 1-3-3-3 3-1-1 3-3z",
    "unexpected": "M4 4h2v2h-2z",
}
TICKS: Final = 4  # steps of an axis at most
ROUND: Final = (1, 2, 5, 10)  # times a power of ten
PREFIXES: Final = ((10**9, "G"), (10**6, "M"), (10**3, "k"))


class Mark(NamedTuple):
    """A word at a place on an axis, in percent of its length."""

    place: float
    label: str


@dataclass(frozen=True, slots=True)
class LineChart:
    """A quantity over things in a row (`names`), two or more, from zero: a line, and the area under it."""

    id: str
    title: str
    description: str
    names: Sequence[str]
    values: Sequence[int]

    @property
    def ticks(self) -> list[Mark]:
        return [Mark(self._place(value), short(value)) for value in round_ticks(max(self.values))]

    @property
    def points(self) -> str:
        """The line through the values, as an SVG path in a square of 100."""
        step = 100 / (len(self.values) - 1)
        return "L".join(f"{at * step:g} {self._place(value):g}" for at, value in enumerate(self.values))

    @property
    def last_place(self) -> float:
        return self._place(self.values[-1])

    def _place(self, value: int) -> float:
        """How far down a value is, in percent."""
        return round(100 - 100 * value / round_ticks(max(self.values))[-1], 2)


@dataclass(frozen=True, slots=True)
class HalfYear:
    """Days of the half year from `start`, each as its glyph: a column a week, a row a weekday from Monday."""

    id: str
    title: str
    description: str
    start: date
    glyphs: Mapping[date, str]
    row_count: int

    @property
    def width(self) -> int:
        return WEEKS * CELL

    @property
    def height(self) -> int:
        return self.row_count * CELL

    @property
    def days(self) -> dict[str, list[tuple[int, int]]]:
        """The upper left corner of each day, by its glyph."""
        of = {glyph: [day for day, found in self.glyphs.items() if found == glyph] for glyph in GLYPHS}
        return {
            glyph: [(self._week(day) * CELL, day.weekday() * CELL) for day in days]
            for glyph, days in of.items()
            if days
        }

    @property
    def months(self) -> list[Mark]:
        """Where the first days of a month are; a month whose first two weeks have none goes without its name."""
        first = {f"{day:%b}": self._week(day) for day in sorted(self.glyphs, reverse=True) if day.day <= 2 * 7}
        return [Mark(round(100 * week / WEEKS, 2), name) for name, week in reversed(first.items())]

    @property
    def weekdays(self) -> Iterator[Mark]:
        for row in range(0, self.row_count, 2):
            yield Mark(round(100 * (row + 0.5) / self.row_count, 2), WEEKDAYS[row])

    def _week(self, day: date) -> int:
        return ((day - self.start).days + self.start.weekday()) // 7


def round_ticks(most: float) -> list[int]:
    """Whole and round numbers from zero to `most` or a little more.

    >>> round_ticks(9), round_ticks(10_049), round_ticks(0)
    ([0, 5, 10], [0, 5000, 10000, 15000], [0, 1])
    """
    power = 1
    while most > TICKS * ROUND[-1] * power:
        power *= 10
    step = next(factor * power for factor in ROUND if most <= TICKS * factor * power)
    return [step * number for number in range(max(-(-int(most) // step), 1) + 1)]


def short(value: int) -> str:
    """A round number in few letters.

    >>> short(500), short(2_500), short(40_000_000)
    ('500', '2.5k', '40M')
    """
    return next((f"{value / unit:g}{letter}" for unit, letter in PREFIXES if value >= unit), str(value))
