"""Records, which identity compares: each distinct description of a paper on any page, with its evidence."""

from __future__ import annotations

import polars as pl

from transforms.identity.normalise import HAS_ENOUGH_WORDS, folded, main_key, near_key, numbers, title_key, title_words
from transforms.identity.record_index import record_hash

EVIDENCE = {
    "abstract": pl.String(),
    "ai_summary": pl.String(),
    "description": pl.String(),
    "published_on": pl.Date(),
    "author_count": pl.Int32(),
    "authors": pl.List(pl.Struct({"name": pl.String()})),
}
FACTS = ("arxiv_id", "title", "abstract", "ai_summary", "published_on", "author_count", "family_names")
# Columns that distinguish records without an arXiv id; hashes of 64 bits stand for long texts, which are costly as keys
FINGERPRINT = ("title", "published_on", "author_count", "abstract_hash", "summary_hash", "names")
FAMILY_NAME = pl.element().struct.field("name").str.replace(",.*", "").str.extract(r"(\p{L}[^\s.]*)\.?\s*$")


def fingerprinted(sightings: pl.DataFrame) -> pl.DataFrame:
    """Sightings with every column of `FACTS` and `FINGERPRINT`; a missing column is null.

    Without an arXiv id `description` is taken for a summary: it may agree with other texts, and contradicts none.
    """
    missing = [pl.lit(None, dtype).alias(name) for name, dtype in EVIDENCE.items() if name not in sightings.columns]
    names = (
        pl.col("authors").list.eval(FAMILY_NAME.str.to_lowercase()).list.drop_nulls().list.unique(maintain_order=True)
    )
    return (
        sightings.with_columns(missing)
        .with_columns(
            family_names=names,
            ai_summary=pl.when(pl.col("arxiv_id").is_null())
            .then(pl.coalesce("ai_summary", "description"))
            .otherwise("ai_summary"),
        )
        .with_columns(
            abstract_hash=pl.col("abstract").hash(),
            summary_hash=pl.col("ai_summary").hash(),
            names=pl.col("family_names").list.join(" "),
        )
    )


def records(fingerprints: pl.DataFrame) -> pl.DataFrame:
    """One row per record of fingerprinted sightings, identified by a hash of its content.

    A record with an arXiv id is one title and abstract of that id, with the evidence of all its pages; where its page
    had no abstract, with one of another page. A record without an id is what one page shows. `paper_id` is kept where
    the sightings have it.
    """
    columns = [*FACTS, *FINGERPRINT[3:], *(name for name in ("paper_id",) if name in fingerprints.columns)]
    is_known = pl.col("arxiv_id").is_not_null()
    alone = fingerprints.filter(~is_known).select(columns).unique(subset=FINGERPRINT)
    both = pl.concat([_known(fingerprints.filter(is_known).select(columns)).select(columns), alone])
    judged = both.with_columns(
        lacks_usable_abstract=~pl.col("abstract").str.contains(HAS_ENOUGH_WORDS).fill_null(False)
    )
    keyed = judged.with_columns(
        record_hash(judged), title_key(pl.col("title")).alias("title_key"), folded=folded(pl.col("title"))
    )
    title = pl.col("folded")
    return keyed.with_columns(
        near_key=near_key(title), main_key=main_key(title), numbers=numbers(title), words=title_words(title)
    )


def _known(fingerprints: pl.DataFrame) -> pl.DataFrame:
    """Records of arXiv ids: each is completed from the other sightings of its id."""
    texts = fingerprints.unique(subset=("arxiv_id", "title", "abstract_hash"))
    abstract = (
        pl.col("abstract").filter(pl.col("abstract").str.contains(HAS_ENOUGH_WORDS)).min().alias("usable_abstract")
    )
    shared = fingerprints.group_by("arxiv_id").agg(pl.col("published_on").min(), pl.col("author_count").max())
    names = fingerprints.group_by("arxiv_id", "names").agg(pl.col("family_names").first()).sort("names")
    named = names.group_by("arxiv_id", maintain_order=True).agg(pl.col("family_names", "names").last())
    summaries = fingerprints.group_by("arxiv_id").agg(pl.col("ai_summary").min())
    whole = texts.drop("published_on", "author_count", "family_names", "names", "ai_summary")
    for part in (texts.group_by("arxiv_id").agg(abstract), shared, named, summaries):
        whole = whole.join(part, on="arxiv_id", how="left")
    is_usable = pl.col("abstract").str.contains(HAS_ENOUGH_WORDS)
    filled = whole.with_columns(
        abstract=pl.when(is_usable).then("abstract").otherwise(pl.coalesce("usable_abstract", "abstract"))
    )
    return filled.with_columns(abstract_hash=pl.col("abstract").hash()).unique(
        subset=("arxiv_id", "title", "abstract_hash")
    )
