"""`captures`: the captured pages; `quarantine`: the records of them that were rejected; `schema_paths`: their fields.

These are the fields of the source's JSON, and since when it has them.
"""

from typing import Final

import polars as pl

from warehouse.schema import columns as c
from warehouse.schema.core.attached import STARS
from warehouse.schema.core.works import REGISTRIES
from warehouse.schema.provenance import HUB
from warehouse.schema.shared import LISTED_RULE, SEEN_RULE, in_order
from warehouse.schema.table import Rule, Table

IS_TAKEN: Final = pl.col("state") != "set_aside"  # nor is a list expected, or a paper trending, by the time of one

CAPTURES = Table(
    name="captures",
    grain="One captured page.",
    answers="What was fetched, when, from where, how many bytes, its digest, which reader read it, what came of it.",
    key=("capture_id",),
    columns=(
        c.capture_id.but(meaning="The captured page: a hash over its URL, fetch time and bytes."),
        c.text.but(
            name="url",
            whose="account",
            meaning="Address that was asked.",
            null="the page was saved without its address",
            source="WARC-Target-URI; url in captures.csv",
            max_length=c.URL_LIMIT,
        ),
        c.instant.but(
            name="fetched_at",
            meaning="When the page was fetched.",
            null="the page was saved without its fetch time",
            source="WARC-Date; fetched_at in captures.csv",
        ),
        c.integer.but(
            name="http_status",
            meaning="HTTP status of the answer.",
            null="not an HTTP answer, or the status was not kept",
            source="status line of the answer; status in captures.csv",
            minimum=100,
            maximum=999,
        ),
        c.text.but(
            name="content_type",
            meaning="Media type the answer claimed, parameters included.",
            null="no such header",
            source="Content-Type of the answer; content_type in captures.csv",
            max_length=c.NAME_LIMIT,
        ),
        c.total.but(name="payload_bytes", unit="bytes", meaning="Size of the page as it came.", source="measured"),
        c.text.but(name="payload_sha256", meaning="SHA-256 of the page as it came, in hex.", pattern="^[0-9a-f]{64}$"),
        c.text.but(
            name="reader",
            meaning="Reader that knows the page's layout.",
            null="no reader knows the page",
            source="chosen by URL and bytes",
            max_length=c.NAME_LIMIT,
        ),
        c.choice.but(
            name="state",
            meaning="`read` whole; `partial`, with items in quarantine; `rejected`, nothing could be read; `empty`, a "
            "list without items; `error`, an HTTP status other than 200; `failed`, no page came that could be kept; "
            "`unknown`, kept raw, no reader knows it; `set_aside`, nothing is taken from it, since the gate or a "
            "person found it false.",
            allowed=("read", "partial", "rejected", "empty", "error", "failed", "unknown", "set_aside"),
        ),
        c.any_text.but(
            name="reason",
            meaning="Why the state is not `read`.",
            null="the page was read whole",
            max_length=c.URL_LIMIT,
        ),
        c.choice.but(
            name="list_kind",
            meaning="What was asked for: a daily, weekly, monthly or trending list, the latest papers, a search, one "
            "paper, the `repositories` that cite one, what `arxiv` says of one or of changes, or `crossref` of a "
            "published work, `openalex` of some, `github` of stars, or `saved` where a saved text does not say, and "
            "where another archive keeps a list.",
            null="the address does not say, and no reader knows the page",
            source="URL of the request, or the page's own data",
            allowed=(
                "daily",
                "weekly",
                "monthly",
                "trending",
                "latest",
                "search",
                "paper",
                "repositories",
                "arxiv",
                *REGISTRIES,
                STARS,
                "saved",
            ),
        ),
        c.listed_on,
        c.text.but(
            name="list_period",
            meaning="Week (`2025-W09`) or month (`2025-02`) of the list.",
            null="the list is neither weekly nor monthly",
            source="week= or month= of the request",
            pattern=r"^[0-9]{4}-(?:W[0-9]{2}|[0-9]{2})$",
        ),
        c.text.but(
            name="list_query",
            whose="prose",
            meaning="Search text.",
            null="not a search, or the page does not say",
            source="q= of the request; $.query of an HTML page",
            sources=("$.query",),
            max_length=c.TITLE_LIMIT,
        ),
        c.day.but(
            name="page_on",
            meaning="Day that the page shows as its own (`Nov 21` above a saved list).",
            null="the page shows none, or its year is unknown",
            source="header of a saved text or page",
            origin=HUB,
        ),
        c.published_basis.but(
            name="page_basis",
            meaning="Whether the year of `page_on` was stated, or inferred from the dates on the page.",
            null="no `page_on`",
            allowed=c.BASES,
        ),
        c.count.but(
            name="item_count",
            unit="items",
            meaning="Items on the page; a page that cannot be parted into items and is rejected counts as one.",
            source="counted by the reader",
        ),
        c.sighting_count.but(minimum=0, meaning="Items of the page that became sightings."),
        c.count.but(name="rejected_count", unit="items", meaning="Items of the page that are in `quarantine`."),
        c.count.but(name="duplicate_count", unit="items", meaning="Items that repeat a paper of the same page."),
    ),
    rules=(
        Rule(
            "every_item_accounted_for",
            "item_count = sighting_count + rejected_count + duplicate_count",
            "not every item of the page is accounted for",
        ),
        Rule(
            "reason_given",
            "(state = 'read') = (reason IS NULL)",
            "a page not read whole without a reason, or a reason for one that was",
        ),
    ),
)

QUARANTINE = Table(
    name="quarantine",
    grain="One rejected record.",
    answers="What was not taken over, by which rule, and where it lies in the raw page.",
    revision=2,  # bytes that are no UTF-8 are told by their place in the item
    key=("capture_id", "position"),
    columns=(
        c.capture_id,
        c.position.but(meaning="Place of the item on its page; 0 is the page as a whole.", minimum=0),
        c.text.but(
            name="rule", meaning="Rule that was broken, the first where there are several.", max_length=c.NAME_LIMIT
        ),
        c.any_text.but(name="detail", meaning="Every broken rule in words.", max_length=c.URL_LIMIT),
        c.any_text.but(
            name="pointer",
            meaning="Where the item lies in the page: a JSON pointer (`/3`), a line (`line 40`); empty for the page.",
            source="computed by the reader",
            max_length=c.NAME_LIMIT,
        ),
    ),
)


SCHEMA_PATHS = Table(
    name="schema_paths",
    grain="One JSON path with one JSON type, on the pages that one reader read of one kind of list in one era.",
    answers="Since when the source has a field, until when, how often and of which type.",
    key=("reader", "list_kind", "era", "path", "json_type"),
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
