"""The data dictionary in Markdown, rendered from the declarations of the tables."""

from collections.abc import Iterable, Iterator, Sequence

from warehouse.schema.core.conflicts import correctable
from warehouse.schema.core.listings import LISTING_FIELDS
from warehouse.schema.core.papers import PAPER_FIELDS
from warehouse.schema.ddl import type_of
from warehouse.schema.mart import Macro
from warehouse.schema.provenance import CRITERIA, ORIGINS
from warehouse.schema.table import Column, Table

HEADER = ("Column", "Type", "Unit", "Meaning", "Values", "Null means", "Source", "Since", "Origin")
ALWAYS = "always"  # as long as the source is known (2024-03-12), or not of the source
SHORT = 3  # the first columns, whose cells are short enough to be padded into line
WIDEST = 24  # characters that a cell is padded to at most; the type of a list of structs is longer


def dictionary(tables: Iterable[Table], macros: Iterable[Macro]) -> str:
    """What every table and macro is, a section each in the order given.

    After them the precedence of sources, and the origins of the values.
    """
    of_tables = (_section(f"{one.layer}.{one.name}", one.answers, facts(one), one.columns) for one in tables)
    of_macros = (_section(f"mart.{one.call}", one.answers, macro_facts(one), one.columns) for one in macros)
    licences = [(one.title, one.meaning, f"[{one.licence}]({one.licence_url})") for one in ORIGINS]
    of_origins = "## Origins\n\n" + "\n".join(_grid([("Origin", "What it is", "Licence"), *licences]))
    return "\n\n".join(["# Data dictionary", *of_tables, *of_macros, _precedence(), of_origins]) + "\n"


def _section(name: str, answers: str, about: Iterable[tuple[str, str]], columns: Iterable[Column]) -> str:
    listed = "\n".join(f"- **{title}:** {words}" for title, words in about)
    rows = (
        (
            _code(column.name),
            type_of(column.dtype),
            column.unit,
            column.description,
            ", ".join(limits(column)),
            column.null or "never null",
            column.source_in_words,
            str(column.since or ALWAYS),
            column.origin.title,
        )
        for column in columns
    )
    grid = "\n".join(_grid([HEADER, *rows]))
    return f"## {name}\n\n{answers}\n\n{listed}\n\n{grid}"


def macro_facts(macro: Macro) -> Iterator[tuple[str, str]]:
    """The result and parameters of a macro, each with its name; names of columns and the like stand in backticks."""
    yield "Gives" if macro.is_table else "A value", macro.grain
    yield from (("Parameter", f"{_code(name)}, {meaning}") for name, meaning in macro.parameters.items())


def _precedence() -> str:
    """Source precedence: which value wins where pages differ, for each field that several of them give."""
    criteria = "\n".join(f"- {_code(name)}: {words}" for name, words in CRITERIA.items())
    rows = [
        (", ".join(_code(field) for field in fields), ", ".join(_code(name) for name in by))
        for fields, by in (*PAPER_FIELDS, *LISTING_FIELDS)
    ]
    grid = "\n".join(_grid([("Fields, taken together", "Decided by, in this order"), *rows]))
    intro = "Where pages differ, the first of these criteria that decides picks the value."
    return f"## Source precedence\n\n{intro}\n\n{criteria}\n\n{grid}"


def facts(table: Table) -> Iterator[tuple[str, str]]:
    """The facts about a whole table, each with its name; names of columns and the like stand in backticks."""
    yield "One row", table.grain
    if table.measured:
        yield "Measured", table.measured
    yield "Key", ", ".join(_code(name) for name in table.key)
    if names := correctable(table):
        yield "Corrected", f"where `corrections` says so, of {', '.join(map(_code, names))}"
    for column, target in table.references.items():
        yield "Refers to", f"{_code(column)} is in {_code(target)}"
    for rule in table.rules:
        yield "Rule", f"{_code(rule.sql)}, or else: {rule.meaning} ({_code(rule.name)})"


def limits(column: Column) -> Iterator[str]:
    """The limits of the values of a column, in words."""
    if column.minimum is not None:
        yield f"at least {column.minimum:,}"
    if column.maximum is not None:
        yield f"at most {column.maximum:,}"
    if column.pattern is not None:
        yield f"like {_code(column.pattern)}"
    if column.allowed:
        yield f"one of {', '.join(_code(value) for value in column.allowed)}"
    if column.max_length is not None:
        yield f"up to {column.max_length:,} characters"


def _grid(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A Markdown table: the first row is its head."""
    escaped = [[cell.replace("|", r"\|").replace("\n", " ") for cell in row] for row in rows]
    widths = [min(max(map(len, cells)), WIDEST) for cells in list(zip(*escaped, strict=True))[:SHORT]]
    head, *body = [_line(row, widths) for row in escaped]
    yield head
    yield _line(["-" * width for width in widths] + ["---"] * (len(rows[0]) - len(widths)), widths)
    yield from body


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=False)]
    return f"| {' | '.join([*padded, *cells[SHORT:]])} |"


def _code(text: str) -> str:
    return f"`{text}`"
