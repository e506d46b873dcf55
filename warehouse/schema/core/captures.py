"""`captures`: the captured pages, and `quarantine`: the records of them that were rejected."""

from __future__ import annotations

import polars as pl

from warehouse.schema import columns as c
from warehouse.schema.origin import HUB, PAPERLAKE
from warehouse.schema.rules import READ_FROM
from warehouse.schema.table import Column, Rule, Table

CAPTURES = Table(
    name="captures",
    grain="One captured page.",
    answers="What was fetched, when, from where, how many bytes, its digest, which reader read it, what came of it.",
    key=("capture_id",),
    columns=(
        c.capture_id.but(meaning="The captured page: a hash over its URL, fetch time and bytes."),
        Column(
            name="url",
            dtype=c.TEXT,
            meaning="Address that was asked.",
            null="the page was saved without its address",
            source="WARC-Target-URI; url in captures.csv",
            origin=PAPERLAKE,
            max_length=c.URL_LIMIT,
        ),
        Column(
            name="fetched_at",
            dtype=c.INSTANT,
            unit="UTC",
            meaning="When the page was fetched.",
            null="the page was saved without its fetch time",
            source="WARC-Date; fetched_at in captures.csv",
            origin=PAPERLAKE,
        ),
        Column(
            name="http_status",
            dtype=c.COUNT,
            meaning="HTTP status of the answer.",
            null="not an HTTP answer, or the status was not kept",
            source="status line of the answer; status in captures.csv",
            origin=PAPERLAKE,
            minimum=100,
            maximum=999,
        ),
        Column(
            name="content_type",
            dtype=c.TEXT,
            meaning="Media type the answer claimed, parameters included.",
            null="no such header",
            source="Content-Type of the answer; content_type in captures.csv",
            origin=PAPERLAKE,
            max_length=c.NAME_LIMIT,
        ),
        Column(
            name="payload_bytes",
            dtype=pl.Int64(),
            unit="bytes",
            meaning="Size of the page as it came.",
            source="measured",
            origin=PAPERLAKE,
            minimum=0,
        ),
        Column(
            name="payload_sha256",
            dtype=c.TEXT,
            meaning="SHA-256 of the page as it came, in hex.",
            source="computed",
            origin=PAPERLAKE,
            pattern="^[0-9a-f]{64}$",
        ),
        Column(
            name="reader",
            dtype=c.TEXT,
            meaning="Reader that knows the page's layout.",
            null="no reader knows the page",
            source="chosen by URL and bytes",
            origin=PAPERLAKE,
            max_length=c.NAME_LIMIT,
        ),
        Column(
            name="state",
            dtype=c.TEXT,
            meaning="`read` whole; `partial`, with items in quarantine; `rejected`, nothing could be read; `empty`, a "
            "list without items; `error`, an HTTP status other than 200; `failed`, no page came that could be kept; "
            "`unknown`, kept raw, no reader knows it.",
            source="computed",
            origin=PAPERLAKE,
            allowed=("read", "partial", "rejected", "empty", "error", "failed", "unknown"),
        ),
        Column(
            name="reason",
            dtype=c.TEXT,
            meaning="Why the state is not `read`.",
            null="the page was read whole",
            source="computed",
            origin=PAPERLAKE,
            max_length=c.URL_LIMIT,
        ),
        Column(
            name="list_kind",
            dtype=c.TEXT,
            meaning="What was asked for: a daily, weekly, monthly or trending list, the latest papers, a search, one "
            "paper, or `saved` where a saved text does not say, and where another archive keeps a list.",
            null="the address does not say, and no reader knows the page",
            source="URL of the request, or the page's own data",
            origin=PAPERLAKE,
            allowed=("daily", "weekly", "monthly", "trending", "latest", "search", "paper", "saved"),
        ),
        c.listed_on,
        Column(
            name="list_period",
            dtype=c.TEXT,
            meaning="Week (`2025-W09`) or month (`2025-02`) of the list.",
            null="the list is neither weekly nor monthly",
            source="week= or month= of the request",
            origin=PAPERLAKE,
            pattern=r"^[0-9]{4}-(?:W[0-9]{2}|[0-9]{2})$",
        ),
        Column(
            name="list_query",
            dtype=c.TEXT,
            meaning="Search text.",
            null="not a search, or the page does not say",
            source="q= of the request; $.query of an HTML page",
            origin=PAPERLAKE,
            max_length=c.TITLE_LIMIT,
        ),
        Column(
            name="page_on",
            dtype=c.DAY,
            unit="day",
            meaning="Day that the page shows as its own (`Nov 21` above a saved list).",
            null="the page shows none, or its year is unknown",
            source="header of a saved text or page",
            origin=HUB,
        ),
        c.published_basis.but(
            name="page_basis",
            meaning="Whether the year of `page_on` was stated, or inferred from the dates on the page.",
            null="no `page_on`",
        ),
        Column(
            name="item_count",
            dtype=c.COUNT,
            unit="items",
            meaning="Items on the page; a page that cannot be parted into items and is rejected counts as one.",
            source="counted by the reader",
            origin=PAPERLAKE,
            minimum=0,
        ),
        c.sighting_count.but(minimum=0, meaning="Items of the page that became sightings."),
        c.sighting_count.but(
            name="rejected_count",
            unit="items",
            minimum=0,
            meaning="Items of the page that are in `quarantine`.",
            is_bookkeeping=False,
        ),
        c.sighting_count.but(
            name="duplicate_count",
            unit="items",
            minimum=0,
            meaning="Items that repeat a paper of the same page.",
            is_bookkeeping=False,
        ),
    ),
    rules=(
        Rule(
            "every_item_accounted_for",
            ("item_count", "sighting_count", "rejected_count", "duplicate_count"),
            "item_count = sighting_count + rejected_count + duplicate_count",
            "not every item of the page is accounted for",
        ),
        Rule(
            "reason_given",
            ("state", "reason"),
            "(state = 'read') = (reason IS NULL)",
            "a page not read whole without a reason, or a reason for one that was",
        ),
    ),
)

QUARANTINE = Table(
    name="quarantine",
    grain="One rejected record.",
    answers="What was not taken over, by which rule, and where it lies in the raw page.",
    key=("capture_id", "position"),
    references=READ_FROM,
    columns=(
        c.capture_id,
        c.position.but(meaning="Place of the item on its page; 0 is the page as a whole.", minimum=0),
        Column(
            name="rule",
            dtype=c.TEXT,
            meaning="Rule that was broken, the first where there are several.",
            source="computed",
            origin=PAPERLAKE,
            max_length=c.NAME_LIMIT,
        ),
        Column(
            name="detail",
            dtype=c.TEXT,
            meaning="Every broken rule in words.",
            source="computed",
            origin=PAPERLAKE,
            max_length=c.URL_LIMIT,
        ),
        Column(
            name="pointer",
            dtype=c.TEXT,
            meaning="Where the item lies in the page: a JSON pointer (`/3`), a line (`line 40`); empty for the page.",
            source="computed by the reader",
            origin=PAPERLAKE,
            max_length=c.NAME_LIMIT,
        ),
    ),
)
