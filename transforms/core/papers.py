"""Papers: the best current answer for each, field by field, and what was seen of it over time.

`papers` and `paper_texts` have the answers, `paper_citations` each paper as an entry for BibTeX, `paper_observations`
the counts each time a paper was seen, `paper_versions` titles, abstracts and summaries as their content changed,
`daily_listings` and `list_appearances` the lists that a paper was on, with its place, `paper_aliases` the ids and
titles that it went by.
"""

import re
from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

import polars as pl

from transforms.collect.cleaning import content_key
from transforms.identity.blocking import title_key, within_papers
from transforms.identity.cluster import symmetrize
from transforms.identity.compare import compared
from transforms.identity.records import fingerprinted, index_of, records
from transforms.timeline import (
    IN_TIME,
    ORDERING,
    best_of_each,
    by_precedence,
    in_time,
    last_given,
    last_known,
    only,
    ranked,
    seen,
)
from warehouse.schema.core.identity import PAPER_ALIASES
from warehouse.schema.core.listings import DAILY_LISTINGS, LIST_APPEARANCES, LISTING_FIELDS
from warehouse.schema.core.papers import (
    PAPER_CITATIONS,
    PAPER_FIELDS,
    PAPER_OBSERVATIONS,
    PAPER_TEXTS,
    PAPER_VERSIONS,
    PAPERS,
    VERSION_FIELDS,
)
from warehouse.schema.provenance import COPY, OF_ITS_LIST, OUTER
from warehouse.schema.shared import JUDGED_BASIS, ONE_LOOK
from warehouse.tex import is_one_name, surname, tex


