"""Guards that compare a draft with the previous release: no table loses rows, no field its values.

They look at what is new only, so that a loss which was accepted once is not reported again. The limits are below, each
with the fact behind it. Only fields that every era of the source has are watched (docs/source.md §2, §3).
"""

from functools import partial
from typing import Final

import polars as pl

from expectations.checks import BUT_FEW, FEWEST, Finding, Guard
from expectations.comparison import Comparison
from expectations.report import EXAMPLES
from expectations.seen_again import COUNTS, against
from warehouse.schema.catalog import CORE_TABLES
from warehouse.schema.core.search import SIMILAR_PAPERS
from warehouse.schema.shared import ONE_LOOK
from warehouse.schema.table import Table

LIST_LOSS: Final = 2, 0.1  # papers, share of the list: 4 of 10,049 papers moved to another day (docs/source.md §6)
NULL_JUMP: Final = 0.2  # share of the new rows that lack what every listed paper has
TALLEST: Final = 5  # times the 99th percentile before, or HIGH, as a median of the new rows
HIGH: Final = {"upvote_count": 50, "comment_count": 10, "github_star_count": 500}  # the least that counts as high
REJECTED: Final = 0.5  # share of the items of the newest pages
KNOWN_BAD: Final = "python_repr"  # 22 files that an archiver wrote so, which is no fault of the source (docs/source.md)
# Tables of the latest state, whose rows may rightly go: an author list gets shorter, a conflict ends, an abstract is
# revised and claims less
LATEST_STATE_TABLES: Final = frozenset(
    {"paper_authors", "paper_clusters", "conflicts", "paper_systems", "paper_claims"}
    | {"paper_acronyms", "search_words", "search_terms", "search_basis", "similar_papers"}
)
# Tables whose keys change with new data, while what they are made of is kept; `corrections` change with their file
NAMED_BY_CONTENT: Final = frozenset(
    {"identity_records", "identity_pairs", "search_rarities", "search_lists", "corrections"}
)
RENAMED: Final = "cluster_id"  # the smallest paper of a cluster, which changes when a smaller one joins
EXTRACTED: Final = "extractor_version"  # column of rows that rules read in a text; another version reads other rows
REPLACED: Final = 20, 0.01  # rows, share of such a table
NEEDED: Final = frozenset({"captures", "sightings", "papers", "paper_aliases", "quarantine"})
ALWAYS_THERE: Final = ("title", "abstract", "authors", "published_on", "upvote_count", "comment_count")
LOOKED_AT: Final = "source", "list_kind", *dict.fromkeys((*ALWAYS_THERE, *COUNTS))  # of `listed_before`
IS_LIST: Final = (pl.col("list_kind") == "daily") & pl.col("state").is_in(["read", "partial", "empty"])


def keys_kept(table: Table, tables: Comparison) -> Finding:
    """Rows whose key is gone, aside from papers that have another id now, and from rows of an older extractor.

    Keys with a null are left out: the previous release lacks a column of the key. Clusters are compared by their
    papers, whatever the cluster is named, and of whatever kind it is: an older page may tell more about its papers.
    A paper is in no cluster any more where the others are other names of it. Of similar papers it is looked at which
    have a list, not at how many are on it: that depends on the others.
    """
    key = ["paper_id"] if RENAMED in table.key or table == SIMILAR_PAPERS else [*table.key]
    now, before = tables.now[table.name], tables.before[table.name].drop_nulls(key)
    if RENAMED in table.key:
        is_renamed = pl.col("paper_id").is_in(tables.renamed_papers.implode())
        before = before.filter(~is_renamed.any().over("kind", RENAMED)).unique(key, maintain_order=True)
    if EXTRACTED in table.column_names and now.height:
        before = before.filter(pl.col(EXTRACTED) >= now[EXTRACTED].min())
    lost = before.select(key).join(now.select(key), on=key, how="anti", nulls_equal=True, maintain_order="left")
    if "paper_id" in key:
        lost = lost.filter(~pl.col("paper_id").is_in(tables.renamed_papers.implode()))
    height = tables.heights.get(table.name, before.height)
    found = Finding("rows of the previous release are gone", height)
    few, share = REPLACED if table.name in LATEST_STATE_TABLES else (0, 0.0)
    lost = tables.not_put_aside(lost)
    return found if lost.height <= max(few, share * height) else found.fail(lost, key)._replace(faults=())


