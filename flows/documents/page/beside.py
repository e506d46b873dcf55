"""The pages beside that of a release, one click from it: the dictionary, the calendar of all lists, what is new."""

from __future__ import annotations

from functools import cache
from typing import Final

import polars as pl
from markdown_it import MarkdownIt
from markupsafe import Markup

from flows.documents.dictionary import facts, limits, macro_facts
from flows.documents.edition import ReadTable
from flows.documents.notes import Notes, notes_text
from flows.documents.page.charts import GLYPHS
from flows.documents.page.coverage_calendar import calendar
from flows.documents.rendering import inlined, render
from warehouse.schema.catalog.about_tables import ABOUT_TABLES
from warehouse.schema.catalog.tables import CORE_TABLES, MACROS, MART_TABLES
from warehouse.schema.core.listings import COVERAGE
from warehouse.schema.list_outcomes import OUTCOMES, REASONED, UNEXPECTED, in_words, told

STYLES: Final = ("style.css", "page/page.css")
GAPS_SHOWN: Final = 400


@cache
def dictionary_page() -> bytes:
    """Every table, view and macro with its columns, and a search of them: the same in each release."""
    return render(
        "page/dictionary.html.j2",
        style=inlined(*STYLES),
        script=inlined("page/dictionary.js"),
        version="",
        declared=(*MART_TABLES, *CORE_TABLES, *ABOUT_TABLES),
        macros=MACROS,
        facts=facts,
        macro_facts=macro_facts,
        limits=limits,
    )


def coverage_page(version: str, read: ReadTable) -> bytes:
    """What became of every expected list, drawn in the newest year, and every gap, the longest first."""
    return _coverage_page(version, read(COVERAGE.name, COVERAGE.column_names).collect())


def coverage_of_years(read: ReadTable) -> dict[str, bytes]:
    """The same of each year before the newest, by the name of its page: releases share them."""
    rows = read(COVERAGE.name, COVERAGE.column_names).collect()
    years = (one.year for one in calendar(rows).years[1:] if one.halves)
    of = {year: rows.filter(pl.col("listed_on").dt.year() == year) for year in years}
    return {f"coverage-{year}.html": _coverage_page("", rows) for year, rows in of.items()}


def _coverage_page(version: str, rows: pl.DataFrame) -> bytes:
    return render(
        "page/coverage.html.j2",
        style=inlined(*STYLES),
        script=inlined("page/points.js"),
        version=version,
        calendar=calendar(rows),
        gaps_most=GAPS_SHOWN,
        **calendar_words(),
    )


def calendar_words() -> dict[str, object]:
    """What a page with a calendar needs to draw and to describe it."""
    return {
        "in_words": in_words,
        "told": told,
        "outcomes": OUTCOMES,
        "unexpected": UNEXPECTED,
        "meanings": {one.name: one.meaning for one in OUTCOMES},
        "reasoned": REASONED,
        "shapes": GLYPHS,
    }


def notes_page(notes: Notes) -> bytes:
    """`NOTES.md` as a page. Its words are code or escaped, and no HTML or link in them is taken as such."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["link", "image", "autolink"])
    tokens = markdown.parse(notes_text(notes).partition("\n")[2])  # the page has a headline of its own
    for token in tokens:
        if token.type == "th_open":
            token.attrSet("scope", "col")
        token.attrs.pop("style", None)  # of columns of numbers; the page's policy forbids it
    return render(
        "page/notes.html.j2",
        style=inlined(*STYLES),
        version=notes.version,
        text=Markup(markdown.renderer.render(tokens, markdown.options, {})),  # noqa: S704 - rendered with HTML off
    )
