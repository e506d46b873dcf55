"""The geometry of the page's charts: where each shape and each word goes.

What they look like is the template's and the style sheet's business (charts.html.j2, page.css).
"""

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
    "early": "M1 1h8v8h-8zM6 2l2 2v-2z",
    "partial": "M1 1h8v8h-8zM2 2v6h6v-6zM2 2l6 6h-6z",
    "empty": "M1 1h8v8h-8zM2 2v6h6v-6z",
    "failed": "M1 2l1-1 3 3 3-3 1 1-3 3 3 3-1 1-3-3-3 3-1-1 3-3z",
    "unfetched": "M3 3h4v4h-4zM4 4v2h2v-2z",
    "unexpected": "M4 4h2v2h-2z",
}
TICKS: Final = 4  # steps of an axis at most
ROUND: Final = (1, 2, 5, 10)  # times a power of ten
LABEL_WIDTH: Final = 12  # percent of a chart that the name of a year takes on a phone
PREFIXES: Final = ((10**9, "G"), (10**6, "M"), (10**3, "k"))


class AxisMark(NamedTuple):
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
    def ticks(self) -> list[AxisMark]:
        return [AxisMark(self._place(value), short(value)) for value in round_ticks(max(self.values))]

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


class Month(NamedTuple):
    """A month of a chart; one that `is_whole` is over, and has all its lists. `words` are for whoever points at it."""

    on: date
    value: float | None
    is_whole: bool
    words: str


class Placed(NamedTuple):
    """Where a month is drawn, in percent: its left edge and its middle, and how far down its value is."""

    left: float
    middle: float
    top: float
    month: Month


@dataclass(frozen=True, slots=True)
class MonthChart:
    """A quantity by month, from zero; months between the first and the last of which nothing is known stay empty."""

    id: str
    title: str
    description: str
    months: Sequence[Month]
    is_share: bool = False

    @property
    def count(self) -> int:
        """How many months there are from the first to the last."""
        return self._month_number(self.months[-1].on) + 1

    @property
    def width(self) -> float:
        """The width of a month, in percent."""
        return round(100 / self.count, 3)

    @property
    def placed(self) -> list[Placed]:
        step, known = 100 / self.count, [month for month in self.months if month.value is not None]
        lefts = [(self._month_number(month.on) * step, month) for month in known]
        return [
            Placed(round(left, 2), round(left + step / 2, 2), self._place(month.value or 0), month)
            for left, month in lefts
        ]

    @property
    def lines(self) -> list[str]:
        """A line through each run of months that follow each other, as SVG paths in a square of 100."""
        runs: list[list[Placed]] = []
        for one in self.placed:
            follows = runs and self._month_number(one.month.on) == self._month_number(runs[-1][-1].month.on) + 1
            runs = [*runs[:-1], [*runs[-1], one]] if follows else [*runs, [one]]
        paths = ["M" + "L".join(f"{one.middle:g} {one.top:g}" for one in run) for run in runs]
        return [path if "L" in path else f"{path}h0" for path in paths]  # one month alone is a dot

    @property
    def ticks(self) -> list[AxisMark]:
        sign = "%" if self.is_share else ""
        return [AxisMark(self._place(value / self._unit), f"{short(value)}{sign}") for value in self._scale]

    @property
    def years(self) -> list[AxisMark]:
        """Where each year begins; the first one where there is room before the second."""
        first = self.months[0].on
        starts = [self._month_number(date(year, 1, 1)) for year in range(first.year + 1, self.months[-1].on.year + 1)]
        marks = [
            AxisMark(round(100 * start / self.count, 2), str(first.year + at)) for at, start in enumerate(starts, 1)
        ]
        return (
            [AxisMark(0, str(first.year)), *marks]
            if not starts or starts[0] * 100 > LABEL_WIDTH * self.count
            else marks
        )

    @property
    def _unit(self) -> int:
        """The factor by which values are multiplied to be shown."""
        return 100 if self.is_share else 1

    @property
    def _scale(self) -> list[int]:
        return round_ticks(max(month.value or 0 for month in self.months) * self._unit)

    def _month_number(self, on: date) -> int:
        first = self.months[0].on
        return (on.year - first.year) * 12 + on.month - first.month

    def _place(self, value: float) -> float:
        """How far down a value is, in percent."""
        return round(100 - 100 * value * self._unit / self._scale[-1], 2)


@dataclass(frozen=True, slots=True)
class HalfYear:
    """Days of the half year from `start`, each a glyph and words: a column a week, a row a weekday from Monday."""

    id: str
    title: str
    description: str
    start: date
    days: Sequence[tuple[date, str, str]]
    row_count: int

    @property
    def width(self) -> int:
        return WEEKS * CELL

    @property
    def height(self) -> int:
        return self.row_count * CELL

    @property
    def cells(self) -> Iterator[tuple[int, int, str, str]]:
        """The upper left corner of each day, its glyph, its words."""
        return ((self._week(day) * CELL, day.weekday() * CELL, glyph, words) for day, glyph, words in self.days)

    @property
    def months(self) -> list[AxisMark]:
        """Where the first days of a month are; a month whose first two weeks have none goes without its name."""
        first = {f"{day:%b}": self._week(day) for day, *_ in reversed(self.days) if day.day <= 2 * 7}
        return [AxisMark(round(100 * week / WEEKS, 2), name) for name, week in reversed(first.items())]

    @property
    def weekdays(self) -> Iterator[AxisMark]:
        for row in range(0, self.row_count, 2):
            yield AxisMark(round(100 * (row + 0.5) / self.row_count, 2), WEEKDAYS[row])

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
    return [step * number for number in range(max(int(-(-most // step)), 1) + 1)]


def short(value: int) -> str:
    """A round number in few letters.

    >>> short(500), short(2_500), short(40_000_000)
    ('500', '2.5k', '40M')
    """
    return next((f"{value / unit:g}{letter}" for unit, letter in PREFIXES if value >= unit), str(value))