def papers(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per paper; each field from the sighting that `PAPER_FIELDS` puts first."""
    joined = (
        in_time(only(sightings, "submitted_at", "listed_on"))
        .group_by("paper_id", maintain_order=True)
        .agg(
            pl.col("submitted_at").min(),
            pl.col("listed_on").min().alias("first_listed_on"),
            pl.col("listed_on").max().alias("last_listed_on"),
            *seen(),
        )
    )
    for criteria in dict.fromkeys(precedence.criteria for precedence in PAPER_FIELDS):
        decided = [precedence for precedence in PAPER_FIELDS if precedence.criteria == criteria]
        shown = only(sightings, *(field for precedence in decided for field in precedence.fields))
        grouped = ranked(shown, criteria).group_by("paper_id", maintain_order=True)
        best = grouped.agg(map(last_given, decided))
        joined = joined.join(best, on="paper_id", how="left")
    joined = joined.join(standings(sightings), on="paper_id", how="left")
    return PAPERS.conform(joined.with_columns(published_basis=pl.sql_expr(JUDGED_BASIS)))


def paper_texts(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per paper of which a page showed an abstract."""
    return PAPER_TEXTS.conform(best_text(sightings, "abstract"))


def best_text(sightings: pl.DataFrame, field: str) -> pl.DataFrame:
    """One row per paper: its title or abstract by precedence, the page that shows it first, when any was first seen."""
    [precedence] = (precedence for precedence in PAPER_FIELDS if field in precedence.fields)
    shown = only(sightings, field).drop_nulls(field)
    first = shown.group_by("paper_id").agg(first_seen_at=pl.col("observed_at").min())
    return best_of_each(ranked(shown, precedence.criteria), field).join(first, on="paper_id")


COUNTS = [name for name in PAPER_OBSERVATIONS.column_names if name not in {*PAPER_OBSERVATIONS.key, "capture_id"}]


def paper_observations(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per paper and fetch time. Two pages of one instant complement each other, the best source first."""
    observed = only(sightings, *COUNTS).filter(pl.col("observed_at").is_not_null())
    grouped = by_precedence(observed).group_by("paper_id", "observed_at", maintain_order=True)
    return PAPER_OBSERVATIONS.conform(grouped.agg(*(last_known(name) for name in COUNTS), pl.col("capture_id").last()))


def paper_versions(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per paper, field and content; wrapping, case, punctuation and LaTeX markup are not content.

    A content that comes back (A, B, A) is one row, from its first to its last sighting. Texts of copies count only
    where the Hub's own pages have none.
    """
    return PAPER_VERSIONS.conform(pl.concat(_versions(sightings, field) for field in VERSION_FIELDS))


def _versions(sightings: pl.DataFrame, field: str) -> pl.DataFrame:
    is_own = pl.col("source") != COPY
    texts = (
        sightings.drop_nulls(field)
        .filter(is_own | ~is_own.any().over("paper_id"))
        .select("paper_id", "source", "observed_at", "capture_id", "position", pl.col(field).alias("text"))
    )
    # `content` is the key of a version; null where all texts of a paper are equal, as nearly always
    is_one = texts.select((pl.col("text").n_unique().over("paper_id") == 1).alias("is_one")).to_series()
    alike = texts.filter(is_one).with_columns(content=pl.lit(None, pl.String))
    keyed = pl.concat([alike, texts.filter(~is_one).with_columns(content=content_key(pl.col("text")))])
    version = "paper_id", "content"
    # Columns before rows are grouped: an expression that compares within each group takes ten times as long
    best = by_precedence(keyed).with_columns(pl.col("text", "source").last().over(version).name.prefix("best_"))
    says_so = pl.col("text") == pl.col("best_text"), pl.col("source") == pl.col("best_source")
    page = pl.when(*says_so).then("capture_id").first(ignore_nulls=True).alias("capture_id")
    shown = best.group_by(version, maintain_order=True).agg(pl.col("text").last(), *seen(page))
    in_order = shown.sort("first_seen_at", "last_seen_at", "text")
    return in_order.with_columns(
        field=pl.lit(field),
        version_number=pl.int_range(1, pl.len() + 1).over("paper_id"),
        # A text that never changed is in `papers`, `paper_texts` or `sightings`, and is not kept twice
        text=pl.when(pl.len().over("paper_id") > 1).then("text"),
    )


IS_DAILY = pl.col("list_kind") == "daily"


def daily_listings(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per list day and paper: from the day's own list, or from any page that gives the paper's list day."""
    fields = (field for precedence in LISTING_FIELDS for field in precedence.fields)
    listed = ranked(only(sightings, "listed_on", *fields).drop_nulls("listed_on"), OF_ITS_LIST)
    grouped = listed.group_by("listed_on", "paper_id", maintain_order=True)
    # Other pages that tell the day of a list tell no place on it
    rank = pl.col("position").filter(IS_DAILY).last().alias("rank")
    return DAILY_LISTINGS.conform(grouped.agg(rank, *map(last_given, LISTING_FIELDS), *seen()))


def list_appearances(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per place on a list other than a daily one. A paper's own page is no list."""
    return LIST_APPEARANCES.conform(sightings.filter(~pl.col("list_kind").is_in(["daily", "paper"])))


NAMES = (("arxiv_id", "arxiv_id"), ("title", "title"), ("title", OUTER["title"]))  # kind, column of sightings


def paper_aliases(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per name of a paper: its arXiv ids, and the titles it was shown under, in either object of an answer."""
    names = pl.concat(
        sightings.select("paper_id", "arxiv_id", *IN_TIME, kind=pl.lit(kind), alias=pl.col(column)).drop_nulls("alias")
        for kind, column in NAMES
    )
    grouped = in_time(names).group_by("kind", "alias", "paper_id", maintain_order=True)
    found = grouped.agg(pl.col("arxiv_id").is_not_null().any().alias("is_stated"), *seen())
    scored = found.join(_scores(sightings), on=("alias", "paper_id"), how="left")
    key = title_key(pl.col("alias"))
    method = (
        pl.when("is_stated")
        .then(pl.lit("arxiv_id"))
        .when(pl.col("paper_id").str.starts_with("title:"))
        .then(pl.lit("alone"))
        .when(pl.col("is_stated").any().over("kind", key, "paper_id"))
        .then(pl.lit("title"))
        .otherwise(pl.lit("near_title"))
    )
    score = pl.when("is_stated").then(1.0).otherwise("score")
    return PAPER_ALIASES.conform(scored.with_columns(score=score, method=method))


def _scores(sightings: pl.DataFrame) -> pl.DataFrame:
    """For each title seen without an arXiv id, the score by which it matches what else was seen of its paper."""
    nameless = sightings.filter(pl.col("arxiv_id").is_null().any().over("paper_id"))
    if nameless.is_empty():  # as of most days
        return pl.DataFrame(schema={"alias": pl.String, "paper_id": pl.String, "score": pl.Float64})
    described = records(fingerprinted(nameless))
    pairs = symmetrize(compared(described, within_papers(index_of(described))))
    alone = described.filter(pl.col("arxiv_id").is_null()).select("record", pl.col("title").alias("alias"), "paper_id")
    return pairs.join(alone, on="record").group_by("alias", "paper_id").agg(pl.col("score").max())


def rekeyed(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """Papers of one release that go by another `paper_id` in the next: `old_paper_id`, `new_paper_id`, `alias`.

    `before` and `after` are the `paper_aliases` of the two. One row per title that both have; where twins share a
    title, every paper that has it now is named, since the title does not show which of them it is.
    """
    gone = before.select("kind", "alias", pl.col("paper_id").alias("old_paper_id"))
    gone = gone.join(after, left_on="old_paper_id", right_on="paper_id", how="anti")
    found = gone.join(after.select("kind", "alias", pl.col("paper_id").alias("new_paper_id")), on=("kind", "alias"))
    return found.select("old_paper_id", "new_paper_id", "alias").unique().sort(pl.all())


SAID: Final = {
    "title": pl.col("title"),
    "abstract": pl.col("abstract"),
    "authors": pl.col("authors").list.eval(pl.element().struct.field("name")).list.join("\n"),
}
STANDINGS: Final = ("agreed", "provisional", "disputed")  # of its title, abstract and authors the last is the paper's


def standings(sightings: pl.DataFrame) -> pl.DataFrame:
    """`paper_id`, `standing`: of each paper that a dated page of the Hub shows."""
    looks = sightings.filter(~pl.col("source").is_in(["text", COPY]), pl.col("observed_at").is_not_null())
    ranks = pl.concat(_ranks(looks.select(*ORDERING, said=said).drop_nulls("said")) for said in SAID.values())
    worst = pl.col("rank").max().replace_strict(range(len(STANDINGS)), STANDINGS, return_dtype=pl.String)
    return ranks.group_by("paper_id").agg(standing=worst)


def _ranks(rows: pl.DataFrame) -> pl.DataFrame:
    """For each paper, whether two looks said what the best one says, one alone did, or others say otherwise."""
    differs = pl.col("said").n_unique().over("paper_id") > 1
    same = rows.filter(~differs).with_columns(said=pl.lit(None, pl.String))
    keyed = pl.concat([same, rows.filter(differs).with_columns(said=content_key(pl.col("said")))])
    is_best = pl.col("said").eq_missing(pl.col("said").last().over("paper_id"))
    looks = by_precedence(keyed).with_columns(is_best=is_best)
    at = pl.when("is_best").then("observed_at")
    of_paper = pl.when(at.max() - at.min() > ONE_LOOK).then(0).when(pl.col("is_best").all()).then(1).otherwise(2)
    return looks.group_by("paper_id", maintain_order=True).agg(rank=of_paper)


MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
YEAR_AND_MONTH: Final = re.compile(r"(?<!\d)(\d{2})(0[1-9]|1[0-2])")  # at the beginning of the number in an id
NINETIES: Final = 91  # arXiv began in 1991, and names its papers by two digits of the year


class Citable(NamedTuple):
    """The parts of an entry: columns of `papers`, and the names of the authors in order."""

    paper_id: str
    arxiv_id: str | None
    title: str | None
    published_on: date | None
    author_count: int | None
    name: Sequence[str] | None


def paper_citations(papers: pl.DataFrame, authors: pl.DataFrame) -> pl.DataFrame:
    """One row per paper, from `papers` and `paper_authors`."""
    names = authors.sort("position").group_by("paper_id", maintain_order=True).agg("name")
    joined = papers.join(names, on="paper_id", how="left").select(Citable._fields)
    entries = [entry(Citable(*row)) for row in joined.iter_rows()]
    return PAPER_CITATIONS.conform(joined.select("paper_id", bibtex=pl.Series(entries, dtype=pl.String)))


def entry(paper: Citable) -> str:
    """The entry of one paper."""
    names = [name for name in map(tex, paper.name or ()) if name]
    year, month = year_and_month(paper.published_on, paper.arxiv_id)
    key = (surname(names[0]) if names else "") or "anon"
    fields = [f"@misc{{{key}{year or ''}:{paper.paper_id}"]
    if names:
        others = " and others" if len(names) < (paper.author_count or 0) else ""
        credited = " and ".join(f"{{{name}}}" if is_one_name(name) else name for name in names)
        fields.append(f"author = {{{credited}{others}}}")
    if paper.title is not None:
        fields.append(f"title = {{{{{tex(paper.title)}}}}}")
    if year and month:
        fields += [f"year = {{{year}}}", f"month = {MONTHS[month - 1]}"]
    if paper.arxiv_id is not None:
        fields += [
            f"eprint = {{{paper.arxiv_id}}}",
            "archivePrefix = {arXiv}",
            f"doi = {{10.48550/arXiv.{paper.arxiv_id}}}",
            f"url = {{https://arxiv.org/abs/{paper.arxiv_id}}}",
        ]
    return ",\n  ".join(fields) + "\n}"


def year_and_month(published_on: date | None, arxiv_id: str | None) -> tuple[int | None, int | None]:
    """When a paper was first submitted; by its arXiv id where no page said, or a later month than the id; or neither.

    >>> year_and_month(None, "hep-th/9901001"), year_and_month(None, None)
    ((1999, 1), (None, None))
    >>> year_and_month(date(2026, 4, 16), "2502.07408"), year_and_month(date(2024, 12, 31), "2501.00001")
    ((2025, 2), (2024, 12))
    """
    said = (published_on.year, published_on.month) if published_on else None
    digits = YEAR_AND_MONTH.search(arxiv_id or "")
    if digits is None:
        return said or (None, None)
    year, month = map(int, digits.groups())
    named = year + (1900 if year >= NINETIES else 2000), month
    return min(said, named) if said else named
