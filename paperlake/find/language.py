"""How a query is read: its words, phrases and fields, by the macro `read_query`, which alone knows the language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from warehouse.errors import QueryFailed, UsageError

if TYPE_CHECKING:
    from warehouse.release.query import Database

READ: Final = "SELECT field, value, is_not, words FROM read_query($1)"
REFUSED: Final = "Invalid Input Error: "  # what DuckDB puts before the error of a macro


class QueryItem(NamedTuple):
    """One word, phrase or field of a query. Without `field` it is words; papers with what `is_not` are left out."""

    field: str | None
    value: str
    is_not: bool = False
    words: tuple[str, ...] = ()

    @property
    def ranks(self) -> bool:
        """Whether papers are found by its words."""
        return not self.is_not and self.field in {None, "phrase", "words"}


def parse(database: Database, text: str) -> list[QueryItem]:
    """The items of a query in its order; UsageError where a field has a value that it cannot have."""
    try:
        rows = list(database.rows(READ, [text]).rows)
    except QueryFailed as error:
        if not str(error).startswith(REFUSED):
            raise
        raise UsageError(str(error).removeprefix(REFUSED)) from error
    return [QueryItem(field, value, is_not, tuple(words)) for field, value, is_not, words in rows]


def parse_alone(text: str) -> list[QueryItem]:
    """As `parse`, where there is no lake to ask."""
    from warehouse.release.query import without_lake
    from warehouse.schema.ddl import create_macro
    from warehouse.schema.macros.query_macros import READ_QUERY

    with without_lake(create_macro(READ_QUERY)) as database:
        return parse(database, text)
