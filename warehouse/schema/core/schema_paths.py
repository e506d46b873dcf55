"""`schema_paths`: the fields of the source's JSON, and since when it has them."""

from __future__ import annotations

from warehouse.schema import columns as c
from warehouse.schema.core.captures import CAPTURES
from warehouse.schema.provenance import HUB
from warehouse.schema.shared import LISTED_RULE, READ_FROM, SEEN_RULE, in_order
from warehouse.schema.table import Table

SCHEMA_PATHS = Table(
    name="schema_paths",
    grain="One JSON path with one JSON type, on the pages that one reader read of one kind of list in one era.",
    answers="Since when the source has a field, until when, how often and of which type.",
    key=("reader", "list_kind", "era", "path", "json_type"),
    references=READ_FROM,
    columns=(
        c.text.but(
            name="reader",
            meaning="Reader of the pages: their layout. Saved text has no JSON and no rows here.",
            sources=("captures.reader",),
            max_length=c.NAME_LIMIT,
        ),
        CAPTURES.column("list_kind").but(null=""),
        c.text.but(
            name="era",
            unit="month",
            meaning="Month of the list day (`2025-03`); of a page without one, month of its fetch; `undated` where "
            "neither is known.",
            sources=("captures.listed_on", "captures.fetched_at"),
            pattern=r"^(?:[0-9]{4}-[0-9]{2}|undated)$",
        ),
        c.hub_text.but(
            name="path",
            meaning="Path from the item, elements of arrays as `[]` (`paper.authors[].name`). `[]` is the item itself, "
            "`$.` begins what is around the items. `*` is what was not looked at: all beyond the first 500 "
            "paths of a page; with type null, a page over 4 MiB. Keys that are no plain names are quoted.",
            source="keys of the JSON",
            max_length=c.URL_LIMIT,
        ),
        c.choice.but(
            name="json_type",
            meaning="Type of the values.",
            source="the JSON",
            origin=HUB,
            allowed=("object", "array", "string", "integer", "number", "boolean", "null"),
        ),
        c.total.but(
            name="value_count",
            unit="values",
            meaning="Values of this type at this path.",
            minimum=1,
            is_bookkeeping=True,
        ),
        c.total.but(
            name="item_count",
            unit="items",
            meaning="Items that hold such a value; of what is around the items, pages. All items of the era are "
            "the rows of path `[]`.",
            minimum=1,
            is_bookkeeping=True,
        ),
        c.listed_on.but(
            name="first_listed_on",
            meaning="First list day of the pages that have it.",
            null="only pages that are no daily list have it",
            sources=("captures.listed_on",),
        ),
        c.listed_on.but(
            name="last_listed_on",
            meaning="Last list day of the pages that have it.",
            null="only pages that are no daily list have it",
            sources=("captures.listed_on",),
            is_bookkeeping=True,
        ),
        c.first_seen_at.but(sources=("captures.fetched_at",)),
        c.last_seen_at.but(sources=("captures.fetched_at",)),
        c.hub_text.but(
            name="example",
            whose="any",
            meaning="Start of a value, on one line, from the page of `capture_id`.",
            null="an object, an array, null or an empty text; or the path may name, picture or quote a person",
            source="the JSON",
        ),
        c.capture_id.but(meaning="The first page fetched in the era that has it."),
    ),
    rules=(
        SEEN_RULE,
        LISTED_RULE,
        in_order("items_hold_values", "item_count", "value_count", "more items than values"),
    ),
)
