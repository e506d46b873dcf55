"""Readings of many pages become tables: captures, sightings, quarantine, schema_paths, and what is around papers.

Every item of a page is accounted for, as a sighting, as a duplicate or as in quarantine.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from operator import attrgetter
from typing import Any, Final, NamedTuple

import polars as pl
from msgspec import Struct
from msgspec.structs import replace

from transforms.collect.cleaning import INSTANTS, cleaned, dates_of_items, instant, one_line
from transforms.collect.doubts import with_doubts
from transforms.collect.read_page import READERS, read
from transforms.collect.row_frame import DECLARED, FactRows, Rows
from transforms.collect.source_paths import PathTable
from transforms.readers.reading import Reading, ReadOutcome, Reject
from warehouse.archive.captured import Capture
from warehouse.schema.columns import NAME_LIMIT, URL_LIMIT
from warehouse.schema.core.arxiv_records import ARXIV_CHANGES, ARXIV_LOOKS, ARXIV_RECORDS, ARXIV_VERSIONS
from warehouse.schema.core.attached import STAR_WEEKS, STARS
from warehouse.schema.core.captures import CAPTURES, QUARANTINE
from warehouse.schema.core.cited_by import ADOPTION_LOOKS, PAPER_DISCUSSIONS, PAPER_REPOSITORIES
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.core.works import PUBLISHED_WORKS, REGISTRIES, WORK_RELATIONS
from warehouse.schema.shared import JUDGED_BASIS
from warehouse.schema.table import CONTROL_CHARACTERS, Check

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

JSON_READERS: Final = {reader.name for reader in READERS if reader.has_json}

YEARS = (1991, 9999)  # arXiv began in 1991; five digits, which Polars reads, many clients cannot show
RAW_CHECKS = (
    *(
        Check(
            f"{name}_instant",
            pl.col(name).is_null() | pl.col(f"{name}_instant").dt.year().is_between(*YEARS).fill_null(False),
            f"{name} is no instant like 2024-03-12T03:17:21.812Z that the calendar has, or is before 1991",
        )
        for name in INSTANTS
    ),
    Check(
        "list_element",
        ~pl.col("has_bad_element"),
        "an author, a keyword or a media address is empty, too long or holds control characters, or the name of an "
        "author is only markup, the words of a button, or an address",
    ),
)


class PageRead(Struct, frozen=True):
    """One page after reading, without its bytes: facts of the capture, and the reading."""

    capture_id: str
    url: str | None
    fetched_at: datetime | None
    http_status: int | None
    content_type: str | None
    payload_bytes: int
    payload_sha256: str
    reading: Reading


OF_CAPTURE = tuple(name for name in PageRead.__struct_fields__ if name != "reading")
OF_READING = (
    "outcome",
    "source",
    "reader",
    "reason",
    "list_kind",
    "listed_on",
    "listed_basis",
    "list_period",
    "list_query",
    "page_on",
    "page_basis",
)
# What two items of one page share when they are one paper: the arXiv id, else title and abstract
SAME_PAPER = (
    pl.coalesce("arxiv_id", "title"),
    pl.when(pl.col("arxiv_id").is_null()).then(pl.coalesce("abstract", "description")).alias("text"),
)
FACTS = attrgetter(*OF_CAPTURE, *(f"reading.{name}" for name in OF_READING))
WITHOUT_PAPERS: Final = ("repositories", "arxiv", *REGISTRIES, STARS)  # the kinds of lists whose items are none
OF_NO_PAPER: Final = {PUBLISHED_WORKS.name, STAR_WEEKS.name}  # facts that are all that such a list is for


class Collected(NamedTuple):
    """Frames as declared, except that `sightings` has no `paper_id` yet.

    Those of disjoint captures add up: end to end, and `schema_paths` then merged (`core.schema_paths.merged`).
    """

    captures: pl.DataFrame
    sightings: pl.DataFrame
    quarantine: pl.DataFrame
    schema_paths: pl.DataFrame
    paper_repositories: pl.DataFrame = PAPER_REPOSITORIES.empty()
    adoption_looks: pl.DataFrame = ADOPTION_LOOKS.empty()
    paper_discussions: pl.DataFrame = PAPER_DISCUSSIONS.empty()
    arxiv_records: pl.DataFrame = ARXIV_RECORDS.empty()
    arxiv_versions: pl.DataFrame = ARXIV_VERSIONS.empty()
    arxiv_looks: pl.DataFrame = ARXIV_LOOKS.empty()
    arxiv_changes: pl.DataFrame = ARXIV_CHANGES.empty()
    published_works: pl.DataFrame = PUBLISHED_WORKS.empty()
    work_relations: pl.DataFrame = WORK_RELATIONS.empty()
    star_weeks: pl.DataFrame = STAR_WEEKS.empty()


def read_page(capture: Capture) -> PageRead:
    """Read one page; the result holds none of its bytes."""
    return PageRead(
        capture.capture_id,
        capture.url,
        capture.fetched_at,
        capture.http_status,
        capture.content_type,
        len(capture.payload),
        capture.payload_sha256,
        read(capture),
    )


def put_aside(page: PageRead, aside: Mapping[str, Reject]) -> PageRead:
    """The page with each of its items rejected, where it is `aside`; one that no reader read stays as it is."""
    reading, why = page.reading, aside.get(page.capture_id)
    if why is None or reading.outcome != "read":
        return page
    items = [replace(why, position=one.position, pointer=one.pointer) for one in reading.sightings]
    nothing: dict[str, Any] = {
        name: [] for name in ("sightings", "json_items", "json_around", "facts", "arxiv_changes")
    }
    reason, rejects = f"{why.rule}: {why.detail}", [*reading.rejects, *items]
    return replace(page, reading=replace(reading, outcome="set_aside", reason=reason, rejects=rejects, **nothing))


def collect(pages: Iterable[PageRead]) -> Collected:
    """Clean, check and count everything that was read of some pages.

    Of a page, what is counted or kept is in memory when the next one is read: its rows, and its items if they are of a
    known form.
    """
    rows, facts_of_pages, refused, paths, around = Rows(), [], [], PathTable(), FactRows()
    for page in pages:
        around.add(page.reading.facts, page.fetched_at, page.capture_id)
        rows.add(page.capture_id, page.reading.sightings)
        facts_of_pages.append((*FACTS(page), any(one.table.name in OF_NO_PAPER for one in page.reading.facts)))
        if page.reading.reader in JSON_READERS and page.reading.outcome == "read":
            paths.add(page.reading, page.fetched_at, page.capture_id, page.payload_bytes)
        refused += [(page.capture_id, reject) for reject in page.reading.rejects]
    schema = {name: CAPTURES.schema.get(name) or pl.String() for name in (*OF_CAPTURE, *OF_READING)}
    schema["has_facts"] = pl.Boolean()
    facts = pl.DataFrame(facts_of_pages, schema=schema, orient="row").with_columns(one_line(pl.col("list_query")))
    limits = {column.name: column.max_length for column in CAPTURES.columns if column.max_length}
    facts = facts.with_columns(_printable(name, limit) for name, limit in limits.items())
    kept, fallen = SIGHTINGS.split(_clean(rows.frame(), facts), *RAW_CHECKS)
    is_first = kept.select(pl.struct("capture_id", *SAME_PAPER).is_first_distinct()).to_series()
    quarantine = QUARANTINE.conform(pl.concat([_rejects(refused), fallen.select(QUARANTINE.column_names)]))
    return Collected(
        CAPTURES.conform(account(facts, kept, is_first, quarantine)),
        kept.filter(is_first).select(name for name in SIGHTINGS.column_names if name != "paper_id"),
        quarantine,
        paths.frame(),
        *around.frames(),
    )


def _clean(rows: pl.DataFrame, facts: pl.DataFrame) -> pl.DataFrame:
    """Rows with clean text, parsed instants and what the page says for all of its items."""
    of_page = facts.select(
        "capture_id",
        "source",
        "list_kind",
        "list_period",
        "list_query",
        pl.col("fetched_at").alias("observed_at"),
        pl.col("listed_on").alias("page_listed_on"),
        pl.col("listed_basis").alias("page_listed_basis"),
    )
    return with_doubts(
        rows.with_columns(
            *(cleaned(column) for column in DECLARED if column.is_free_text and rows[column.name].count()),
            *(instant(pl.col(name)).alias(f"{name}_instant") for name in INSTANTS),
        )
        .join(of_page, on="capture_id", how="left", maintain_order="left")
        .with_columns(**dates_of_items())
        .with_columns(
            submitted_basis=pl.when(pl.col("submitted_at").is_not_null()).then("submitted_basis"),
            published_basis=pl.sql_expr(JUDGED_BASIS),
        )
    )


def _rejects(rejects: list[tuple[str, Reject]]) -> pl.DataFrame:
    """The items that readers rejected, as rows of quarantine."""
    fields = Reject.__struct_fields__
    columns = {"capture_id": [capture_id for capture_id, _ in rejects]}
    columns |= {name: [getattr(reject, name) for _, reject in rejects] for name in fields}
    return pl.DataFrame(columns, schema={name: QUARANTINE.schema[name] for name in columns}).select(
        "capture_id", "position", "rule", _printable("detail", URL_LIMIT), _printable("pointer", NAME_LIMIT)
    )


def _printable(name: str, limit: int) -> pl.Expr:
    """A message that quotes hostile text, fit to be shown: no control characters, at most `limit` characters."""
    return pl.col(name).str.replace_all(CONTROL_CHARACTERS, REPLACEMENT).str.slice(0, limit)


IN_QUARANTINE: Final = "{} of {} items are in quarantine; the first: {}"
# The state of a page that no reader read, by what came of it
STATES: Final[dict[ReadOutcome, str]] = {
    "failed": "failed",
    "http_error": "error",
    "no_papers": "unknown",
    "unknown_layout": "unknown",
    "unreadable": "rejected",
    "set_aside": "set_aside",
}


def account(facts: pl.DataFrame, kept: pl.DataFrame, is_first: pl.Series, quarantine: pl.DataFrame) -> pl.DataFrame:
    """The facts of each page with its counts of items, its state, and the reason in words."""
    of_kept = kept.select("capture_id", is_first.alias("is_first")).group_by("capture_id")
    kept_counts = of_kept.agg(
        pl.col("is_first").sum().alias("sighting_count"), (~pl.col("is_first")).sum().alias("duplicate_count")
    )
    none_kept, some_rejected = (pl.col("sighting_count") == 0) & ~pl.col("has_facts"), pl.col("rejected_count") > 0
    is_empty = (pl.col("item_count") == 0) & ~pl.col("list_kind").is_in(WITHOUT_PAPERS).fill_null(False)
    of_outcome = pl.col("outcome").replace_strict(STATES, default=None, return_dtype=pl.String)
    tally = pl.format(IN_QUARANTINE, "rejected_count", "item_count", "first_detail").str.slice(0, URL_LIMIT)
    return (
        facts.join(kept_counts, on="capture_id", how="left")
        .join(rejections(quarantine), on="capture_id", how="left")
        .with_columns(pl.col("sighting_count", "duplicate_count", "rejected_count").fill_null(0).cast(pl.Int64))
        .with_columns(item_count=pl.sum_horizontal("sighting_count", "duplicate_count", "rejected_count"))
        .with_columns(
            state=pl.when(pl.col("outcome") != "read")
            .then(of_outcome)
            .when(some_rejected)
            .then(pl.when(none_kept).then(pl.lit("rejected")).otherwise(pl.lit("partial")))
            .otherwise(pl.when(is_empty).then(pl.lit("empty")).otherwise(pl.lit("read")))
        )
        .with_columns(
            reason=pl.coalesce(
                "reason",
                pl.when(some_rejected).then(tally),
                pl.when(state="empty").then(pl.lit("the list has no items")),
            )
        )
    )


def rejections(quarantine: pl.DataFrame) -> pl.DataFrame:
    """`capture_id`, `rejected_count`, `first_detail`: how many items of a page are in quarantine, why the first is."""
    return quarantine.group_by("capture_id").agg(
        pl.len().alias("rejected_count"), pl.col("detail").sort_by("position").first().alias("first_detail")
    )
