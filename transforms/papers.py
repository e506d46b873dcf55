"""`papers`: the best current answer per paper, field by field."""

from __future__ import annotations

import polars as pl

from transforms.timeline import by_precedence, in_time, last_known, seen
from warehouse.tables.papers import PAPERS

# Told best by the most trusted source
BY_PRECEDENCE = ("arxiv_id", "title", "abstract", "published_at", "author_count")
# Told best by the latest page, whatever its source
BY_TIME = ("upvote_count", "comment_count", "github_star_count")


def papers(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row a paper."""
    trusted = by_precedence(sightings).group_by("paper_id").agg(last_known(name) for name in BY_PRECEDENCE)
    timed = in_time(sightings).group_by("paper_id", maintain_order=True)
    latest = timed.agg(
        *(last_known(name) for name in BY_TIME),
        pl.col("submitted_at").min(),
        pl.col("listed_on").min().alias("first_listed_on"),
        pl.col("listed_on").max().alias("last_listed_on"),
        *seen(),
    )
    joined = latest
    for part in (trusted, _published(sightings), _organization(sightings)):
        joined = joined.join(part, on="paper_id", how="left")
    return PAPERS.conform(joined)


def _published(sightings: pl.DataFrame) -> pl.DataFrame:
    """Day and basis together; a day that was stated before one whose year was inferred."""
    told = by_precedence(sightings.filter(pl.col("published_on").is_not_null()))
    ranked = told.sort(pl.col("published_basis") == "stated", maintain_order=True)
    return ranked.group_by("paper_id", maintain_order=True).agg(pl.col("published_on", "published_basis").last())


def _organization(sightings: pl.DataFrame) -> pl.DataFrame:
    """Login and name together, from one page."""
    told = sightings.filter(pl.col("organization_login").is_not_null() | pl.col("organization_name").is_not_null())
    names = pl.col("organization_login", "organization_name")
    return by_precedence(told).group_by("paper_id", maintain_order=True).agg(names.last())
