"""Guards that compare the tables of one release with each other: counts, days, ids that must be in another table."""

from functools import partial
from hashlib import sha256
from typing import Final

import polars as pl

from expectations.checks import Finding, Guard, held_in
from expectations.comparison import Comparison
from warehouse.schema.core.captures import CAPTURES, IS_TAKEN
from warehouse.schema.core.claims import PAPER_CLAIMS, PAPER_SYSTEMS, VERSION_CLAIMS
from warehouse.schema.core.listings import COVERAGE
from warehouse.schema.core.papers import PAPER_TEXTS, PAPER_VERSIONS, PAPERS
from warehouse.schema.daily_lists import FIRST_DAY, LAST_DAY, day_open_at
from warehouse.schema.table import Table


def tally(table: Table, column: str, *, of: str, key: str) -> Guard:
    """A guard that `column` of `table` is the number of rows of table `of` with the same `key`."""
    return Guard(
        table=table.name,
        rule=f"{column}_is_rows_of_{of}",
        promise=f"{column} is the number of rows of {of} with the same {key}.",
        dimension="consistency",
        check=partial(miscounted, table, column, of, key),
        needs=frozenset({table.name, of}),
    )


def miscounted(table: Table, column: str, of: str, key: str, tables: Comparison) -> Finding:
    """Rows whose `column` is not the number of rows of table `of` with the same `key`."""
    counts = tables.beside(key, of, key).group_by(key).agg(pl.len().alias("_rows")).collect()
    counted = tables.now[table.name].join(counts, on=key, how="left", maintain_order="left")
    broken = counted.filter(pl.col(column).ne_missing(pl.col("_rows").fill_null(0)))
    return Finding(f"{column} is not the number of its rows in {of}", counted.height).fail(broken, table.key)


def days_unbroken(tables: Comparison) -> Finding:
    """Rows of coverage whose source has no row for the day before, aside from the first."""
    coverage = tables.now["coverage"].sort("listed_on")
    broken = coverage.filter(pl.col("listed_on").diff().over("source") != pl.duration(days=1))
    return Finding("the day before listed_on has no row of this source", coverage.height).fail(broken, COVERAGE.key)


def days_fresh(tables: Comparison) -> Finding:
    """Sources whose days end before the day whose list was open at the newest fetch."""
    coverage = tables.now["coverage"]
    found = Finding("coverage ends before the day whose list was open at the newest fetch", coverage.height)
    known = tables.now["captures"].filter(IS_TAKEN, pl.col("fetched_at").is_between(FIRST_DAY, LAST_DAY))
    if known.is_empty():
        return found
    open_on = day_open_at(known.select(pl.col("fetched_at").max()).item())
    last = coverage.group_by("source").agg(pl.col("listed_on").max())
    late = last.filter(pl.col("listed_on") < open_on).sort("source").iter_rows()
    ends = tuple(f"{source} ends on {day}, the list of {open_on} was open" for source, day in late)
    ends = ends or ("it has no days",) * coverage.is_empty()
    return found._replace(failed_count=len(ends), examples=ends)


def texts_of(table: Table, tables: Comparison) -> pl.DataFrame:
    """The rows of a table with spans, each with the text that they are in as `text_read`; null where it is missing."""
    if table is VERSION_CLAIMS:
        versions = tables.now[PAPER_VERSIONS.name].filter(field="abstract")
        texts = versions.select("paper_id", "version_number", text_read="text")
        return tables.now[table.name].join(texts, on=("paper_id", "version_number"), how="left", maintain_order="left")
    titles = tables.now[PAPERS.name].select("paper_id", "title")
    abstracts = tables.now[PAPER_TEXTS.name].select("paper_id", "abstract")
    with_title = tables.now[table.name].join(titles, on="paper_id", how="left", maintain_order="left")
    joined = with_title.join(abstracts, on="paper_id", how="left", maintain_order="left")
    is_of_title = pl.col("field") == "title" if "field" in table.column_names else pl.lit(value=False)
    return joined.with_columns(text_read=pl.when(is_of_title).then("title").otherwise("abstract"))


