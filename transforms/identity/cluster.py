"""Clustering: from matching pairs to the arXiv id, or the group without one, that each record belongs to."""

from __future__ import annotations

from hashlib import sha256

import polars as pl

BETTER = ("score", "agreement", "title_similarity")
PLAIN = len("title:") + 16  # characters of a name without the suffix that distinguishes twins


def works(index: pl.DataFrame, pairs: pl.DataFrame, match: float) -> pl.DataFrame:
    """`record` → `work_id` for each record without an arXiv id; pairs of the score `match` or more are one work.

    A record with an abstract belongs to the arXiv id it matches best. One that matches none belongs where the records
    belong that it matches, directly or through others; a group without any id is a paper of its own. A record without
    a usable abstract joins the paper it matches best, and never links two others.
    """
    alone = index.filter(~pl.col("has_arxiv_id"))
    unusable, usable = alone.filter(~pl.col("has_usable_abstract")), alone.filter("has_usable_abstract")
    matches = symmetrize(pairs.filter(pl.col("score") >= match))
    known = index.filter("has_arxiv_id").select(other="record", work_id="paper_id")
    placed = _settled(usable, matches, _best(matches.join(known, on="other"), "record"))
    known = pl.concat([known, placed.rename({"record": "other"})])
    joined = _best(matches.join(unusable, on="record", how="semi").join(known, on="other"), "record")
    rest = unusable.join(joined, on="record", how="anti")
    left = _settled(rest, matches, joined.clear())
    found = pl.concat([placed, joined.select("record", "work_id"), left])
    # Names lose the suffix that distinguishes twins, where there is no twin
    plain = pl.col("work_id").str.slice(0, PLAIN)
    is_without_twin = pl.col("work_id").str.starts_with("title:") & (pl.col("work_id").n_unique().over(plain) == 1)
    return found.with_columns(work_id=pl.when(is_without_twin).then(plain).otherwise("work_id"))


def symmetrize(pairs: pl.DataFrame) -> pl.DataFrame:
    """Each pair in both directions: `record`, `other` and how well they match."""
    how = ("is_same_title", *BETTER)
    there = pairs.select("record", "other", *how)
    return pl.concat([there, there.select(pl.col("other").alias("record"), pl.col("record").alias("other"), *how)])


def components(members: pl.DataFrame, edges: pl.DataFrame) -> pl.DataFrame:
    """`record`, `group`: members that edges join, directly or through others, share a group.

    Edges are given in both directions. The group is the smallest record of it. Each round takes the neighbours'
    smallest and then that one's own, so a chain of n records takes about log n rounds.
    """
    groups = members.select("record", group="record")
    inner = edges.join(members, on="record", how="semi").join(members, left_on="other", right_on="record", how="semi")
    while True:
        neighbours = groups.select(pl.col("record").alias("other"), pl.col("group").alias("near"))
        nearest = inner.join(neighbours, on="other").group_by("record").agg(pl.col("near").min())
        spread = groups.join(nearest, on="record", how="left", maintain_order="left")
        lower = spread.select("record", group=pl.min_horizontal("group", "near"))
        own = groups.select(pl.col("record").alias("group"), pl.col("group").alias("own"))
        jumped = lower.join(own, on="group", how="left", maintain_order="left")
        after = jumped.select("record", group=pl.min_horizontal("group", "own"))
        if after.equals(groups):
            return groups
        groups = after


def _best(matches: pl.DataFrame, of: str) -> pl.DataFrame:
    """The best `work_id` for each `of`; of equal ones the lower (every arXiv id sorts before `title:`)."""
    descending = [False, *(True for _ in BETTER), False]
    ranked = matches.sort(of, *BETTER, "work_id", descending=descending, nulls_last=True)
    return ranked.unique(subset=of, keep="first", maintain_order=True).select(of, *BETTER, "work_id")


def _settled(members: pl.DataFrame, matches: pl.DataFrame, direct: pl.DataFrame) -> pl.DataFrame:
    """`work_id` of each member: its own match, else its group's best, else the group's name."""
    grouped = components(members, matches).join(direct, on="record", how="left")
    adopted = _best(grouped.drop_nulls("work_id"), "group").select("group", adopted="work_id")
    names = _names(members.join(grouped.select("record", "group"), on="record"))
    found = grouped.join(adopted, on="group", how="left").join(names, on="group", how="left")
    return found.select("record", work_id=pl.coalesce("work_id", "adopted", "name"))


def _names(members: pl.DataFrame) -> pl.DataFrame:
    """`group`, `name`: a hash of the smallest title, and the smallest of a text, which distinguishes twins."""
    groups = members.group_by("group").agg(pl.col("title_key", "text_digest").min())
    titles = pl.Series([sha256(title.encode()).hexdigest()[:16] for title in groups["title_key"]], dtype=pl.String)
    return groups.select("group", name=pl.format("title:{}-{}", titles, "text_digest"))
