"""Clusters of records and of papers, made of pairs.

`works` gives the arXiv id, or the group without one, that each record belongs to. `paper_clusters` lists papers that
could be taken for one another, and are not merged.
"""

from hashlib import sha256

import polars as pl

from transforms.identity.compare import MATCH
from transforms.identity.records import Index
from warehouse.schema.core.identity import PAPER_CLUSTERS

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
    # Records with a usable abstract find their papers first, alone: what lacks one must not link two of them
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
    # A group is named by a hash of its smallest title, and the smallest of a text, which distinguishes twins
    groups = members.join(grouped.select("record", "group"), on="record").group_by("group")
    least = groups.agg(pl.col("title_key", "text_digest").min())
    titles = pl.Series([sha256(title.encode()).hexdigest()[:16] for title in least["title_key"]], dtype=pl.String)
    names = least.select("group", name=pl.format("title:{}-{}", titles, "text_digest"))
    found = grouped.join(adopted, on="group", how="left").join(names, on="group", how="left")
    return found.select("record", work_id=pl.coalesce("work_id", "adopted", "name"))


def paper_clusters(index: Index, papers: pl.DataFrame) -> pl.DataFrame:
    """One row per paper in a cluster: one work under several ids, and twins that share only a title or an abstract.

    `papers` gives the last page that showed each (`paper_id`, `capture_id`).
    """
    paper = index.records.select("record", "paper_id")
    likeness = index.pairs.filter(pl.col("kind") == "likeness").rename({"other_record": "other"})
    # The best scores of each pair of papers, over their records, in both directions
    named = symmetrize(likeness).join(paper, on="record")
    named = named.join(paper.rename({"record": "other", "paper_id": "other_id"}), on="other")
    apart = named.filter(pl.col("paper_id") != pl.col("other_id"))
    pairs = apart.group_by("paper_id", "other_id").agg(*_highest(), pl.col("is_same_title").any())
    matches = pairs.filter(pl.col("score") >= MATCH)
    is_titled = pl.col("is_same_title").any()
    best = matches.group_by("paper_id").agg(
        *_highest(), method=pl.when(is_titled).then(pl.lit("title")).otherwise(pl.lit("near_title"))
    )
    works = best.join(_groups(matches), on="paper_id").with_columns(kind=pl.lit("same_work"))
    twins = (_title_twins(index.records, pairs, works), _abstract_twins(paper, index.pairs, pairs, works))
    found = pl.concat([works, *(frame.select(works.columns) for frame in twins)])
    return PAPER_CLUSTERS.conform(found.join(papers.select("paper_id", "capture_id"), on="paper_id"))


def _highest() -> tuple[pl.Expr, pl.Expr]:
    return pl.col("score").max(), pl.col("agreement").max()


def _groups(pairs: pl.DataFrame) -> pl.DataFrame:
    """`paper_id`, `cluster_id`: papers that pairs join, directly or through others."""
    edges = pairs.select(pl.col("paper_id").alias("record"), pl.col("other_id").alias("other"))
    groups = components(edges.select("record").unique(), edges)
    return groups.select(pl.col("record").alias("paper_id"), pl.col("group").alias("cluster_id"))


def _title_twins(records: pl.DataFrame, pairs: pl.DataFrame, works: pl.DataFrame) -> pl.DataFrame:
    """Papers that share a title and are not the same work as all others that have it."""
    clusters = works.select("paper_id", work=pl.col("cluster_id"))
    titled = records.select("title_hash", "paper_id").unique().join(clusters, on="paper_id", how="left")
    titled = titled.with_columns(pl.coalesce("work", "paper_id").alias("work"))
    shared = titled.filter(pl.col("work").n_unique().over("title_hash") > 1)
    shared = shared.with_columns(pl.col("paper_id").min().over("title_hash").alias("cluster_id"))
    work = shared.select("paper_id", "work").unique()
    apart = pairs.filter("is_same_title").join(work, on="paper_id").join(work, left_on="other_id", right_on="paper_id")
    scores = apart.filter(pl.col("work") != pl.col("work_right")).group_by("paper_id").agg(_highest())
    twins = shared.select("cluster_id", "paper_id").unique().join(scores, on="paper_id", how="left")
    return twins.with_columns(method=pl.lit("title"), kind=pl.lit("twin_title"))


def _abstract_twins(paper: pl.DataFrame, alike: pl.DataFrame, pairs: pl.DataFrame, works: pl.DataFrame) -> pl.DataFrame:
    """Papers that share nearly all of an abstract and are not one work."""
    other = paper.select(other_record="record", other_id="paper_id")
    named = alike.filter(pl.col("kind") == "repeat").join(paper, on="record").join(other, on="other_record")
    apart = named.filter(pl.col("paper_id") != pl.col("other_id"))
    there = apart.select("paper_id", "other_id", "agreement")
    both = pl.concat([there, there.select(paper_id="other_id", other_id="paper_id", agreement="agreement")])
    work = works.select("paper_id", work="cluster_id")
    placed = both.join(work, on="paper_id", how="left").join(
        work.rename({"paper_id": "other_id"}), on="other_id", how="left", suffix="_right"
    )
    twins = placed.filter((pl.col("work") != pl.col("work_right")).fill_null(True))
    scored = twins.join(pairs.select("paper_id", "other_id", "score"), on=("paper_id", "other_id"), how="left")
    best = scored.group_by("paper_id").agg(_highest()).join(_groups(twins), on="paper_id")
    return best.with_columns(method=pl.lit("abstract"), kind=pl.lit("twin_abstract"))