def lists_kept(tables: Comparison) -> Finding:
    """Days whose newest list, if it is new, lacks papers that were on an earlier one."""
    listed = tables.now["captures"].filter(IS_LIST, pl.col("fetched_at").is_not_null())
    newest = listed.sort("fetched_at").group_by("listed_on").agg(pl.col("fetched_at", "capture_id").last())
    newest = newest.join(tables.new_pages, on="capture_id", how="semi")
    days = newest["listed_on"].implode()
    rows = tables.whole("sightings", ["list_kind", "listed_on", "paper_id", "observed_at", "capture_id"])
    papers = rows.filter(pl.col("list_kind") == "daily", pl.col("listed_on").is_in(days)).collect()
    at, since = pl.col("observed_at"), pl.col("fetched_at") - ONE_LOOK
    seen = papers.join(newest.rename({"capture_id": "newest"}), on="listed_on")
    seen = seen.with_columns(is_lost=(at < since).all().over("listed_on", "paper_id"))
    seen = seen.with_columns(is_gained=(at >= since).all().over("listed_on", "paper_id"))
    first = seen.unique(["listed_on", "paper_id"], keep="any")
    counted = first.group_by("listed_on", "newest").agg(
        pl.len().alias("papers"), pl.col("is_lost").sum().alias("lost"), pl.col("is_gained").sum().alias("gained")
    )
    few, share = LIST_LOSS
    broken = counted.filter(pl.col("lost") > few, pl.col("lost") > share * pl.col("papers")).sort("listed_on")
    days_named = broken.select("listed_on", "lost", "papers").head(EXAMPLES).iter_rows()
    examples = tuple(f"{day} lost {lost} of {count} papers" for day, lost, count in days_named)
    found = Finding("the newest list of a day lacks papers that it had", counted.height, broken.height, examples)
    found = found.of_pages(broken["newest"])
    lost = seen.filter("is_lost").join(broken, on="listed_on", how="semi")
    odd = lost.select("paper_id", "fetched_at", capture_id="newest", observed_at="fetched_at")
    told = against(found, odd.unique(), lost.with_columns(said=pl.lit(0)), pl.lit(value=True))
    less = set(broken.filter(pl.col("gained") * 2 < pl.col("lost"))["newest"])
    return told._replace(faults=tuple(one._replace(is_less=one.capture_id in less) for one in told.faults))


def nulls_steady(name: str, tables: Comparison) -> Finding:
    """New rows of the API's lists that lack a field which every listed paper has."""
    lacks, rows = pl.col(name).is_null(), tables.new_listed
    share = tables.listed_before.select(lacks.mean()).item() or 0.0
    found = Finding(f"new rows lack {name}, which {1 - share:.0%} of those before have", rows.height)
    odd, limit = rows.filter(lacks), share + NULL_JUMP
    if odd.height < FEWEST or odd.height <= limit * rows.height:
        return found
    return _of_worst(found, odd, rows.filter(lacks.mean().over("capture_id") > limit))


def items_read(tables: Comparison) -> Finding:
    """Items in quarantine of pages newer than any before; old pages that are landed late are not judged."""
    newest = tables.before["captures"].select(pl.col("fetched_at").max().alias("newest"))
    captures = tables.now["captures"].join(tables.new_pages, on="capture_id", how="semi")
    new = captures.join(newest, how="cross").filter(pl.col("fetched_at") > pl.col("newest"))
    rejected = tables.now["quarantine"].filter(pl.col("rule") != KNOWN_BAD).join(new, on="capture_id", how="semi")
    items = int(new["item_count"].sum())
    found = Finding("items of the newest pages are in quarantine", items)
    if rejected.height < FEWEST or rejected.height <= REJECTED * items:
        return found
    worst_first = new.join(rejected, on="capture_id", how="semi").sort(
        "rejected_count", "capture_id", descending=[True, False]
    )
    pages = worst_first.head(EXAMPLES).iter_rows(named=True)
    examples = tuple(f"{page['url'] or page['capture_id']}: {page['reason']}" for page in pages)
    return found._replace(failed_count=rejected.height, examples=examples).of_pages(worst_first["capture_id"])


