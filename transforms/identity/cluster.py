"""From pairs that match to papers: which arXiv id, or which group without one, each record belongs to."""

from __future__ import annotations

import hashlib

import polars as pl

BETTER = ("score", "agreement", "title_similarity")
PLAIN = len("title:") + 16  # characters of a name without the suffix that distinguishes twins


def works(records: pl.DataFrame, pairs: pl.DataFrame, match: float) -> pl.DataFrame:
    """`record` → `work_id` for each record without an arXiv id; pairs of the score `match` or more are one work.

    A record with an abstract belongs to the arXiv id it matches best. The others belong where records belong that they
    match, directly or through others; a group without any id is a paper of its own. A record without
    a usable abstract joins the paper it matches best, and never links two others.
    """
    alone = records.filter(pl.col("arxiv_id").is_null())
    unusable, usable = alone.filter("lacks_usable_abstract"), alone.filter(~pl.col("lacks_usable_abstract"))
    matches = symmetrize(pairs.filter(pl.col("score") >= match))
    known = records.select(pl.col("record").alias("other"), pl.col("arxiv_id").alias("work_id")).drop_nulls()
    placed = _settled(usable, matches, _best(matches.join(known, on="other"), "record"))
    known = pl.concat([known, placed.rename({"record": "other"})])
    joined = _best(matches.join(unusable, on="record", how="semi").join(known, on="other"), "record")
    rest = unusable.join(joined, on="record", how="anti")
    left = _settled(rest, matches, joined.clear())
    found = pl.concat([placed, joined.select("record", "work_id"), left])
    # without the suffix that distinguishes twins, where there is no twin
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
    """The best `work_id` for each `of`; the lower one where two match alike (every arXiv id sorts before `title:`)."""
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
    """`group`, `name`: a hash of the smallest title, and one of the smallest text, which distinguishes twins."""
    facts = pl.concat_str("published_on", "author_count", "names", separator=" ", ignore_nulls=True)
    text = pl.when("lacks_usable_abstract").then(pl.col("abstract").fill_null("") + facts).otherwise("abstract")
    groups = members.group_by("group").agg(pl.col("title_key").min(), text.min().alias("text"))
    names = [
        f"title:{_digest(title, 16)}-{_digest(text, 8)}"
        for title, text in zip(groups["title_key"], groups["text"], strict=True)
    ]
    return groups.select("group", pl.Series("name", names, pl.String))


def _digest(text: str, length: int) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:length]