def spans_exact(table: Table, said: str, tables: Comparison) -> Finding:
    """Rows whose span does not give column `said`, or whose text has another hash."""
    rows = texts_of(table, tables)
    start, end = pl.col("span_start"), pl.col("span_end")
    hashes = [sha256(text.encode()).hexdigest() if text is not None else None for text in rows["text_read"]]
    is_exact = (pl.col("text_read").str.slice(start, end - start) == pl.col(said)) & (
        pl.Series(hashes, dtype=pl.String) == pl.col("text_sha256")
    )
    broken = rows.filter(~is_exact.fill_null(value=False))
    return Finding(f"the span of the text is not {said}, or the hash not the text's", rows.height).fail(
        broken, table.key
    )


QUOTED: Final = ("metric", "comparator", "benchmark", "split")


def words_quoted(table: Table, tables: Comparison) -> Finding:
    """Claims of which some words do not stand where they are said to, in their abstract."""
    rows = texts_of(table, tables)
    exact = [
        pl.col("text_read").str.slice(pl.col(f"{name}_start"), words.str.len_chars()).eq_missing(words)
        for name in QUOTED
        for words in (pl.col("metric_text" if name == "metric" else name),)
    ]
    broken = rows.filter(~pl.all_horizontal(exact).fill_null(value=False))
    return Finding("words do not stand in the abstract where they are said to", rows.height).fail(broken, table.key)


def quoted(table: Table, text: str) -> Guard:
    return Guard(
        table=table.name,
        rule="words_quoted",
        promise=f"metric_text, comparator, benchmark and split stand in {text}, letter by letter, from their start on.",
        dimension="accuracy",
        check=partial(words_quoted, table),
        needs=frozenset({table.name, PAPERS.name, PAPER_TEXTS.name, PAPER_VERSIONS.name}),
    )


def cited(table: Table, said: str, text: str) -> Guard:
    return Guard(
        table=table.name,
        rule="spans_exact",
        promise=f"In every row {said} is, letter by letter, what stands from span_start to span_end of {text}, and "
        "text_sha256 is the hash of that text.",
        dimension="accuracy",
        check=partial(spans_exact, table, said),
        needs=frozenset({table.name, PAPERS.name, PAPER_TEXTS.name, PAPER_VERSIONS.name}),
    )


# The sums agree too: no row of `of` is left over, because its key refers to the table that counts.
GUARDS: Final = (
    Guard(
        table="papers",
        rule="paper_id_in_sightings",
        promise="Each paper_id is in sightings.paper_id.",
        dimension="consistency",
        check=partial(held_in, PAPERS, "paper_id", "sightings.paper_id"),
        needs=frozenset({"papers", "sightings"}),
    ),
    tally(CAPTURES, "sighting_count", of="sightings", key="capture_id"),
    tally(CAPTURES, "rejected_count", of="quarantine", key="capture_id"),
    tally(PAPERS, "sighting_count", of="sightings", key="paper_id"),
    cited(PAPER_SYSTEMS, "name", "papers.title or paper_texts.abstract, whichever field names"),
    cited(PAPER_CLAIMS, "text", "paper_texts.abstract"),
    cited(VERSION_CLAIMS, "text", "paper_versions.text"),
    quoted(PAPER_CLAIMS, "paper_texts.abstract"),
    quoted(VERSION_CLAIMS, "paper_versions.text"),
    Guard(
        table="coverage",
        rule="listed_on_unbroken",
        promise="Each source has a row for every day from its first to its last listed_on.",
        dimension="coverage",
        check=days_unbroken,
        needs=frozenset({"coverage"}),
    ),
    Guard(
        table="coverage",
        rule="listed_on_fresh",
        promise="Each source has a row for the list day that was open when the newest page of the release was fetched: "
        "a day without its list has a row that says so.",
        dimension="timeliness",
        check=days_fresh,
        needs=frozenset({"coverage", "captures"}),
        column="listed_on",
    ),
)