def in_range(name: str, tables: Comparison) -> Finding:
    """New rows of the API's lists with a count far above what was high before."""
    usual = max(tables.listed_before[name].quantile(0.99) or 0, HIGH[name])
    limit = TALLEST * usual
    looked_for = f"new rows have over {TALLEST} times the {COUNTS[name]} that are high"
    found = Finding(f"{looked_for}, as a median", tables.new_listed.height)
    known = tables.new_listed.drop_nulls(name)
    over = known.filter(pl.col(name) > limit)
    if over.height < FEWEST or over.height * 2 <= known.height:
        return found
    worst = known.filter(pl.col(name).median().over("capture_id") > limit)
    return _of_worst(found._replace(meaning=f"{looked_for} ({usual:,.0f}), as a median"), over, worst)


def _of_worst(found: Finding, rows: pl.DataFrame, worst: pl.DataFrame) -> Finding:
    """Fails by these rows; at fault are the pages that alone are over the limit, as one of them has to be."""
    return found.fail(rows).of_pages(worst["capture_id"])


_guard = partial(Guard, needs=NEEDED, kind="history")


def _keys_guard(table: Table) -> Guard:
    few, share = REPLACED
    is_latest = table.name in LATEST_STATE_TABLES
    rows = f"At most {few} rows, or {share:.0%} if that is more, are gone" if is_latest else "No row is gone"
    but = ", and from rows that an older version of the extractor read" if EXTRACTED in table.column_names else ""
    but += ", and from how clusters are named, and of which kind they are" if RENAMED in table.key else ""
    return _guard(
        table=table.name,
        rule="keys_kept",
        promise=f"{rows} that the previous release had, aside from papers that have another id now{but}.",
        evidence="none is gone",
        dimension="completeness",
        check=partial(keys_kept, table),
        needs=NEEDED | {table.name},
    )


# A draft that breaks one of these is refused, unless a person says why it may pass
GUARDS: Final[tuple[Guard, ...]] = (
    *(_keys_guard(table) for table in CORE_TABLES if table.name not in NAMED_BY_CONTENT),
    _guard(
        table="daily_listings",
        rule="lists_kept",
        promise=f"A day's newest list lacks at most {LIST_LOSS[0]} of the papers it had before, or {LIST_LOSS[1]:.0%} "
        "of them if that is more.",
        evidence="none is gone; 4 of 10,049 papers moved to another day (docs/source.md §6)",
        dimension="completeness",
        check=lists_kept,
    ),
    *(
        _guard(
            table="sightings",
            rule=f"{name}_nulls_steady",
            promise=f"Of the new rows of the API's lists, the share without {name} is at most {NULL_JUMP:.0%} above "
            f"that of before{BUT_FEW}",
            evidence="no row lacks it",
            dimension="completeness",
            check=partial(nulls_steady, name),
        )
        for name in ALWAYS_THERE
    ),
    _guard(
        table="captures",
        rule="items_read",
        promise=f"At most {REJECTED:.0%} of the items of the newest pages are in quarantine{BUT_FEW}",
        evidence=f"none, aside from `{KNOWN_BAD}`, which an archiver wrote",
        dimension="conformity",
        check=items_read,
    ),
    *(
        _guard(
            table="sightings",
            rule=f"{word}_in_range",
            promise=f"New rows have at most {TALLEST} times the {word} that one in a hundred had before, or that are "
            f"high ({HIGH[name]}) if that is more, as a median{BUT_FEW}",
            evidence="as a median under what one in a hundred had",
            dimension="accuracy",
            check=partial(in_range, name),
        )
        for name, word in COUNTS.items()
    ),
)
