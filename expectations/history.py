"""Guards: what must be true of the tables beside those of the release before. Nothing shrinks, nothing jumps.

Asked of what is new only, so that a loss which was accepted once is not told again. The bands stand below, each with
the fact behind it; how often a field is there by right in each era is no business of theirs, so only fields that every
era has are watched (SOURCES §2, §3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

import polars as pl

from expectations.promise import Promise
from expectations.report import EXAMPLES, CheckResult, show_key
from warehouse.schema.table import Table
from warehouse.schema.tables import CORE_TABLES

Frames: TypeAlias = Mapping[str, pl.DataFrame]

FEWEST: Final = 3  # papers; of fewer, a share says nothing
LIST_LOSS: Final = 2, 0.1  # papers, share of the list: a few papers move to another day, 4 of 10,049 (SOURCES §6)
NULL_JUMP: Final = 0.2  # share of the new rows that lack what every listed paper has
REWRITTEN: Final = 0.2  # share of the papers seen again that say another title, or what is KEPT; on the real captures 0
FALLEN: Final = 0.2  # share of the papers seen again with fewer upvotes; on the real captures under 0.02
RISEN: Final = 20  # times a count of before, as a median of the papers seen again; a day's upvotes grew 2.7 times
TALLEST: Final = 5  # times what one in a hundred had before, or the METRICS say, as a median of the new rows
REJECTED: Final = 0.5  # share of the items of the newest pages
KNOWN_BAD: Final = "python_repr"  # how an archiver wrote 22 files long ago, which is not the source's doing (SOURCES)
# What is counted, by the column: its name in a rule, and what is high of it however little there was before
METRICS: Final = {
    "upvote_count": ("upvotes", 50),
    "comment_count": ("comments", 10),
    "github_star_count": ("stars", 500),
}
# What a paper says of itself whenever it is seen, by the column, with the rule: a new version of it may change that
KEPT: Final = {
    "title": "titles_kept",
    "abstract": "abstracts_kept",
    "authors": "authors_kept",
    "published_on": "dates_kept",
    "discussion_id": "discussions_kept",
}
# Tables that hold the newest word, so that a row may go: an author list gets shorter, a conflict ends. Rows, and share
NEWEST_WORD: Final = frozenset({"paper_authors", "paper_clusters", "conflicts"})
REPLACED: Final = 20, 0.01
NEEDED: Final = frozenset({"captures", "sightings", "papers", "paper_aliases", "quarantine"})
ALWAYS_THERE: Final = ("title", "abstract", "authors", "published_on", "upvote_count", "comment_count")
SAME_FETCH: Final = pl.duration(hours=1)  # the pages of one list are fetched one after another
IS_LIST: Final = (pl.col("list_kind") == "daily") & pl.col("state").is_in(["read", "partial", "empty"])
LISTED_BY_API: Final = (pl.col("source") == "api") & (pl.col("list_kind") == "daily")


def history(tables: Frames, previous: Frames, declared: Iterable[Table] = CORE_TABLES) -> Iterator[CheckResult]:
    """Every guard, for tables of the declared shape and those of the release before."""
    moved = _rekeyed(tables, previous)
    for table in declared:
        if table.name in previous:
            yield _keys_kept(table, tables[table.name], previous[table.name], moved)
    fresh = tables["sightings"].join(previous["captures"], on="capture_id", how="anti")
    yield _lists_kept(tables, previous)
    listed, known = (rows.filter(LISTED_BY_API) for rows in (fresh, previous["sightings"]))
    yield from _nulls(listed, known)
    yield _rejected(tables, previous)
    again = _seen_again(fresh, previous)
    yield from _kept(again)
    yield _fallen(again)
    for name in METRICS:
        yield _risen(name, again)
        yield _tallest(name, listed, known)


def promises(declared: Iterable[Table] = CORE_TABLES) -> Iterator[Promise]:
    """What each guard makes sure of: a release that breaks one is refused, unless somebody says why it may pass."""
    for table in declared:
        few, share = REPLACED
        rows = f"At most {few} rows, or {share:.0%}, are gone" if table.name in NEWEST_WORD else "No row is gone"
        kept = f"{rows} that the release before had, but for papers that go by another id now."
        yield Promise(table.name, "keys_kept", kept, "completeness")
    but_few = f"; fewer than {FEWEST} such rows may pass."
    few, share = LIST_LOSS
    lists = f"A day's newest list lacks at most {few} papers, or {share:.0%} if that is more, of those it had before."
    yield Promise("daily_listings", "lists_kept", lists, "completeness")
    for name in ALWAYS_THERE:
        odd = f"No more than {NULL_JUMP:.0%} of the new rows of the API's lists lack {name} beyond the share of before"
        steady = f"{odd}{but_few}"
        yield Promise("sightings", f"{name}_nulls_steady", steady, "completeness")
    read = f"No more than {REJECTED:.0%} of the items of the newest pages are in quarantine{but_few}"
    yield Promise("captures", "items_read", read, "conformity")
    for name, rule in KEPT.items():
        said = f"No more than {REWRITTEN:.0%} of the papers seen again have another {name}{but_few}"
        yield Promise("papers", rule, said, "accuracy")
    fallen = f"No more than {FALLEN:.0%} of the papers seen again have fewer upvotes{but_few}"
    yield Promise("papers", "upvotes_rarely_fall", fallen, "accuracy")
    for word, _ in METRICS.values():
        risen = f"Papers seen again have at most {RISEN} times the {word} of before, as a median{but_few}"
        yield Promise("papers", f"{word}_rise_slowly", risen, "accuracy")
        high = (
            f"New rows have at most {TALLEST} times the {word} that one in a hundred had before, as a median{but_few}"
        )
        yield Promise("sightings", f"{word}_in_range", high, "accuracy")


def _rekeyed(tables: Frames, previous: Frames) -> pl.Series:
    """Papers of before that go by another id now: every name they had is a name of some paper still."""
    gone = previous["paper_aliases"].join(tables["papers"], on="paper_id", how="anti")
    nameless = gone.join(tables["paper_aliases"], on=["kind", "alias"], how="anti")
    return gone.join(nameless, on="paper_id", how="anti")["paper_id"].unique()


def _keys_kept(table: Table, now: pl.DataFrame, before: pl.DataFrame, moved: pl.Series) -> CheckResult:
    key = list(table.key)
    lost = before.select(key).join(now.select(key), on=key, how="anti", nulls_equal=True, maintain_order="left")
    if "paper_id" in key:
        lost = lost.filter(~pl.col("paper_id").is_in(moved.implode()))
    meaning = "rows of the release before are gone"
    passed = CheckResult(table.name, "keys_kept", "history", meaning, True, before.height)
    few, share = REPLACED if table.name in NEWEST_WORD else (0, 0.0)
    return passed if lost.height <= max(few, share * before.height) else passed.fail(lost.height, _shown(lost, *key))


def _lists_kept(tables: Frames, previous: Frames) -> CheckResult:
    """Days whose newest list, if it is new, lacks papers that stood on an earlier one."""
    listed = tables["captures"].filter(IS_LIST, pl.col("fetched_at").is_not_null())
    newest = listed.sort("fetched_at").group_by("listed_on").agg(pl.col("fetched_at", "capture_id").last())
    newest = newest.join(previous["captures"], on="capture_id", how="anti")
    papers = tables["sightings"].filter(pl.col("list_kind") == "daily")
    seen = papers.group_by("listed_on", "paper_id").agg(pl.col("observed_at").max()).join(newest, on="listed_on")
    days = seen.group_by("listed_on").agg(
        pl.len().alias("papers"), (pl.col("observed_at") < pl.col("fetched_at") - SAME_FETCH).sum().alias("lost")
    )
    few, share = LIST_LOSS
    broken = days.filter(pl.col("lost") > few, pl.col("lost") > share * pl.col("papers")).sort("listed_on")
    meaning = "the newest list of a day lacks papers that it had"
    passed = CheckResult("daily_listings", "lists_kept", "history", meaning, True, days.height)
    examples = tuple(
        f"{row['listed_on']} lost {row['lost']} of {row['papers']} papers"
        for row in broken.head(EXAMPLES).iter_rows(named=True)
    )
    return passed if broken.is_empty() else passed.fail(broken.height, examples)


def _nulls(fresh: pl.DataFrame, known: pl.DataFrame) -> Iterator[CheckResult]:
    """Fields that every listed paper has, in the new rows and in those of before."""
    for name in ALWAYS_THERE:
        before = known.select(pl.col(name).is_null().mean()).item() or 0.0
        missing = pl.col(name).is_null()
        meaning = f"new rows lack {name}, which {1 - before:.0%} of those before have"
        passed = _asked("sightings", f"{name}_nulls_steady", meaning, fresh)
        yield _share(passed, fresh, missing, before + NULL_JUMP)


def _rejected(tables: Frames, previous: Frames) -> CheckResult:
    """Of pages newer than any before: an old page that is landed late may be as bad as it was."""
    newest = previous["captures"].select(pl.col("fetched_at").max().alias("newest"))
    fresh = tables["captures"].join(newest, how="cross").filter(pl.col("fetched_at") > pl.col("newest"))
    rejected = tables["quarantine"].filter(pl.col("rule") != KNOWN_BAD).join(fresh, on="capture_id", how="semi")
    items = int(fresh["item_count"].sum())
    passed = _asked("captures", "items_read", "items of the newest pages are in quarantine", fresh)
    passed = replace(passed, row_count=items)
    if rejected.height < FEWEST or rejected.height <= REJECTED * items:
        return passed
    pages = fresh.join(rejected, on="capture_id", how="semi").sort(
        "rejected_count", "capture_id", descending=[True, False]
    )
    return passed.fail(
        rejected.height,
        tuple(f"{row['url'] or row['capture_id']}: {row['reason']}" for row in pages.head(EXAMPLES).to_dicts()),
    )


def _seen_again(fresh: pl.DataFrame, previous: Frames) -> pl.DataFrame:
    """Rows newer than what the release before knew of the paper; its values with `_before`. Saved text is left out."""
    shown = fresh.filter(pl.col("source") != "text")
    counted = previous["papers"].select("paper_id", pl.col(*METRICS).name.suffix("_before"), "last_seen_at")
    seen = previous["sightings"].filter(pl.col("source") != "text").join(shown, on="paper_id", how="semi")
    said = _comparable(seen).group_by("paper_id").agg(pl.col(*KEPT).drop_nulls().unique().name.suffix("_before"))
    newer = pl.col("observed_at") > pl.col("last_seen_at")
    return _comparable(shown).join(counted, on="paper_id").filter(newer).join(said, on="paper_id", how="left")


def _comparable(rows: pl.DataFrame) -> pl.DataFrame:
    """What is KEPT as letters and digits alone: wrapping and LaTeX markup came and went (SOURCES §7)."""
    names = pl.col("authors").list.eval(pl.element().struct.field("name")).list.join(" ")
    plain = pl.col(*KEPT).cast(pl.String).str.to_lowercase().str.replace_all(r"[^\p{L}\p{N}]", "")
    return rows.with_columns(names).with_columns(plain)


def _asked(table: str, rule: str, meaning: str, rows: pl.DataFrame) -> CheckResult:
    return CheckResult(table, rule, "history", meaning, True, rows.height)


def _share(passed: CheckResult, rows: pl.DataFrame, is_odd: pl.Expr, band: float) -> CheckResult:
    """Whether no more than a share of the rows are odd; of a few rows nothing is asked."""
    odd = rows.filter(is_odd)
    if odd.height < FEWEST or odd.height <= band * rows.height:
        return passed
    return passed.fail(odd.height, _shown(odd, "paper_id", "capture_id"))


def _shown(rows: pl.DataFrame, *key: str) -> tuple[str, ...]:
    return tuple(show_key(row, key) for row in rows.head(EXAMPLES).iter_rows(named=True))


def _kept(again: pl.DataFrame) -> Iterator[CheckResult]:
    """What no page before said of a paper; so a good day passes after a bad one that was accepted."""
    for name, rule in KEPT.items():
        before = pl.col(f"{name}_before")
        told = again.filter(pl.col(name).is_not_null(), before.list.len() > 0)
        passed = _asked("papers", rule, f"papers seen again have another {name}", told)
        yield _share(passed, told, ~before.list.contains(pl.col(name)), REWRITTEN)


def _fallen(again: pl.DataFrame) -> CheckResult:
    passed = _asked("papers", "upvotes_rarely_fall", "papers seen again have lost upvotes", again)
    return _share(passed, again, pl.col("upvote_count") < pl.col("upvote_count_before"), FALLEN)


def _risen(name: str, again: pl.DataFrame) -> CheckResult:
    """A count of papers seen again, as times what it was; ten are added to both, for the newest have none."""
    word, _ = METRICS[name]
    meaning = f"papers seen again have over {RISEN} times the {word} of before, as a median"
    times = (pl.col(name) + 10) / (pl.col(f"{name}_before") + 10)
    return _median(_asked("papers", f"{word}_rise_slowly", meaning, again), again, times, RISEN)


def _tallest(name: str, fresh: pl.DataFrame, known: pl.DataFrame) -> CheckResult:
    word, least = METRICS[name]
    usual = max(known[name].quantile(0.99) or 0, least)
    meaning = f"new rows have over {TALLEST} times the {word} that are high ({usual:,.0f}), as a median"
    passed = _asked("sightings", f"{word}_in_range", meaning, fresh)
    return _median(passed, fresh, pl.col(name), TALLEST * usual)


def _median(passed: CheckResult, rows: pl.DataFrame, value: pl.Expr, most: float) -> CheckResult:
    """Whether at least half of the rows that tell the value are within the band."""
    told = rows.filter(value.is_not_null())
    over = told.filter(value > most)
    if over.height < FEWEST or over.height * 2 <= told.height:
        return passed
    return passed.fail(over.height, _shown(over, "paper_id", "capture_id"))
