"""HTML from templates: one environment, one base template and one style sheet for every page of a release.

A page asks nothing of any host: its style and its script stand in it, and its content policy allows only these.
"""

from __future__ import annotations

import base64
import hashlib
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from markupsafe import Markup, escape

from warehouse.archive.captured import shown
from warehouse.printable import printable
from warehouse.schema.ddl import type_of

if TYPE_CHECKING:
    from jinja2 import Environment

HERE: Final = Path(__file__).parent
# The mark of paperlake, a page that dips into a lake: drawn in the head of pages, and their icon, so that no server is
# asked for it
SHAPES: Final = (
    "<rect width='24' height='24' rx='6' fill='#0b5cad'/>"
    "<path fill='#fff' d='M6 3h8l4 4v14H6z'/><path fill='#9cc9fb' d='M14 3l4 4h-4z'/>"
    "<path fill='none' stroke='#0b5cad' stroke-width='1.5' d='M8.5 9.5h7m-7 3h5'/>"
    "<path fill='#6aaef2' d='M0 16.5q2-1.8 4 0t4 0 4 0 4 0 4 0 4 0V18a6 6 0 0 1-6 6H6a6 6 0 0 1-6-6z'/>"
)
LOGO: Final = Markup(f"<svg class='logo' viewBox='0 0 24 24' aria-hidden='true'>{SHAPES}</svg>")  # noqa: S704 - ours
ICON: Final = "data:image/svg+xml," + quote(
    f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'>{SHAPES}</svg>", safe="/:=' "
)
MEGABYTE: Final = 1_000_000


class Inlined(NamedTuple):
    """A style sheet or script that stands in a page, and the hash by which the page's policy allows it."""

    text: Markup
    sha256: str


def render(template: str, **values: object) -> bytes:
    """The page that a template of this folder makes of these values."""
    return _environment().get_template(template).render(values).encode()


def render_text(template: str, **values: object) -> str:
    """The text, of Markdown or plain, that a template of this folder makes of these values; it ends with its line."""
    return _environment().get_template(template).render(values).strip() + "\n"


def compile_templates() -> None:
    """Compile every template of this folder: a process, and those forked from it, do so once."""
    for name in _environment().list_templates(extensions=["j2"]):
        _environment().get_template(name)


def inlined(*names: str) -> Inlined:
    """Files of this folder, one after the other, to stand in a page."""
    text = "".join((HERE / name).read_text("utf-8") for name in names)
    return Inlined(Markup(text), base64.b64encode(hashlib.sha256(text.encode()).digest()).decode())  # noqa: S704


def environment(folder: Path) -> Environment:
    """The templates of a folder; a value that is missing is an error.

    In each one what steers a reader is spelled out, and in HTML so is markup.
    """
    # not for a command without a page
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=select_autoescape(["html.j2"]),
        finalize=lambda value: printable(value, keep="\n\t") if type(value) is str else value,  # Markup is ours
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _environment() -> Environment:
    made = environment(HERE)
    made.filters |= {"count": "{:,}".format, "breakable": breakable, "coded": coded, "day": day_in_words}
    made.filters |= {"code": as_code, "size": size, "shown": shown, "type": type_of, "percent": percent}
    made.globals |= {"style": inlined("style.css"), "icon": ICON, "logo": LOGO}
    return made


def breakable(name: str) -> Markup:
    """A name that may be broken after each underscore, on a narrow screen.

    >>> breakable("paper_id")
    Markup('paper_<wbr>id')
    """
    return Markup("_<wbr>").join(name.split("_"))


def coded(text: str) -> Markup:
    """Words of a declaration: what stands in backticks is code.

    >>> coded("null: see `a<b`")
    Markup('null: see <code>a&lt;b</code>')
    """
    parts = [escape(part) for part in text.split("`")]
    return Markup("").join(Markup("<code>{}</code>").format(part) if at % 2 else part for at, part in enumerate(parts))


def as_code(words: str) -> str:
    """Words of the data or of people as code of Markdown, whatever is in them.

    >>> as_code("# a `b`")
    "`# a 'b'`"
    """
    return f"`{' '.join(words.replace('`', chr(39)).split())}`"


def day_in_words(day: date) -> str:
    """A day in words.

    >>> day_in_words(date(2026, 7, 31))
    'Friday 31 July 2026'
    """
    return f"{day:%A} {day.day} {day:%B %Y}"


def percent(share: float) -> str:
    """A share, to a tenth of a percent.

    >>> percent(0.5758), percent(0)
    ('57.6%', '0.0%')
    """
    return f"{share:.1%}"


def size(count: int) -> str:
    """Bytes in a unit of three or four digits.

    >>> size(22_373), size(33_800_000)
    ('22.4 kB', '33.8 MB')
    """
    return f"{count / 1e6:,.1f} MB" if count >= MEGABYTE else f"{count / 1e3:,.1f} kB"
