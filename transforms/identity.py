"""Which sightings are the same paper, and every name a paper went by.

Sightings that share an arXiv id are one paper. A sighting without one belongs to the paper whose normalised title
it has, if the abstracts do not contradict it; else it and its like are a paper of their own, named by the title.
Everything here is a function of the set of sightings, never of their order.
"""

from __future__ import annotations

import hashlib

import polars as pl

from transforms.timeline import in_time, seen
from warehouse.tables.papers import PAPER_ALIASES

# Share of the words of the shorter abstract that the other has too. Measured on the real captures: 1.0 for each of the
# 23 pairs of one paper in a saved text and in the API; over 7,700 random pairs the median is 0.14, the highest 0.38.
ABSTRACTS_AGREE = 0.6
WORD = r"[\p{L}\p{N}]{4,}"  # shorter words are mostly grammar, and say nothing
TELLS = pl.col("words").list.len() > 0  # an abstract that can agree with another, or contradict it


def title_key(title: pl.Expr) -> pl.Expr:
    r"""Letters and digits of a title, in lower case: `$\ell_p$` and `ell_p` agree; a title of signs is kept."""
    key = title.str.normalize("NFKC").str.to_lowercase().str.replace_all(r"[^\p{L}\p{N}]", "")
    return pl.coalesce(key.replace("", None), title)


def identify(sightings: pl.DataFrame) -> pl.DataFrame:
    """Add `paper_id` to sightings (columns `arxiv_id`, `title`, `abstract`)."""
    keyed = sightings.with_columns(title_key(pl.col("title")).alias("title_key"))
    nameless = _nameless(keyed)
    by_title = keyed.join(nameless, on=("title_key", "abstract"), how="left", nulls_equal=True, maintain_order="left")
    return by_title.with_columns(paper_id=pl.coalesce("arxiv_id", "work_id")).drop("title_key", "work_id")


def _nameless(keyed: pl.DataFrame) -> pl.DataFrame:
    """`work_id` for each title and abstract that was seen without an arXiv id."""
    texts = pl.col("title_key", "abstract")
    alone = keyed.filter(pl.col("arxiv_id").is_null()).select(texts).unique().with_columns(_words())
    known = keyed.filter(pl.col("arxiv_id").is_not_null()).select("arxiv_id", texts)
    known = known.join(alone, on="title_key", how="semi").unique().with_columns(_words())
    telling = _grouped(alone.filter(TELLS).sort(texts).with_row_index("member"))
    matched = _matched(telling, known)
    works = (
        telling.join(matched, on="group", how="left")
        .join(_title_ids(telling.join(matched, on="group", how="anti")), on="group", how="left")
        .select(texts, pl.coalesce("arxiv_id", "title_id").alias("work_id"))
    )
    return pl.concat([works, _silent(alone.filter(~TELLS).select(texts), known, works)])


def _silent(alone: pl.DataFrame, known: pl.DataFrame, works: pl.DataFrame) -> pl.DataFrame:
    """`work_id` for titles whose abstract tells nothing: any paper of that title, an arXiv id before a `title:`."""
    named = pl.concat([known.select("title_key", pl.col("arxiv_id").alias("work_id")), works.drop("abstract")])
    of_title = named.group_by("title_key").agg(pl.col("work_id").min())  # every arXiv id sorts before `title:`
    titled = _title_ids(alone.with_columns(pl.col("title_key").alias("group")))
    return (
        alone.join(of_title, on="title_key", how="left")
        .join(titled, left_on="title_key", right_on="group", how="left")
        .select("title_key", "abstract", pl.coalesce("work_id", "title_id").alias("work_id"))
    )


def _words() -> pl.Expr:
    return pl.col("abstract").fill_null("").str.to_lowercase().str.extract_all(WORD).list.unique().alias("words")


def agreement() -> pl.Expr:
    """How far `words` and `words_right` agree, from 0 to 1; where the right ones tell nothing, nothing contradicts."""
    shared = pl.col("words").list.set_intersection("words_right").list.len()
    shorter = pl.min_horizontal(pl.col("words").list.len(), pl.col("words_right").list.len())
    return pl.when(shorter > 0).then(shared / shorter).otherwise(ABSTRACTS_AGREE)


def _grouped(alone: pl.DataFrame) -> pl.DataFrame:
    """Add `group`: members of one title whose abstracts agree, directly or through others, share a group."""
    pairs = alone.join(alone, on="title_key").filter(agreement() >= ABSTRACTS_AGREE)
    edges = pairs.select("member", pl.col("member_right").alias("other"))
    groups = alone.select("member", pl.col("member").alias("group"))
    while True:
        spread = edges.join(groups, left_on="other", right_on="member").group_by("member").agg(pl.col("group").min())
        if spread.sort("member").equals(groups.sort("member")):
            return alone.join(groups, on="member")
        groups = spread


def _matched(alone: pl.DataFrame, known: pl.DataFrame) -> pl.DataFrame:
    """The `arxiv_id` that each group belongs to: the best agreement, the lower id where two agree alike.

    A paper that was seen without its abstract too is judged by the abstracts it has.
    """
    telling = known.filter(TELLS | ~TELLS.any().over("title_key", "arxiv_id"))
    return (
        alone.join(telling, on="title_key")
        .with_columns(agreement().alias("agreement"))
        .filter(pl.col("agreement") >= ABSTRACTS_AGREE)
        .sort("group", "agreement", "arxiv_id", descending=[False, True, False])
        .group_by("group", maintain_order=True)
        .agg(pl.col("arxiv_id").first())
    )


def _title_ids(alone: pl.DataFrame) -> pl.DataFrame:
    """`title_id` for groups without an arXiv id; twin titles are told apart by their abstracts."""
    groups = alone.group_by("group").agg(pl.col("title_key").first(), pl.col("abstract").min())
    has_twin = groups.select((pl.len().over("title_key") > 1).alias("has_twin")).to_series()
    titles, abstracts = groups["title_key"], groups["abstract"].fill_null("")
    ids = [
        f"title:{_digest(title, 16)}" + (f"-{_digest(abstract, 8)}" if twin else "")
        for title, abstract, twin in zip(titles, abstracts, has_twin, strict=True)
    ]
    return groups.select("group", pl.Series("title_id", ids, pl.String))


def _digest(text: str, length: int) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:length]


def paper_aliases(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row a name of a paper: its arXiv ids and the titles it was shown under."""
    ordered = in_time(sightings)
    names = pl.concat(
        ordered.with_columns(kind=pl.lit(kind), alias=pl.col(column)) for kind, column in NAMES.items()
    ).drop_nulls("alias")
    method = (
        pl.when(pl.col("arxiv_id").is_not_null().any())
        .then(pl.lit("arxiv_id"))
        .when(pl.col("paper_id").first().str.starts_with("title:"))
        .then(pl.lit("alone"))
        .otherwise(pl.lit("title"))
    )
    grouped = names.group_by("kind", "alias", "paper_id", maintain_order=True)
    return PAPER_ALIASES.conform(grouped.agg(method.alias("method"), *seen()))


NAMES = {"arxiv_id": "arxiv_id", "title": "title"}
