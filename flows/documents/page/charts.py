"""Charts as inline SVG: matplotlib sets out the geometry, the page's style sheet gives colours, lines and fonts.

So one picture serves light and dark screens, and nothing in it depends on the fonts or the settings of the machine that
drew it. A shape is styled by its class, which is the artist's `gid`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from io import StringIO
from typing import Final

import matplotlib as mpl
from markupsafe import Markup
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.ticker import EngFormatter, MaxNLocator
from matplotlib.transforms import IdentityTransform

Ring = Sequence[tuple[float, float]]
Place = tuple[float, float]

POINTS: Final = 72  # an inch; all measures here are in points
CELL, MARGIN, HEAD = 10, 12, 13  # of a calendar: a day, the letters of the weekdays, the names of the months
WEEKS: Final = 27  # that half a year touches at most
WIDTH, HEIGHT = 260, 110  # of a trend
PLAIN: Final = {
    r' style="[^"]*"| transform="rotate\(-0 [^"]*"': "",
    r'<g id="([\w.]+?)(_\d+)?"': r'<g class="\1"',
    r"xlink:href": "href",
    r"\s*\n\s*": "",
}
# Not the settings of the machine: the same picture everywhere. Texts stay texts.
SETTINGS: Final = {**mpl.rcParamsDefault, "svg.fonttype": "none"}
NO_METADATA: Final = dict.fromkeys(("Creator", "Date", "Format", "Type"))  # no clock and no version in a picture


def _square(half: float) -> Ring:
    return [(-half, -half), (half, -half), (half, half), (-half, half)]


HOLE: Final = _square(3)[::-1]  # wound the other way, it is left out of the square around it
# What a day looks like, told apart by shape and only then by colour: rings around its middle, y going up.
GLYPHS: Final[Mapping[str, Sequence[Ring]]] = {
    "complete": [_square(4)],
    "partial": [_square(4), HOLE, [(-3, -3), (3, -3), (-3, 3)]],
    "empty": [_square(4), HOLE],
    "missing": [[(-4, -3), (-3, -4), (4, 3), (3, 4)], [(-4, 3), (3, -4), (4, -3), (-3, 4)]],
    "unexpected": [_square(1)],
}


@mpl.rc_context(SETTINGS)
def half_year(start: date, glyphs: Mapping[date, str], *, row_count: int, label: str) -> Markup:
    """Days of the half year that starts then, each as its glyph: a column a week, a row a weekday from Monday."""
    left = {day: MARGIN + (day.toordinal() - start.toordinal() + start.weekday()) // 7 * CELL for day in glyphs}
    middle = {day: (left[day] + CELL / 2, (row_count - day.weekday() - 0.5) * CELL) for day in glyphs}
    days_of = {glyph: [day for day, found in glyphs.items() if found == glyph] for glyph in GLYPHS}
    marks = [_marks(glyph, [middle[day] for day in days]) for glyph, days in days_of.items() if days]
    months = {f"{day:%b}": left[day] for day in sorted(glyphs, reverse=True) if day.day <= 2 * 7}
    names = [_text((x, row_count * CELL + 4), name) for name, x in months.items()]
    letters = [_text((0, (row_count - row - 0.8) * CELL), "MTWTFSS"[row]) for row in range(0, row_count, 2)]
    return _drawn(MARGIN + WEEKS * CELL, HEAD + row_count * CELL, [*marks, *names, *letters], label, label)


@mpl.rc_context(SETTINGS)
def sign(glyph: str) -> Markup:
    """One glyph, for a legend whose words stand beside it."""
    return _drawn(CELL, CELL, [_marks(glyph, [(CELL / 2, CELL / 2)])], "", glyph)


@mpl.rc_context(SETTINGS)
def trend(values: Sequence[float], label: str) -> Markup:
    """A quantity over releases, the oldest to the left, from zero."""
    figure = _figure(WIDTH, HEIGHT)
    axes = figure.add_axes((34 / WIDTH, 8 / HEIGHT, 1 - 42 / WIDTH, 1 - 18 / HEIGHT), frameon=False)
    axes.plot(range(len(values)), values, gid="line", clip_on=False)
    axes.plot(len(values) - 1, values[-1], marker="o", gid="dot", clip_on=False)
    axes.set_ylim(0, max(*values, 1) * 1.05)
    axes.xaxis.set_visible(False)
    axes.yaxis.set_major_locator(MaxNLocator(3, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(EngFormatter(sep=""))
    axes.tick_params(left=False)
    axes.grid(axis="y", clip_on=False)
    return _svg(figure, label, label)


def _marks(glyph: str, middles: Sequence[Place]) -> Line2D:
    """The glyph at many places."""
    rings = GLYPHS[glyph]
    path = Path.make_compound_path(*(Path([*ring, ring[0]], closed=True) for ring in rings))
    size = 2 * max(abs(number) for ring in rings for point in ring for number in point)  # matplotlib makes it 1 wide
    xs, ys = zip(*middles, strict=True)
    return Line2D(xs, ys, linestyle="none", marker=path, markersize=size, gid=glyph)


def _text(place: Place, text: str) -> Text:
    return Text(*place, text, parse_math=False)


def _drawn(width: float, height: float, artists: Iterable[Artist], label: str, salt: str) -> Markup:
    """A picture of artists whose coordinates are points from the lower left."""
    figure = _figure(width, height)
    for artist in artists:
        artist.set_transform(IdentityTransform())
        figure.add_artist(artist)
    return _svg(figure, label, salt)


def _figure(width: float, height: float) -> Figure:
    return Figure(figsize=(width / POINTS, height / POINTS), dpi=POINTS, frameon=False)


def _svg(figure: Figure, label: str, salt: str) -> Markup:
    """The picture without anything of style: classes for ids, no size but its proportions.

    Who cannot see it is told the label; without one it is left out, because words beside it say the same.
    """
    written = StringIO()
    with mpl.rc_context({"svg.hashsalt": salt}):  # the shapes of two pictures must not share their ids
        figure.savefig(written, format="svg", metadata=NO_METADATA)
    shapes = written.getvalue().partition("</defs>")[2]  # after the style sheet
    for pattern, replacement in PLAIN.items():
        shapes = re.sub(pattern, replacement, shapes)
    width, height = figure.get_size_inches() * POINTS
    told = Markup('role="img" aria-label="{}"').format(label) if label else Markup('aria-hidden="true"')
    head = Markup('<svg class="chart" viewBox="0 0 {:g} {:g}" {}>').format(width, height, told)
    return head + Markup(shapes)  # noqa: S704 - matplotlib has escaped the texts
